//! The names that other programs give to what commands do: data for the command search, nothing else.

use crate::editor::commands::row::Row;
use crate::editor::ops::sentence::has_words;
use crate::editor::session::command::Command;

/// A name in another program, as its menus or its manual write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synonym {
    pub program: &'static str,
    pub name: &'static str,
}

const fn blender(name: &'static str) -> Synonym {
    Synonym { program: "Blender", name }
}

const fn maya(name: &'static str) -> Synonym {
    Synonym { program: "Maya", name }
}

const fn godot(name: &'static str) -> Synonym {
    Synonym { program: "Godot", name }
}

const fn spine(name: &'static str) -> Synonym {
    Synonym { program: "Spine", name }
}

const fn aseprite(name: &'static str) -> Synonym {
    Synonym { program: "Aseprite", name }
}

/// A plain word that no program has in its menus.
const fn word(name: &'static str) -> Synonym {
    Synonym { program: "", name }
}

/// The synonyms of commands, in the order of the menus. A name is listed only if the command does the same.
#[rustfmt::skip]
const TABLE: &[(Command, &[Synonym])] = &[
    // File
    (Command::New, &[blender("New File"), maya("New Scene"), spine("New Project"), aseprite("New Sprite")]),
    (Command::Open, &[maya("Open Scene"), spine("Open Project"), word("recent files")]),
    (Command::Import, &[word("import FBX"), word("import glTF"), word("import OBJ")]),
    (Command::AddClips, &[blender("Append Action"), godot("Load Animation Library")]),
    (Command::Reimport, &[godot("Reimport"), maya("Reload Reference")]),
    (Command::RecoverWork, &[blender("Recover Auto Save"), blender("Recover Last Session"), word("autosave"), word("backup")]),
    (Command::Save, &[maya("Save Scene"), godot("Save Scene"), spine("Save Project")]),
    (Command::ExportPicture, &[blender("Render Animation"), blender("Viewport Render Animation"), maya("Playblast"), spine("Export GIF"), word("screenshot"), word("video")]),
    (Command::ExportModel, &[blender("Export glTF 2.0"), godot("Export As glTF 2.0 Scene"), maya("Export All")]),
    (Command::Undo, &[word("undo history")]),
    // Edit
    (Command::SelectNone, &[blender("Select None"), aseprite("Deselect")]),
    (Command::SelectParent, &[blender("Select Parent"), maya("Pick Walk Up")]),
    (Command::SelectChild, &[blender("Select Child"), maya("Pick Walk Down")]),
    (Command::ExtendParent, &[blender("Extend Parent")]),
    (Command::ExtendChild, &[blender("Extend Child")]),
    (Command::SelectChain, &[blender("Select Linked"), maya("Select Hierarchy")]),
    (Command::SelectMirror, &[blender("Select Mirror")]),
    (Command::BoxSelect, &[maya("Marquee Select")]),
    (Command::SelectColumn, &[blender("Columns on Selected Keys")]),
    (Command::FindCommand, &[blender("Menu Search"), godot("Command Palette")]),
    (Command::NextSkinning, &[blender("Preserve Volume"), maya("Skinning Method")]),
    (Command::AddSocket, &[blender("Parent"), godot("BoneAttachment3D"), spine("Point Attachment"), spine("New Slot")]),
    (Command::Preferences, &[blender("Keymap"), maya("Hotkey Editor"), godot("Editor Settings"), spine("Hotkeys"), aseprite("Keyboard Shortcuts")]),
    // Pose
    (Command::Move, &[blender("Grab"), spine("Translate")]),
    (Command::Reach, &[blender("Auto IK")]),
    (Command::TogglePin, &[word("lock bone")]),
    (Command::ToggleWholeBody, &[maya("HumanIK Full Body"), word("full-body IK"), word("full body IK"), word("fullbody IK")]),
    (Command::ToggleLiveSprings, &[word("wiggle"), word("secondary motion"), word("live physics")]),
    (Command::KeyPose, &[blender("Insert Keyframe"), maya("Set Key"), godot("Insert Key")]),
    (Command::KeyMenu, &[blender("Insert Keyframe with Keying Set")]),
    (Command::DeleteKeyHere, &[blender("Delete Keyframe"), maya("Delete Key")]),
    (Command::DiscardDraft, &[blender("Reset Unkeyed")]),
    (Command::KeyTextureFrame, &[word("flip-book"), word("flipbook"), word("sprite frame"), spine("Key Attachment")]),
    (Command::NextTextureFrame, &[word("next sprite"), spine("Sequence")]),
    (Command::ClearTranslation, &[blender("Clear Location")]),
    (Command::ClearAll, &[blender("Clear Transform"), godot("Reset Selected Bones Poses")]),
    (Command::PastePoseMirrored, &[blender("Paste Pose Flipped")]),
    (Command::MirrorPose, &[blender("Flip Pose"), aseprite("Flip Horizontal"), word("swap left and right")]),
    (Command::SetRestPose, &[blender("Apply Pose as Rest Pose"), godot("Apply All Poses to Rests")]),
    (Command::SavePose, &[blender("Pose Library"), blender("Create Pose Asset")]),
    (Command::Breakdown, &[blender("Breakdowner")]),
    (Command::Push, &[blender("Push Pose from Breakdown")]),
    (Command::Relax, &[blender("Relax Pose to Breakdown")]),
    (Command::TowardsNeighbour, &[blender("Blend to Neighbor")]),
    (Command::Anticipation, &[word("wind-up"), word("antic")]),
    (Command::Overshoot, &[word("follow-through")]),
    (Command::MovingHold, &[word("drift")]),
    (Command::DelayChain, &[spine("Offset Keyframes"), maya("Overlapper"), word("overlapping action"), word("follow through"), word("drag"), word("lag"), word("time offset")]),
    (Command::DrawMotionPath, &[maya("Editable Motion Trail"), blender("Follow Path"), word("draw arc"), spine("Path Constraint")]),
    (Command::BakeSprings, &[blender("Bake Action"), maya("Bake Simulation"), spine("Physics Constraint"), word("hair"), word("cloth"), word("jiggle")]),
    (Command::ToggleLiveMirror, &[blender("X-Axis Mirror")]),
    (Command::AutoKeyOnKeyframes, &[blender("Auto Keying: Replace")]),
    (Command::AutoKeyAlways, &[blender("Auto Keying"), maya("Auto Keyframe Toggle"), spine("Auto Key")]),
    (Command::ToggleKeyTranslations, &[blender("Keying Set: Location")]),
    (Command::ToggleKeyRotations, &[blender("Keying Set: Rotation")]),
    (Command::ToggleKeyScales, &[blender("Keying Set: Scaling")]),
    (Command::ToggleKeyValues, &[blender("Shape Keys"), maya("Blend Shape Weights")]),
    // Clip
    (Command::NewClip, &[blender("New Action"), maya("Create Animation Clip"), godot("New Animation"), spine("New Animation"), aseprite("New Tag")]),
    (Command::DuplicateClip, &[godot("Duplicate Animation"), spine("Duplicate Animation")]),
    (Command::DeleteClip, &[godot("Remove Animation"), spine("Delete Animation"), aseprite("Remove Tag")]),
    (Command::ReversedClip, &[blender("Reversed Strip"), aseprite("Reverse Frames")]),
    (Command::RetimedClip, &[blender("Time Stretching"), maya("Create Time Warp"), blender("Time Remapping"), word("playback speed")]),
    (Command::TrimmedClip, &[word("crop")]),
    (Command::AddLayer, &[maya("Create Empty Layer"), blender("Add Action Strip"), word("animation layers"), word("override"), word("additive")]),
    (Command::KeyLayerWeight, &[maya("Key Layer Weight"), blender("Strip Influence")]),
    (Command::LimitLayer, &[word("layer mask"), word("bone mask"), word("avatar mask"), godot("Filter Tracks")]),
    (Command::FlattenLayers, &[maya("Merge Layers"), word("merge down"), word("bake layers")]),
    (Command::ExtractRootMotion, &[word("root motion"), word("in place"), word("bake into pose"), word("hips to root")]),
    (Command::RetargetedClip, &[maya("HumanIK Retargeting")]),
    (Command::LoopOnce, &[godot("Loop Mode: None")]),
    (Command::LoopLoop, &[blender("Make Cyclic"), blender("Cycles Modifier"), maya("Cycle Post Infinity"), godot("Animation Looping")]),
    (Command::LoopPingPong, &[maya("Oscillate"), godot("Loop Mode: Ping-Pong"), aseprite("Ping-Pong")]),
    (Command::PlayPause, &[blender("Play Animation"), blender("Playback"), maya("Play Forwards"), aseprite("Play Animation")]),
    (Command::PlayReverse, &[blender("Play Animation Reverse"), maya("Play Backwards")]),
    (Command::FrameBack, &[maya("Step Back One Frame")]),
    (Command::FrameForward, &[maya("Step Forward One Frame")]),
    (Command::PreviousKeyframe, &[blender("Jump to Previous Keyframe"), maya("Step Back One Key")]),
    (Command::NextKeyframe, &[blender("Jump to Next Keyframe"), maya("Step Forward One Key")]),
    (Command::GoToStart, &[blender("Jump to First Frame"), maya("Go to Start of Playback Range"), aseprite("First Frame")]),
    (Command::GoToEnd, &[blender("Jump to Last Frame"), maya("Go to End of Playback Range"), aseprite("Last Frame")]),
    (Command::InsertKeyframe, &[aseprite("New Frame")]),
    (Command::HoldKeyframe, &[maya("Hold Current Keys")]),
    (Command::DeleteKeyframe, &[aseprite("Remove Frame")]),
    (Command::TypeDuration, &[aseprite("Frame Properties")]),
    (Command::MarkExtreme, &[blender("Set Keyframe Type"), word("keyframe type"), word("key pose")]),
    (Command::MarkBreakdown, &[word("inbetween")]),
    (Command::EndHere, &[blender("Set End Frame"), godot("Animation Length")]),
    (Command::AddEvent, &[blender("Add Marker"), godot("Call Method Track"), spine("New Event"), word("events")]),
    (Command::AddHit, &[word("hitbox")]),
    (Command::AddHurt, &[word("hurtbox")]),
    (Command::ProposeContacts, &[word("foot contacts"), word("footsteps"), word("planted")]),
    (Command::CleanContacts, &[word("foot slide"), word("foot lock"), word("foot skate"), word("fix sliding")]),
    (Command::FollowArc, &[word("ballistic"), word("trajectory"), word("jump"), word("physics")]),
    (Command::AddVolume, &[godot("CollisionShape3D"), spine("Bounding Box")]),
    (Command::SetLoopSection, &[blender("Set Preview Range"), maya("Set Playback Range"), aseprite("Set Loop Section")]),
    (Command::ClearLoopSection, &[blender("Clear Preview Range")]),
    (Command::ToggleRepeat, &[maya("Looping: Continuous")]),
    (Command::ToggleSnapTime, &[blender("Snap to Frame"), maya("Snap Keys"), blender("Snapping")]),
    // Keys
    (Command::EaseStep, &[blender("Constant Interpolation"), maya("Stepped Tangents"), godot("Nearest Interpolation"), spine("Stepped")]),
    (Command::EaseCubic, &[blender("Bezier Interpolation"), spine("Bezier Curve"), word("ease in and out")]),
    (Command::EaseMenu, &[blender("Interpolation Mode")]),
    (Command::HandlesAuto, &[blender("Automatic Handles"), maya("Auto Tangents"), blender("Auto Clamped Handles")]),
    (Command::HandlesFlat, &[maya("Flat Tangents")]),
    (Command::HandlesVector, &[blender("Vector Handles"), maya("Linear Tangents")]),
    (Command::HandlesAligned, &[blender("Aligned Handles"), maya("Unify Tangents")]),
    (Command::HandlesFree, &[blender("Free Handles"), maya("Break Tangents")]),
    (Command::ToHermite, &[word("cubic spline"), word("glTF curves"), word("bake curves")]),
    (Command::HandlesMenu, &[blender("Handle Type")]),
    (Command::MoveKeys, &[word("offset keys"), word("stagger")]),
    (Command::RippleKeys, &[blender("Extend Keys")]),
    (Command::MirrorKeysInTime, &[blender("Mirror Keys")]),
    (Command::ReduceKeys, &[blender("Decimate"), blender("Clean Keyframes"), maya("Simplify Curve"), godot("Optimize Animation"), spine("Clean Up")]),
    (Command::PasteKeysMirrored, &[blender("Paste Flipped")]),
    // View
    (Command::ToolReach, &[maya("IK Handle Tool"), spine("Pose Tool"), word("inverse kinematics"), word("IK FK"), word("pole target")]),
    (Command::SpaceParent, &[blender("Parent Orientation")]),
    (Command::SpaceModel, &[blender("Global Orientation"), maya("World Space")]),
    (Command::SpaceView, &[blender("View Orientation")]),
    (Command::ToggleSharedPivot, &[blender("Median Point")]),
    (Command::FrameSelected, &[blender("View Selected"), maya("Frame Selection"), godot("Focus Selection")]),
    (Command::FrameAll, &[blender("View All")]),
    (Command::ToggleOrtho, &[blender("Perspective/Orthographic"), godot("Orthogonal")]),
    (Command::LookGame, &[blender("Active Camera")]),
    (Command::BlendPreview, &[blender("NLA Strip Blending"), godot("AnimationNodeBlend2"), blender("NLA Editor"), word("blend space")]),
    (Command::ToggleTurntable, &[maya("Create Turntable")]),
    (Command::SpritesMode, &[aseprite("Export Sprite Sheet"), word("spritesheet")]),
    (Command::ShadeLit, &[blender("Material Preview"), maya("Smooth Shade All"), blender("Viewport Shading")]),
    (Command::ShadeFlat, &[godot("Display Unshaded"), maya("Use Flat Lighting"), word("flat colors")]),
    (Command::ToggleWireframe, &[godot("Display Wireframe")]),
    (Command::ShadeWeights, &[blender("Vertex Group Weights")]),
    (Command::ShadeBoneColors, &[word("bone colors")]),
    (Command::ShadeNormalLines, &[blender("Display Vertex Normals")]),
    (Command::ShadeOverdraw, &[godot("Display Overdraw")]),
    (Command::ShowRestPose, &[blender("Rest Position"), word("T-pose"), word("A-pose")]),
    (Command::ShowBindPose, &[maya("Go to Bind Pose")]),
    (Command::ToggleOverlays, &[blender("Show Overlays")]),
    (Command::ToggleSkeleton, &[maya("Show Joints"), godot("Show Skeleton Gizmos")]),
    (Command::ToggleBoneNames, &[blender("Display Names")]),
    (Command::ToggleBoneAxes, &[blender("Display Axes"), maya("Local Rotation Axes")]),
    (Command::ToggleGrid, &[blender("Floor")]),
    (Command::ToggleStats, &[blender("Statistics"), maya("Poly Count")]),
    (Command::ToggleGhosts, &[blender("Onion Skinning"), maya("Ghosting"), godot("Onion Skinning"), spine("Ghosting"), aseprite("Onion Skin")]),
    (Command::AddReference, &[blender("Add Image Reference"), maya("Image Plane"), aseprite("New Reference Layer from File"), word("background image")]),
    (Command::AddFilm, &[word("reference video"), word("movie"), word("image sequence"), word("rotoscope"), word("mp4")]),
    (Command::ToggleVolumes, &[godot("Visible Collision Shapes"), word("opponent"), word("hitboxes")]),
    (Command::ToggleBalance, &[word("centre of mass"), word("center of mass"), word("gravity"), word("support")]),
    (Command::ToggleTrails, &[blender("Motion Paths"), maya("Motion Trail")]),
    (Command::Hide, &[blender("Hide Selected")]),
    (Command::HideOthers, &[blender("Hide Unselected"), maya("Isolate Select")]),
    (Command::Reveal, &[blender("Reveal Hidden"), maya("Show All")]),
    (Command::ShowStrip, &[aseprite("Timeline")]),
    (Command::ShowSheet, &[blender("Action Editor"), spine("Dopesheet")]),
    (Command::ShowCurves, &[blender("Graph Editor"), maya("Graph Editor"), godot("Bezier Curve Editor"), spine("Graph View")]),
    (Command::ToggleOnlySelected, &[blender("Only Show Selected")]),
    (Command::ToggleNormalised, &[blender("Normalize"), maya("Normalized View")]),
    (Command::ThemeDark, &[word("dark mode")]),
    (Command::ThemeLight, &[word("light mode")]),
    (Command::LargerScale, &[blender("Resolution Scale"), godot("Display Scale"), maya("Interface Scaling"), aseprite("UI Elements Scaling"), word("larger interface"), word("bigger text"), word("zoom UI in"), word("UI scale"), word("font size"), word("DPI")]),
    (Command::SmallerScale, &[word("smaller interface"), word("smaller text"), word("zoom UI out")]),
    (Command::ResetLayout, &[maya("Reset Current Workspace"), godot("Editor Layout: Default")]),
    (Command::ToggleFilled, &[blender("Maximize Area"), godot("Expand Bottom Panel"), word("fullscreen")]),
    // Rig
    (Command::RigMode, &[blender("Armature Edit Mode"), blender("Edit Mode"), spine("Setup Mode")]),
    (Command::RigMirror, &[maya("Symmetry")]),
    (Command::AddBone, &[blender("Add Armature"), blender("Single Bone"), maya("Create Joints"), spine("Create Bone")]),
    (Command::ExtrudeBone, &[blender("Extrude"), maya("Insert Joint")]),
    (Command::MoveJoints, &[maya("Move Joint")]),
    (Command::SplitBone, &[blender("Subdivide")]),
    (Command::MirrorBones, &[blender("Symmetrize"), maya("Mirror Joints")]),
    (Command::ParentBones, &[blender("Make Parent"), blender("Keep Offset"), maya("Parent")]),
    (Command::UnparentBones, &[blender("Clear Parent"), maya("Unparent")]),
    (Command::DeleteBones, &[blender("Dissolve Bones"), maya("Remove Joint")]),
    (Command::BindMeshes, &[blender("With Automatic Weights"), maya("Bind Skin"), spine("Auto Weights")]),
    (Command::BindRigid, &[maya("Rigid Bind")]),
    (Command::ProposeLimits, &[blender("Limit Rotation Constraint"), maya("Joint Rotation Limits"), maya("Degrees of Freedom"), godot("JointLimitation3D")]),
    (Command::BindBones, &[blender("Assign Automatic From Bones")]),
    (Command::BindMesh, &[maya("Bind Selected Mesh")]),
    (Command::TransferWeights, &[blender("Transfer Mesh Data"), blender("Transfer Weights"), maya("Copy Skin Weights")]),
    (Command::PaintWeights, &[blender("Weight Paint"), maya("Paint Skin Weights")]),
    (Command::BrushRadius, &[blender("Brush Size")]),
    (Command::LockWeights, &[blender("Lock Vertex Group"), maya("Hold Weights")]),
    (Command::PlaceTemplate, &[blender("Human (Meta-Rig)"), maya("Quick Rig")]),
    (Command::MakeRig, &[blender("Generate Rig"), blender("Parent With Automatic Weights")]),
    (Command::LevelMode, &[word("level editor"), word("tilemap")]),
    // Level and Game
    (Command::DrawSolid, &[godot("StaticBody2D")]),
    (Command::PlaceFoe, &[word("enemy")]),
    (Command::DrawMover, &[godot("AnimatableBody2D")]),
    (Command::PlayFromHere, &[godot("Run Current Scene")]),
    (Command::PlayTest, &[godot("Run Project"), word("test game")]),
    (Command::CreateStateMachine, &[godot("AnimationTree"), godot("AnimationNodeStateMachine"), word("transition")]),
    (Command::AddSound, &[word("audio"), word("music")]),
    (Command::FirstSteps, &[word("tutorial")]),
    (Command::Manual, &[word("documentation")]),
];

