//! The sockets of the inspector, driven by mouse and keys.

use keypose::assets::model::Model;
use std::sync::Arc;

use crate::driver::{Driver, arm};

#[test]
fn a_socket_is_added_named_filled_placed_and_removed() {
    let mut project = arm();
    let skeleton = project.models[0].skeleton.clone();
    project.models.push(Arc::new(Model { name: "sword".into(), skeleton, ..Model::default() }));
    let mut driver = Driver::new(project, [1280.0, 2000.0]);
    driver.click("bone1");
    driver.frames(2);
    driver.click("sockets0");
    driver.frames(2);
    let bone = driver.model().sockets[0].bone;
    assert_eq!((driver.model().sockets.len(), bone), (1, 1));
    driver.click("socket-Name");
    driver.type_line("grip");
    driver.choose("socket-Holds", "sword");
    driver.drag("socket-Place0", [30.0, 0.0]);
    driver.drag("socket-Angles2", [30.0, 0.0]);
    let socket = driver.model().sockets[0].clone();
    assert_eq!((socket.name.as_str(), socket.attached.as_str()), ("grip", "sword"));
    assert!(socket.transform.translation.x > 0.0 && socket.transform.rotation.z > 0.0, "{socket:?}");
    driver.click("sockets2");
    assert!(driver.model().sockets.is_empty());
    assert_eq!(driver.editor.history.undo_count(), 6);
}
