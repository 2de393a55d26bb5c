//! Renders Markdown as text for a terminal: paragraphs and lists wrapped, code indented, no markup.
//!
//! Explanations use paragraphs, lists, inline code and fenced blocks; nothing else is supported here.

/// How to write a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PageStyle {
    /// Columns of a line.
    pub(super) width: usize,
    pub(super) has_color: bool,
}

const BOLD: &str = "\x1b[1m";
const CODE: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";

/// A title of a page.
pub(super) fn title(text: &str, style: PageStyle) -> String {
    if style.has_color {
        format!("{BOLD}{text}{RESET}\n")
    } else {
        format!("{text}\n")
    }
}

/// The text of an explanation.
pub(super) fn text(markdown: &str, style: PageStyle) -> String {
    let mut written = String::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            flush(&mut paragraph, &mut written, style);
            let example = match info.split_once(',').map(|(_, promise)| promise.trim()) {
                Some("wrong") => "Wrong:\n\n",
                Some("right") => "Right:\n\n",
                Some(_) | None => "",
            };
            separate(&mut written);
            written.push_str(example);
            for line in lines.by_ref().take_while(|line| line.trim_end() != "```") {
                written.push_str(format!("    {line}").trim_end());
                written.push('\n');
            }
            separate(&mut written);
        } else if line.trim().is_empty() {
            flush(&mut paragraph, &mut written, style);
        } else if line.starts_with("- ") {
            let is_in_list = paragraph.first().is_some_and(|line| line.starts_with("- "));
            flush_item(&mut paragraph, &mut written, style, is_in_list);
            paragraph.push(line);
        } else {
            paragraph.push(line);
        }
    }
    flush(&mut paragraph, &mut written, style);
    written
}

/// Ends the written text with an empty line.
fn separate(written: &mut String) {
    if !written.is_empty() && !written.ends_with("\n\n") {
        written.push('\n');
    }
}

fn flush(paragraph: &mut Vec<&str>, written: &mut String, style: PageStyle) {
    flush_item(paragraph, written, style, false);
}

/// Writes a paragraph or an item of a list; consecutive items have no empty line between them.
fn flush_item(
    paragraph: &mut Vec<&str>,
    written: &mut String,
    style: PageStyle,
    is_followed: bool,
) {
    if paragraph.is_empty() {
        return;
    }
    let is_item = paragraph[0].starts_with("- ");
    let text = paragraph.join(" ");
    let indent = if is_item { "  " } else { "" };
    written.push_str(&wrapped(&text, indent, style));
    if !(is_item && is_followed) {
        separate(written);
    }
    paragraph.clear();
}

/// Lines of whole words; all but the first one begin with `indent`. Code loses its backticks.
fn wrapped(text: &str, indent: &str, style: PageStyle) -> String {
    let mut lines = String::new();
    let mut column = 0;
    let mut is_code = false;
    for word in text.split_whitespace() {
        let length = word.chars().filter(|character| *character != '`').count();
        if column > 0 && column + 1 + length > style.width {
            lines.push('\n');
            lines.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        column += length;
        // Each word is colored separately, so that color does not continue over a line break.
        if style.has_color && is_code {
            lines.push_str(CODE);
        }
        for character in word.chars() {
            if character != '`' {
                lines.push(character);
                continue;
            }
            is_code = !is_code;
            if style.has_color {
                lines.push_str(if is_code { CODE } else { RESET });
            }
        }
        if style.has_color && is_code {
            lines.push_str(RESET);
        }
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: PageStyle = PageStyle {
        width: 30,
        has_color: false,
    };

    #[test]
    fn a_page_has_no_marks_and_no_long_lines() {
        let markdown = "A transition leads to `a node` that the document does not define.\n\n- one `x`\n- two that is longer than\n  a line of text\n\n```xml,wrong\n<ok to=\"nowhere\"/>\n\n<end/>\n```\n\nBetter:\n\n```xml,right\n<ok/>\n```\n";
        assert_eq!(
            text(markdown, PLAIN),
            "A transition leads to a node\nthat the document does not\ndefine.\n\n- one x\n- two that is longer than a\n  line of text\n\nWrong:\n\n    <ok to=\"nowhere\"/>\n\n    <end/>\n\nBetter:\n\nRight:\n\n    <ok/>\n\n"
        );
    }

    #[test]
    fn code_is_colored_word_by_word() {
        let style = PageStyle {
            width: 9,
            has_color: true,
        };
        assert_eq!(
            text("see `a b` there", style),
            "see \x1b[36ma\x1b[0m \x1b[36mb\x1b[0m\nthere\n\n"
        );
    }
}
