//! Reference films: the frame of a time in each format, memory, and what the document keeps.

use std::io::Cursor;
use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::bytes::Bytes;
use keypose::assets::reference::{FilmFiles, FilmSource};
use keypose::wad;
use keypose_editor::editor::script;
use keypose_editor::editor::state::action::{DocumentAction, MaterialAction, PlaybackAction};
use keypose_editor::editor::state::effect::{Effect, ImagePurpose};
use keypose_editor::editor::view::films::{Projector, open_kept};
use keypose_editor::editor::view::scene;
use keypose_tools::film::{Files, Input, MAX_CACHE_BYTES, Player};

use crate::editor_kit;
use crate::films_kit::{apng, apng_of, gif, webp};

const H264: &[u8] = include_bytes!("../../data/tests/films/h264.mp4");
const ROTATED: &[u8] = include_bytes!("../../data/tests/films/rotated.mp4");
const HEVC: &[u8] = include_bytes!("../../data/tests/films/hevc.mp4");
const REFERENCES: &[u8] = include_bytes!("../../data/tests/films/references.mp4");
const FRAGMENTED: &[u8] = include_bytes!("../../data/tests/films/fragmented.mp4");

fn kept(files: Vec<Vec<u8>>) -> Arc<Vec<Bytes>> {
    Arc::new(files.into_iter().map(Bytes::from).collect())
}

fn open(bytes: &[u8]) -> Result<Player, String> {
    Player::open(Box::new(kept(vec![bytes.to_vec()])), 0.0)
}

/// The red of a pixel of the frame at a time.
fn red(player: &mut Player, secs: f64, [x, y]: [u32; 2]) -> u8 {
    let at = player.frame_at(Time::from_secs(secs));
    let texture = player.frame(at).unwrap().texture("frame");
    texture.pixels().unwrap()[4 * (y * texture.width + x) as usize]
}

/// The frame of the films in `data/tests/films` by its colour.
fn numbered(player: &mut Player, secs: f64) -> i32 {
    let luma = f64::from(red(player, secs, [8, 8])) * 219.0 / 255.0 + 16.0;
    ((luma - 40.0) / 8.0).round() as i32
}

fn png(red: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let image = image::RgbaImage::from_pixel(1, 1, image::Rgba([red, 0, 0, 255]));
    image.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

#[test]
fn each_format_shows_the_frame_of_a_time_forwards_and_backwards() {
    // Frames:      0    1         2    3
    // Seconds:     0   0.1       0.4  0.5  (and for ever)
    let delays = [10, 30, 10, 20];
    let times = [(-1.0, 0), (0.0, 0), (0.099, 0), (0.1, 1), (0.39, 1), (0.4, 2), (0.5, 3), (9.0, 3)];
    for bytes in [gif(&delays), apng(&delays), webp(&delays)] {
        let mut player = open(&bytes).unwrap();
        assert_eq!(player.count(), 4);
        for (secs, frame) in times.into_iter().chain(times.into_iter().rev()) {
            let pixel = [frame % 2 * u32::from(bytes.starts_with(b"GIF")), 0];
            assert_eq!(red(&mut player, secs, pixel), 10 * frame as u8, "{secs} s");
        }
    }
    // 60 frames a second in whole milliseconds; a delay of 10 ms is shown for 100 ms, as in browsers.
    for (delays, last) in [([16, 17, 17], 0.04), ([20, 10, 20], 0.13)] {
        let mut player = open(&apng_of(&delays, 1000)).unwrap();
        assert_eq!([0.01, last].map(|secs| red(&mut player, secs, [0, 0])), [0, 20], "{delays:?}");
    }
    let images = kept((0..5).map(|at| png(10 * at)).collect());
    let mut player = Player::open(Box::new(images), 10.0).unwrap();
    for (secs, frame) in [(0.0, 0), (0.35, 3), (0.2, 2), (7.0, 4)] {
        assert_eq!(red(&mut player, secs, [0, 0]), 10 * frame, "{secs} s");
    }
}

#[test]
fn a_frame_after_many_large_ones_is_refused_in_a_gif() {
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, 8000, 8000, &[]).unwrap();
    for _ in 0..70 {
        encoder.write_frame(&gif::Frame::from_rgba(1, 1, &mut [255; 4])).unwrap();
    }
    drop(encoder);
    let mut player = open(&bytes).unwrap();
    let error = player.frame(player.count() - 1).unwrap_err();
    assert!(error.contains("out of order; write it as a video"), "{error}");
}

