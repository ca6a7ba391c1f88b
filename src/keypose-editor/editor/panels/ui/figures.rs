//! Numbers as text that several panels show.

/// "812 bytes", "12.3 kB", "4.5 MB".
pub fn bytes_text(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// "1,842".
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How long ago something was, "just now", "20 s ago", "3 min ago", and the age in seconds at which this text changes. It
/// changes rarely, so that an idle program draws rarely.
pub fn age(secs: u64) -> (String, u64) {
    let (unit, step) = match secs {
        0..10 => return ("just now".to_owned(), 10),
        10..60 => return (format!("{} s ago", secs / 10 * 10), (secs / 10 + 1) * 10),
        60..3600 => ("min", 60),
        _ => ("h", 3600),
    };
    (format!("{} {unit} ago", secs / step), (secs / step + 1) * step)
}

/// A time in the past, seen from `now`: "3 min ago", "5 days ago", then the date in UTC. Both are milliseconds since 1970.
pub fn date_text(modified: u64, now: u64) -> String {
    const DAY: u64 = 24 * 3600;
    let secs = now.saturating_sub(modified) / 1000;
    match secs / DAY {
        0 => age(secs).0,
        1 => "1 day ago".to_owned(),
        days @ 2..=29 => format!("{days} days ago"),
        _ => {
            let [year, month, day] = date_of(modified / 1000 / DAY);
            format!("{year}-{month:02}-{day:02}")
        }
    }
}

/// Year, month and day of a number of days since 1970-01-01.
fn date_of(days: u64) -> [u64; 3] {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut rest) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        (year, rest) = (year + 1, rest - length);
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        (month, rest) = (month + 1, rest - length);
    }
    [year, month, rest + 1]
}

#[cfg(test)]
mod tests {
    use super::{age, bytes_text, date_of, date_text, thousands};

    #[test]
    fn large_numbers_have_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1842, "1,842"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn an_age_changes_when_it_says() {
        let cases = [(0, "just now"), (10, "10 s ago"), (59, "50 s ago"), (60, "1 min ago"), (7300, "2 h ago")];
        for (secs, expected) in cases {
            let (text, until) = age(secs);
            assert_eq!(text, expected);
            assert!(until > secs && age(until - 1).0 == text && age(until).0 != text, "{secs}");
        }
    }

    #[test]
    fn bytes_have_the_unit_that_suits_them() {
        assert_eq!([812, 12_340, 4_500_000].map(bytes_text), ["812 bytes", "12.3 kB", "4.5 MB"]);
    }

    #[test]
    fn dates_are_ages_until_a_month() {
        let now = 1_790_000_000_000;
        let ago = |secs: u64| date_text(now - secs * 1000, now);
        assert_eq!(
            [ago(5), ago(7300), ago(86_400), ago(3 * 86_400)],
            ["just now", "2 h ago", "1 day ago", "3 days ago"]
        );
        assert_eq!(ago(1_790_000_000 - 951_782_400), "2000-02-29");
        assert_eq!(date_text(now + 90_000_000, now), "just now", "a clock that is ahead");
        assert_eq!((date_of(0), date_of(365), date_of(20_000)), ([1970, 1, 1], [1971, 1, 1], [2024, 10, 4]));
    }
}
