//! The conditions of commands, each with the reason that is shown if it is not met.

use crate::editor::session::blend::NEEDS_TWO;
use crate::editor::session::machine::Picked;
use crate::editor::session::selection::ItemKind;
use crate::editor::session::timing::TimeView;
use crate::editor::state::{Editor, targets};
use keypose::anim::time::Time;
use keypose::assets::clip_notes::ClipLayer;
use keypose_tools::root_motion;

type Need = Result<(), &'static str>;

/// Without a model.
pub const NO_MODEL: &str = "Open or import a model first.";
/// Without a base archive.
pub const NO_BASE: &str = "A patch needs a base archive: save the document first.";
/// Without a material.
pub const NO_MATERIAL: &str = "The model has no materials: they are imported with its meshes.";
/// Without missing images.
pub const ALL_FOUND: &str = "All images of the model's textures were found.";
/// Without a state machine.
pub const NO_MACHINE: &str = "The model has no state machine. Create one first.";
/// Without an open level.
pub const NO_LEVEL: &str = "Open a level first: press Tab.";
/// Without the rig mode.
pub const NO_RIG: &str = "Open the rig mode first: press F4.";
/// Without the markers of a template.
pub const NO_TEMPLATE: &str = "Choose a template in the rig mode first.";
/// Without a selected thing.
pub const NO_THING: &str = "Select a thing of the level first.";
/// Without a socket.
pub const NO_SOCKET: &str = "The model has no sockets. Select a bone and add one.";
/// Without a sound.
pub const NO_SOUND: &str = "The archive has no sounds. Use Add sounds in the Game menu.";
/// With a state machine.
pub const HAS_MACHINE: &str = "The model already has a state machine.";

/// The layer of the open clip.
fn layer(editor: &Editor) -> Option<ClipLayer> {
    editor.model()?.derived(editor.clip()?.id)?.how.layer()
}

macro_rules! needs {
    ($($name:ident($editor:ident): $condition:expr, $reason:expr;)*) => {
        $(pub fn $name($editor: &Editor) -> Need {
            if $condition { Ok(()) } else { Err($reason) }
        })*
    };
}