#[test]
fn an_mp4_with_b_frames_and_variable_times_shows_the_frame_of_a_time() {
    let mut player = open(H264).unwrap();
    assert_eq!(player.count(), 20);
    let time = |frame: i32| if frame <= 10 { f64::from(frame) / 10.0 } else { f64::from(2 * frame - 10) / 10.0 };
    let jumps = [0, 19, 3, 12, 11, 7, 8, 1];
    for frame in (0..20).chain((0..20).rev()).chain(jumps) {
        player.limit(0);
        assert_eq!(numbered(&mut player, time(frame) + 0.05), frame);
    }
    // The bright half is on the left, and a quarter turn anticlockwise moves it to the bottom.
    let mut rotated = open(ROTATED).unwrap();
    let picture = rotated.frame(10).unwrap().texture("frame");
    assert_eq!([picture.width, picture.height], [48, 64]);
    assert!(red(&mut rotated, 1.0, [40, 56]) > 100 && red(&mut rotated, 1.0, [40, 8]) < 20);
}

#[test]
fn a_film_that_cannot_be_shown_says_why_in_one_sentence() {
    let no_keys: Vec<u8> = {
        // The table of key frames, without entries.
        let at = H264.windows(4).position(|kind| kind == b"stss").unwrap();
        let mut bytes = H264.to_vec();
        bytes[at + 8..at + 12].fill(0);
        bytes
    };
    // An animation without the chunks that begin its frames.
    let mut no_frames = apng(&[10]);
    let at = no_frames.windows(4).position(|kind| kind == b"fcTL").unwrap();
    no_frames[at] = b'x';
    let table = [
        (HEVC.to_vec(), "HEVC (H.265), and Keypose decodes H.264"),
        (FRAGMENTED.to_vec(), "the MP4 is fragmented"),
        (no_keys, "the film has no key frames"),
        (H264[..200].to_vec(), "cut off"),
        (no_frames, "the film has no frames"),
        (b"GIF89a".to_vec(), "damaged"),
    ];
    for (bytes, reason) in table {
        let error = open(&bytes).err().unwrap_or_default();
        assert!(error.contains(reason) && !error.contains('\n'), "{error:?}, expected {reason:?}");
    }
    let cut = &H264[..H264.len() - 400];
    let mut player = open(cut).unwrap();
    assert!(player.frame(0).is_ok());
    assert_eq!(player.frame(19).unwrap_err(), "frame 20 of 20: the file is cut off before its end");
}

