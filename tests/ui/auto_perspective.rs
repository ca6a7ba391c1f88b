//! Views along an axis are parallel until the camera orbits, with real keys and the mouse.

use imgui::MouseButton;
use keypose_editor::editor::session::camera::Lens;
use keypose_editor::editor::session::preferences::Prefer;

use crate::driver::{Driver, arm};

fn lens(driver: &Driver) -> Lens {
    driver.editor.session.focus.camera.lens
}

fn pad(driver: &mut Driver, digit: u8) {
    driver.hover("picture");
    driver.strike(&format!("Num {digit}"));
}

/// Drags with the right button over the viewport, which orbits.
fn orbit(driver: &mut Driver) {
    let [x, y] = driver.place("picture").center();
    driver.point([x, y + 100.0]);
    driver.button(MouseButton::Right, true);
    driver.point([x + 40.0, y + 110.0]);
    driver.button(MouseButton::Right, false);
    driver.frames(2);
}

#[test]
fn a_view_along_an_axis_is_parallel_until_the_camera_orbits() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    for digit in [1, 3, 7] {
        pad(&mut driver, digit);
        assert_eq!(lens(&driver), Lens::Parallel, "{digit}");
    }
    orbit(&mut driver);
    assert_eq!(lens(&driver), Lens::Perspective);
    pad(&mut driver, 1);
    pad(&mut driver, 5);
    assert_eq!(lens(&driver), Lens::Perspective, "the key of the projection works as always");
    pad(&mut driver, 5);
    orbit(&mut driver);
    assert_eq!(lens(&driver), Lens::Parallel, "what the user chose stays");
}

#[test]
fn the_preference_turns_it_off() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    driver.update(Prefer::AutoPerspective(false));
    pad(&mut driver, 1);
    assert_eq!(lens(&driver), Lens::Perspective);
}
