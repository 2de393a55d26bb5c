//! The secrets that are written in a source text. What shows lines of it shows asterisks in their place.

use std::ops::Range;

use hpdlc_core::secrets::{find_by_shape, is_secret_option, tells_secret};

/// The parts of `text` that are secrets, in order and without overlap.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = find_by_shape(text);
    if text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
    {
        elements(text, &mut found);
    } else {
        lines(text, &mut found);
    }
    found.retain(|range| !range.is_empty() && !text[range.clone()].contains("${"));
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.retain(|range| {
        let is_new = range.start >= end;
        end = end.max(range.end);
        is_new
    });
    found
}

/// `<password>SECRET</password>`, the value of a property whose name tells that it is a secret, and the argument after
/// `--password`.
fn elements(text: &str, found: &mut Vec<Range<usize>>) {
    let mut before = ("", "");
    for (at, _) in text.match_indices("</") {
        let name = &text[at + 2..];
        let name = &name[..name.find(['>', '<']).unwrap_or(0)];
        let name = name.rsplit(':').next().unwrap_or_default().trim();
        let inside = content(text, at);
        let content = &text[inside.clone()];
        let is_secret = match (before, name) {
            (("name", property), "value") => tells_secret(property),
            (("arg" | "argument" | "args", option), "arg" | "argument" | "args") => {
                is_secret_option(option) && !content.starts_with('-')
            }
            (_, "name" | "value") => false,
            (_, element) => tells_secret(element),
        };
        if is_secret {
            found.push(inside);
        }
        before = (name, content);
    }
}

/// What is between the start tag and the end tag that begins at `end`, without blanks around it.
fn content(text: &str, end: usize) -> Range<usize> {
    const CDATA: (&str, &str) = ("<![CDATA[", "]]>");
    let before = text[..end].trim_end();
    let (start, end) = match before.strip_suffix(CDATA.1) {
        Some(before) => {
            let start = before.rfind(CDATA.0).map_or(end, |at| at + CDATA.0.len());
            (start.min(before.len()), before.len())
        }
        None => {
            let tag = before.rfind('<').unwrap_or(before.len());
            let start = before[tag..]
                .find('>')
                .map_or(before.len(), |at| tag + at + 1);
            (start, before.len())
        }
    };
    let inside = &text[start..end];
    let trimmed = inside.trim_start();
    let start = end - trimmed.len();
    start..start + trimmed.trim_end().len()
}

/// `db.password = SECRET`
fn lines(text: &str, found: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(sign) = line.find(['=', ':']) {
            let name = line[..sign].trim();
            let value = &line[sign + 1..];
            if tells_secret(name) && !name.starts_with(['#', '!']) {
                let at = start + sign + 1 + (value.len() - value.trim_start().len());
                found.push(at..at + value.trim().len());
            }
        }
        start += line.len();
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[track_caller]
    fn hides(text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn secrets_in_elements() {
        hides("<a><password> x y </password></a>", &["x y"]);
        hides("<p:password>x</p:password>", &["x"]);
        hides("<a><password><![CDATA[x>y]]></password></a>", &["x>y"]);
        hides("<a><password/></a>", &[]);
        hides("<a><password>${db.password}</password></a>", &[]);
        hides(
            "<property>\n<name>db.password</name>\n<value>x</value></property><value>y</value>",
            &["x"],
        );
        hides("<name>db.password.file</name><value>x</value>", &[]);
        hides(
            "<arg>--password</arg>\n<arg>x</arg><arg>--password</arg><arg>-v</arg>",
            &["x"],
        );
        hides("<command>import --password x --table t</command>", &["x"]);
        hides("<a>https://ann:x@host/p?token=y&amp;z</a>", &["x", "y"]);
        // Not well-formed.
        hides("<a></password", &[]);
        hides("</password>", &[]);
        hides("<password></", &[]);
    }

    #[test]
    fn secrets_in_lines() {
        hides("a=b\ndb.password = x y \n# token: z\n", &["x y"]);
        hides("token:x", &["x"]);
        hides("db.password=${other}\nk=v", &[]);
    }
}
