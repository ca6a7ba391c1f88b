//! The reference images and films: a list, and the properties of the picked one.

use crate::editor::panels::ui::prelude::*;
use crate::editor::view::references::changed;
use keypose::assets::model::Visibility;
use keypose::assets::reference::{Depth, Facing, Film, FilmFiles, Lock, Reference};

pub fn references_ui(ui: &Ui<'_>) {
    let Some(model) = ui.model() else {
        return widgets::empty(ui, "No model open.", "Open a model to add reference images.");
    };
    widgets::command_buttons(ui, &[Command::AddReference, Command::AddFilm]);
    if model.references.is_empty() {
        let hint = "Drop a PNG, JPEG, GIF or MP4 on the window to pose the model from it.";
        return widgets::empty(ui, "No reference images.", hint);
    }
    widgets::scrolled(ui, "##references", 0.0, || {
        let at = ui.session.focus.reference.min(model.references.len() - 1);
        for (other, reference) in model.references.iter().enumerate() {
            row_ui(ui, model, other, reference, other == at);
        }
        ui.dummy([0.0, 4.0]);
        match model.references[at].lock {
            Lock::Open => values_ui(ui, model, at),
            Lock::Locked => widgets::empty(ui, "Locked.", "Click the lock in the list to unlock it."),
        }
    });
}

/// Draws a row with an eye and a lock.
fn row_ui(ui: &Ui<'_>, model: &Model, at: usize, reference: &Reference, is_picked: bool) {
    let (is_shown, is_locked) = (reference.visibility == Visibility::Shown, reference.lock == Lock::Locked);
    let [id, eye, lock] = ["reference", "eye", "lock"].map(|name| format!("{name}{at}"));
    let eye = if is_shown { Sign::new(&eye, Icon::Eye, "Hide") } else { Sign::new(&eye, Icon::EyeOff, "Show") };
    let lock =
        if is_locked { Sign::new(&lock, Icon::Lock, "Unlock") } else { Sign::new(&lock, Icon::LockOpen, "Lock") };
    let item = Item::new(&id, reference.name(), "", is_picked);
    let touch = Item { is_dim: !is_shown, signs: [Some(eye), Some(lock)], ..item }.draw(ui);
    let edits = |change: &dyn Fn(&mut Reference)| changed(ui.session.focus.model, &model.references, at, change);
    match touch.sign {
        Some(0) => {
            let visibility = if is_shown { Visibility::Hidden } else { Visibility::Shown };
            ui.edit("Show or hide reference image", edits(&|one| one.visibility = visibility));
        }
        Some(_) => {
            let lock = if is_locked { Lock::Open } else { Lock::Locked };
            ui.edit("Lock or unlock reference image", edits(&|one| one.lock = lock));
        }
        None if touch.is_clicked => ui.send(MaterialAction::PickReference(at)),
        None => {}
    }
}

fn values_ui(ui: &Ui<'_>, model: &Model, at: usize) {
    let (reference, model_at) = (&*model.references[at], ui.session.focus.model);
    let apply = |touch, step, with: Reference| {
        ui.change(touch, step, || changed(model_at, &model.references, at, |one: &mut Reference| *one = with.clone()));
    };
    let form = Form::new(ui, "");
    let of = form.of(reference, "Set reference image", &apply);
    let facings =
        [(Facing::Front, "Front", "Align with the front view"), (Facing::Side, "Side", "Align with the right view")];
    of.step("Set reference image facing").choice("Faces", &facings, |one| &mut one.facing);
    let depths =
        [(Depth::Behind, "Behind", "Draw behind the model"), (Depth::Before, "In front", "Draw in front of the model")];
    of.step("Set reference image depth").choice("Depth", &depths, |one| &mut one.depth);
    let (tip, percent) = ("Opacity in percent", Number::percent().or(50.0));
    of.step("Set reference image opacity").number("Opacity", tip, percent, |one| &mut one.opacity);
    let length = Number { measure: Measure::Length, ..Number::new("%.3f", reference.height * 0.004) };
    let (tip, height) = ("Height in units of the model", length.within(1e-3, 1e6));
    of.step("Set reference image size").number("Height", tip, height, |one| &mut one.height);
    let tips = ["X, from the model's origin", "Y, from the ground to its lower edge"];
    let how = length.within(-1e6, 1e6).or(0.0);
    of.step("Move reference image").numbers("Offset", tips, how, |one| one.offset.as_mut().each_mut());
    if let Some(film) = &reference.film {
        film_ui(ui, model, at, film);
    }
    if form.buttons(&[Button::new("Remove", "remove-reference", "Remove the reference image")]).is_some() {
        let mut references = model.references.clone();
        references.remove(at);
        ui.edit("Remove reference image", vec![ModelEdit::SetReferences { model: model_at, references }.into()]);
    }
}

/// Draws how a film follows the playhead, and where its files are.
fn film_ui(ui: &Ui<'_>, model: &Model, at: usize, film: &Film) {
    let model_at = ui.session.focus.model;
    let edits =
        |with: &Film| changed(model_at, &model.references, at, |one: &mut Reference| one.film = Some(with.clone()));
    let apply = |touch, step, with: Film| ui.change(touch, step, || edits(&with));
    let form = Form::new(ui, "film-");
    let of = form.of(film, "Set reference film", &apply);
    let secs = Number::new("%.3f s", 0.01).within(-Film::MAX, Film::MAX).or(0.0);
    let tip = "The time of the clip at which the film starts, in seconds";
    of.step("Set film start").number("Film starts", tip, secs, |one| &mut one.offset);
    let speed = Number::new("%.2f ×", 0.01).within(0.01, 100.0).or(1.0);
    of.step("Set film speed")
        .number("Film speed", "Seconds of the film per second of the clip", speed, |one| &mut one.speed);
    if film.source.fps > 0.0 {
        let rate = Number::new("%.2f fps", 0.1).within(0.01, 1000.0).or(30.0);
        let tip = "Frames per second of the numbered images";
        of.step("Set film frame rate").number("Frame rate", tip, rate, |one| &mut one.source.fps);
    }
    let file = &film.source.path;
    let is_linked = film.source.files == FilmFiles::Linked;
    let (label, tip) = if is_linked {
        ("Keep in archive", format!("Store the film in the archive. It is read from {file}"))
    } else {
        ("Link to file", format!("Remove the film from the archive, and read it from {file}"))
    };
    match (form.buttons(&[Button::new(label, "film-files", &tip)]), is_linked) {
        (None, _) => {}
        (Some(_), true) => ui.send(MaterialAction::KeepFilm(at)),
        (Some(_), false) => {
            let mut linked = film.clone();
            linked.source.files = FilmFiles::Linked;
            ui.edit("Link film to file", edits(&linked));
        }
    }
    if let Some(fault) = ui.editor.caches.films.fault(&film.source) {
        ui.text_wrapped(fault);
    }
}
