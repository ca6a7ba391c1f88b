//! Good inputs of our own making for each target, to be made bad.

use std::io::Cursor;
use std::sync::Arc;

use glam::Vec3;
use image::{DynamicImage, ImageFormat, RgbaImage};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::level::text::write as write_level;
use keypose::assets::model::ClipSlot;
use keypose::assets::named_pose::NamedPose;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::journal::{CLIP_CHANGE, Event, KeyPlace, Place, delta, head, record};
use keypose::wad::kind::Kind;
use keypose::wad::pack::Lump;
use keypose_app::app::follow::protocol::message;
use keypose_app::app::preferences::{Layout, SavedState, text};
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::shortcuts::{KeyName, Stroke};
use keypose_tools::clip_text::{self, ClipText};

use super::targets::sample::{compressed, encode, every_form, patch_to, rich, small};
use super::targets::{Target, base, lumps, record_head};
use crate::collada_kit;
use crate::fbx_kit::{self, Small};
use crate::films_kit::{apng, gif, webp};
use crate::glb::{Glb, base64};

/// What the target accepts, the smallest first.
pub fn of(target: &Target) -> Vec<Vec<u8>> {
    match target.name {
        "archive" | "salvage" => {
            vec![encode(&small()), compressed(), every_form(&rich(), 0).0, every_form(&rich(), 1).0, encode(&rich())]
        }
        "record" => records(),
        "machine" => machines(),
        "journal" => vec![journal(7)],
        "recovery" => vec![journal(Archive::open(base()).unwrap().header().hash)],
        "patch" => {
            let mut changed = small();
            changed.models.push(rich().models[1].clone());
            [changed, rich()].map(|project| patch_to(base(), &project)).to_vec()
        }
        "follow" => vec![message(&pose()).unwrap().split_off(4)],
        "preferences" => preferences(),
        "recording" => vec![
            b"keypose replay 1\narchive 00000000000000ff\nseed 7\n05 0123456789abcdef\n00 ffffffffffffffff\n".to_vec(),
        ],
        "level" => vec![LEVEL.into(), write_level(&rich().levels[0]).into_bytes()],
        "clip" => texts_of_clips(),
        "sound" => vec![wav(1, 16, 1), wav(2, 8, 1), wav(1, 32, 3), wav(6, 24, 1)],
        "film" => {
            let mp4 = |name| crate::models::bytes(&crate::models::own().join(format!("films/{name}.mp4")));
            let delays = [10, 30, 10, 20];
            vec![mp4("h264"), gif(&delays), mp4("rotated"), apng(&delays), webp(&delays)]
        }
        "collada" => vec![collada_kit::SMALL.into(), collada_kit::morphed("NORMALIZED").into_bytes()],
        "obj" => vec![crate::obj::SMALL.into()],
        "bvh" => vec![crate::bvh::SMALL.into()],
        "fbx" => {
            let (nodes, shaped) = (Small::default().nodes(), Small { has_shape: true, ..Small::default() }.nodes());
            vec![fbx_kit::binary(&nodes), fbx_kit::ascii(&nodes), fbx_kit::binary(&shaped)]
        }
        "gltf" => {
            let glb = Glb::small();
            let compressed = ["meshopt", "meshopt_quantized", "draco", "draco_valence", "draco_sequential"];
            let models = ["sparse", "morphs", "blender_limb"]
                .map(|name| crate::models::bytes(&crate::models::own().join(format!("models/{name}.glb"))));
            let plain = vec![glb.bytes(), glb.text(&format!("data:;base64,{}", base64(&glb.buffer)))];
            [plain, compressed.map(crate::compressed::bytes).into(), models.into()].concat()
        }
        "image" => images(),
        "script" => SCRIPTS.map(|script| script.as_bytes().to_vec()).to_vec(),
        other => panic!("no seeds for {other}"),
    }
}

/// Words that mean something to the target; none where it reads numbers.
pub fn dictionary(target: &Target) -> Vec<&'static str> {
    match target.name {
        "collada" => collada_kit::SMALL.split(['<', '>', ' ', '"']).filter(|word| !word.trim().is_empty()).collect(),
        "obj" => crate::obj::SMALL.split_whitespace().collect(),
        "bvh" => crate::bvh::SMALL.split_whitespace().collect(),
        "level" => LEVEL.split_whitespace().chain(["\"", "\\u{1}", "#", "1e39", "-0", "goal", "player"]).collect(),
        "clip" => CLIP_WORDS.split_whitespace().collect(),
        "gltf" => GLTF_WORDS.split_whitespace().collect(),
        "script" => SCRIPT_WORDS.split_whitespace().chain(SCRIPTS.iter().flat_map(|text| text.split(' '))).collect(),
        "preferences" => PREFERENCE_WORDS.split_whitespace().collect(),
        _ => Vec::new(),
    }
}

