//! Paths as URI references (RFC 3986).

/// An absolute path as a `file` URI, a relative one as a relative reference. What is a URI already stays.
pub(super) fn of_path(path: &str) -> String {
    let is_uri = path
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.bytes().all(is_scheme));
    if is_uri {
        return encoded(path, |byte| is_in_path(byte) || b":?#[]%".contains(&byte));
    }
    let encoded = encoded(path, is_in_path);
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else {
        encoded
    }
}

fn encoded(text: &str, stays: impl Fn(u8) -> bool) -> String {
    let mut uri = String::with_capacity(text.len());
    for byte in text.bytes() {
        if stays(byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Without `:`, which in the first part of a relative reference would end a scheme.
fn is_in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@/".contains(&byte)
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
