//! The editor's picture after a change of a material or its image: on the next frame, by the renderer that drew the one
//! before.

use std::sync::Arc;

use keypose::assets::material::{Material, Shading};
use keypose::assets::project::Project;
use keypose::assets::texture::Texture;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, MaterialAction, Origin};
use keypose_editor::editor::state::effect::Effect;
use keypose_editor::editor::view::scene;
use keypose_editor::render::frame::{Background, Frame};

use crate::on_driver;
use crate::scene::{camera, draw_by, renderer, square};

fn editor() -> Editor {
    let mut project = Project::default();
    project.add_model(square(Material { name: "plate".into(), shading: Shading::Unlit, ..Material::default() }));
    let mut editor = Editor::new(project, &Origin::New);
    script::run(&mut editor, "switch skeleton").unwrap();
    editor
}

fn frame(editor: &Editor) -> Frame {
    let frame = scene::frame(editor.source(), &editor.view());
    Frame { camera: camera(), background: Background::NONE, ground: None, ..frame }
}

/// Left half of one colour, right half of another.
fn image(left: [u8; 3], right: [u8; 3]) -> Texture {
    let data = [left, right].map(|[r, g, b]| [r, g, b, 255]).concat().into();
    Texture { name: "image".into(), width: 2, height: 1, data, source_format: "png".into() }
}

#[test]
fn a_reference_image_stays_behind_or_lies_over_the_model() {
    on_driver(|headless| {
        let (mut editor, mut renderer) = (editor(), renderer(headless));
        let effects = editor.update(MaterialAction::AddReference(Some("image.png".into())));
        let [Effect::ReadImage { place, .. }] = &effects[..] else { panic!("{effects:?}") };
        let image = Arc::new(image([255, 0, 0], [0, 0, 255]));
        editor.update(MaterialAction::ImageRead { place: place.clone(), image });
        script::run(
            &mut editor,
            "reference image opacity 1; reference image height 0.9; reference image offset 0 -0.45",
        )
        .unwrap();
        let mut see = |words: &str| {
            script::run(&mut editor, words).unwrap();
            draw_by(&mut renderer, headless, &frame(&editor))
        };
        let behind = see("");
        behind.expect([-0.25, 0.0], [255, 255, 255], "the model");
        behind.expect([-0.7, 0.0], [255, 0, 0], "the image beside it");
        behind.expect([0.7, 0.0], [0, 0, 255], "its other half");
        let before = see("reference image stands before");
        before.expect([-0.46, 0.0], [255, 0, 0], "the image over the model");
        assert_eq!(see("reference image hide").at(-0.7, 0.0)[3], 0);
        see("undo").expect([-0.7, 0.0], [255, 0, 0], "shown again");
        assert_eq!(see("run toggle-references").at(-0.7, 0.0)[3], 0);
    });
}

#[test]
fn a_change_shows_on_the_next_frame_and_so_does_its_undoing() {
    on_driver(|headless| {
        let (mut editor, mut renderer) = (editor(), renderer(headless));
        let mut see = |editor: &Editor| draw_by(&mut renderer, headless, &frame(editor));
        see(&editor).expect([0.0, 0.0], [255, 255, 255], "as it was");
        script::run(&mut editor, "material plate color #c03020").unwrap();
        see(&editor).expect([0.0, 0.0], [0xc0, 0x30, 0x20], "another colour");
        editor.update(DocumentAction::Undo);
        see(&editor).expect([0.0, 0.0], [255, 255, 255], "undone");

        let (red, green, blue) = ([255, 0, 0], [0, 255, 0], [0, 0, 255]);
        for (left, right) in [(red, green), (green, blue)] {
            let effects = editor.update(MaterialAction::ReplaceTexture(Some("image.png".into())));
            let [Effect::ReadImage { place, .. }] = &effects[..] else { panic!("{effects:?}") };
            editor.update(MaterialAction::ImageRead { place: place.clone(), image: Arc::new(image(left, right)) });
            script::run(&mut editor, "material plate filter pixels").unwrap();
            let seen = see(&editor);
            seen.expect([-0.25, 0.0], left, "the left of the image");
            seen.expect([0.25, 0.0], right, "the right of the image");
        }
        editor.update(DocumentAction::Undo);
        see(&editor).expect([-0.25, 0.0], red, "the image before");

        script::run(&mut editor, "redo; run remove-texture; material plate color #00ff00").unwrap();
        script::run(&mut editor, "material plate opacity 0.2; material plate alpha mask 0.5").unwrap();
        assert_eq!(see(&editor).at(0.0, 0.0)[3], 0, "cut out");
    });
}
