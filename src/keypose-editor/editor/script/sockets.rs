//! Script commands for sockets (`socket add`), and the sockets as text.

use std::sync::Arc;

use glam::Vec3;

use crate::assets::euler_order::EulerOrder;
use crate::assets::model::{Model, Socket};
use crate::editor::ops::euler;
use crate::editor::posing::change::Change;
use crate::editor::script::parse::number;
use crate::editor::session::sockets::{SocketAction, changed};
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction};

/// The action of a `socket` command.
pub fn action(editor: &Editor, args: &[&str]) -> Result<Action, String> {
    let model = editor.model().ok_or("there is no model")?;
    Ok(Action::Socket(match args {
        ["add"] => SocketAction::Add,
        ["pick", name] => {
            let at = model.sockets.iter().position(|socket| socket.name == *name);
            SocketAction::Pick(at.ok_or_else(|| format!("there is no socket {name}"))?)
        }
        ["rename", name] => SocketAction::Rename((*name).to_owned()),
        ["to-bone"] => SocketAction::ToBone,
        ["attach", "none"] => SocketAction::Attach(String::new()),
        ["attach", name] => SocketAction::Attach((*name).to_owned()),
        ["remove"] => SocketAction::Remove,
        [what, x, y, z] => return place(editor, model, what, vector([*x, *y, *z])?),
        _ => return Err("unknown command or wrong arguments".into()),
    }))
}

/// `position`, `rotation` (degrees about X, Y and Z) or `scale` of the active socket.
fn place(editor: &Editor, model: &Arc<Model>, what: &str, value: Vec3) -> Result<Action, String> {
    let at = editor.socket().ok_or("there is no socket")?;
    let change = |socket: &mut Socket| match what {
        "position" => socket.transform.translation = value,
        "rotation" => socket.transform.rotation = euler::rotation(value, EulerOrder::Xyz),
        _ => socket.transform.scale = value,
    };
    let change = Change::Edits(changed((editor.session.focus.model, model), at, change));
    Ok(Action::Document(DocumentAction::Edit { label: "Set socket".into(), change }))
}

fn vector([x, y, z]: [&str; 3]) -> Result<Vec3, String> {
    Ok(Vec3::new(number(x)? as f32, number(y)? as f32, number(z)? as f32))
}

/// "hand on hand.L with sword, back on root".
pub fn sockets(model: &Model) -> String {
    let text = |socket: &Socket| {
        let bone = model.skeleton.get(socket.bone).map_or("", |bone| bone.name.as_str());
        let with = if socket.attached.is_empty() { String::new() } else { format!(" with {}", socket.attached) };
        format!("{} on {bone}{with}", socket.name)
    };
    model.sockets.iter().map(text).collect::<Vec<_>>().join(", ")
}
