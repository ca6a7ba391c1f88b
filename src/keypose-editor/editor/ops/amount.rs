//! Typed amounts: decimals with a point or a comma, sums, units, and operators on the value before.

use keypose::anim::time::{FrameRate, Time};

/// The unit of a field. It decides which units can be typed; a number without one has the field's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Measure {
    /// A plain number; a percentage counts as hundredths.
    #[default]
    Plain,
    /// Degrees.
    Angle,
    /// Metres.
    Length,
    Percent,
    /// Frames of a clip.
    Frames(FrameRate),
    /// Milliseconds; frames are those of a clip.
    Millis(FrameRate),
}

/// The text of a field, read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A value.
    Set(f64),
    /// "+5" or "-=5": a difference from the value before.
    Add(f64),
    /// "*2" or "/4": a factor of the value before.
    Multiply(f64),
}

impl Amount {
    /// The new value of a number.
    pub fn of(self, before: f64) -> f64 {
        match self {
            Amount::Set(value) => value,
            Amount::Add(by) => before + by,
            Amount::Multiply(by) => before * by,
        }
    }
}

/// The largest amount that can be typed. Products of such numbers are still finite.
pub const MAX_AMOUNT: f64 = 1e9;
/// The maximum length of the text in bytes.
const MAX_LENGTH: usize = 200;

/// Reads an amount: `30+15`, `1,5`, `*2`, `45deg`, `(1/3)*2 cm`.
///
/// # Errors
/// The reason, as a sentence.
pub fn parse(text: &str, measure: Measure) -> Result<Amount, String> {
    let text = text.trim().replace('−', "-").replace(['×', '·'], "*").replace('÷', "/");
    if text.is_empty() {
        return Err("Type a number.".to_owned());
    }
    if text.len() > MAX_LENGTH {
        return Err(format!("The text is longer than {MAX_LENGTH} characters."));
    }
    let (operator, rest) = operator(&text);
    let value = whole(rest, measure)?;
    let amount = match operator {
        Operator::None => Amount::Set(value),
        Operator::Add => Amount::Add(value),
        Operator::Subtract => Amount::Add(-value),
        Operator::Multiply => Amount::Multiply(value),
        Operator::Divide if value == 0.0 => return Err(DIVISION.to_owned()),
        Operator::Divide => Amount::Multiply(1.0 / value),
    };
    let (Amount::Set(size) | Amount::Add(size) | Amount::Multiply(size)) = amount;
    if size.is_finite() && size.abs() <= MAX_AMOUNT { Ok(amount) } else { Err(too_large(&text)) }
}

const DIVISION: &str = "A number can't be divided by 0.";

fn too_large(text: &str) -> String {
    format!("\"{text}\" is too large: the limit is 1,000,000,000.")
}

/// An operator at the beginning. A minus is the sign of a number.
enum Operator {
    None,
    Add,
    Subtract,
    Multiply,
    Divide,
}

fn operator(text: &str) -> (Operator, &str) {
    let operators = [
        ("+=", Operator::Add),
        ("-=", Operator::Subtract),
        ("*=", Operator::Multiply),
        ("/=", Operator::Divide),
        ("+", Operator::Add),
        ("*", Operator::Multiply),
        ("/", Operator::Divide),
    ];
    let found = operators.into_iter().find_map(|(sign, operator)| Some((operator, text.strip_prefix(sign)?)));
    found.unwrap_or((Operator::None, text))
}

/// The value of a whole text.
fn whole(text: &str, measure: Measure) -> Result<f64, String> {
    let mut reader = Reader { rest: text, text, measure };
    let value = reader.sum()?;
    match reader.next() {
        None => Ok(value),
        Some(_) => Err(reader.unexpected()),
    }
}

/// Reads an expression by recursive descent.
struct Reader<'a> {
    rest: &'a str,
    text: &'a str,
    measure: Measure,
}

impl Reader<'_> {
    /// The next character, without spaces before it.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Takes the next character if it is one of `signs`.
    fn take(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.next().filter(|sign| signs.contains(sign))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn unexpected(&self) -> String {
        match self.rest.chars().next() {
            None => format!("\"{}\" is incomplete.", self.text),
            Some(_) => format!("\"{}\" is not a number: it can't be read from \"{}\" on.", self.text, self.rest),
        }
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let next = self.product()?;
            value += if sign == '+' { next } else { -next };
        }
        Ok(value)
    }

    /// Factors. A unit counts for the whole product, so "1/4 turn" is a quarter of a turn.
    fn product(&mut self) -> Result<f64, String> {
        let (mut value, mut unit) = self.factor()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let (next, its_unit) = self.factor()?;
            if sign == '/' && next == 0.0 {
                return Err(DIVISION.to_owned());
            }
            value = if sign == '*' { value * next } else { value / next };
            if unit.is_some() && its_unit.is_some() {
                return Err(format!("\"{}\" has two units in one product.", self.text));
            }
            unit = unit.or(its_unit);
        }
        Ok(value * unit.unwrap_or(1.0))
    }

    /// A number or a sum in parentheses, and the factor of its unit if it has one.
    fn factor(&mut self) -> Result<(f64, Option<f64>), String> {
        let sign = if self.take(&['+', '-']) == Some('-') { -1.0 } else { 1.0 };
        let value = match self.take(&['(']) {
            Some(_) => {
                let inside = self.sum()?;
                self.take(&[')']).ok_or_else(|| self.unexpected())?;
                inside
            }
            None => self.number()?,
        };
        Ok((sign * value, self.unit()?))
    }

    /// A decimal number or "pi".
    fn number(&mut self) -> Result<f64, String> {
        if let Some(rest) = self.next().and_then(|_| self.rest.strip_prefix("pi")) {
            self.rest = rest;
            return Ok(std::f64::consts::PI);
        }
        let end = number_end(self.rest);
        let (number, rest) = self.rest.split_at(end);
        let value: f64 = number.replace(',', ".").parse().map_err(|_| self.unexpected())?;
        if !value.is_finite() {
            return Err(too_large(number));
        }
        self.rest = rest;
        Ok(value)
    }

    /// The factor of a unit, if there is one.
    fn unit(&mut self) -> Result<Option<f64>, String> {
        if self.next().is_none() {
            return Ok(None);
        }
        let end = self.rest.find(|letter: char| !(letter.is_alphabetic() || "°%".contains(letter)));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if name.is_empty() {
            return Ok(None);
        }
        let units = self.measure.units();
        let found = units.iter().find(|(names, _)| names.contains(&name.to_lowercase().as_str()));
        let Some((_, factor)) = found else { return Err(unknown_unit(name, &units)) };
        self.rest = rest;
        Ok(Some(*factor))
    }
}

