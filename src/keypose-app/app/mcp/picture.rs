//! The tool `render`: a picture of the active model as content of a result.

use std::sync::Arc;

use serde_json::{Value, json};

use keypose::anim::time::Time;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose_editor::editor::ops::time_text;
use keypose_editor::editor::state::Editor;
use keypose_editor::render::frame::framed_model::{CameraAngle, spread};

use crate::app::files::base64;
use crate::app::files::progress::Progress;
use crate::app::film::{self, Pose, RenderJob};
use crate::app::mcp::arguments::Arguments;
use crate::app::mcp::tools;
use crate::app::scripted::runner::ScriptRunner;

/// The directions of the camera.
pub const CAMERAS: [&str; 3] = ["side", "front", "three-quarter"];
/// Maximum pixels of a picture: assistants see no more details.
const MAX_PIXELS: u64 = 8 << 20;

/// Draws the pose on screen, or poses of a clip side by side.
pub fn render(runner: &mut ScriptRunner, arguments: &Arguments) -> Result<Vec<Value>, String> {
    let editor = runner.editor();
    let view = editor.view();
    let model = view.model.clone().ok_or("there is no model: open a file first")?;
    let is_of_clip = ["clip", "time", "frames"].iter().any(|name| arguments.has(name));
    let (poses, caption) = if is_of_clip {
        poses_of_clip(editor, &model, arguments)?
    } else {
        let clip = view.clip.as_ref().map_or("rest pose".to_owned(), |clip| {
            format!("{} at {}", clip.name, time_text::print(view.time, clip.frame_rate))
        });
        (vec![Pose::of_view(editor, &view, &model)], clip)
    };
    let size = arguments.text("size").unwrap_or(if poses.len() > 1 { "240x240" } else { "480x480" });
    let size = film::size(size)?;
    if poses.len() as u64 * u64::from(size[0]) * u64::from(size[1]) > MAX_PIXELS {
        return Err(format!("{} of {}x{} pixels are too many; use a smaller size", poses.len(), size[0], size[1]));
    }
    let angle = match arguments.text("camera") {
        Some("front") => CameraAngle::Front,
        Some("three-quarter") => CameraAngle::ThreeQuarter,
        Some(_) | None => CameraAngle::Side,
    };
    let caption = format!("{}, {caption}", model.name);
    let job = RenderJob {
        view: angle,
        has_bones: arguments.is_on("bones"),
        ..RenderJob::new(model, editor.document.models.to_vec(), poses, size)
    };
    let png = film::make(&job, &Progress::default())?;
    let picture = json!({ "type": "image", "data": base64::encode(&png), "mimeType": "image/png" });
    Ok(vec![tools::text(&caption), picture])
}

/// Poses of the clip that is named, or of the open one, and what they show.
fn poses_of_clip(editor: &Editor, model: &Arc<Model>, arguments: &Arguments) -> Result<(Vec<Pose>, String), String> {
    let slot = match arguments.text("clip") {
        Some(name) => model.clip_named(name).ok_or_else(|| format!("there is no clip {name}"))?,
        None => editor.clip().ok_or("no clip is open")?,
    };
    let (baked, rate) = (bake_clip(model, &slot.clip), slot.clip.frame_rate);
    let times = match (arguments.count("frames"), arguments.text("time")) {
        (Some(_), Some(_)) => return Err("pass either time or frames".to_owned()),
        (Some(count), None) => spread(baked.length, baked.loop_mode, count as usize),
        (None, Some(time)) => vec![time_text::parse(time, rate)?],
        (None, None) => vec![Time::ZERO],
    };
    let shown: Vec<String> = times.iter().map(|&time| time_text::print(time, rate)).collect();
    let caption = format!("{} at {}", slot.clip.name, shown.join(" "));
    Ok((Pose::of_clip((model, &editor.document.models), (&slot.clip, &baked), &times), caption))
}
