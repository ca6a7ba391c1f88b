//! The trunk: mail, breastplate, gorget, belt, and the steel hoops around the hips.

use glam::DVec3;

use crate::geometry::loft::{End, Section, band, circle, cord, lames, loft, section, slab};
use crate::geometry::part::Part;
use crate::geometry::shape::{Around, Frame, Shape};
use crate::knight::palette::{GOLD, LEATHER, MAIL, STEEL, STEEL_DARK};
use crate::rig::{Bind, Rig};

const TRUNK: Bind<'_> = Bind::Chain(&["hips", "spine", "chest", "neck"], 0.05);
const OPEN: [End; 2] = [End::Open, End::Open];

/// The waist between belt and breastplate; the belt lies on it.
pub fn waist() -> [Section; 4] {
    [
        section(0.90, 0.160, 0.118, 0.122),
        section(1.00, 0.148, 0.106, 0.106),
        section(1.05, 0.146, 0.106, 0.102),
        section(1.14, 0.152, 0.112, 0.104),
    ]
}

/// The parts of the trunk.
pub fn parts(rig: &Rig) -> Vec<Part> {
    vec![
        rig.part(mail(), MAIL, &TRUNK),
        breastplate(rig),
        rig.part(cord(&cuirass(), [1.030, 1.052], 0.008, 16), GOLD, &TRUNK).round(),
        gorget(rig),
        rig.part(collar(), GOLD, &TRUNK).round(),
        rig.part(band(&waist(), [0.992, 1.034], 0.016, 14), LEATHER, &Bind::Chain(&["hips", "spine"], 0.05)).soft(0.0),
        buckle(rig),
        fauld(rig),
    ]
}

fn mail() -> Shape {
    let sections = [
        section(0.83, 0.120, 0.090, 0.095),
        section(0.93, 0.156, 0.114, 0.118),
        section(1.05, 0.146, 0.104, 0.102),
        section(1.25, 0.170, 0.112, 0.108),
        section(1.40, 0.080, 0.064, 0.072),
        circle(1.50, 0.062),
    ];
    loft(&sections, 7, [End::Cap(0.02), End::Open])
}

fn cuirass() -> [Section; 7] {
    [
        section(1.030, 0.150, 0.114, 0.108),
        section(1.070, 0.158, 0.125, 0.113).keel(0.006),
        section(1.155, 0.179, 0.153, 0.122).keel(0.017),
        section(1.230, 0.194, 0.158, 0.131).keel(0.016),
        section(1.290, 0.190, 0.138, 0.129).keel(0.010),
        section(1.335, 0.170, 0.108, 0.117).keel(0.005),
        section(1.400, 0.098, 0.068, 0.084),
    ]
}

fn breastplate(rig: &Rig) -> Part {
    // In two halves, so that the ridge in front stays an edge.
    let sections = cuirass();
    let last = sections.len() - 1;
    let half = |from: f64| {
        let at = |u: f64, v: f64| sections[(v * last as f64).round() as usize].point(from + 180.0 * u);
        Shape::grid(8, last, Around::Open, at)
    };
    let outward = |mut shape: Shape| {
        shape.faces.iter_mut().for_each(|face| face.reverse());
        shape
    };
    rig.part(outward(half(-90.0)).and(outward(half(90.0))), STEEL, &TRUNK)
}

fn gorget(rig: &Rig) -> Part {
    let sections =
        [section(1.352, 0.138, 0.108, 0.118), section(1.402, 0.096, 0.084, 0.090), section(1.458, 0.082, 0.082, 0.078)];
    let sections = lames(&sections, &[1.402], 0.006);
    rig.part(loft(&sections, 10, OPEN), STEEL_DARK, &TRUNK)
}

fn collar() -> Shape {
    let sections = [section(1.343, 0.146, 0.114, 0.124), section(1.358, 0.135, 0.105, 0.115)];
    cord(&sections, [1.344, 1.357], 0.006, 12)
}

fn buckle(rig: &Rig) -> Part {
    let frame = Frame::at(0.0, 1.013, 0.124);
    let plate = slab(DVec3::new(0.030, 0.026, 0.008)).placed(&frame);
    let stud = slab(DVec3::new(0.012, 0.010, 0.006)).placed(&frame.moved(0.0, 0.0, 0.008));
    rig.part(plate.and(stud), GOLD, &Bind::Chain(&["hips", "spine"], 0.05))
}

/// Two hoops under the belt, open towards the legs.
fn fauld(rig: &Rig) -> Part {
    let sections = [
        section(1.000, 0.160, 0.118, 0.120),
        section(0.955, 0.178, 0.138, 0.142),
        section(0.915, 0.192, 0.153, 0.158),
        section(0.880, 0.203, 0.164, 0.170),
    ];
    let sections = lames(&sections, &[0.955, 0.915], 0.008);
    rig.part(loft(&sections, 12, OPEN), STEEL, &Bind::To("hips"))
}
