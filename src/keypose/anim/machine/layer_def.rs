//! A layer of a state machine: a clip over the states' pose, on a part of the skeleton, while its conditions hold.

use crate::anim::choice::choice;
use crate::anim::machine::parts::Condition;

/// A layer over the states' pose. It begins when all its conditions hold, from the start of its clip. If one of them is a trigger, it lasts one
/// time through the clip, and starts again each time the trigger fires; otherwise as long as they hold. All other conditions must hold meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerDef {
    /// Unique among the layers, not empty.
    pub name: String,
    /// The name of a clip. If the model lacks it, the layer shows nothing.
    pub clip: String,
    /// The mask: the name of a bone, which moves with all below it. Empty for all bones; a name that the model lacks stands for none.
    pub bone: String,
    /// How the clip is combined with the pose below.
    pub kind: LayerKind,
    /// When it is shown. None: always.
    pub conditions: Vec<Condition>,
    /// 1 is the clip's own speed; not negative.
    pub speed: f32,
    /// Weight of the layer while it is shown, 0 to 1.
    pub weight: f32,
    /// Duration of the fade in and of the fade out, in seconds, 0 to 60.
    pub fade_secs: f32,
}

impl LayerDef {
    /// A layer of a clip on all bones that is always shown, with a weight of 1.
    pub fn new(name: impl Into<String>, clip: impl Into<String>) -> LayerDef {
        LayerDef {
            name: name.into(),
            clip: clip.into(),
            bone: String::new(),
            kind: LayerKind::default(),
            conditions: Vec::new(),
            speed: 1.0,
            weight: 1.0,
            fade_secs: 0.1,
        }
    }

    /// The name of the layer in messages.
    pub fn place(&self) -> String {
        format!("layer \"{}\"", self.name)
    }
}

choice! {
    /// How the clip of a layer is combined with the pose below.
    #[derive(Default)]
    pub enum LayerKind {
        /// The layer replaces the pose.
        #[default]
        Replace = "replace",
        /// The difference of the clip from its first pose is added.
        Add = "add",
    }
}
