//! The sprites mode and the pixel view.

use std::sync::Arc;

use keypose::assets::sprite_recipe::{SpriteAngle, SpriteRecipe, Take, words_of};
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::sprites::{PaletteUse, SpriteAction};
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::state::action::Action;
use keypose_editor::editor::state::effect::{Effect, PathPurpose};
use keypose_editor::editor::view::sprite_sheet::SheetView;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::made::{Shared, Sprites, Warning};
use keypose_tools::sprites::marks::Marks;
use keypose_tools::sprites::palette::Palette;
use keypose_tools::sprites::sheet::{Sheet, SheetFrame};

use crate::driver::{Driver, driver};

/// A sheet of a clip with three frames, of 100 ms each, from two directions.
fn sheet() -> SheetView {
    let mut sheet = Sheet::new(vec!["color".into(), "normals".into()], [16, 16], [8, 15], 20.0);
    for name in ["wave-E", "wave-W"] {
        for at in 0..3_u32 {
            let image = |byte: u8| Bitmap::new(4, 4, [byte, at as u8, name.as_bytes()[5], 255].repeat(16)).unwrap();
            let placed = sheet.place(vec![image(200), image(128)], [4 + at, 4]);
            sheet.frames.push(SheetFrame {
                name: format!("{name}-{at}"),
                placed,
                millis: 100,
                marks: Marks::default(),
                is_by_hand: false,
            });
        }
        sheet.tag(name.into(), keypose::anim::clip::LoopMode::Loop, 0);
    }
    let packed = sheet.pack(&Default::default()).unwrap();
    let images = vec![
        (String::new(), sheet.atlas(0, &packed, 0).unwrap()),
        ("normals".into(), sheet.atlas(1, &packed, 0).unwrap()),
    ];
    let shared = Shared { ground: 0.0, depth: [1.0, 0.0], palette: None };
    let palette = Palette::new([[9, 8, 7], [200, 100, 50]]);
    SheetView {
        sprites: Arc::new(Sprites { sheet, palette, shared, colors: 2, difference: 0.0 }),
        packed: Some(packed),
        images,
        warnings: vec![Warning { text: "1 frame touches the border".into(), frame: 4 }],
        files: 3,
        bytes: 12_345,
    }
}

fn open() -> Driver {
    let mut driver = driver();
    driver.sheet = Some(sheet());
    driver.update(Command::SpritesMode);
    driver.frames(3);
    driver
}

fn desk(driver: &Driver) -> keypose_editor::editor::session::sprites::SpriteDesk {
    *driver.editor.session.transient.scene.sprites().unwrap()
}

fn words(driver: &Driver) -> String {
    words_of(&driver.editor.model().unwrap().sprites).join(" ")
}

#[test]
fn settings_become_the_recipe_one_undo_step_each() {
    let mut driver = open();
    driver.click("sprites-Directions-8");
    driver.click("sprites-Outline-Out");
    assert_eq!(words(&driver), "--directions=8 --outline=outside");
    driver.click("fold-sprite-frames");
    driver.click("fold-sprite-look");
    driver.click("sprites-Images-Normals");
    assert_eq!(words(&driver), "--directions=8 --outline=outside --normals=on");
    driver.update(Command::Undo);
    driver.frame();
    assert_eq!(words(&driver), "--directions=8 --outline=outside");
}

#[test]
fn the_number_of_poses_between_is_not_the_angle() {
    let mut driver = open();
    let angle = SpriteAngle::Degrees(45.0);
    let recipe = SpriteRecipe { take: Take::Between(1), angle, ..SpriteRecipe::default() };
    driver.update(Action::edit("Set sprite recipe", ModelEdit::SetSprites { model: 0, sprites: recipe.into() }));
    driver.frames(2);
    driver.enter("sprites-Between0", "3");
    let recipe = &driver.editor.model().unwrap().sprites;
    assert_eq!((recipe.take, recipe.angle), (Take::Between(3), angle));
}

#[test]
fn frames_are_chosen_played_and_shown_by_warnings() {
    let mut driver = open();
    driver.click("sprite-frame3");
    assert_eq!((desk(&driver).frame, desk(&driver).playing), (2, None));
    driver.click("show-warning0");
    assert_eq!(desk(&driver).frame, 4, "the frame of the warning, and with it the other direction");
    driver.strike("Space");
    assert!(desk(&driver).playing.is_some());
    let sheet = driver.sheet.as_ref().unwrap();
    let shown = [0, 99, 100, 250, 300].map(|millis| sheet.frame_at(sheet.tag_of(4).unwrap(), millis));
    assert_eq!(shown, [3, 3, 4, 5, 3]);
    driver.strike("Space");
    assert_eq!(desk(&driver).playing, None);
    driver.click("sprite-image1");
    assert_eq!(desk(&driver).image, 1);
    driver.strike("Escape");
    assert!(driver.editor.session.transient.scene.sprites().is_none());
}

#[test]
fn keys_over_the_frames_edit_no_clip() {
    let mut driver = driver();
    driver.sheet = Some(sheet());
    driver.hover("block2");
    driver.strike("Shift+F9");
    driver.frames(3);
    driver.click("sprite-frame1");
    driver.strikes(&["9", "Enter", "X", "N", "F2"]);
    driver.frames(3);
    assert_eq!((driver.durations(), driver.editor.history.undo_count()), (vec![4, 6, 10], 0));
    driver.strike("Escape");
    assert!(driver.editor.session.transient.scene.sprites().is_none());
}

#[test]
fn export_asks_for_a_place_until_the_recipe_has_one() {
    let mut driver = open();
    driver.click("export-sprites");
    assert!(matches!(driver.effects.last(), Some(Effect::AskPath(PathPurpose::Sprites))));
    driver.click("fold-sprite-look");
    driver.click("sprites-load-palette");
    assert!(matches!(driver.effects.last(), Some(Effect::AskPath(PathPurpose::Palette))));
    let colors = vec![[255, 0, 77], [29, 43, 83]];
    driver.update(SpriteAction::Loaded { purpose: PaletteUse::Palette, name: "pico".into(), colors });
    let colors = vec![[0, 0, 255], [0, 255, 255]];
    driver.update(SpriteAction::Loaded { purpose: PaletteUse::Swap, name: "blue".into(), colors });
    driver.frames(2);
    assert_eq!(words(&driver), "--palette=ff004d,1d2b53 --swap=blue:0000ff,00ffff");
    driver.click("sprites-remove-swap-blue");
    assert_eq!(words(&driver), "--palette=ff004d,1d2b53");
    driver.editor.file = Some("art/hero.wad".into());
    let recipe = SpriteRecipe { output: "sheets/hero".into(), ..SpriteRecipe::default() };
    driver.update(Action::edit("Set sprite recipe", ModelEdit::SetSprites { model: 0, sprites: recipe.into() }));
    driver.frame();
    driver.click("export-sprites");
    let Some(Effect::ExportSprites { path }) = driver.effects.last() else { panic!("{:?}", driver.effects.last()) };
    assert_eq!(path, std::path::Path::new("art/sheets/hero"));
}

#[test]
fn the_pixel_view_takes_the_place_of_the_model_and_picks_nothing() {
    let mut driver = driver();
    driver.update(Command::TogglePixelView);
    driver.frames(2);
    assert!(driver.editor.session.is_on(Switch::PixelView));
    let before = driver.editor.session.focus.selection.bones.clone();
    driver.click("picture");
    assert_eq!(driver.editor.session.focus.selection.bones, before);
    driver.click("TogglePixelView");
    assert!(!driver.editor.session.is_on(Switch::PixelView));
}
