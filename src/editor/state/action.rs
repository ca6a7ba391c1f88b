//! What the user asked for. [`crate::editor::state::Editor::update`] takes these and nothing else.

use crate::editor::document::edit::Label;
use crate::editor::posing::change::Change;
use crate::editor::session::selection::Pick;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec2;

use crate::anim::key::{Ease, TangentKind};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::assets::project::Project;
use crate::assets::texture::Texture;
use crate::editor::document::Document;
use crate::editor::document::edit::KeyRef;
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::posing::library::PoseEdit;
use crate::editor::posing::mixing::Mix;
use crate::editor::session::bench::BenchAction;
use crate::editor::session::blend::BlendAction;
use crate::editor::session::camera::Look;
use crate::editor::session::clipboard::Side;
use crate::editor::session::display::{Shading, ShownPose};
use crate::editor::session::ghosts::GhostEdit;
use crate::editor::session::keying::{AutoKey, KeyMask, KeyWhat};
use crate::editor::session::machine::MachineAction;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::pointer::{ModalKey, PointerEvent};
use crate::editor::session::preferences::Prefer;
use crate::editor::session::selection::ItemKind;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::session::switch::Switch;
use crate::editor::session::timing::TimeAction;
use crate::editor::session::tool::TransformKind;
use crate::editor::session::tool::{Space, Tool};
use crate::editor::session::{Answer, Popup};
use crate::editor::state::effect::{Ask, ImagePlace};
use crate::editor::state::export_options::FilmWish;

/// Where a loaded project came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An archive: saving writes it again.
    Archive(PathBuf),
    /// A patch over archives: saving writes the patch again.
    Patch {
        /// The base, then the patches between, in order.
        below: Vec<PathBuf>,
        /// The patch.
        path: PathBuf,
    },
    /// A foreign file, or the demo: saving asks for a path first.
    Imported(PathBuf),
    /// Nowhere.
    New,
}