/// The synonyms of a command.
pub fn synonyms(command: Command) -> &'static [Synonym] {
    TABLE.iter().find(|(of, _)| *of == command).map_or(&[], |(_, synonyms)| synonyms)
}

/// The name in another program to show beside a command that a query found: the one that matches best, else the first.
pub fn shown(command: Command, query: &str) -> Option<&'static Synonym> {
    let all = synonyms(command).iter().filter(|synonym| !synonym.program.is_empty());
    all.min_by_key(|synonym| rank(synonym.name, query).unwrap_or(Rank::Elsewhere))
}

/// How well a name fits a query, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Equal,
    Start,
    Words,
    Elsewhere,
}

fn rank(name: &str, query: &str) -> Option<Rank> {
    let (name, query) = (name.trim_end_matches('…').to_lowercase(), query.trim().to_lowercase());
    let ranks = [(name == query, Rank::Equal), (name.starts_with(&query), Rank::Start)];
    let exact = ranks.into_iter().find_map(|(is_so, rank)| is_so.then_some(rank));
    exact.or_else(|| has_words(&name, &query).then_some(Rank::Words))
}

/// How well a command fits a query, the best first: `None` if it doesn't. Of equal ranks, its own label counts before the
/// names in other programs, and those before its menu.
pub(super) fn rank_of(row: &Row, query: &str) -> Option<impl Ord + use<>> {
    let own = rank(row.label, query).map(|rank| (rank, 0));
    let other = synonyms(row.command).iter().filter_map(|synonym| rank(synonym.name, query)).min();
    let text = || {
        let names = synonyms(row.command).iter().map(|synonym| synonym.name).collect::<Vec<_>>().join(" ");
        has_words(&format!("{} {} {names}", row.label, row.menu.name()), query).then_some((Rank::Elsewhere, 2))
    };
    own.into_iter().chain(other.map(|rank| (rank, 1))).min().or_else(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::commands::search;

    /// Words of an animator who knows Blender, each with the command that is meant.
    const TYPED: [(&str, Command); 26] = [
        ("insert keyframe", Command::KeyPose),
        ("delete keyframe", Command::DeleteKeyframe),
        ("graph editor", Command::ShowCurves),
        ("dope sheet", Command::ShowSheet),
        ("onion skin", Command::ToggleGhosts),
        ("flip pose", Command::MirrorPose),
        ("paste flipped", Command::PasteKeysMirrored),
        ("decimate", Command::ReduceKeys),
        ("cyclic", Command::LoopLoop),
        ("apply rest pose", Command::SetRestPose),
        ("render animation", Command::ExportPicture),
        ("auto keying", Command::AutoKeyAlways),
        ("nla", Command::BlendPreview),
        ("pose library", Command::SavePose),
        ("parent", Command::AddSocket),
        ("x-ray", Command::ToggleXRay),
        ("snap", Command::ToggleSnapTime),
        ("ik", Command::ToolReach),
        ("playback", Command::PlayPause),
        ("shape keys", Command::ToggleKeyValues),
        ("weight", Command::PaintWeights),
        ("breakdowner", Command::Breakdown),
        ("motion path", Command::ToggleTrails),
        ("clear location", Command::ClearTranslation),
        ("add marker", Command::AddEvent),
        ("handle type", Command::HandlesMenu),
    ];

    /// Plain words, and words of Godot and Spine.
    const PLAIN: [(&str, Command); 20] = [
        ("larger interface", Command::LargerScale),
        ("bigger text", Command::LargerScale),
        ("zoom ui", Command::LargerScale),
        ("smaller text", Command::SmallerScale),
        ("hitbox", Command::AddHit),
        ("hurtbox", Command::AddHurt),
        ("sprite sheet", Command::SpritesMode),
        ("enemy", Command::PlaceFoe),
        ("level editor", Command::LevelMode),
        ("slot", Command::AddSocket),
        ("flip horizontal", Command::MirrorPose),
        ("inverse kinematics", Command::ToolReach),
        ("t-pose", Command::ShowRestPose),
        ("ease in", Command::EaseCubic),
        ("dark mode", Command::ThemeDark),
        ("autosave", Command::RecoverWork),
        ("screenshot", Command::ExportPicture),
        ("import fbx", Command::Import),
        ("snapping", Command::ToggleSnapTime),
        ("tutorial", Command::FirstSteps),
    ];

    #[test]
    fn words_of_others_find_their_command_first() {
        let typed = || TYPED.iter().chain(&PLAIN);
        let wrong: Vec<_> = typed().filter(|(typed, command)| search(typed).first() != Some(command)).collect();
        let found: Vec<_> =
            wrong.iter().map(|(typed, _)| search(typed).into_iter().take(3).collect::<Vec<_>>()).collect();
        assert!(wrong.is_empty(), "{wrong:?} found {found:?}");
    }

    #[test]
    fn names_of_other_programs_are_listed_once_and_in_order() {
        let all: Vec<Synonym> = TABLE.iter().flat_map(|(_, synonyms)| *synonyms).copied().collect();
        for (at, synonym) in all.iter().enumerate() {
            assert!(!all[..at].contains(synonym), "{synonym:?} is listed twice");
        }
        assert!(TABLE.is_sorted_by(|(a, _), (b, _)| a < b), "the rows are in the order of the menus, each once");
    }

    #[test]
    fn the_name_that_was_typed_is_shown() {
        let name = |query| shown(Command::ToggleGhosts, query).map(|synonym| synonym.name);
        assert_eq!(name("ghosting"), Some("Ghosting"));
        assert_eq!(name("ghosts"), Some("Onion Skinning"));
        assert_eq!(shown(Command::Undo, "undo"), None);
    }

    #[test]
    fn an_own_label_comes_before_the_names_of_others() {
        for row in crate::editor::commands::CATALOGUE.iter() {
            assert_eq!(search(row.label.trim_end_matches('…')).first(), Some(&row.command), "{}", row.label);
        }
    }
}
