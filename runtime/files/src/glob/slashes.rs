//! Expands alternatives that contain a slash (`GlobExpander`): `/{a,b/c}/d` becomes `/a/d` and `/b/c/d`.
//!
//! Alternatives without a slash are kept, since a component's pattern handles them.

/// The expanded patterns, in order; `None` if there are more than `max`.
pub(super) fn write_out(pattern: &str, max: usize) -> Option<Vec<String>> {
    let mut finished = Vec::new();
    let mut pending = vec![pattern.to_owned()];
    while let Some(text) = pending.pop() {
        match find_group(&text) {
            None => finished.push(text),
            Some(BraceGroup {
                open,
                close,
                commas,
            }) => {
                let ends = commas.iter().copied().chain([close]);
                let starts = [open].into_iter().chain(commas.iter().copied());
                let alternatives: Vec<String> = starts
                    .zip(ends)
                    .map(|(start, end)| {
                        [&text[..open], &text[start + 1..end], &text[close + 1..]].concat()
                    })
                    .collect();
                pending.extend(alternatives.into_iter().rev());
            }
        }
        if finished.len() + pending.len() > max.max(1) {
            return None;
        }
    }
    Some(finished)
}

/// Byte offsets of the braces of an alternative and of the commas directly in it.
struct BraceGroup {
    open: usize,
    close: usize,
    commas: Vec<usize>,
}

/// The first outermost group that contains a slash. An unclosed one is left to the component parser, which reports it.
fn find_group(text: &str) -> Option<BraceGroup> {
    let mut depth = 0_usize;
    let mut open = 0;
    let mut commas = Vec::new();
    let mut has_slash = false;
    let mut class_is_open = false;
    let mut characters = text.char_indices();
    while let Some((offset, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            // A class ends with its component at the latest, so a slash closes it too.
            ']' => class_is_open = false,
            '/' => {
                class_is_open = false;
                has_slash |= depth > 0;
            }
            _ if class_is_open => {}
            '[' => class_is_open = true,
            '{' => {
                if depth == 0 {
                    open = offset;
                    commas.clear();
                    has_slash = false;
                }
                depth += 1;
            }
            ',' if depth == 1 => commas.push(offset),
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 && has_slash {
                    return Some(BraceGroup {
                        open,
                        close: offset,
                        commas,
                    });
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::write_out;

    #[test]
    fn only_alternatives_with_a_slash_are_written_out() {
        let check = |pattern: &str, expected: &[&str]| {
            assert_eq!(write_out(pattern, 100).expect("few"), expected, "{pattern}");
        };
        check("/a/*", &["/a/*"]);
        check("/{a,b}/c", &["/{a,b}/c"]);
        check("/{a,b/c}/d", &["/a/d", "/b/c/d"]);
        check("/{a,b/{c,d}}", &["/a", "/b/{c,d}"]);
        check(
            "/{x,{a,b/c}}/{d/e,f}",
            &["/x/d/e", "/x/f", "/a/d/e", "/a/f", "/b/c/d/e", "/b/c/f"],
        );
        check("/{a,b}{c/d,}", &["/{a,b}c/d", "/{a,b}"]);
        check(r"/\{a,b/c}", &[r"/\{a,b/c}"]);
        check("/[{]a,b/c}", &["/[{]a,b/c}"]);
        check("/{a,b/c", &["/{a,b/c"]);
        check("/{é/ü,ö}", &["/é/ü", "/ö"]);
    }

    #[test]
    fn many_alternatives_are_refused_before_they_are_made() {
        let pattern = "{a/b,c/d}".repeat(60);
        assert_eq!(write_out(&pattern, 1000), None);
    }
}