/// What the user asked for, or what happened outside and matters here.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Action {
    /// Time has passed; playing goes on by it.
    Tick(Time),

    /// One step at once.
    Edit {
        label: Label,
        change: Change,
    },
    /// Opens a gesture on the document as it is. An open one is committed first.
    Begin {
        label: Label,
    },
    /// The whole change since `Begin`; replaces the preview before. Ignored without `Begin`.
    Preview(Change),
    /// Makes the preview a step, if it changed anything.
    Commit,
    /// Puts the document back to where the gesture began.
    Cancel,
    Undo,
    Redo,
    /// Undoes until this many steps are left.
    GoToStep(usize),

    SelectModel(usize),
    SelectClip(Option<ClipId>),
    /// Exactly these clips of the list are meant together; the open one stays open.
    PickClips(Vec<ClipId>),
    SelectBones {
        bones: Vec<BoneIndex>,
        pick: Pick,
    },
    SelectKeyframe {
        keyframe: usize,
        pick: Pick,
    },
    /// From the keyframe that was picked last to this one.
    SelectKeyframesTo(usize),
    SelectKeys {
        keys: Vec<KeyRef>,
        pick: Pick,
    },
    SetFocus(ItemKind),
    Hover(Option<BoneIndex>),
    /// Recalls a set of bones, 0 to 9.
    RecallSet(u8),
    /// Keeps the selected bones as a set, 0 to 9.
    StoreSet(u8),

    Seek(Time),
    SetPlaying(bool),
    SetSpeed(f64),
    SetReverse(bool),
    /// The part of the clip that plays in a loop; `None` plays all of it.
    SetLoopSection(Option<(Time, Time)>),
    /// In the panel of time: views, rows, keys in hand, events.
    Time(TimeAction),

    KeyPose(KeyWhat),
    DropDraft,
    SetAutoKey(AutoKey),
    SetKeyMask(KeyMask),
    /// How new keys ease.
    SetNewEase(Ease),
    SetEase(Ease),
    SetTangentKind(TangentKind),
    /// Back to the rest value, of the selected bones.
    ClearPose(KeyMask),

    /// Keeps what has the focus: keys, keyframes, or the pose of the selected bones.
    Copy,
    Paste(Side),
    /// The pose library.
    Poses(PoseEdit),
    /// Groups of bones.
    Groups(GroupEdit),
    /// The state machine.
    Machine(MachineAction),
    /// The side-scroller bench.
    Bench(BenchAction),
    /// The preview of two clips mixed.
    Blend(BlendAction),
    /// What is found by names and places counts again for a bone and its partner.
    ClearMirrorPair(BoneIndex),
    /// Corrects the table of mirror pairs; a bone that is its own partner lies in the middle.
    SetMirrorPair {
        bone: BoneIndex,
        partner: BoneIndex,
    },

    /// The material whose looks are shown and changed.
    PickMaterial(usize),
    /// Reads an image for the texture of that material; asks for a path where none is given.
    SwapImage(Option<PathBuf>),
    /// Reads an image to pose by; asks for a path where none is given.
    AddReference(Option<PathBuf>),
    /// The reference image whose place and look are shown.
    PickReference(usize),
    /// An image was dropped on the window: asks what it is for, where that is not plain.
    DropImage(PathBuf),
    /// The answer to that; `None` for nothing.
    AnswerDrop(Option<Ask>),
    /// An image was read (after `Effect::ReadImage`).
    ImageRead {
        place: ImagePlace,
        image: Arc<Texture>,
    },

    SetTool(Tool),
    SetSpace(Space),
    Toggle(Switch),
    SetShading(Shading),
    /// Another pose than the clip's is only looked at.
    ShowPose(ShownPose),
    /// Which ghosts are asked for, and how they look.
    Ghosts(GhostEdit),
    SetHidden {
        bones: Vec<BoneIndex>,
        is_hidden: bool,
    },
    SetPinned {
        bones: Vec<BoneIndex>,
        is_pinned: bool,
    },
    /// How many joints above an end a drag of it turns.
    SetChain(usize),
    /// The mouse over the viewport, for the gizmo, picking and the modal gestures.
    Pointer(PointerEvent),
    /// Starts moving, rotating or scaling the selected bones with the mouse (G, R, S).
    StartTransform(TransformKind),
    /// Mixes the pose with its neighbours by the mouse, until a click, Enter or Esc.
    StartMix(Mix),
    /// A key while a transform or a mix runs: axis locks, digits, confirm, cancel.
    Modal(ModalKey),

    /// The size of the viewport in pixels, and how many of them are one point of the display.
    SetViewport {
        size: Vec2,
        pixels_per_point: f32,
    },
    /// Pixels that the mouse moved.
    Orbit(Vec2),
    /// Pixels that the mouse moved.
    Pan(Vec2),
    /// Notches of the wheel, towards is positive.
    Zoom(f32),
    LookFrom(Look),
    FrameSelected,
    FrameAll,

    /// Opens a small window, or closes the one that is open.
    ShowPopup(Option<Popup>),
    /// A command of the catalogue ([`crate::editor::commands`]); does nothing where it cannot run.
    Run(crate::editor::session::command::Command),
    Bind {
        command: crate::editor::session::command::Command,
        strokes: Vec<Stroke>,
    },
    /// Every command has the strokes of the catalogue again.
    ResetKeys,
    Prefer(Prefer),
    /// The program was started with a document that is being read; or that came to nothing.
    Await(bool),
    /// Which of the recent files are not there (any more).
    MissingFiles(Vec<PathBuf>),
    /// The first steps are shown, from the first; or not.
    ShowFirstSteps(bool),
    GoToFirstStep(usize),
    /// Throws away what was recovered from the journal: asks first, the second time does it.
    DiscardRecovered,
    /// What was recovered stays; answers the question, if it is asked.
    KeepRecovered,
    /// The document has this many steps that a session before did not save.
    Recovered(usize),

    /// An empty document; asks where there is something to lose.
    New,
    /// Asks for a path where none is given.
    Open(Option<PathBuf>),
    /// The demo archive, as a document without a file; asks where there is something to lose.
    OpenDemo,
    /// Adds the models of a file to the document; asks for a path where none is given.
    Import(Option<PathBuf>),
    Save,
    /// Asks for a path where none is given.
    SaveAs(Option<PathBuf>),
    /// Writes only what differs from the base archive; asks for a path where none is given.
    SavePatch(Option<PathBuf>),
    /// A film or a picture of the model; asks for a path where none is given.
    ExportPicture(Option<(PathBuf, FilmWish)>),
    /// Ends what is being read or exported.
    CancelJob,
    PlayTest,
    Quit,
    /// The answer to [`crate::editor::session::Prompt`].
    Answer(Answer),
    /// A file was read (after `Effect::Open`).
    Loaded {
        project: Box<Project>,
        origin: Origin,
    },
    /// A file was read to be added (after `Effect::Import`).
    LoadedToAdd {
        project: Box<Project>,
        from: PathBuf,
    },
    /// The document was written (after `Effect::Save`).
    Saved {
        document: Document,
        path: PathBuf,
        /// What it lies over where it is a patch.
        below: Vec<PathBuf>,
    },
    /// Something to tell: it goes to the log, and to the screen.
    Notice(NoticeKind, String),
    /// The panels did what they were asked to ([`crate::editor::session::transient::Request`]).
    RequestsHandled,
    /// Takes the notice off the screen; the log keeps it.
    DismissNotice,
}
