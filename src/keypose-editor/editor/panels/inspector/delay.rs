//! The row with the delay of the selected bones in the open clip.

use crate::editor::ops::time_text::is_whole;
use crate::editor::panels::ui::number_field::{number_tip, numbers};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::delay::Delay;

const TIP: &str = "The bone moves later than its keys, or earlier if negative. Around the loop, if the clip loops";

/// Draws the row, if a clip is open.
pub fn delay_ui(ui: &Ui<'_>, bones: &[BoneIndex]) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    let rate = clip.frame_rate;
    let put = |touch: Touch, by: &dyn Fn(usize) -> Time| {
        let own = bones.iter().enumerate().map(|(at, bone)| Delay { bone: *bone, by: by(at) });
        let others = clip.delays.iter().copied().filter(|delay| !bones.contains(&delay.bone));
        let delays = own.chain(others).collect();
        ui.gesture(touch, "Set delay", || Change::Edits(vec![ClipEdit::SetDelays { clip: id, delays }.into()]));
    };
    let delays: Vec<Time> = bones.iter().map(|bone| clip.delay_of(*bone)).collect();
    Form::new(ui, "delay-").row("Delay", |fields| {
        let mut frames: Vec<f32> = delays.iter().map(|delay| rate.frames_in(*delay) as f32).collect();
        let format = if frames.iter().all(|&frames| is_whole(frames)) { "%.0f" } else { "%.2f" };
        let how = Number { measure: Measure::Frames(rate), ..Number::new(format, 0.1).unit("frames") };
        let touch = numbers(ui, fields.column(0, 2, GAP), "delay-frames", &mut frames, how);
        number_tip(ui, TIP);
        put(touch, &|at| rate.time_of_frames((f64::from(frames[at]) * 100.0).round() / 100.0));
        let mut millis: Vec<f32> = delays.iter().map(|delay| delay.millis() as f32).collect();
        let how = Number { measure: Measure::Millis(rate), ..Number::new("%.0f", 2.0).unit("ms") };
        let touch = numbers(ui, fields.column(1, 2, GAP), "delay-millis", &mut millis, how);
        number_tip(ui, TIP);
        put(touch, &|at| Time::from_millis(f64::from(millis[at])));
    });
}
