//! The trunk: mail, breastplate, gorget, belt, and the steel hoops around the hips.

use glam::DVec3;

use crate::geometry::loft::{End, Section, band, block, circle, lames, loft, section, slab};
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

/// All of it.
pub fn parts(rig: &Rig) -> Vec<Part> {
    vec![
        rig.part(mail(), MAIL, &TRUNK),
        breastplate(rig),
        rig.part(band(&cuirass(), [1.030, 1.052], 0.007, 16), GOLD, &TRUNK),
        gorget(rig),
        rig.part(collar(), GOLD, &TRUNK),
        rig.part(band(&waist(), [0.992, 1.034], 0.016, 16), LEATHER, &Bind::Chain(&["hips", "spine"], 0.05)),
        buckle(rig),
        fauld(rig),
    ]
}

fn mail() -> Shape {
    let sections = [
        section(0.83, 0.120, 0.090, 0.095),
        section(0.90, 0.160, 0.118, 0.122),
        section(1.00, 0.148, 0.106, 0.106),
        section(1.10, 0.150, 0.108, 0.102),
        section(1.25, 0.170, 0.112, 0.108),
        section(1.36, 0.110, 0.074, 0.085),
        section(1.44, 0.066, 0.062, 0.066),
        circle(1.50, 0.062),
    ];
    loft(&sections, 12, [End::Cap(0.02), End::Open])
}

fn cuirass() -> [Section; 9] {
    [
        section(1.030, 0.150, 0.114, 0.108),
        section(1.060, 0.156, 0.121, 0.112).keel(0.004),
        section(1.110, 0.167, 0.138, 0.116).keel(0.012),
        section(1.170, 0.182, 0.157, 0.124).keel(0.018),
        section(1.230, 0.194, 0.158, 0.131).keel(0.016),
        section(1.290, 0.190, 0.138, 0.129).keel(0.010),
        section(1.335, 0.170, 0.108, 0.117).keel(0.005),
        section(1.370, 0.138, 0.084, 0.103),
        section(1.400, 0.098, 0.068, 0.084),
    ]
}

fn breastplate(rig: &Rig) -> Part {
    // In two halves, so that the ridge in front stays an edge.
    let sections = cuirass();
    let last = sections.len() - 1;
    let half = |from: f64| {
        let at = |u: f64, v: f64| sections[(v * last as f64).round() as usize].point(from + 180.0 * u);
        Shape::grid(10, last, Around::Open, at)
    };
    let outward = |mut shape: Shape| {
        shape.faces.iter_mut().for_each(|face| face.reverse());
        shape
    };
    rig.part(outward(half(-90.0)).and(outward(half(90.0))), STEEL, &TRUNK)
}

fn gorget(rig: &Rig) -> Part {
    let sections = [
        section(1.352, 0.138, 0.108, 0.118),
        section(1.372, 0.120, 0.096, 0.108),
        section(1.400, 0.096, 0.084, 0.090),
        section(1.432, 0.083, 0.080, 0.080),
        section(1.458, 0.082, 0.082, 0.078),
    ];
    let sections = lames(&sections, &[1.402], 0.006);
    rig.part(loft(&sections, 14, OPEN), STEEL_DARK, &TRUNK)
}

fn collar() -> Shape {
    let sections = [section(1.343, 0.146, 0.114, 0.124), section(1.358, 0.135, 0.105, 0.115)];
    band(&sections, [1.344, 1.357], 0.006, 14)
}

fn buckle(rig: &Rig) -> Part {
    let frame = Frame::at(0.0, 1.013, 0.124);
    let plate = block(DVec3::new(0.030, 0.026, 0.008), 0.005).placed(&frame);
    let stud = slab(DVec3::new(0.012, 0.010, 0.006)).placed(&frame.moved(0.0, 0.0, 0.008));
    rig.part(plate.and(stud), GOLD, &Bind::Chain(&["hips", "spine"], 0.05))
}

/// Two hoops under the belt, open towards the legs.
fn fauld(rig: &Rig) -> Part {
    let sections = [
        section(1.000, 0.160, 0.118, 0.120),
        section(0.960, 0.176, 0.136, 0.140),
        section(0.915, 0.192, 0.153, 0.158),
        section(0.880, 0.203, 0.164, 0.170),
    ];
    let sections = lames(&sections, &[0.955, 0.915], 0.008);
    rig.part(loft(&sections, 18, OPEN), STEEL, &Bind::To("hips"))
}
