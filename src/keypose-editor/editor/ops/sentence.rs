//! Error texts as sentences.

/// The text of a value with a capital first letter.
pub fn sentence(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}
