//! Lengths as text, for panels and reports.

/// A length in metres in the unit that suits it: "0.12 mm", "4.5 mm", "34 mm", "1.25 m".
pub fn length_text(metres: f32) -> String {
    let millis = metres * 1000.0;
    match millis.abs() {
        tiny if tiny > 0.0 && tiny < 0.005 => "under 0.01 mm".to_owned(),
        small if small < 0.995 => format!("{millis:.2} mm"),
        small if small < 9.95 => format!("{millis:.1} mm"),
        middle if middle < 999.5 => format!("{millis:.0} mm"),
        _ => format!("{metres:.2} m"),
    }
}

#[cfg(test)]
mod tests {
    use super::length_text;

    #[test]
    fn lengths_have_two_or_three_digits_and_a_unit() {
        let cases = [
            (0.0, "0.00 mm"),
            (1e-7, "under 0.01 mm"),
            (0.000_123, "0.12 mm"),
            (0.004_51, "4.5 mm"),
            (0.0344, "34 mm"),
        ];
        for (metres, expected) in cases {
            assert_eq!(length_text(metres), expected);
        }
        assert_eq!([0.9994, 0.9996, 1.254].map(length_text), ["999 mm", "1.00 m", "1.25 m"]);
    }
}
