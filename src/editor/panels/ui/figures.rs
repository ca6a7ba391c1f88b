//! Numbers as text that several panels show.

/// "812 bytes", "12.3 kB", "4.5 MB".
pub fn bytes_text(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
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

#[cfg(test)]
mod tests {
    use super::{age, bytes_text};

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
}
