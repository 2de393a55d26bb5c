//! The marker in executables that hpdlc has built: they are output, never files of an application.

/// Length of the marker in bytes.
pub const LENGTH: usize = 32;

/// The marker in reverse, so that code that searches for it does not contain it.
const BACKWARDS: [u8; LENGTH] =
    *b"\x00elbatucexe cldph\x8e\x1b\xf7\x02\xc9\x5d\xa3\x70\xe8\x34\x9f\x6b\xd1\x07\xfd";

/// The marker in every executable with the runtime.
pub const fn mark() -> [u8; LENGTH] {
    let mut mark = [0; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        mark[at] = BACKWARDS[LENGTH - 1 - at];
        at += 1;
    }
    mark
}

/// Whether `bytes` contains the marker.
pub fn is_in(bytes: &[u8]) -> bool {
    let mut from = 0;
    while let Some(found) = bytes[from..]
        .iter()
        .position(|byte| *byte == BACKWARDS[LENGTH - 1])
    {
        let start = from + found;
        if bytes[start..].len() < LENGTH {
            return false;
        }
        let window = &bytes[start..start + LENGTH];
        if window.iter().eq(BACKWARDS.iter().rev()) {
            return true;
        }
        from = start + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_is_found_whole_and_anywhere() {
        let mut bytes = b"some code \xfd\xfd".to_vec();
        assert!(!is_in(&bytes));
        let before = bytes.len();
        bytes.extend(mark());
        assert!(is_in(&bytes));
        assert!(is_in(&bytes[before..]));
        bytes.extend(b"more");
        assert!(is_in(&bytes));
        assert!(!is_in(&bytes[before + 1..]));
        assert!(!is_in(&bytes[..before + LENGTH - 1]));
        bytes[before + 5] ^= 1;
        assert!(!is_in(&bytes));
        assert!(!is_in(b""));
    }
}
