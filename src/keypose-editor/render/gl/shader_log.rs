//! The logs of shader compilers: each vendor writes the line of an error in its own way.

/// The first error of a log: the line that it names, and what it says about it. The whole log if it has no known form.
pub fn first_error(log: &str) -> (Option<u32>, String) {
    let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let errors: Vec<(u32, &str)> = lines.iter().filter_map(|line| error_in(line)).collect();
    match errors.split_first() {
        Some(((line, text), [])) => (Some(*line), (*text).to_owned()),
        Some(((line, text), more)) => {
            let plural = if more.len() == 1 { "error follows" } else { "errors follow" };
            (Some(*line), format!("{text} ({} more {plural})", more.len()))
        }
        None => (None, lines.join("; ")),
    }
}

/// The line and the text of an error: `0:12(5): error: text` (Mesa), `0(12) : error C1008: text` (NVIDIA),
/// `ERROR: 0:12: text` (AMD, Apple, Intel, ANGLE).
fn error_in(line: &str) -> Option<(u32, &str)> {
    let rest = line.strip_prefix("ERROR: ").unwrap_or(line);
    let is_marked = rest.len() < line.len();
    let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = rest.strip_prefix([':', '('])?;
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, rest) = rest.split_at_checked(digits)?;
    let text = match is_marked {
        true => rest.trim_start_matches([':', ' ']),
        false => rest.split_once("error").map(|(_, text)| text.trim_start_matches([':', ' ']))?,
    };
    Some((number.parse().ok()?, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_an_error_is_found_in_the_log_of_each_vendor() {
        let cases = [
            ("0:12(5): error: `foo' undeclared", 12, "`foo' undeclared"),
            ("0(7) : error C1008: undefined variable \"foo\"", 7, "C1008: undefined variable \"foo\""),
            ("ERROR: 0:31: 'foo' : undeclared identifier", 31, "'foo' : undeclared identifier"),
            ("0:3(1): warning: unused\n0:9(2): error: here\n", 9, "here"),
            ("0:9(2): error: here\n0:10(2): error: there", 9, "here (1 more error follows)"),
        ];
        for (log, line, text) in cases {
            assert_eq!(first_error(log), (Some(line), text.to_owned()), "{log}");
        }
        assert_eq!(first_error("something\n\nelse\n"), (None, "something; else".to_owned()));
        for odd in ["", "0", "0:", "ERROR: ", "0:99999999999: error", "é(é): error: é"] {
            assert_eq!(first_error(odd).0, None, "{odd}");
        }
    }
}