const LEVEL: &str = "keypose-level 1\nname yard\ncolor wood 102030\nspawn 0 0.5\nsolid 0 -1 4 0 # ground\n\
    kind a\n  size 1.5\n  health 0\nfoe a 1 0 left\ndecor round 0 0 1 1 z -5 depth 1 color aabbcc\n";

const CLIP_WORDS: &str = "keypose-clip name loop ping-pong rate 30000/1001 folder tag event 1f 2t 3fl hit hurt cancel always on-hit \
    invulnerable volume into radius damage group again keyframe key position rotation scale value missing missing-value tangents \
    broken in out step cubic 1e39 -0 # \"";

/// The texts of all clips of a model.
fn texts_of_clips() -> Vec<Vec<u8>> {
    let model = &rich().models[0];
    let text = |slot: &ClipSlot| {
        let text =
            ClipText { clip: (*slot.clip).clone(), lanes: model.combat.lanes_of(slot.id), ..ClipText::default() };
        clip_text::write(&text, &model.skeleton).into_bytes()
    };
    model.clips.iter().map(text).collect()
}

/// A WAV file of four sample frames; format 1 is PCM, 3 floats.
fn wav(channels: u16, bits: u16, format: u16) -> Vec<u8> {
    let frame = channels * bits / 8;
    let data: Vec<u8> = (0..4 * frame).map(|at| (at * 37) as u8).collect();
    let format = [format, channels].into_iter().flat_map(u16::to_le_bytes);
    let rates = [22_050, 22_050 * u32::from(frame)].into_iter().flat_map(u32::to_le_bytes);
    let widths = [frame, bits].into_iter().flat_map(u16::to_le_bytes);
    let chunk = |name: &[u8; 4], body: &[u8]| [name, &(body.len() as u32).to_le_bytes()[..], body].concat();
    let format: Vec<u8> = format.chain(rates).chain(widths).collect();
    let chunks = [b"WAVE".to_vec(), chunk(b"fmt ", &format), chunk(b"LIST", b"odd"), chunk(b"data", &data)].concat();
    chunk(b"RIFF", &chunks)
}

fn records() -> Vec<Vec<u8>> {
    let whole = lumps().iter().enumerate();
    let whole = whole.filter_map(|(which, lump)| Some([&record_head(which), lump.bytes.as_deref()?].concat()));
    let mut whole: Vec<_> = whole.collect();
    whole.sort_by_key(Vec::len);
    whole
}

/// The machines of the sample and of the demo, whose states and parameters are the game's, in the sample's version.
fn machines() -> Vec<Vec<u8>> {
    let demo = crate::models::bytes(&crate::models::own().join("../demo.wad"));
    let demo = Archive::open(&demo).unwrap().to_lumps().unwrap();
    let newest = lumps().iter().find(|lump| lump.kind == Kind::MACHINE).unwrap();
    let is_alike = |lump: &&Lump| (lump.kind, lump.version) == (newest.kind, newest.version);
    let all = lumps().iter().chain(&demo).filter(is_alike);
    let mut all: Vec<_> = all.filter_map(|lump| lump.bytes.clone()).collect();
    all.sort_by_key(Vec::len);
    all
}

/// Two bones in motion.
fn pose() -> NamedPose {
    let bones = ["root", "hand"].map(|name| (name.to_owned(), Transform::IDENTITY));
    NamedPose {
        model: "knight".into(),
        clip: "walk".into(),
        time: Time(12_345),
        bones: bones.to_vec(),
        scalars: vec![("hand".into(), "glow".into(), 0.5)],
    }
}

fn preferences() -> Vec<Vec<u8>> {
    let layout = Layout { ini: LAYOUT.into(), panels: vec!["Log".into()], untouched: Some([1280.0, 660.0]) };
    let mut kept = SavedState { window: Some([1280.0, 720.0]), layout: Some(layout), ..SavedState::default() };
    kept.preferences.recent = vec!["/a/b.wad".into()];
    kept.bindings.set(Command::Save, vec![Stroke::new(KeyName::F(9))]);
    [SavedState::default(), kept].iter().map(|kept| text(kept).into_bytes()).collect()
}

