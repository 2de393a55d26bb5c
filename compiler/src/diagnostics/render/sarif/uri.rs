//! Paths as URI references (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that are encoded in a path: also `:`, which in the first segment of a relative reference would end a scheme.
const NOT_IN_PATH: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b'@')
    .remove(b'/');

/// Characters that are encoded in what is a URI already.
const NOT_IN_URI: AsciiSet = NOT_IN_PATH
    .remove(b':')
    .remove(b'?')
    .remove(b'#')
    .remove(b'[')
    .remove(b']')
    .remove(b'%');

/// An absolute path as a `file` URI, a relative one as a relative reference. A URI is kept.
pub(super) fn of_path(path: &str) -> String {
    let is_uri = path
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.bytes().all(is_scheme));
    if is_uri {
        return utf8_percent_encode(path, &NOT_IN_URI).to_string();
    }
    let encoded = utf8_percent_encode(path, &NOT_IN_PATH);
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else {
        encoded.to_string()
    }
}

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        for (path, expected) in [
            ("app/workflow.xml", "app/workflow.xml"),
            ("../a b/w#1?.xml", "../a%20b/w%231%3F.xml"),
            ("c:/x%20", "c%3A/x%2520"),
            ("übung/\u{1b}", "%C3%BCbung/%1B"),
            ("/abs/a b", "file:///abs/a%20b"),
            ("hdfs://nn:8020/app", "hdfs://nn:8020/app"),
            ("s3a://b/a b?x", "s3a://b/a%20b?x"),
            (".", "."),
        ] {
            assert_eq!(of_path(path), expected);
        }
    }
}
