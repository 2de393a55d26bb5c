//! Normalizes output: replaces job ids, times, and the paths of temporary folders.

use std::path::Path;

/// Ids of jobs, then times with and without milliseconds. `0` matches any digit, everything else itself.
const PATTERNS: [(&str, &str); 4] = [
    ("0000000-000000000000000-hpdl-", "ID-"),
    ("0000-00-00T00:00:00.000Z", "TIME"),
    ("0000-00-00T00:00:00Z", "TIME"),
    ("00:00:00", "TIME"),
];

/// Replaces ids of jobs by `ID-W` and times by `TIME`.
pub fn ids_and_times(text: &str) -> String {
    PATTERNS
        .iter()
        .fold(text.to_owned(), |text, (pattern, name)| {
            replace_pattern(&text, pattern, name)
        })
}

/// Replaces durations, in seconds with one decimal, by `SECONDS`.
pub fn seconds(text: &str) -> String {
    ["00.0s", "0.0s"]
        .iter()
        .fold(text.to_owned(), |text, pattern| {
            replace_pattern(&text, pattern, "SECONDS")
        })
}

/// Replaces the short numbers of jobs, `job 0000012`.
pub fn job_numbers(text: &str) -> String {
    replace_pattern(text, "job 0000000", "job NUMBER")
}

/// Replaces a path by a name such as `$HOME`.
pub fn path(text: &str, path: &Path, name: &str) -> String {
    text.replace(&path.display().to_string(), name)
}

fn replace_pattern(text: &str, pattern: &str, name: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let before_is_digit = replaced.ends_with(|char: char| char.is_ascii_digit());
        if !before_is_digit && begins_with(rest, pattern) {
            replaced.push_str(name);
            rest = &rest[pattern.len()..];
        } else {
            replaced.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    replaced
}

fn begins_with(text: &str, pattern: &str) -> bool {
    text.len() >= pattern.len()
        && text
            .bytes()
            .zip(pattern.bytes())
            .all(|(found, wanted)| match wanted {
                b'0' => found.is_ascii_digit(),
                _ => found == wanted,
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_times_get_names() {
        for (text, expected) in [
            ("job 0000001-261120093000123-hpdl-W@a", "job ID-W@a"),
            ("at 2026-11-20T09:30:00.123Z.", "at TIME."),
            ("2026-11-20T09:30:00Z é 09:30:00", "TIME é TIME"),
            ("12026-11-20T09:30:00Z", "12026-11-20TTIMEZ"),
            ("2026-11-20", "2026-11-20"),
        ] {
            assert_eq!(ids_and_times(text), expected);
        }
    }

    #[test]
    fn durations_get_names() {
        assert_eq!(seconds("(0.1s) 12.3s 0.1"), "(SECONDS) SECONDS 0.1");
    }

    #[test]
    fn job_numbers_get_a_name() {
        assert_eq!(job_numbers("job 0000012 ended"), "job NUMBER ended");
    }

    #[test]
    fn paths_get_names() {
        assert_eq!(
            path("in /tmp/x1/app/a", Path::new("/tmp/x1"), "$TMP"),
            "in $TMP/app/a"
        );
    }
}
