//! Actions of the sprites mode.

use std::sync::Arc;

use crate::editor::document::edit::ModelEdit;
use crate::editor::session::scene::Scene;
use crate::editor::session::sprites::{PaletteUse, SpriteAction, SpriteDesk};
use crate::editor::state::Editor;
use crate::editor::state::effect::{Effect, PathPurpose};
use crate::editor::update::{playback, step, transaction};
use keypose::anim::time::Time;
use keypose::assets::sprite_recipe::{Rgb, SpriteColors, SpriteRecipe};

/// Handles an action of the sprites mode.
pub fn act(editor: &mut Editor, action: SpriteAction) {
    match action {
        SpriteAction::Toggle => toggle(editor),
        SpriteAction::Pick(frame) => change(editor, |desk| (desk.frame, desk.playing) = (frame, None)),
        SpriteAction::Play => change(editor, |desk| desk.playing = desk.playing.xor(Some(Time::ZERO))),
        SpriteAction::Image(image) => change(editor, |desk| desk.image = image),
        SpriteAction::Load(purpose, None) => editor.effects.push(Effect::AskPath(match purpose {
            PaletteUse::Palette => PathPurpose::Palette,
            PaletteUse::Swap => PathPurpose::PaletteSwap,
        })),
        SpriteAction::Load(purpose, Some(path)) => editor.effects.push(Effect::ReadPalette { path, purpose }),
        SpriteAction::Loaded { purpose, name, colors } => loaded(editor, purpose, &name, colors),
        SpriteAction::Export(path) => export(editor, path),
    }
}

/// Advances what plays.
pub fn tick(editor: &mut Editor, passed: Time) {
    change(editor, |desk| desk.playing = desk.playing.map(|before| before + passed));
}

fn change(editor: &mut Editor, change: impl FnOnce(&mut SpriteDesk)) {
    if let Scene::Sprites(desk) = &mut editor.session.transient.scene {
        change(desk);
    }
}

fn toggle(editor: &mut Editor) {
    transaction::commit(editor);
    let scene = &editor.session.transient.scene;
    let next = if scene.sprites().is_some() { Scene::Model } else { Scene::Sprites(SpriteDesk::default()) };
    editor.session.transient.scene = next;
    editor.session.transient.hover = None;
    playback::set_playing(editor, false);
}

/// Sets the palette, or adds a swap, in one undo step.
fn loaded(editor: &mut Editor, purpose: PaletteUse, name: &str, colors: Vec<Rgb>) {
    let Some(model) = editor.model() else { return };
    let mut recipe = SpriteRecipe::clone(&model.sprites);
    let label = match purpose {
        PaletteUse::Palette => {
            recipe.colors = SpriteColors::Of(colors);
            "Load palette"
        }
        PaletteUse::Swap => {
            recipe.swaps.insert(name.to_owned(), colors);
            "Add palette swap"
        }
    };
    let model = editor.session.focus.model;
    step(editor, label, ModelEdit::SetSprites { model, sprites: Arc::new(recipe) });
}

fn export(editor: &mut Editor, path: Option<std::path::PathBuf>) {
    transaction::commit(editor);
    let Some(model) = editor.model() else { return };
    let beside = editor.file.as_ref().filter(|_| !model.sprites.output.is_empty());
    let path = path.or_else(|| Some(beside?.with_file_name("").join(&model.sprites.output)));
    editor.effects.push(match path {
        Some(path) => Effect::ExportSprites { path },
        None => Effect::AskPath(PathPurpose::Sprites),
    });
}