fn unknown_unit(name: &str, units: &[Unit]) -> String {
    let known: Vec<&str> = units.iter().map(|(names, _)| names[0]).collect();
    format!("\"{name}\" is not a unit of this number, which can have: {}.", known.join(", "))
}

/// The length of the number that a text starts with: digits, at most one point or comma, and an exponent.
fn number_end(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with(['.', ',']) {
        end += 1 + digits(end + 1);
    }
    if end > 0 && text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    end
}

/// The names of a unit and its size in the field's own.
type Unit = (&'static [&'static str], f64);

impl Measure {
    fn units(self) -> Vec<Unit> {
        match self {
            Measure::Plain => vec![(&["%"], 0.01)],
            Measure::Percent => vec![(&["%"], 1.0)],
            Measure::Angle => vec![
                (&["deg", "°", "d", "degree", "degrees"], 1.0),
                (&["rad", "r", "radian", "radians"], 1.0_f64.to_degrees()),
                (&["turns", "turn", "rev"], 360.0),
            ],
            Measure::Length => vec![
                (&["m"], 1.0),
                (&["cm"], 0.01),
                (&["mm"], 0.001),
                (&["km"], 1000.0),
                (&["in"], 0.0254),
                (&["ft"], 0.3048),
            ],
            Measure::Frames(rate) => times(rate.fps(), rate),
            Measure::Millis(rate) => times(1000.0, rate),
        }
    }
}

/// The units of time. `second` is the length of a second in the unit of the field.
fn times(second: f64, rate: FrameRate) -> Vec<Unit> {
    vec![
        (&["f", "fr", "frame", "frames"], second / rate.fps()),
        (&["s", "sec", "secs"], second),
        (&["ms"], second / 1000.0),
        (&["ticks", "t", "tick"], second * Time::TICK.secs()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, measure: Measure) -> f64 {
        parse(text, measure).unwrap_or_else(|reason| panic!("{text}: {reason}")).of(10.0)
    }

    #[test]
    fn sums_commas_and_operators_are_read() {
        let cases = [
            ("30", 30.0),
            ("1,5", 1.5),
            (".5", 0.5),
            ("30+15", 45.0),
            ("30 - 15 * 2", 0.0),
            ("(30-15)*2", 30.0),
            ("-3", -3.0),
            ("2*-3", -6.0),
            ("1e3", 1000.0),
            ("50%", 0.5),
            ("−4 × 2", -8.0),
            ("*2", 20.0),
            ("/4", 2.5),
            ("+5", 15.0),
            ("-=5", 5.0),
            ("*=0,5", 5.0),
        ];
        for (text, expected) in cases {
            assert!((value(text, Measure::Plain) - expected).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn units_are_converted_to_the_fields_own() {
        let rate = FrameRate::FPS_30;
        let cases = [
            ("45deg", Measure::Angle, 45.0),
            ("45°", Measure::Angle, 45.0),
            ("pi/2 rad", Measure::Angle, 90.0),
            ("1/4 turn", Measure::Angle, 90.0),
            ("20 cm", Measure::Length, 0.2),
            ("1m + 5cm", Measure::Length, 1.05),
            ("12in", Measure::Length, 0.3048),
            ("0,5s", Measure::Frames(rate), 15.0),
            ("6f+100ms", Measure::Frames(rate), 9.0),
            ("6f", Measure::Millis(rate), 200.0),
            ("12 ticks", Measure::Millis(rate), 200.0),
            ("30%", Measure::Percent, 30.0),
        ];
        for (text, measure, expected) in cases {
            assert!((value(text, measure) - expected).abs() < 1e-9, "{text}: {}", value(text, measure));
        }
    }

    #[test]
    fn everything_else_is_refused_with_a_reason() {
        for text in ["1e999", "2e9", "-1e10", "1e300*1e300", "1e9/1e-9"] {
            let reason = parse(text, Measure::Plain).expect_err(text);
            assert!(reason.contains("too large"), "{text}: {reason}");
        }
        for text in [
            "", " ", "abc", "1..2", "1.2,3", "1.2.3", "--1", "3+", "(3", "3)", "1/0", "/0", "5 apples", "2%*3%", "ee",
            "1e",
        ] {
            assert!(parse(text, Measure::Plain).is_err(), "{text}");
        }
        let reason = parse("6 weeks", Measure::Frames(FrameRate::FPS_30)).expect_err("weeks");
        assert!(reason.contains("\"weeks\"") && reason.contains("ms"), "{reason}");
        assert!(parse(&"(".repeat(500), Measure::Plain).is_err());
    }
}