/// A box of an MP4.
fn part(kind: &[u8; 4], contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    [&(contents.len() as u32 + 8).to_be_bytes()[..], kind, &contents].concat()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A track of video with these tables.
fn video(tables: &[Vec<u8>]) -> Vec<u8> {
    let codec = part(b"avcC", &[&[1, 66, 0, 10, 3, 0, 0]]);
    let entry = part(b"avc1", &[&[0; 78], &codec]);
    let mut tables = tables.to_vec();
    tables.push(part(b"stsd", &[&numbers(&[0, 1]), &entry]));
    let table = part(b"minf", &[&part(b"stbl", &[&tables.concat()])]);
    let handler = part(b"hdlr", &[&numbers(&[0, 0]), b"vide"]);
    let media = part(b"mdia", &[&handler, &part(b"mdhd", &[&numbers(&[0, 0, 0, 1000, 0])]), &table]);
    part(b"trak", &[&part(b"tkhd", &[&[0; 84]]), &media])
}

#[test]
fn a_film_that_asks_for_too_much_is_refused_at_once() {
    let start = std::time::Instant::now();
    // Each track says that it has a million frames, and not where.
    let times = part(b"stts", &[&numbers(&[0, 1, 1_000_000, 1])]);
    let track = video(&[times, part(b"stsz", &[&numbers(&[0, 1, 1_000_000])])]);
    let tracks = part(b"moov", &[&track.repeat(4000)]);
    assert_eq!(open(&tracks).err().unwrap(), "the index of the file is cut off");

    // 20,000 samples are the same megabyte, and the first to be shown needs all of them.
    let count = 20_000;
    let tables = [
        part(b"stts", &[&numbers(&[0, 1, count, 1])]),
        part(b"ctts", &[&numbers(&[0, 2, count - 1, 2 * count, 1, 0])]),
        part(b"stsz", &[&numbers(&[0, 1 << 20, count])]),
        part(b"stss", &[&numbers(&[0, 1, 1])]),
        part(b"stsc", &[&numbers(&[0, 1, 1, 1, 1])]),
        part(b"stco", &[&numbers(&[0, count]), &numbers(&vec![8; count as usize])]),
    ];
    let shared = [part(b"mdat", &[&vec![0; 1 << 20]]), part(b"moov", &[&video(&tables)])].concat();
    let error = open(&shared).unwrap().frame(0).unwrap_err();
    assert!(error.contains("its key frames are too far apart"), "{error}");

    // 65,535 reference frames of 11 MB.
    let error = open(REFERENCES).unwrap().frame(0).unwrap_err();
    assert_eq!(error, "frame 1 of 1: it is damaged: it has more than 16 reference frames");
    assert!(start.elapsed().as_secs() < 20);
}

/// Numbered images of 1280 × 720, all the same file.
struct Many(Bytes);

impl Files for Many {
    fn count(&self) -> usize {
        10_000
    }

    fn open(&self, _: usize) -> Result<Box<dyn Input>, String> {
        Ok(Box::new(Cursor::new(self.0.clone())))
    }
}

#[test]
fn ten_thousand_frames_take_no_more_memory_than_the_limit() {
    let mut file = Vec::new();
    image::RgbaImage::new(1280, 720).write_to(&mut Cursor::new(&mut file), image::ImageFormat::Png).unwrap();
    let mut player = Player::open(Box::new(Many(file.into())), 30.0).unwrap();
    let mut most = 0;
    for frame in (0..10_000).step_by(270) {
        player.frame(frame).unwrap();
        most = most.max(player.cached_bytes());
    }
    assert!(most <= MAX_CACHE_BYTES && most > MAX_CACHE_BYTES / 2, "{most} bytes");
}

#[test]
fn a_film_follows_the_playhead_and_survives_undo_and_the_archive() {
    let mut editor = editor_kit::editor();
    script::run(&mut editor, "reference front hide").unwrap();
    let effects = editor.update(MaterialAction::AddFilm(Some("a/walk.mp4".into())));
    let [Effect::ReadImage { place, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(place.purpose, ImagePurpose::Film);
    let source = FilmSource { path: "/a/walk.mp4".into(), files: FilmFiles::Linked, fps: 0.0 };
    let image = Arc::new(editor_kit::image("walk", [1, 2, 3, 255]));
    editor.update(MaterialAction::FilmRead { place: place.clone(), image: image.clone(), source: source.clone() });
    assert_eq!(editor.history.undo_label(), Some("Add reference film"));
    let effects = editor.update(MaterialAction::KeepFilm(1));
    let [Effect::ReadImage { place, .. }] = &effects[..] else { panic!("{effects:?}") };
    let source = FilmSource { files: FilmFiles::Kept(kept(vec![H264.to_vec()])), ..source };
    editor.update(MaterialAction::FilmRead { place: place.clone(), image: image.clone(), source });
    script::run(&mut editor, "reference walk film starts 0.1; reference walk film speed 2").unwrap();

    // At 0.4 s of the clip, 0.6 s of the film have passed.
    editor.update(PlaybackAction::Seek(Time::from_secs(0.4)));
    let mut projector = Projector::default();
    scene::frame(editor.source(), &editor.view());
    let [wanted] = &editor.caches.films.take_wanted()[..] else { panic!("one frame") };
    let decoded = projector.show(wanted, |source| open_kept(source).unwrap()).unwrap();
    assert_eq!(decoded.times, Time::from_secs(0.6)..Time::from_secs(0.7));
    editor.caches.films.put(wanted.clone(), Ok(decoded.clone()));
    let frame = scene::frame(editor.source(), &editor.view());
    assert!(frame.models.iter().any(|draw| draw.model.textures.iter().any(|it| Arc::ptr_eq(it, &decoded.image))));
    assert_eq!(editor.caches.films.take_wanted(), []);

    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    let read = wad::decode(&bytes).unwrap();
    assert_eq!((read.findings, &read.project.models[0].references), (Vec::new(), &editor.model().unwrap().references));
    (0..4).for_each(|_| drop(editor.update(DocumentAction::Undo)));
    assert_eq!(editor.model().unwrap().references.len(), 1);
    (0..4).for_each(|_| drop(editor.update(DocumentAction::Redo)));
    assert_eq!(read.project.models[0].references, editor.model().unwrap().references);
}
