//! The names that an action type and its elements can have.

/// The elements of an action that are no types of extensions.
const TAKEN: &[&str] = &[
    "distcp",
    "email",
    "error",
    "fs",
    "git",
    "hive",
    "hive2",
    "http",
    "java",
    "map-reduce",
    "ok",
    "pig",
    "rust",
    "shell",
    "spark",
    "sqoop",
    "ssh",
    "sub-workflow",
];

/// # Errors
///
/// Why no type can have the name.
pub(super) fn check_type(name: &str) -> Result<(), String> {
    check_element(name)?;
    if TAKEN.contains(&name) {
        return Err(format!(
            "`{name}` is an element of Oozie or hpdlc: choose another name"
        ));
    }
    Ok(())
}

/// # Errors
///
/// Why no element can have the name.
pub(super) fn check_element(name: &str) -> Result<(), String> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !begins || !name.chars().all(is_inner) {
        return Err(format!(
            "`{name}` is no name of an element: it begins with a letter, and has letters, digits, `-`, `_` and `.`"
        ));
    }
    if name.to_ascii_lowercase().starts_with("xml") {
        return Err(format!(
            "`{name}` is no name of an element: XML has those that begin with `xml`"
        ));
    }
    Ok(())
}

/// # Errors
///
/// Why the text is no namespace.
pub(super) fn check_namespace(namespace: &str) -> Result<(), String> {
    let is_word = namespace
        .chars()
        .all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '&' | '\''));
    let version = namespace
        .rsplit_once(':')
        .and_then(|(before, version)| Some((before, version.split_once('.')?)));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match version {
        Some((before, (major, minor)))
            if is_word && !before.is_empty() && is_number(major) && is_number(minor) =>
        {
            Ok(())
        }
        _ => Err(format!(
            "`{namespace}` is no namespace of an action type: it is one word and ends in a version, such as `uri:acme:s3-copy:1.0`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_those_of_elements_that_are_free() {
        for (name, is_allowed) in [
            ("s3-copy", true),
            ("a.b_c2", true),
            ("", false),
            ("3s", false),
            ("a b", false),
            ("a:b", false),
            ("ä", false),
            ("shell", false),
            ("ok", false),
            ("xml-copy", false),
        ] {
            assert_eq!(check_type(name).is_ok(), is_allowed, "{name}");
        }
        assert_eq!(check_element("shell"), Ok(()));
    }

    #[test]
    fn namespaces_end_in_a_version() {
        for (namespace, is_allowed) in [
            ("uri:acme:s3-copy:1.0", true),
            ("http://acme.com/copy:10.21", true),
            ("uri:acme:s3-copy", false),
            ("uri:acme:s3-copy:1", false),
            ("uri:acme:s3-copy:1.", false),
            ("uri:acme:a b:1.0", false),
            ("uri:acme:<:1.0", false),
            (":1.0", false),
            ("", false),
        ] {
            assert_eq!(
                check_namespace(namespace).is_ok(),
                is_allowed,
                "{namespace}"
            );
        }
    }
}
