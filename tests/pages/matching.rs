//! Whether a command prints what its page shows.

/// A line with this text matches any number of lines.
const ANY_LINES: &str = "...";

/// Compares line by line, ignoring blanks at the ends of lines.
pub fn matches(expected: &str, printed: &str) -> bool {
    let expected: Vec<&str> = expected.trim_end().lines().map(str::trim_end).collect();
    let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    lines_match(&expected, &printed)
}

fn lines_match(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        [ANY_LINES, rest @ ..] => (0..=printed.len()).any(|at| lines_match(rest, &printed[at..])),
        [line, rest @ ..] => printed.first() == Some(line) && lines_match(rest, &printed[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_for_any_lines() {
        for (expected, is_match) in [
            ("a\nb\nc", true),
            ("a \n...\n", true),
            ("...\nc\n...", true),
            ("...", true),
            ("a\nc", false),
            ("...\nb", false),
            ("", false),
        ] {
            assert_eq!(matches(expected, "a\nb\nc\n"), is_match, "{expected}");
        }
    }
}
