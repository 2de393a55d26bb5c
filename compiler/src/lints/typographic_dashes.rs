use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, typographic_dashes);

/// An option that begins with a dash which is no `-`.
pub(crate) struct TypographicDash {
    pub(crate) dash: char,
    pub(crate) place: Span,
    /// With the dash.
    pub(crate) word: String,
}

/// Hyphen, hyphen that does not break, figure dash, en dash, em dash, bar, minus.
const DASHES: [char; 7] = [
    '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}',
];

/// Whether a text begins with such an option.
pub(crate) fn begins(text: &str) -> bool {
    let name = text.trim_start_matches(DASHES);
    name.len() < text.len() && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Where the first such option of a command line begins.
pub(crate) fn find(line: &str) -> Option<usize> {
    // All of them begin with the same byte.
    if !line.as_bytes().contains(&0xe2) {
        return None;
    }
    let mut places = line.match_indices(DASHES).map(|(at, _)| at);
    places.find(|at| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(char::is_whitespace) && begins(&line[*at..])
    })
}

message!(TypographicDash, |dash, place, word| {
    let name = match dash {
        '\u{2013}' => "an en dash",
        '\u{2014}' => "an em dash",
        '\u{2212}' => "a minus sign",
        _ => "another dash",
    };
    Diagnostic::new(&LINT, place, format!("`{word}` is no option"))
        .label(place, format!("{name} instead of `-`"))
        .note("programs know options by `-`, U+002D, alone")
        .suggest(
            place,
            "a text program may have replaced `--`",
            "--",
            Applicability::MaybeIncorrect,
        )
});

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn dashes_before_options_are_found() {
        for (line, expected) in [
            ("--queue a", None),
            ("\u{2013}queue a", Some(0)),
            ("--cores 4 \u{2014}queue a", Some(10)),
            ("--name a\u{2013}b", None),
            ("--name a \u{2013} b", None),
            ("--name caf\u{e9}", None),
        ] {
            assert_eq!(find(line), expected, "{line}");
        }
    }
}
