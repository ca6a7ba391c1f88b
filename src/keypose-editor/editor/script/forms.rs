//! The forms of all commands and facts of scripts. What fits none of them is refused before it is read, so this table
//! is complete; `docs/scripts.md` explains each form.

/// The commands. Words in small letters are written as they are, words in capitals stand for arguments. `[…]` may be
/// left out; a last word that ends in `…` stands for any number of words.
#[rustfmt::skip]
pub const COMMANDS: &[&str] = &[
    "help", "show FACT…", "print",
    "undo", "redo", "undo-all", "redo-all",
    "run COMMAND", "switch NAME", "key STROKE", "key STROKE over PANEL", "type WORD…",
    "open PATH", "import PATH", "add-clips PATH", "save [PATH]", "save-patch PATH", "answer ANSWER",
    "model MODEL", "rename-model NAME", "remove-model", "set-rest", "skinning METHOD", "samples FORMAT",
    "state-clip STATE CLIP", "state-clip STATE none",
    "clip CLIP", "clip none", "pick-clips CLIP…", "rename-clip NAME", "move-clip PLACE", "folder NAME", "tags TAG…",
    "hurt-volume NAME BONE RADIUS POINT…", "delete-hurt-volume NAME", "hit TIME TIME BONE RADIUS POINT…",
    "hit-volume NUMBER BONE RADIUS POINT…", "strike NUMBER VALUE AMOUNT", "hurt TIME TIME NAME off",
    "cancels TIME TIME WHEN ACTION…", "invulnerable TIME TIME", "delete-range LANE NUMBER",
    "loop MODE", "rate FPS", "event TIME NAME", "retime-derived PERCENT", "retarget MODEL CLIP", "reduce-keys POSITION DEGREES SCALE",
    "select BONE…", "select none", "add BONE…", "filter-bones WORD…",
    "pin BONE…", "unpin BONE…", "chain JOINTS",
    "group NAME", "join-group PLACE", "leave-group PLACE", "rename-group PLACE NAME", "delete-group PLACE",
    "mirror-pair BONE BONE", "find-mirror BONE", "euler-order ORDER",
    "pose BONE CHANNEL X Y Z …", "pose BONE VALUE X …", "begin", "preview BONE CHANNEL X Y Z …",
    "preview BONE VALUE X …", "commit", "cancel",
    "add-property NAME BONE", "remove-property VALUE", "rename-value VALUE NAME", "default-value VALUE X", "key-value VALUE…",
    "auto-key SETTING", "key-mask CHANNEL…", "space AXES", "new-ease EASE", "ease EASE", "mix KIND AMOUNT",
    "save-pose NAME", "apply-pose POSE [AMOUNT]", "flip-pose POSE [AMOUNT]", "rename-pose POSE NAME",
    "update-pose POSE", "delete-pose POSE", "move-pose POSE PLACE",
    "seek TIME", "tick TIME", "play", "pause", "speed FACTOR",
    "duration KEYFRAME TIME", "move-keyframe KEYFRAME PLACE", "pick-keyframe KEYFRAME", "pick-keyframes-to KEYFRAME",
    "pick-key KEYFRAME BONE CHANNEL", "add-key KEYFRAME BONE CHANNEL",
    "shift-keys TIME", "copy-keys TIME", "scale-keys TIME FACTOR",
    "filter TEXT", "pick-event NUMBER", "pick-range LANE NUMBER",
    "viewport WIDTH HEIGHT", "crowd COUNT", "mouse EVENT X Y [MODIFIER] [MODIFIER] [MODIFIER]",
    "time-mouse TIME Y [MODIFIER] [MODIFIER] [MODIFIER]",
    "ghosts before COUNT", "ghosts after COUNT", "ghosts step STEP", "ghosts clip CLIP", "ghosts clip none",
    "ghosts opacity PERCENT", "ghosts fade PERCENT",
    "material MATERIAL", "material MATERIAL name NAME", "material MATERIAL color HEX",
    "material MATERIAL opacity OPACITY", "material MATERIAL alpha opaque", "material MATERIAL alpha blend",
    "material MATERIAL alpha mask CUTOFF", "material MATERIAL glow HEX",
    "material MATERIAL metalness METALNESS", "material MATERIAL roughness ROUGHNESS", "material MATERIAL sides SIDES",
    "material MATERIAL shading SHADING", "material MATERIAL occlusion STRENGTH",
    "material MATERIAL outline WIDTH", "material MATERIAL outline WIDTH HEX",
    "material MATERIAL filter FILTER", "material MATERIAL wrap ACROSS DOWN", "material MATERIAL texture TEXTURE",
    "material MATERIAL texture none", "material MATERIAL image PATH",
    "add-reference PATH", "reference IMAGE", "reference IMAGE opacity OPACITY", "reference IMAGE height METRES",
    "reference IMAGE offset X Y", "reference IMAGE faces DIRECTION", "reference IMAGE stands DEPTH",
    "reference IMAGE show", "reference IMAGE hide", "reference IMAGE lock", "reference IMAGE unlock",
    "machine make", "machine drop", "machine add-state STATE CLIP", "machine rename-state STATE NAME",
    "machine delete-state STATE", "machine clip STATE CLIP", "machine start STATE", "machine place STATE X Y",
    "machine add-transition STATE STATE", "machine add-transition any STATE", "machine delete-transition PLACE",
    "machine move-transition PLACE PLACE", "machine when PLACE PARAMETER above VALUE",
    "machine when PLACE PARAMETER below VALUE", "machine when PLACE PARAMETER on",
    "machine when PLACE PARAMETER off", "machine when PLACE PARAMETER fired", "machine fade PLACE KIND SECONDS",
    "machine interrupt PLACE RULE", "machine add-parameter NAME KIND", "machine rename-parameter PARAMETER NAME",
    "machine delete-parameter PARAMETER", "machine add-layer NAME CLIP", "machine rename-layer LAYER NAME",
    "machine delete-layer LAYER", "machine move-layer LAYER PLACE", "machine layer LAYER clip CLIP",
    "machine layer LAYER bone BONE", "machine layer LAYER kind KIND", "machine layer LAYER speed FACTOR",
    "machine layer LAYER weight WEIGHT", "machine layer LAYER fade SECONDS", "machine layer LAYER when always",
    "machine layer LAYER when PARAMETER above VALUE", "machine layer LAYER when PARAMETER below VALUE",
    "machine layer LAYER when PARAMETER on", "machine layer LAYER when PARAMETER off",
    "machine layer LAYER when PARAMETER fired", "machine pick layer LAYER",
    "machine preview on", "machine preview off",
    "level open LEVEL", "level leave", "level new", "level rename NAME", "level remove", "level add THING…",
    "level set KIND NUMBER THING…", "level pick all", "level pick nothing", "level pick KIND NUMBER",
    "level pick-more KIND NUMBER", "level move X Y", "level duplicate X Y", "level copy", "level paste", "level paste X Y", "level delete", "level color NAME HEX",
    "level player MODEL", "level add-kind", "level remove-kind", "level pick-kind NAME", "level kind VALUE AMOUNT",
    "socket add", "socket pick SOCKET", "socket rename NAME", "socket to-bone", "socket attach MODEL", "socket attach none",
    "socket position X Y Z", "socket rotation X Y Z", "socket scale X Y Z", "socket remove",
    "sound add PATH", "sound pick SOUND", "sound rename NAME", "sound remove", "sound play", "sound repeat MODE",
    "sound volume FACTOR",
    "machine set PARAMETER VALUE", "machine fire PARAMETER", "machine pick STATE", "machine pick nothing",
];