const LAYOUT: &str = "[Window][Log]\nPos=0,34\nSize=225,209\nCollapsed=0\nDockId=0x00000007,0\n\n[Docking][Data]\n\
    DockSpace ID=0x60F7BC5C Window=0x58F84F0E Pos=0,34 Size=1280,660 Split=X\n  \
    DockNode ID=0x00000003 Parent=0x60F7BC5C SizeRef=225,329 CentralNode=1 HiddenTabBar=1\n  \
    DockNode ID=0x00000007 Parent=0x60F7BC5C SizeRef=225,209 Selected=0xAC9ECCBA\n";

const PREFERENCE_WORDS: &str = "{ } [ ] , : \" null true -1 1e308 \"theme\" \"size\" \"layout\" \"recent\" \"folders\" \"favourites\" \
    \"dialogs\" \"model_files\" \"printed_keys\" \"maximized\" \"keys\" \"window\" \"panels\" \"names\" \"lines\" \"check\" \"untouched\" \
    \"Light\" \"Save\" \"F9\" \"Ctrl+Shift+Q\" 150 65536";

/// One record of each word, for the archive of a header hash.
fn journal(base: u64) -> Vec<u8> {
    let mut after = small();
    after.models.push(rich().models[1].clone());
    let (forth, back) = (delta(&small(), &after).unwrap(), delta(&after, &small()).unwrap());
    let [short, long, changed] = clips();
    let (longer, change) = (delta(&short, &long).unwrap(), delta(&long, &changed).unwrap());
    assert!(change.iter().any(|lump| lump.kind == CLIP_CHANGE));
    let saved = Event::Saved { hash: 5 };
    let keys = vec![KeyPlace { keyframe: 0, bone: 0, channel: Channel::Rotation }];
    let place = Place { clip: Some(0), bones: vec![0], keyframes: vec![0], keys, ..Place::default() };
    let step = |lumps| Event::Step { label: "add".into(), before: Place::default(), after: place.clone(), lumps };
    let start = Archive::open(&encode(&small())).unwrap().to_lumps().unwrap();
    let position = |done| Event::Position { done, place: place.clone() };
    let place_alone = Event::Place(place.clone());
    let events = [
        Event::Start { first: 3, saved: vec![4], lumps: start },
        step(forth),
        step(back),
        position(3),
        position(5),
        place_alone,
        step(longer),
        step(change),
        saved,
    ];
    let records = events.iter().zip(0..).map(|(event, sequence)| record(event, sequence, base).unwrap());
    [head()].into_iter().chain(records).collect::<Vec<_>>().concat()
}

/// A clip that becomes longer; then some of its keyframes and keys change.
fn clips() -> [Project; 3] {
    let edited = |before: &Project, edit: &dyn Fn(&mut Clip)| {
        let mut after = before.clone();
        edit(Arc::make_mut(&mut Arc::make_mut(&mut after.models[0]).clips[0].clip));
        after
    };
    let short = small();
    let long = edited(&short, &|clip| {
        for x in 1..=12_u8 {
            let keys = vec![Key::translation(0, Vec3::X * f32::from(x))];
            clip.keyframes.insert(0, Keyframe { duration: Time::TICK, keys: keys.into(), ..Keyframe::default() });
        }
    });
    let changed = edited(&long, &|clip| {
        clip.keyframes[2] = Keyframe { duration: Time::SECOND, ..Keyframe::default() };
        clip.keyframes.remove(5);
        clip.keyframes.insert(
            8,
            Keyframe { duration: Time::TICK, keys: vec![Key::scale(0, Vec3::ONE)].into(), ..Keyframe::default() },
        );
    });
    [short, long, changed]
}

