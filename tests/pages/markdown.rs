//! The parts of Markdown that the tests need: fenced blocks with their marks, links, and the anchors of headings.

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of its opening fence, from 1.
    pub line: usize,
    pub language: String,
    /// Without the fences.
    pub text: String,
    /// From a comment directly before it.
    pub mark: Option<BlockMark>,
}

/// The mark in a comment about the following block.
#[derive(Debug, PartialEq, Eq)]
pub enum BlockMark {
    /// `<!-- not run: REASON -->`
    NotRun(String),
    /// `<!-- file: PATH -->`
    File(String),
}

impl Block {
    pub fn holds_commands(&self) -> bool {
        matches!(self.language.as_str(), "sh" | "console")
            && !matches!(self.mark, Some(BlockMark::File(_)))
    }
}

/// A command of a `console` block, and its expected output.
#[derive(Debug, PartialEq, Eq)]
pub struct Typed {
    pub command: String,
    pub output: String,
}

/// The mark in a line; `None` if it is another comment or none.
fn mark(line: &str) -> Result<Option<BlockMark>, String> {
    let Some(comment) = line
        .trim()
        .strip_prefix("<!--")
        .and_then(|rest| rest.strip_suffix("-->"))
    else {
        return Ok(None);
    };
    let Some((word, value)) = comment.trim().split_once(':') else {
        return Ok(None);
    };
    let value = value.trim().to_owned();
    match word {
        "not run" | "file" if value.is_empty() => Err(format!("`{line}` does not say more")),
        "not run" => Ok(Some(BlockMark::NotRun(value))),
        "file" => Ok(Some(BlockMark::File(value))),
        _ => Ok(None),
    }
}

/// Every fenced block. Those inside quotations are texts of others.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    const FENCE: &str = "```";
    let mut blocks = Vec::new();
    let mut lines = (1..).zip(page.lines());
    let mut before = None;
    while let Some((number, line)) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let Some(language) = line.trim_start().strip_prefix(FENCE) else {
            if !line.trim().is_empty() {
                before = mark(line)?;
            }
            continue;
        };
        let mut text = String::new();
        loop {
            let Some((_, line)) = lines.next() else {
                return Err(format!("the block in line {number} does not end"));
            };
            if line.trim() == FENCE {
                break;
            }
            text.push_str(line.get(indent..).unwrap_or_default());
            text.push('\n');
        }
        blocks.push(Block {
            line: number,
            language: language.trim().to_owned(),
            text,
            mark: before.take(),
        });
    }
    Ok(blocks)
}

/// The commands of a `console` block: a line after `$ `, continued after a backslash.
pub fn typed(block: &str) -> Vec<Typed> {
    let mut all: Vec<Typed> = Vec::new();
    let mut is_continued = false;
    for line in block.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push(Typed {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(last)) if is_continued => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (None, Some(last)) => {
                last.output.push_str(line);
                last.output.push('\n');
            }
            (None, None) => {}
        }
        is_continued = line.ends_with('\\') && (is_continued || line.starts_with("$ "));
    }
    all
}

/// Every line outside fenced blocks, with its number.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut is_inside = false;
    let lines = (1..).zip(page.lines());
    lines
        .filter(|(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_inside ^= is_fence;
            !is_inside && !is_fence
        })
        .collect()
}

/// The target of every link and picture, with its line.
pub fn links(page: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(page) {
        // Text in backticks is code.
        let text: String = line.split('`').step_by(2).collect::<Vec<&str>>().join("``");
        for (at, _) in text.match_indices("](") {
            let target = &text[at + 2..];
            if let Some(end) = target.find(')') {
                links.push((number, target[..end].to_owned()));
            }
        }
    }
    links
}

/// Every text between backticks outside fenced blocks, with its line.
pub fn codes(page: &str) -> Vec<(usize, &str)> {
    let lines = prose(page).into_iter();
    lines
        .flat_map(|(number, line)| {
            let codes = line.split('`').skip(1).step_by(2);
            codes.map(move |code| (number, code))
        })
        .collect()
}

/// The anchors of a page's headings.
pub fn anchors(page: &str) -> Vec<String> {
    prose(page)
        .into_iter()
        .filter(|(_, line)| line.starts_with('#'))
        .map(|(_, line)| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|char| char.is_alphanumeric() || "- _".contains(*char))
                .map(|char| if char == ' ' { '-' } else { char })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_language_text_and_mark() {
        let page = "a\n\n<!-- file: app/x -->\n```xml\n<a/>\n```\n\n<!-- other -->\n- b\n\n  ```sh\n  ls\n  ```\n\
                    <!-- not run: no server -->\n\n```console\n$ ls\n```\n> ```text\n";
        let found: Vec<(usize, String, String, Option<BlockMark>)> = blocks(page)
            .expect("it is sound")
            .into_iter()
            .map(|block| (block.line, block.language, block.text, block.mark))
            .collect();
        let block = |line, language: &str, text: &str, mark| {
            (line, language.to_owned(), text.to_owned(), mark)
        };
        assert_eq!(
            found,
            [
                block(
                    4,
                    "xml",
                    "<a/>\n",
                    Some(BlockMark::File("app/x".to_owned()))
                ),
                block(11, "sh", "ls\n", None),
                block(
                    16,
                    "console",
                    "$ ls\n",
                    Some(BlockMark::NotRun("no server".to_owned()))
                ),
            ]
        );
    }

    #[test]
    fn marks_give_a_reason_and_blocks_end() {
        for page in ["<!-- not run: -->\n```sh\n```\n", "```sh\nls\n"] {
            assert!(blocks(page).is_err(), "{page}");
        }
    }

    #[test]
    fn typed_commands_have_their_output() {
        let found = typed("$ a \\\n  b\none\n$ c\n");
        let typed = |command: &str, output: &str| Typed {
            command: command.to_owned(),
            output: output.to_owned(),
        };
        assert_eq!(found, [typed("a \\\n  b", "one\n"), typed("c", "")]);
    }

    #[test]
    fn codes_are_between_backticks() {
        assert_eq!(
            codes("a `b` c `d/e`\n```sh\n`f`\n```\n"),
            [(1, "b"), (1, "d/e")]
        );
    }

    #[test]
    fn links_and_anchors() {
        let page = "# By `wire`, and on\n[a](b#c) `x](no)` ![d](e.svg)\n```text\n[f](g)\n```\n";
        let targets = [(2, "b#c".to_owned()), (2, "e.svg".to_owned())];
        assert_eq!(links(page), targets);
        assert_eq!(anchors(page), ["by-wire-and-on"]);
    }
}
