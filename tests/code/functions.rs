//! The functions of a source file and their lengths.

use crate::source::line_of;

#[derive(Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub line: usize,
    /// From the line of `fn` to the closing brace.
    pub lines: usize,
}

/// Every function with a body, in code without comments and strings.
pub fn functions(code: &str) -> Vec<Function> {
    let starts = code.match_indices("fn ").filter(|(at, _)| {
        let before = code[..*at].chars().next_back().unwrap_or(' ');
        !before.is_alphanumeric() && before != '_'
    });
    starts.filter_map(|(at, _)| function(code, at)).collect()
}

fn function(code: &str, start: usize) -> Option<Function> {
    let rest = &code[start + "fn ".len()..];
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let open = rest.find('(')?;
    // A function pointer has no name.
    let name = rest[..end].to_owned();
    if name.is_empty() {
        return None;
    }
    let after = open + parameters(&rest[open..]);
    let body = after + rest[after..].find(['{', ';'])?;
    if rest.as_bytes()[body] == b';' {
        return None;
    }
    let line = line_of(code, start);
    let last = line_of(code, start + "fn ".len() + body + block(&rest[body..]));
    Some(Function { name, line, lines: last - line + 1 })
}

/// The length of a parameter list that begins with a parenthesis.
fn parameters(list: &str) -> usize {
    let (mut depth, mut before) = (0, ' ');
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        before = letter;
    }
    list.len() - 1
}

/// The length of a block that begins with a brace, up to its last brace.
fn block(code: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in code.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    code.len() - 1
}

#[test]
fn functions_are_measured() {
    let code = "pub fn a(&self, b: [u8; 2], c: Map<K, V>, d: &dyn Fn(A, B) -> C) -> D {\n  x\n}\nfn none();\nfn e<T>() {}\nlet f: fn (u8);";
    let found = functions(code);
    let of = |name: &str, line, lines| Function { name: name.into(), line, lines };
    assert_eq!(found, [of("a", 1, 3), of("e", 5, 1)]);
}
