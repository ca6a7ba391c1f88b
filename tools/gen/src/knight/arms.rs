//! The left arm in its bones' own spaces (y along the bone, x outwards, z back): sleeve, pauldron, couter, vambrace,
//! gauntlet.

use glam::DVec3;

use crate::geometry::loft::{End, Node, ball, block, circle, cord, lames, loft, section, slab, tube};
use crate::geometry::part::Part;
use crate::geometry::shape::{Frame, Shape};
use crate::knight::palette::{GOLD, LEATHER, MAIL, RED, STEEL, STEEL_DARK, STEEL_LIGHT};
use crate::maths::{mix, smoothstep, turn};
use crate::rig::{Bind, Rig};

const ARM: Bind<'_> = Bind::Chain(&["shoulder.L", "upper_arm.L", "forearm.L", "hand.L"], 0.05);

/// The parts of the left arm.
pub fn left(rig: &Rig) -> Vec<Part> {
    let mut parts = vec![rig.part(mail(rig), MAIL, &ARM).round(), sleeve(rig)];
    parts.extend(pauldron(rig));
    parts.extend(couter(rig));
    parts.extend(vambrace(rig));
    parts.extend(hand(rig));
    parts
}

fn mail(rig: &Rig) -> Shape {
    let (upper, fore) = (rig.frame("upper_arm.L"), rig.frame("forearm.L"));
    let on = |frame: &Frame, y: f64, radius: f64| -> Node { (frame.point(DVec3::new(0.0, y, 0.0)), radius, radius) };
    let nodes = [on(&upper, 0.16, 0.053), on(&upper, 0.225, 0.049), on(&fore, 0.015, 0.047), on(&fore, 0.07, 0.046)];
    tube(&nodes, DVec3::Z, 7, 0.01)
}

/// A red sleeve that bulges under the pauldron and is gathered above the elbow.
fn sleeve(rig: &Rig) -> Part {
    let rings =
        [circle(-0.03, 0.060), circle(0.03, 0.074), circle(0.10, 0.079), circle(0.160, 0.075), circle(0.200, 0.056)];
    let shape = loft(&rings, 10, [End::Open, End::Cap(0.0)]).placed(&rig.frame("upper_arm.L"));
    rig.part(shape, RED, &ARM).round()
}

fn pauldron(rig: &Rig) -> Vec<Part> {
    let rings = [
        section(-0.096, 0.022, 0.024, 0.024),
        section(-0.080, 0.068, 0.067, 0.067),
        section(-0.040, 0.098, 0.096, 0.096),
        section(0.010, 0.109, 0.105, 0.105),
        section(0.072, 0.102, 0.098, 0.098),
        section(0.112, 0.095, 0.092, 0.092),
    ];
    let frame = rig.frame("upper_arm.L");
    let frame = frame.turned(turn(DVec3::Z, 14.0)).moved(0.004, 0.004, 0.0);
    let sections = lames(&rings, &[0.030, 0.072], 0.007);
    let shape = loft(&sections, 11, [End::Cap(0.004), End::Open]).placed(&frame);
    let origin = frame.origin;
    let along = frame.rotation * DVec3::Y;
    let bind = Bind::By(&|at: DVec3| {
        let part = mix(0.45, 0.95, smoothstep(-0.06, 0.10, (at - origin).dot(along)));
        vec![("shoulder.L", 1.0 - part), ("upper_arm.L", part)]
    });
    let rim = cord(&sections, [0.012, 0.030], 0.006, 11).placed(&frame);
    vec![rig.part(shape, STEEL, &bind), rig.part(rim, GOLD, &bind).round()]
}

