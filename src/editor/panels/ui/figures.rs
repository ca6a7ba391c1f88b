//! Numbers as text that several panels show.

/// "812 bytes", "12.3 kB", "4.5 MB".
pub fn bytes_text(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes_text;

    #[test]
    fn bytes_have_the_unit_that_suits_them() {
        assert_eq!([812, 12_340, 4_500_000].map(bytes_text), ["812 bytes", "12.3 kB", "4.5 MB"]);
    }
}
