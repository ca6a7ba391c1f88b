//! The part of Markdown that the manual uses: headings, paragraphs, lists, tables, code, emphasis and links. Pictures are left
//! out: the program itself is beside the page.

/// How a piece of text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As body text.
    Plain,
    /// Labels of commands.
    Bold,
    /// Labels of panels, and emphasis.
    Italic,
    /// Keys and commands.
    Code,
}

/// A piece of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, without marks.
    pub text: String,
    pub style: Style,
    /// The target, if the text is a link.
    pub link: Option<String>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading, 1 is the title.
    Heading(usize, String),
    /// A paragraph, or an item of a list with its mark: "•" or a number.
    Text(String, Vec<Span>),
    /// Lines of code.
    Code(Vec<String>),
    /// A row of a table.
    Row(Vec<Vec<Span>>),
}

/// The blocks of a page.
pub fn parse(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut code: Option<Vec<String>> = None;
    // The mark and the lines of the open paragraph.
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        let bare = line.trim();
        if bare.starts_with("```") {
            close(&mut open, &mut blocks);
            match code.take() {
                Some(lines) => blocks.push(Block::Code(lines)),
                None => code = Some(Vec::new()),
            }
        } else if let Some(lines) = &mut code {
            lines.push(line.to_owned());
        } else if bare.is_empty() || bare.starts_with("![") || bare.starts_with("<!--") {
            close(&mut open, &mut blocks);
        } else if bare.starts_with('#') {
            close(&mut open, &mut blocks);
            let title = bare.trim_start_matches('#');
            blocks.push(Block::Heading(bare.len() - title.len(), title.trim().to_owned()));
        } else if bare.starts_with('|') {
            close(&mut open, &mut blocks);
            blocks.extend(row(bare));
        } else if let Some((mark, rest)) = item(bare) {
            close(&mut open, &mut blocks);
            open = Some((mark, rest.to_owned()));
        } else {
            let (_, lines) = open.get_or_insert_default();
            *lines += if lines.is_empty() { "" } else { " " };
            *lines += bare;
        }
    }
    close(&mut open, &mut blocks);
    blocks
}

fn close(open: &mut Option<(String, String)>, blocks: &mut Vec<Block>) {
    blocks.extend(open.take().map(|(mark, text)| Block::Text(mark, spans(&text))));
}

/// The mark and the text of the first line of a list's item.
fn item(line: &str) -> Option<(String, &str)> {
    if let Some(rest) = line.strip_prefix("- ") {
        return Some(("•".into(), rest));
    }
    let (number, rest) = line.split_once(". ")?;
    number.parse::<u8>().is_ok().then(|| (format!("{number}."), rest))
}

/// A row of a table, unless it is the line below its head.
fn row(line: &str) -> Option<Block> {
    let cells = line.trim_matches('|').split('|').map(str::trim);
    let is_rule = cells.clone().all(|cell| !cell.is_empty() && cell.chars().all(|it| "-:".contains(it)));
    (!is_rule).then(|| Block::Row(cells.map(spans).collect()))
}

/// The pieces of a line.
pub fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (span, left) = marked(rest).unwrap_or_else(|| {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let end = rest[first..].find(['`', '*', '[']).map_or(rest.len(), |at| at + first);
            (Span { text: rest[..end].to_owned(), style: Style::Plain, link: None }, &rest[end..])
        });
        spans.push(span);
        rest = left;
    }
    spans
}

/// The piece at the start of a text that has marks, and what follows.
fn marked(text: &str) -> Option<(Span, &str)> {
    let span = |text: &str, style, link| Span { text: text.replace(['`', '*'], ""), style, link };
    if let Some(rest) = text.strip_prefix('[') {
        let (label, rest) = rest.split_once("](")?;
        let (target, left) = rest.split_once(')')?;
        return Some((span(label, Style::Plain, Some(target.to_owned())), left));
    }
    for (mark, style) in [("`", Style::Code), ("**", Style::Bold), ("*", Style::Italic)] {
        if let Some(rest) = text.strip_prefix(mark) {
            let (inside, left) = rest.split_once(mark).filter(|(inside, _)| !inside.starts_with(' '))?;
            return Some((Span { text: inside.to_owned(), style, link: None }, left));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_headings_lists_tables_and_code() {
        let page = "# Title\n\nOne\n**two\nthree** [four](five.md).\n\n![A picture](x.png)\n\n1. First\n   more\n- Last\n\n| a | `b` |\n|---|---|\n\n```sh\ncode  here\n```\n";
        let plain = |text: &str| Span { text: text.into(), style: Style::Plain, link: None };
        let bold = Span { text: "two three".into(), style: Style::Bold, link: None };
        let link = Span { text: "four".into(), style: Style::Plain, link: Some("five.md".into()) };
        let expected = [
            Block::Heading(1, "Title".into()),
            Block::Text(String::new(), vec![plain("One "), bold, plain(" "), link, plain(".")]),
            Block::Text("1.".into(), vec![plain("First more")]),
            Block::Text("•".into(), vec![plain("Last")]),
            Block::Row(vec![vec![plain("a")], vec![Span { text: "b".into(), style: Style::Code, link: None }]]),
            Block::Code(vec!["code  here".into()]),
        ];
        assert_eq!(parse(page), expected);
    }

    #[test]
    fn marks_without_an_end_are_text() {
        let text: String = spans("2 * 3, [x], `y and **z").into_iter().map(|span| span.text).collect();
        assert_eq!(text, "2 * 3, [x], `y and **z");
    }
}
