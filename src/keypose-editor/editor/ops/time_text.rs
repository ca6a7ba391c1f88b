//! Reading and printing times: "6" or "6f" for frames, "120ms", "0.5s".

use crate::editor::ops::amount::{self, Amount, Measure};
use keypose::anim::time::{FrameRate, Time};

/// Reads a time, also a sum ("6f+100ms"). A number without a unit counts frames; whole frames are exact.
///
/// # Errors
/// The reason with the expected form.
pub fn parse(text: &str, rate: FrameRate) -> Result<Time, String> {
    read(text, None, rate)
}

/// Reads a time as [`parse`] does; `+5`, `-=5`, `*2` and `/2` change the one before.
///
/// # Errors
/// The reason with the expected form.
pub fn changed(text: &str, before: Time, rate: FrameRate) -> Result<Time, String> {
    read(text, Some(before), rate)
}

fn read(text: &str, before: Option<Time>, rate: FrameRate) -> Result<Time, String> {
    let invalid = || format!("\"{}\" is not a time: write 6 or 6f for frames, 120ms, or 0.5s", text.trim());
    let time = match (amount::parse(text, Measure::Frames(rate)).map_err(|_| invalid())?, before) {
        (Amount::Set(frames), _) => rate.time_of_frames(frames),
        (Amount::Add(frames), before) => before.unwrap_or_default() + rate.time_of_frames(frames),
        (Amount::Multiply(by), Some(before)) => Time::from_secs(before.secs() * by),
        (Amount::Multiply(_), None) => return Err(invalid()),
    };
    if (-Time::LONGEST.0..=Time::LONGEST.0).contains(&time.0) {
        Ok(time)
    } else {
        Err(format!("\"{}\" is longer than a day", text.trim()))
    }
}

/// Prints a time in frames if it is on a frame ("6f"), otherwise in milliseconds ("113.3ms"). Imported times may be
/// rounded: a thousandth of a frame off is on the frame.
pub fn print(time: Time, rate: FrameRate) -> String {
    let off_grid = (rate.snap(time) - time).0.checked_abs();
    if off_grid.is_some_and(|off| off <= rate.frame().0 / 1000) {
        format!("{}f", rate.nearest_frame(time))
    } else {
        format!("{:.1}ms", time.millis())
    }
}

/// Whether a number of frames is shown as a whole number: it is within a hundredth of one.
pub fn is_whole(frames: impl Into<f64>) -> bool {
    let frames = frames.into();
    (frames - frames.round()).abs() < 0.01
}

/// Prints a time in frames, without a unit: "4", "4.5".
pub fn frames(time: Time, rate: FrameRate) -> String {
    let frames = rate.frames_in(time);
    if is_whole(frames) { format!("{frames:.0}") } else { format!("{frames:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_time_can_be_read() {
        let rate = FrameRate::FPS_24;
        for frames in [-3, 0, 1, 240] {
            assert_eq!(parse(&print(rate.time_of(frames), rate), rate), Ok(rate.time_of(frames)));
        }
        for text in ["*2", "1e9s", "90000s"] {
            assert!(parse(text, rate).is_err(), "{text}");
        }
        assert_eq!(print(Time::from_millis(113.3), rate), "113.3ms");
        assert_eq!([4, 9].map(|halves| frames(rate.time_of(halves) / 2, rate)), ["2", "4.5"]);
    }
}