fn couter(rig: &Rig) -> Vec<Part> {
    let frame = rig.frame("forearm.L");
    let bind = Bind::To("forearm.L");
    let cup = ball(DVec3::new(0.060, 0.064, 0.062), 8, 5).map(|at| {
        // Drawn out into a point at the back.
        DVec3::new(at.x, at.y, at.z + 0.016 * smoothstep(0.02, 0.062, at.z))
    });
    let wing = Frame { origin: frame.point(DVec3::new(0.052, 0.0, 0.004)), ..frame };
    let fan = ball(DVec3::new(0.015, 0.051, 0.051), 8, 3).placed(&wing);
    let ring = cord(&[circle(0.050, 0.049), circle(0.072, 0.049)], [0.050, 0.070], 0.013, 8);
    vec![
        rig.part(cup.placed(&frame), STEEL, &bind),
        rig.part(fan, STEEL_LIGHT, &bind).round(),
        rig.part(ring.placed(&frame), STEEL_DARK, &bind).round(),
    ]
}

fn vambrace(rig: &Rig) -> Vec<Part> {
    let frame = rig.frame("forearm.L");
    let rings = [
        circle(0.048, 0.050),
        section(0.055, 0.058, 0.058, 0.056),
        section(0.100, 0.061, 0.062, 0.058),
        section(0.190, 0.045, 0.046, 0.044),
    ];
    let plate = loft(&rings, 9, [End::Cap(0.0), End::Open]).placed(&frame);
    let cuff = [circle(0.153, 0.052), circle(0.151, 0.069), circle(0.192, 0.056), circle(0.252, 0.043)];
    let cuff = loft(&cuff, 9, [End::Open, End::Open]).placed(&frame);
    let rim = cord(&[circle(0.14, 0.069), circle(0.17, 0.069)], [0.146, 0.163], 0.005, 10);
    let bind = Bind::Chain(&["forearm.L", "hand.L"], 0.025);
    vec![
        rig.part(plate, STEEL, &Bind::To("forearm.L")),
        rig.part(cuff, STEEL_LIGHT, &bind),
        rig.part(rim.placed(&frame), GOLD, &Bind::To("forearm.L")).round(),
    ]
}

/// A fist around a grip that runs from front to back.
fn hand(rig: &Rig) -> Vec<Part> {
    let frame = rig.frame("hand.L");
    let bind = Bind::To("hand.L");
    let palm = slab(DVec3::new(0.018, 0.044, 0.039)).placed(&frame.moved(-0.002, 0.040, 0.0));
    let back = block(DVec3::new(0.010, 0.036, 0.044), 0.006).placed(&frame.moved(0.018, 0.040, 0.0));
    let knuckles = slab(DVec3::new(0.012, 0.011, 0.045)).placed(&frame.moved(0.014, 0.084, 0.0));
    let mut parts = vec![
        rig.part(palm, LEATHER, &bind),
        rig.part(back, STEEL, &bind),
        rig.part(knuckles, STEEL_LIGHT, &bind),
        rig.part(thumb(&frame), STEEL_DARK, &bind).round(),
    ];
    let places = [-0.033, -0.011, 0.011, 0.033];
    parts.extend(places.map(|z| rig.part(finger(&frame, z), STEEL_DARK, &bind).round()));
    parts
}

fn finger(frame: &Frame, z: f64) -> Shape {
    let short = 0.004 * (z / 0.033) * (z / 0.033);
    let node = |x: f64, y: f64, r: f64| -> Node { (frame.point(DVec3::new(x, y - short, z)), 0.0115, r) };
    let nodes =
        [node(0.008, 0.078, 0.013), node(-0.004, 0.118, 0.013), node(-0.048, 0.121, 0.013), node(-0.052, 0.074, 0.010)];
    tube(&nodes, frame.rotation * DVec3::Z, 5, 0.003)
}

fn thumb(frame: &Frame) -> Shape {
    let node = |x: f64, y: f64, z: f64, r: f64| -> Node { (frame.point(DVec3::new(x, y, z)), r, r) };
    let nodes =
        [node(-0.004, 0.018, -0.034, 0.014), node(-0.036, 0.060, -0.051, 0.015), node(-0.066, 0.098, -0.030, 0.011)];
    tube(&nodes, frame.rotation * DVec3::X, 5, 0.004)
}
