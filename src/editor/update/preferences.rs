//! How the program looks and is arranged, and the first steps.

use crate::editor::session::Recovered;
use crate::editor::session::preferences::Prefer;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;
use crate::editor::state::first_steps;

/// Changes a preference.
pub fn prefer(editor: &mut Editor, prefer: Prefer) {
    let preferences = &mut editor.session.workspace.preferences;
    match prefer {
        Prefer::Shade(shade) => preferences.shade = shade,
        Prefer::Scale(percent) => preferences.set_scale(percent),
        Prefer::Arrange(arrangement) => {
            preferences.arrangement = arrangement;
            editor.session.transient.requests.push(Request::ArrangePanels);
        }
        Prefer::Remember(file) => preferences.remember(&file),
        Prefer::Forget(file) => preferences.recent.retain(|other| *other != file),
    }
}

/// Shows the first steps from the first, or takes them away for good.
pub fn show_first_steps(editor: &mut Editor, is_shown: bool) {
    editor.session.workspace.first_steps = is_shown.then(|| first_steps::at(0, editor));
    editor.session.workspace.preferences.knows_first_steps |= !is_shown;
}

/// Asks whether what was recovered is to be thrown away; where that was asked, throws it away.
pub fn discard_recovered(editor: &mut Editor, effects: &mut Vec<Effect>) {
    match &mut editor.session.transient.recovered {
        Some(recovered) if !recovered.is_asking => recovered.is_asking = true,
        Some(_) => {
            editor.session.transient.recovered = None;
            effects.push(Effect::DiscardRecovered);
        }
        None => {}
    }
}

/// What was recovered stays; while that is being asked, only the question goes.
pub fn keep_recovered(editor: &mut Editor) {
    let recovered = editor.session.transient.recovered.filter(|recovered| recovered.is_asking);
    editor.session.transient.recovered = recovered.map(|recovered| Recovered { is_asking: false, ..recovered });
}

/// Goes on to the next of the first steps where the one that is shown was just done.
pub fn follow_first_steps(editor: &mut Editor) {
    editor.session.workspace.first_steps =
        editor.session.workspace.first_steps.map(|steps| first_steps::advanced(&steps, editor));
}
