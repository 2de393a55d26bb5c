//! File permissions in the `chmod` of an `fs` action.

/// `755`, or the ten characters that `ls -l` shows; the first of those, the file type, is ignored (`FsPermission`).
///
/// As in Hadoop, `s` means `x`, and only `t` sets a bit of its own.
pub fn parse_permissions(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    match bytes.len() {
        3 if bytes.iter().all(|byte| (b'0'..=b'7').contains(byte)) => {
            u32::from_str_radix(text, 8).ok()
        }
        10 => bytes[1..]
            .iter()
            .enumerate()
            .try_fold(0, |mode, (place, &byte)| {
                let bit = 0o400 >> place;
                let bits = match (place % 3, byte) {
                    (_, b'-') => 0,
                    (0, b'r') | (1, b'w') | (2, b'x') => bit,
                    (2, b's') if place < 8 => bit,
                    (2, b'S') if place < 8 => 0,
                    (2, b't') if place == 8 => bit | 0o1000,
                    (2, b'T') if place == 8 => 0o1000,
                    _ => return None,
                };
                Some(mode | bits)
            }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::parse_permissions;

    #[test]
    fn permissions() {
        for (text, expected) in [
            ("755", Some(0o755)),
            ("000", Some(0)),
            ("777", Some(0o777)),
            ("-rwxrw-rw-", Some(0o766)),
            ("drwxr-xr-x", Some(0o755)),
            ("----------", Some(0)),
            ("-rwsr-Sr-x", Some(0o745)),
            ("drwxrwxrwt", Some(0o1777)),
            ("drwxrwxrwT", Some(0o1776)),
            ("", None),
            ("75", None),
            ("0755", None),
            ("758", None),
            ("+75", None),
            ("rwxrwxrwx", None),
            ("-xwrrw-rw-", None),
            ("-rwtrw-rw-", None),
            ("-rwxrw-rws", None),
            ("u+x", None),
            ("éé", None),
        ] {
            assert_eq!(parse_permissions(text), expected, "{text}");
        }
    }
}