fn images() -> Vec<Vec<u8>> {
    let picture = RgbaImage::from_fn(9, 7, |x, y| image::Rgba([x as u8 * 20, y as u8 * 30, 99, 255 - x as u8]));
    let picture = DynamicImage::from(picture);
    let as_file = |picture: DynamicImage, format| {
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    };
    vec![
        as_file(picture.to_luma8().into(), ImageFormat::Png),
        as_file(picture.clone(), ImageFormat::Png),
        as_file(picture.to_rgb16().into(), ImageFormat::Png),
        as_file(picture.to_rgb8().into(), ImageFormat::Jpeg),
        as_file(picture.to_luma8().into(), ImageFormat::Jpeg),
        as_file(picture.clone(), ImageFormat::WebP),
        as_file(picture.clone(), ImageFormat::Tga),
        as_file(picture.to_luma8().into(), ImageFormat::Tga),
        as_file(picture.clone(), ImageFormat::Tiff),
        as_file(picture.to_luma8().into(), ImageFormat::Tiff),
        dds(),
        psd(),
    ]
}

/// Four blocks of BC1.
fn dds() -> Vec<u8> {
    let mut bytes = [b"DDS ", &[0; 124][..], &[7; 32]].concat();
    [(12, 8_u32), (16, 8), (80, 4)]
        .iter()
        .for_each(|&(at, word)| bytes[at..at + 4].copy_from_slice(&word.to_le_bytes()));
    bytes[84..88].copy_from_slice(b"DXT1");
    bytes
}

/// 2 × 2 pixels with rows that are packed.
fn psd() -> Vec<u8> {
    let head = [b"8BPS", &[0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 8, 0, 3][..], &[0; 12], &[0, 1]];
    [head.concat(), [0, 2].repeat(6), [255, 9].repeat(6)].concat()
}

const SCRIPTS: [&str; 7] = [
    "pose \"bone 1\" rotation 0 0 40; key I; seek 8f\npose \"bone 2\" position 1 2 3\nkey I; duration 2 10\nloop loop; print",
    "clip empty\nevent 3f step\nrename-clip hop; rate 24; move-clip 1\nrun duplicate-clip; run mirrored-clip\nundo; redo",
    "select \"bone 0\"\nadd \"bone 3\"; key Ctrl+C; seek 20f\nkey Ctrl+Shift+V\nmix breakdown 0.4; undo-all\nredo-all\nshow steps",
    "viewport 800 600\nmouse move 400 300; key R; type X 9 0 enter\nmouse press 10 10; mouse move 200 200 ctrl; mouse release 200 200",
    "pick-keyframe 1; pick-key 1 \"bone 1\" position; add-key 1 \"bone 1\" rotation\nshift-keys 3f; scale-keys 0f 2\ncopy-keys 5f; ease cubic",
    "begin; preview \"bone 1\" scale 1 2 3\ncommit; auto-key all; play; tick 0.5s\nspeed 2; space world; tick 3f; pause\nswitch ghosts; show world \"bone 2\"",
    "small\nselect \"bone 0\"; group a; save-pose b; event 3f c\npose \"bone 0\" position 1 2 3; key I; undo; redo; print",
];

const SCRIPT_WORDS: &str = "small group save-pose show print undo redo undo-all redo-all run key type model clip select add seek tick play pause \
    speed auto-key space answer mouse viewport pose begin preview commit cancel pick-keyframe pick-keyframes-to pick-key \
    add-key shift-keys copy-keys scale-keys mix switch mirror-pair ease new-ease duration move-keyframe loop rate event \
    rename-clip move-clip rename-model none knight sword walk f s ms fps rotation position scale step linear cubic once \
    ping-pong push-pose relax-pose blend-to-neighbour breakdown key-pose new-clip delete-clip duplicate delete paste copy \
    paste-mirrored reversed-clip mirrored-clip select-all new save-as play-test clear-rotation flatten over viewport \
    timeline clips press release double-click leave ctrl shift alt enter esc backspace G R S X Y Z \" ;";

const GLTF_WORDS: &str = "asset version scene scenes nodes name children translation rotation scale matrix mesh skin \
    buffers byteLength uri materials pbrMetallicRoughness baseColorFactor baseColorTexture index textures images source \
    meshes primitives attributes POSITION NORMAL TEXCOORD_0 COLOR_0 JOINTS_0 WEIGHTS_0 JOINTS_1 WEIGHTS_1 indices mode \
    targets weights skins joints inverseBindMatrices skeleton animations samplers input output interpolation LINEAR STEP \
    CUBICSPLINE channels sampler target node path accessors bufferView componentType normalized count type byteOffset \
    sparse values min max SCALAR VEC2 VEC3 VEC4 MAT4 bufferViews byteStride extensionsUsed extensionsRequired \
    KHR_texture_transform KHR_materials_unlit 5120 5121 5123 5125 5126 null true [] {}";