/// The facts that `show` prints and that follow `=>`.
#[rustfmt::skip]
pub const FACTS: &[&str] = &[
    "hits", "hurts", "cancels", "invulnerable", "hurt-volumes", "frame-data",
    "models", "clips", "clips-with WORD…", "clip", "loop", "strip", "keys", "events", "follows", "drafts",
    "time", "playing", "selected", "selected-keyframes", "selected-keys", "hidden", "groups", "mirror BONE",
    "euler-order BONE",
    "pose BONE CHANNEL", "pose BONE VALUE", "values", "rest BONE CHANNEL", "world BONE", "mark BONE CHANNEL", "poses", "pins", "chain",
    "ghosts", "trails", "shading", "shown-pose", "materials", "material", "textures", "references", "skinning", "samples",
    "state-clip STATE", "machine", "transitions", "layers", "machine-state",
    "levels", "level", "things KIND", "picked-things", "foe-kinds", "sounds", "sockets",
    "dirty", "steps", "undo", "notice", "prompt",
];

/// Whether words have a form.
pub fn fits(form: &str, words: &[&str]) -> bool {
    let mut words = words.iter();
    for part in form.split(' ') {
        if part.ends_with('…') {
            return true;
        }
        match words.next() {
            Some(word) if is_fixed(part) && part != *word => return false,
            None => return part.starts_with('['),
            Some(_) => {}
        }
    }
    words.next().is_none()
}

fn is_fixed(part: &str) -> bool {
    part.starts_with(|first: char| first.is_ascii_lowercase())
}

/// Checks that words have one of the forms.
///
/// # Errors
///
/// The forms that begin with the same word, or that there are none.
pub fn check(forms: &[&str], words: &[&str]) -> Result<(), String> {
    if forms.iter().any(|form| fits(form, words)) {
        return Ok(());
    }
    let is_near = |form: &&&str| form.split(' ').next() == words.first().copied();
    let near: Vec<&str> = forms.iter().filter(is_near).copied().collect();
    match near.as_slice() {
        [] => Err("unknown word".to_owned()),
        near => Err(format!("expected {}", near.join(", or "))),
    }
}
