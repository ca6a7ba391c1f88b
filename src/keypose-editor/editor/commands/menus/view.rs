//! The View menu. Tools, camera, shading, overlays, panels and themes.

use crate::editor::commands::prelude::*;

/// The commands of the View menu, in order.
pub const ROWS: &[Row] = &[
    choose!(ToolSelect, 0, "Select tool", Tool::Select, ToolAction::Set, workspace.tool).keys(&[key(Char('Q'))]),
    choose!(ToolMove, 0, "Move tool", Tool::Move, ToolAction::Set, workspace.tool),
    choose!(ToolRotate, 0, "Rotate tool", Tool::Rotate, ToolAction::Set, workspace.tool),
    choose!(ToolScale, 0, "Scale tool", Tool::Scale, ToolAction::Set, workspace.tool),
    choose!(ToolReach, 0, "IK tool", Tool::Reach, ToolAction::Set, workspace.tool),
    choose!(SpaceLocal, 10, "Local axes", Space::Local, ToolAction::SetSpace, workspace.space),
    choose!(SpaceParent, 10, "Parent axes", Space::Parent, ToolAction::SetSpace, workspace.space),
    choose!(SpaceModel, 10, "Model axes", Space::Model, ToolAction::SetSpace, workspace.space),
    choose!(SpaceView, 10, "View axes", Space::View, ToolAction::SetSpace, workspace.space),
    toggle(Command::ToggleSharedPivot, 1, "Shared pivot", switch!(SharedPivot)),
    row(Command::FrameSelected, 2, "Frame selected", |_| ViewAction::FrameSelected.into())
        .keys(&[key(Char('F')), key(PadPoint)])
        .over(Scope::Scene)
        .needs(needs::level_or_model),
    row(Command::FrameAll, 2, "Frame all", |_| ViewAction::FrameAll.into())
        .keys(&[key(Home)])
        .over(Scope::Scene)
        .needs(needs::level_or_model),
    row(Command::LookFront, 14, "Front view", |_| ViewAction::LookFrom(Look::Front).into()).keys(&[key(Pad(1))]),
    row(Command::LookBack, 14, "Back view", |_| ViewAction::LookFrom(Look::Back).into()).keys(&[key(Pad(1)).ctrl()]),
    row(Command::LookRight, 14, "Right view", |_| ViewAction::LookFrom(Look::Right).into()).keys(&[key(Pad(3))]),
    row(Command::LookLeft, 14, "Left view", |_| ViewAction::LookFrom(Look::Left).into()).keys(&[key(Pad(3)).ctrl()]),
    row(Command::LookTop, 14, "Top view", |_| ViewAction::LookFrom(Look::Top).into()).keys(&[key(Pad(7))]),
    row(Command::LookBottom, 14, "Bottom view", |_| ViewAction::LookFrom(Look::Bottom).into())
        .keys(&[key(Pad(7)).ctrl()]),
    row(Command::ToggleOrtho, 2, "Orthographic projection", |editor| {
        ViewAction::SetLens(editor.session.focus.camera.lens.toggled()).into()
    })
    .keys(&[key(Pad(5))])
    .on(|editor| editor.session.focus.camera.lens == Lens::Parallel),
    row(Command::LookGame, 14, "Game camera", |_| ViewAction::LookFrom(Look::Game).into()).keys(&[key(Pad(0))]),
    row(Command::Bench, 2, "Side-scroller bench", |_| BenchAction::Toggle.into())
        .keys(&[key(F(6))])
        .needs(needs::model)
        .on(|editor| editor.session.transient.scene.bench().is_some()),
    row(Command::FlipBench, 2, "Flip bench direction", |_| BenchAction::Flip.into())
        .keys(&[key(F(6)).shift()])
        .needs(needs::model),
    row(Command::BenchSilhouette, 2, "Bench silhouette", |_| BenchAction::ToggleSilhouette.into())
        .keys(&[key(F(6)).ctrl()])
        .needs(needs::model)
        .on(|editor| editor.session.transient.scene.bench().is_some_and(|bench| bench.fill == Fill::Silhouette)),
    row(Command::Crowd, 2, "Crowd of this clip", |_| CrowdAction::Toggle.into())
        .needs(needs::clip)
        .on(|editor| editor.session.transient.scene.crowd().is_some()),
    row(Command::LargerCrowd, 2, "Larger crowd", |_| CrowdAction::Step { is_up: true }.into()).needs(needs::clip),
    row(Command::SmallerCrowd, 2, "Smaller crowd", |_| CrowdAction::Step { is_up: false }.into()).needs(needs::clip),
    row(Command::CrowdClips, 2, "Crowd of all loops", |_| CrowdAction::ToggleClips.into())
        .needs(needs::clip)
        .on(|editor| editor.session.transient.scene.crowd().is_some_and(|crowd| crowd.clips == CrowdClips::Looping)),
    row(Command::BlendPreview, 2, "Preview clip blend", |_| BlendAction::Toggle.into())
        .keys(&[key(F(7))])
        .needs(needs::two_clips)
        .on(|editor| editor.session.transient.pose.blend().is_some()),
    toggle(Command::ToggleTurntable, 2, "Turntable", switch!(Turntable)).keys(&[key(F(7)).shift()]).needs(needs::model),
    toggle(Command::TogglePixelView, 2, "Pixel view", switch!(PixelView)).keys(&[key(F(9))]).needs(needs::model),
    row(Command::SpritesMode, 2, "Sprites mode", |_| SpriteAction::Toggle.into())
        .keys(&[key(F(9)).shift()])
        .needs(needs::clip_of_model)
        .on(|editor| editor.session.transient.scene.sprites().is_some()),
    toggle(Command::ShadeLit, 11, "Lit", shading!(Lit)),
    toggle(Command::ShadeFlat, 11, "Flat colours", shading!(Flat)),
    toggle(Command::ShadeSilhouette, 11, "Silhouette", shading!(Silhouette)),
    toggle(Command::ToggleWireframe, 11, "Wireframe", shading!(Wireframe)).keys(&[key(Char('Z')).shift()]),
    toggle(Command::ToggleXRay, 11, "X-ray", shading!(XRay)).keys(&[key(Char('Z')).alt()]),
    toggle(Command::ShadeWeights, 11, "Bone weights", shading!(Weights)),
    toggle(Command::ShadeBoneColors, 11, "Bone colours", shading!(BoneColors)),
    toggle(Command::ShadeNormals, 11, "Normals", shading!(Normals)),
    toggle(Command::ShadeNormalLines, 11, "Normal lines", shading!(NormalLines)),
    toggle(Command::ShadeUvChecker, 11, "UV checker", shading!(UvChecker)),
    toggle(Command::ShadeOverdraw, 11, "Overdraw", shading!(Overdraw)),
    toggle(Command::ShadeSkinSpace, 11, "Skin space", shading!(SkinSpace)),
    toggle(Command::ToggleSkinningSplit, 11, "Compare skinning", switch!(SkinningSplit)).needs(needs::model),
    row(Command::ShowRestPose, 11, "Show rest pose", |editor| {
        ViewAction::ShowPose(toggled_pose(editor, ShownPose::Rest)).into()
    })
    .needs(needs::model)
    .on(|editor| editor.session.transient.pose.shown() == ShownPose::Rest),
    row(Command::ShowBindPose, 11, "Show bind pose", |editor| {
        ViewAction::ShowPose(toggled_pose(editor, ShownPose::Bind)).into()
    })
    .needs(needs::model)
    .on(|editor| editor.session.transient.pose.shown() == ShownPose::Bind),
    toggle(Command::ToggleOverlays, 12, "All overlays", switch!(Overlays)).keys(&[key(Char('Z')).shift().alt()]),
    toggle(Command::ToggleSkeleton, 12, "Bones", switch!(Skeleton)),
    toggle(Command::ToggleBoneNames, 12, "Bone names", switch!(BoneNames)),
    toggle(Command::ToggleBoneAxes, 12, "Bone axes", switch!(BoneAxes)),
    toggle(Command::ToggleGrid, 12, "Grid", switch!(Grid)),
    toggle(Command::ToggleStats, 12, "Model statistics", switch!(Stats)),
    toggle(Command::ToggleGhosts, 3, "Ghosts", switch!(Ghosts)).keys(&[key(Char('O'))]),
    toggle(Command::ToggleReferences, 4, "Reference images", switch!(References)),
    row(Command::AddReference, 4, "Add reference image…", |_| MaterialAction::AddReference(None).into())
        .needs(needs::model),
    row(Command::AddFilm, 4, "Add reference film…", |_| MaterialAction::AddFilm(None).into()).needs(needs::model),
    toggle(Command::GhostNeighbours, 3, "Ghost neighbours", switch!(GhostNeighbours)),
    row(Command::MoreGhosts, 3, "More neighbour ghosts", |editor| {
        ViewAction::SetGhosts(editor.session.workspace.ghosts.more()).into()
    }),
    row(Command::FewerGhosts, 3, "Fewer neighbour ghosts", |editor| {
        ViewAction::SetGhosts(editor.session.workspace.ghosts.fewer()).into()
    }),
    row(Command::PinGhosts, 3, "Pin keyframes as ghosts", |_| ViewAction::PinGhosts.into())
        .needs(needs::selected_keyframes),
    row(Command::UnpinGhosts, 3, "Unpin ghosts", |_| ViewAction::UnpinGhosts.into()).needs(needs::pinned_ghosts),
    row(Command::GhostOtherClip, 3, "Ghost other clip", |editor| {
        let ghosts = editor.session.workspace.ghosts;
        let clip = if ghosts.clip.is_some() { None } else { targets::other_clip(editor) };
        ViewAction::SetGhosts(Ghosts { clip, ..ghosts }).into()
    })
    .needs(needs::other_clip)
    .on(|editor| editor.session.workspace.ghosts.clip.is_some()),
    toggle(Command::GhostMirror, 3, "Ghost mirrored pose", switch!(GhostMirror)),
    toggle(Command::GhostSaved, 3, "Ghost last saved version", switch!(GhostSaved)),
    toggle(Command::ToggleVolumes, 12, "Hit and hurt volumes", switch!(Volumes)),
    toggle(Command::ToggleSource, 12, "Source of retargeted clip", switch!(SourceBeside)),
    toggle(Command::ToggleBalance, 12, "Balance", switch!(Balance)).needs(needs::model),
    toggle(Command::ToggleTrails, 13, "Motion trails", switch!(Trails)).keys(&[key(Char('O')).shift()]),
    row(Command::PinTrail, 13, "Pin selected trails", |_| ViewAction::PinTrails.into()).needs(needs::bones),
    row(Command::UnpinTrails, 13, "Unpin trails", |_| ViewAction::UnpinTrails.into()).needs(needs::pinned_trails),
    row(Command::Hide, 5, "Hide selected bones", |editor| {
        BoneAction::SetHidden { bones: targets::bones(editor), is_hidden: true }.into()
    })
    .keys(&[key(Char('H'))])
    .needs(needs::bones),
    row(Command::HideOthers, 5, "Hide other bones", |editor| {
        BoneAction::SetHidden { bones: targets::other_bones(editor), is_hidden: true }.into()
    })
    .keys(&[key(Char('H')).shift()])
    .needs(needs::bones),
    row(Command::Reveal, 5, "Show all bones", |editor| {
        let bones = editor.session.focus.hidden.iter().copied().collect();
        BoneAction::SetHidden { bones, is_hidden: false }.into()
    })
    .keys(&[key(Char('H')).alt()])
    .needs(needs::hidden_bones),
    choose!(ShowStrip, 6, "Pose strip", TimeView::Strip, TimeAction::Show, focus.timing.view),
    choose!(ShowSheet, 6, "Dope sheet", TimeView::Sheet, TimeAction::Show, focus.timing.view),
    choose!(ShowCurves, 6, "Curves", TimeView::Curves, TimeAction::Show, focus.timing.view),
    row(Command::NextTimeView, 6, "Next timeline view", |editor| {
        TimeAction::Show(editor.session.focus.timing.view.toggled()).into()
    })
    .keys(&[key(Tab).ctrl()]),
    row(Command::FilterRows, 6, "Filter rows…", |_| TimeAction::FocusFilter.into())
        .keys(&[key(Char('F')).ctrl()])
        .over(Scope::Timeline),
    toggle(Command::ToggleOnlySelected, 6, "Only selected bones", switch!(OnlySelected)),
    toggle(Command::ToggleOnlyKeyed, 6, "Only keyed bones", switch!(OnlyKeyed)),
    toggle(Command::ToggleNormalised, 6, "Normalised curves", switch!(Normalised)),
    row(Command::FitTime, 6, "Frame keys", |_| TimeAction::Fit.into())
        .keys(&[key(Char('F')), key(PadPoint)])
        .over(Scope::Timeline),
    choose!(ThemeDark, 7, "Dark theme", Shade::Dark, Prefer::Shade, workspace.preferences.shade),
    choose!(ThemeLight, 7, "Light theme", Shade::Light, Prefer::Shade, workspace.preferences.shade),
    row(Command::LargerScale, 8, "Increase interface size", |editor| {
        Prefer::Scale(editor.session.workspace.preferences.next_scale(true)).into()
    })
    .keys(&[key(Char('+')).ctrl(), key(Char('=')).ctrl()]),
    row(Command::SmallerScale, 8, "Decrease interface size", |editor| {
        Prefer::Scale(editor.session.workspace.preferences.next_scale(false)).into()
    })
    .keys(&[key(Char('-')).ctrl()]),
    row(Command::NormalScale, 8, "Reset interface size", |_| Prefer::Scale(100).into()),
    choose!(ArrangePosing, 9, "Posing layout", Arrangement::Posing, Prefer::Arrange, workspace.preferences.arrangement),
    choose!(ArrangeTiming, 9, "Timing layout", Arrangement::Timing, Prefer::Arrange, workspace.preferences.arrangement),
    choose!(ArrangeGame, 9, "Game layout", Arrangement::Game, Prefer::Arrange, workspace.preferences.arrangement),
    row(Command::ResetLayout, 9, "Reset layout", |editor| {
        Prefer::Arrange(editor.session.workspace.preferences.arrangement).into()
    }),
    toggle(Command::ToggleFilled, 9, "Maximize bottom panel", switch!(Filled)).keys(&[key(Space).shift()]),
];
