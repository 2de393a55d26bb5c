//! The secrets that are written in a source text. What shows lines of it shows asterisks in their place.

use std::{ffi::OsStr, ops::Range, path::Path};

use hpdlc_core::{
    properties,
    secrets::{find_by_shape, is_secret_option, tells_secret, without_overlap},
};

/// The parts of the text of the file at `path` that are secrets, in order and without overlap.
pub(super) fn find(path: &str, text: &str) -> Vec<Range<usize>> {
    let mut found = find_by_shape(text);
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('<') {
        elements(text, &mut found);
    } else if Path::new(path).extension() != Some(OsStr::new("rs")) {
        // In Rust, what follows `password:` is a type.
        entries(text, &mut found);
    }
    found.retain(|range| !range.is_empty() && !text[range.clone()].contains("${"));
    without_overlap(&mut found);
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

/// `db.password = SECRET`, in a properties file.
fn entries(text: &str, found: &mut Vec<Range<usize>>) {
    let entries = properties::entries(text).into_iter();
    let secrets = entries.filter(|entry| tells_secret(&entry.key));
    found.extend(secrets.map(|entry| {
        let Range { start, end } = entry.value_range;
        start..start + text[start..end].trim_end().len()
    }));
}

#[cfg(test)]
mod tests {
    use super::find;

    #[track_caller]
    fn hides(text: &str, expected: &[&str]) {
        hides_in("a", text, expected);
    }

    #[track_caller]
    fn hides_in(path: &str, text: &str, expected: &[&str]) {
        let found = find(path, text).into_iter();
        let found: Vec<&str> = found.map(|range| &text[range]).collect();
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
    fn secrets_in_properties() {
        hides("a=b\ndb.password = x y \n# token: z\n", &["x y"]);
        hides("token:x", &["x"]);
        hides("token x", &["x"]);
        hides("token=a\\\n  b\nk=v", &["a\\\n  b"]);
        hides("token=\\u12zz\nk=v", &["\\u12zz"]);
        hides("db.password=${other}\nk=v", &[]);
    }

    #[test]
    fn types_of_rust_are_no_secrets() {
        let text = "struct Params {\n    password: String,\n}\n";
        hides_in("src/main.rs", text, &[]);
        hides_in("src/main.rs", "let url = \"https://ann:x@host\";", &["x"]);
    }
}
