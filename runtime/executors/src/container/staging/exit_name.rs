//! The end of a program in the name of an empty file, which HDFS has at once: one with content can take half a second.
//!
//! `exit.CODE.SIGNAL.EXCEEDED.ENDED`, with `-` for what there is not.

use std::str::FromStr;

use hpdlc_launcher::ExitRecord;

const START: &str = "exit.";
const NONE: &str = "-";

/// The name; `None` if it cannot say everything.
pub(super) fn of(record: &ExitRecord) -> Option<String> {
    let ExitRecord {
        code,
        signal,
        error,
        exceeded,
        ended,
    } = record;
    if error.is_some() {
        return None;
    }
    let (code, signal, exceeded) = (shown(*code), shown(*signal), shown(*exceeded));
    Some(format!("{START}{code}.{signal}.{exceeded}.{ended}"))
}

/// The end that a name says; `None` if it is no such name.
pub(super) fn record(name: &str) -> Option<ExitRecord> {
    let mut parts = name.strip_prefix(START)?.split('.');
    let record = ExitRecord {
        code: optional(parts.next()?)?,
        signal: optional(parts.next()?)?,
        error: None,
        exceeded: optional(parts.next()?)?,
        ended: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(record)
}

fn shown(number: Option<impl ToString>) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| number.to_string())
}

fn optional<N: FromStr>(text: &str) -> Option<Option<N>> {
    match text {
        NONE => Some(None),
        number => number.parse().ok().map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_all_of_an_end_but_an_error() {
        for (code, signal, exceeded, expected) in [
            (Some(0), None, None, "exit.0.-.-.1795606562973"),
            (None, Some(9), Some(60), "exit.-.9.60.1795606562973"),
        ] {
            let mut end = ExitRecord {
                code,
                signal,
                error: None,
                exceeded,
                ended: 1_795_606_562_973,
            };
            let name = of(&end).unwrap();
            assert_eq!(name, expected);
            assert_eq!(record(&name).as_ref(), Some(&end));
            end.error = Some("it cannot be run".to_owned());
            assert_eq!(of(&end), None);
        }
    }

    #[test]
    fn other_names_are_no_ends() {
        for name in [
            "exit.json",
            "exit.json.new",
            "exit.0.-.-",
            "exit.0.-.-.1.2",
            "exit.x.-.-.1",
            "claim",
        ] {
            assert_eq!(record(name), None, "{name}");
        }
    }
}
