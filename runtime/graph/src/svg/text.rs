//! Estimates the width of text without font metrics, and breaks it into lines.

use crate::picture::cut;

/// The line height relative to the font size.
pub const LINE_HEIGHT: f64 = 1.25;

/// An upper estimate for the fonts that a page may have, so that text fits into its box in any of them.
pub fn width(text: &str, font_size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * font_size
}

/// Relative to the font size.
fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | 'I' | '|' | '\'' | ':' | '.' | ',' | ';' | '!' => 0.34,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' | ' ' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        'A'..='Z' | '0'..='9' | '$' | '{' | '}' => 0.69,
        // Most scripts with full-width characters start here.
        '\u{1100}'.. => 1.05,
        _ => 0.63,
    }
}

/// Breaks a name after separators and before capitals, into at most `n_lines` lines that are no wider than `max_width`. The rest
/// is truncated.
pub fn wrapped(text: &str, font_size: f64, max_width: f64, n_lines: usize) -> Vec<String> {
    broken(pieces(text).into_iter(), font_size, max_width, n_lines)
}

/// As [`wrapped`], but between words, and inside of words only if they are wider than a line.
pub fn wrapped_words(text: &str, font_size: f64, max_width: f64, n_lines: usize) -> Vec<String> {
    let words = text.split_inclusive(' ').flat_map(|word| {
        if width(word, font_size) > max_width {
            pieces(word)
        } else {
            vec![word]
        }
    });
    broken(words, font_size, max_width, n_lines)
}

fn broken<'t>(
    pieces: impl Iterator<Item = &'t str>,
    font_size: f64,
    max_width: f64,
    n_lines: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces {
        let piece_width = width(piece.trim_end(), font_size);
        if !line.is_empty() && width(&line, font_size) + piece_width > max_width {
            lines.push(std::mem::take(&mut line));
        }
        if piece_width <= max_width {
            line.push_str(piece);
            continue;
        }
        // A piece that is too long for any line is broken anywhere.
        for character in piece.chars() {
            if width(&line, font_size) + font_size > max_width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    let is_cut = lines.len() > n_lines;
    lines.truncate(n_lines);
    let mut lines: Vec<String> = lines
        .into_iter()
        .map(|line| line.trim().to_owned())
        .collect();
    if is_cut && let Some(last) = lines.last_mut() {
        while width(last, font_size) + font_size > max_width && last.pop().is_some() {}
        last.push('…');
    }
    lines
}

/// Splits at the possible line breaks, which are after each piece.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let is_behind_separator = matches!(previous, '-' | '_' | '.' | '/' | ':' | ',' | ' ')
            && !matches!(character, '-' | '_' | '.' | '/' | ':' | ',' | ' ');
        let is_before_capital = previous.is_lowercase() && character.is_uppercase();
        if at > start && (is_behind_separator || is_before_capital) {
            pieces.push(&text[start..at]);
            start = at;
        }
        previous = character;
    }
    pieces.push(&text[start..]);
    pieces
}

/// The end of a path, which is more informative than its beginning, without the parts that do not fit.
pub fn path_end(path: &str, font_size: f64, max_width: f64) -> String {
    let mut rest = path.trim_end_matches('/');
    if let Some(below) = rest.strip_prefix("${wf:appPath()}/") {
        rest = below;
    }
    // A single property represents all of it.
    if let Some(name) = rest
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        && !name.contains(['$', '}'])
    {
        return wrapped(name, font_size, max_width, 1).concat();
    }
    while width(rest, font_size) > max_width {
        match rest.find('/') {
            Some(at) => rest = rest[at + 1..].trim_start_matches('/'),
            None => {
                let n_fitting = (max_width / (font_size * advance('e'))) as usize;
                return cut(rest, n_fitting);
            }
        }
    }
    if rest.len() < path.trim_end_matches('/').len() {
        format!("…/{rest}")
    } else {
        rest.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_wrapped(text: &str, expected: &[&str]) {
        let lines = wrapped(text, 10.0, 100.0, 3);
        assert_eq!(lines, expected);
        for line in &lines {
            assert!(width(line, 10.0) <= 110.0, "{line}");
        }
    }

    #[test]
    fn lines_end_at_separators_and_before_capitals() {
        check_wrapped("load", &["load"]);
        check_wrapped("", &[""]);
        check_wrapped(
            "decision-referenceextraction",
            &["decision-", "referenceextracti", "on"],
        );
        check_wrapped(
            "transformersMetadataMerger",
            &["transformers", "MetadataMerger"],
        );
        check_wrapped(
            "a eq 'one' and b eq 'two'",
            &["a eq 'one' and b", "eq 'two'"],
        );
        check_wrapped(
            "one_two_three_four_five_six_seven_eight_nine_ten",
            &["one_two_three_", "four_five_six_", "seven_eight_nin…"],
        );
    }

    #[track_caller]
    fn check_path(path: &str, expected: &str) {
        assert_eq!(path_end(path, 10.0, 120.0), expected);
    }

    #[test]
    fn the_end_of_a_path_is_kept() {
        check_path("${wf:appPath()}/report", "…/report");
        check_path("/apps/load/", "/apps/load");
        check_path("hdfs://nn/logs/hourly/x", "…/nn/logs/hourly/x");
        check_path("${nameNode}/user/${wf:user()}/apps/load", "…/apps/load");
        check_path("${workflow_file}", "workflow_file");
        check_path("averylongnamewithoutanyslash", "averylongnamewithou…");
    }
}