needs! {
    undo(e): e.gesture.is_some() || e.history.undo_count() > 0, "Nothing to undo.";
    redo(e): e.history.redo_count() > 0, "Nothing to redo.";
    base(e): e.patch_base().is_some(), NO_BASE;
    recovered(e): e.session.transient.recovered.is_some(), "No changes were recovered.";
    model(e): e.model().is_some(), NO_MODEL;
    clip_of_model(e): e.model().is_some_and(|model| !model.clips.is_empty()), "The model has no clips.";
    clip(e): e.clip().is_some(), "Open a clip first, or press N for a new one.";
    derived_clip(e): e.clip().zip(e.model()).is_some_and(|(slot, model)| model.derived(slot.id).is_some()),
        "The clip isn't derived from another clip.";
    layered_clip(e): layer(e).is_some(), "The clip has no layer.";
    active_layer(e): layer(e).is_some_and(|layer| !layer.is_muted), "The clip has no layer, or it is muted.";
    layer_and_bones(e): layer(e).is_some() && !e.session.focus.selection.bones.is_empty(),
        "Open a clip with a layer and select a bone first.";
    limited_layer(e): layer(e).zip(e.model()).is_some_and(|(layer, model)| !model.mask(layer.clip).is_empty()),
        "The clip has no layer that is limited to bones.";
    body_motion(e): e.clip().is_some_and(|slot| root_motion::has_body(&slot.clip)),
        "No bone below the root moves the body: the position of none is animated.";
    two_clips(e): e.session.transient.pose.blend().is_some()
        || e.clip().is_some() && e.model().is_some_and(|model| model.clips.len() > 1), NEEDS_TWO;
    other_clip(e): targets::other_clip(e).is_some(), "The model has only one clip.";
    keyframes(e): e.clip().is_some_and(|slot| !slot.clip.keyframes.is_empty()),
        "The clip has no keyframes. Press I to key the pose.";
    two_keyframes(e): e.clip().is_some_and(|slot| slot.clip.keyframes.len() > 1),
        "The clip has fewer than two keyframes. Key a pose at another time.";
    hurt_volume(e): e.clip().is_some_and(|slot| !slot.clip.keyframes.is_empty())
        && e.model().is_some_and(|model| !model.combat.hurt.is_empty()),
        "The clip has no keyframes, or the model has no hurt volumes.";
    volume(e): e.session.focus.selection.volume.is_some(), "Select a hit volume, a hurt volume or a collider in the inspector first.";
    duration(e): e.clip().is_some_and(|slot| slot.clip.length() > Time::ZERO),
        "The clip has nothing to play. Press I to key poses.";
    loop_section(e): e.session.focus.playhead.loop_section.is_some(), "No loop section is set.";
    draft(e): e.view().draft.is_some(), "There is no draft at the playhead.";
    bones(e): !e.session.focus.selection.bones.is_empty(), "Select a bone first.";
    bones_and_clip(e): e.clip().is_some() && !e.session.focus.selection.bones.is_empty(),
        "Open a clip and select a bone first.";
    springs_and_clip(e): e.clip().is_some() && e.model().is_some_and(|model| !model.rig.springs.is_empty()),
        "Open a clip, and start a chain of springs in the inspector first.";
    bones_and_keyframes(e): e.clip().is_some_and(|slot| !slot.clip.keyframes.is_empty())
        && !e.session.focus.selection.bones.is_empty(), "Open a clip with keyframes and select a bone first.";
    contacts(e): e.clip().zip(e.model())
        .is_some_and(|(slot, model)| !model.combat.lanes_of(slot.id).contacts.is_empty()), "The clip has no contacts.";
    template(e): e.session.transient.scene.rig().is_some_and(|desk| desk.placing.is_some()), NO_TEMPLATE;
    two_bones(e): e.session.focus.selection.bones.len() > 1, "Select bones, and their parent last.";
    painting(e): e.session.transient.scene.rig().is_some_and(|desk| desk.paint.is_on), "Paint weights first: press P.";
    vertex(e): e.session.transient.scene.rig().is_some_and(|desk| desk.vertex.is_some()),
        "Click the mesh in the rig mode first, with weights shown.";
    rig(e): e.session.transient.scene.rig().is_some(), NO_RIG;
    movable(e): e.session.focus.selection.has_part() || bones(e).is_ok(), "Select a bone first.";
    keys(e): !e.session.focus.selection.keys.is_empty(), "Select keys first.";
    // Over the pose strip, the letters that move keys pose the selected bones, also after + has selected a keyframe.
    moved_keys(e): !e.session.focus.selection.keys.is_empty() && !poses_over_strip(e),
        "Select keys in the rows below the poses, or in the dope sheet.";
    selected_keyframes(e): !e.session.focus.selection.keyframes.is_empty(), "Select keyframes first.";
    pins(e): !e.session.focus.pins.is_empty(), "No bones are pinned.";
    hidden_bones(e): !e.session.focus.hidden.is_empty(), "No bones are hidden.";
    pinned_trails(e): !e.session.focus.trails.is_empty(), "No motion trails are pinned.";
    pinned_ghosts(e): e.session.workspace.pinned_ghosts.is_some(), "No keyframes are pinned as ghosts.";
    material(e): e.material().is_some(), NO_MATERIAL;
    texture(e): e.material().is_some_and(|(_, material)| material.texture.is_some()), "The material has no texture.";
    texture_frame(e): e.texture_frame().is_some(),
        "No material has texture frames. Use Split into frames in the Materials panel.";
    missing_texture(e): e.model().is_some_and(|model| model.missing_textures().next().is_some()), ALL_FOUND;
    machine(e): e.model().is_some_and(|model| model.machine.graph.is_some()), NO_MACHINE;
    level(e): e.session.transient.scene.level().is_some(), NO_LEVEL;
    level_or_model(e): level(e).is_ok() || e.model().is_some(), NO_MODEL;
    things(e): e.session.transient.scene.level().is_some_and(|desk| !desk.picked.is_empty()), NO_THING;
    foe_kind(e): e.session.transient.scene.level()
        .is_some_and(|desk| e.document.levels.get(desk.level).is_some_and(|level| !level.kinds.is_empty())),
        "The level has no kinds of foes.";
    socket(e): e.socket().is_some(), NO_SOCKET;
    socket_and_bone(e): e.socket().is_some() && !e.session.focus.selection.bones.is_empty(),
        "Add a socket and select a bone first.";
    sound(e): e.sound().is_some(), NO_SOUND;
    machine_item(e): !matches!(e.session.focus.machine, Picked::Nothing | Picked::Any),
        "Select a state, a transition or a layer first.";
}

/// Whether bones are selected, and whole keyframes of the pose strip rather than keys.
fn poses_over_strip(editor: &Editor) -> bool {
    let (selection, view) = (&editor.session.focus.selection, editor.session.focus.timing.view);
    view == TimeView::Strip && selection.kind == ItemKind::Keyframes && !selection.bones.is_empty()
}

/// A selected thing in the level mode, else a model.
pub fn thing_or_model(editor: &Editor) -> Need {
    if level(editor).is_ok() { things(editor) } else { model(editor) }
}

/// A model without a state machine.
pub fn no_machine(editor: &Editor) -> Need {
    model(editor)?;
    if machine(editor).is_ok() { Err(HAS_MACHINE) } else { Ok(()) }
}
