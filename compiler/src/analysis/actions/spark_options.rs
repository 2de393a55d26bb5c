//! The text of `spark-opts`, which Oozie splits into other words than a shell does.

use std::ops::Range;

use hpdlc_core::spark_options;

use super::{spark_refusals, words};
use crate::{
    analysis::known_values::KnownValues,
    diagnostics::Sink,
    lints::{
        misread_spark_options::{MisreadSparkOptions, SparkOptionsProblem},
        refused_spark_options::RefusedSparkOption,
        typographic_dashes,
    },
    model::Template,
    source::Span,
};

/// Options whose value is split again, with quotes, by the program that gets it.
const SPLIT_AGAIN: [&str; 2] = ["JavaOptions", "java-options"];

/// Reports what a `spark-opts` loses, quotes that stay in it, and settings that are none.
pub(super) fn check(options: Option<&Template>, known: &KnownValues, sink: &mut Sink) {
    let Some(template) = options.filter(|options| !options.is_invalid) else {
        return;
    };
    if let Some(at) = typographic_dashes::find(template.text.as_str()) {
        words::dash(template, at, sink);
        return;
    }
    let value = known.text(template).map(|text| text.value.into_owned());
    let is_written = value.is_none() || template.ast.as_text().is_some();
    let text = value.unwrap_or_else(|| template.text.as_str().to_owned());
    let words = spark_options::split(&text);
    let place_of = |part: &str| -> Span {
        let written = template.text.as_str();
        let at = written
            .find(part)
            .filter(|_| is_written && !part.is_empty());
        at.map_or(template.span, |at| {
            template.text.span_of(at..at + part.len())
        })
    };
    let problem = match spark_options::lost(&text) {
        Some(lost) => certainly_lost(lost)
            .map(|lost| (place_of(lost), SparkOptionsProblem::Lost(lost.to_owned()))),
        None => words.iter().enumerate().find_map(|(at, word)| {
            let option = at
                .checked_sub(1)
                .map_or("", |before| words[before].as_str());
            let (range, problem) = misread(option, word)?;
            Some((place_of(&word[range]), problem))
        }),
    };
    if let Some((place, problem)) = problem {
        sink.emit(MisreadSparkOptions {
            place,
            problem,
            words,
        });
    } else if let Some((at, option, problem)) = spark_refusals::first(&words) {
        sink.emit(RefusedSparkOption {
            place: place_of(&words[at]),
            option,
            problem,
        });
    }
}

/// The words of a lost text in front of the first expression, which may have an option for its value.
fn certainly_lost(lost: &str) -> Option<&str> {
    match lost.split_once("${") {
        None => Some(lost),
        Some((before, _)) if before.ends_with(char::is_whitespace) => {
            Some(before.trim()).filter(|before| !before.is_empty())
        }
        Some(_) => None,
    }
}

/// The part of a word that is misread; `option` is the word before it.
fn misread(option: &str, word: &str) -> Option<(Range<usize>, SparkOptionsProblem)> {
    let all = 0..word.len();
    let is_setting = matches!(option, "--conf" | "-c");
    let is_split_again = [option, word]
        .iter()
        .any(|it| SPLIT_AGAIN.iter().any(|name| it.contains(name)));
    // Such a quote is part of the setting's name.
    let is_around_setting = is_setting && word.starts_with(['"', '\'']);
    if is_split_again && !is_around_setting {
        return None;
    }
    if word.contains('"') {
        return Some((all, SparkOptionsProblem::InnerQuotes));
    }
    if word.starts_with('\'') || word.contains("='") {
        return Some((all, SparkOptionsProblem::SingleQuotes));
    }
    if !is_setting {
        return None;
    }
    let name_end = word
        .find(|c: char| c == '=' || c == '$' || c.is_whitespace())
        .unwrap_or(word.len());
    match word[name_end..].chars().next() {
        Some('=') => {}
        // An expression may contain the rest of the name, or the `=`.
        Some('$') => return None,
        _ => return Some((all, SparkOptionsProblem::NoAssignment)),
    }
    let at = word.match_indices("spark.").map(|(at, _)| at).find(|at| {
        let is_first_of_word = word[..*at].ends_with(char::is_whitespace);
        let rest = &word[*at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')));
        is_first_of_word && end.is_some_and(|end| rest[end..].starts_with('='))
    })?;
    let end = word[at..].find(char::is_whitespace);
    let range = at..end.map_or(word.len(), |end| at + end);
    // Oozie takes these out, with the word before them.
    if word[range.clone()].contains("extraClassPath") {
        return None;
    }
    Some((range, SparkOptionsProblem::SecondSetting))
}

#[cfg(test)]
mod tests {
    use super::{SparkOptionsProblem as P, certainly_lost, misread};

    #[test]
    fn words_in_front_of_an_expression_are_lost_whatever_its_value() {
        for (text, expected) in [
            ("queue daily", Some("queue daily")),
            ("queue ${queueName}", Some("queue")),
            ("${options}", None),
            (" ${options} x", None),
            ("-${options}", None),
        ] {
            assert_eq!(certainly_lost(text), expected, "{text}");
        }
    }

    #[test]
    fn values_that_are_misread() {
        let found = |option: &str, word: &str| {
            let (range, problem) = misread(option, word)?;
            Some((word[range].to_owned(), problem))
        };
        for (option, word, expected) in [
            ("--queue", "'night'", Some(("'night'", P::SingleQuotes))),
            (
                "--name",
                r#"my "app""#,
                Some((r#"my "app""#, P::InnerQuotes)),
            ),
            ("--conf", "spark.a=b c", None),
            (
                "--conf",
                "'spark.a=b'",
                Some(("'spark.a=b'", P::SingleQuotes)),
            ),
            ("--conf", "spark.driver.extraJavaOptions=-Da='b c'", None),
            (
                "--conf",
                "'spark.driver.extraJavaOptions=-Da=b -v'",
                Some(("'spark.driver.extraJavaOptions=-Da=b -v'", P::SingleQuotes)),
            ),
            ("--driver-java-options", "'-Da=b -v'", None),
            ("--conf", "spark.a b", Some(("spark.a b", P::NoAssignment))),
            ("--conf", "spark.a", Some(("spark.a", P::NoAssignment))),
            (
                "--conf",
                "spark.a = b",
                Some(("spark.a = b", P::NoAssignment)),
            ),
            (
                "--conf",
                "spark.a ${b}",
                Some(("spark.a ${b}", P::NoAssignment)),
            ),
            ("--conf", "spark.a${b}", None),
            ("--conf", "${setting}", None),
            (
                "--conf",
                "spark.a=1 spark.b=2",
                Some(("spark.b=2", P::SecondSetting)),
            ),
            ("--conf", "spark.a=x spark.b", None),
            ("--name", "spark.a=1 spark.b=2", None),
        ] {
            let expected = expected.map(|(part, problem)| (part.to_owned(), problem));
            assert_eq!(found(option, word), expected, "{word}");
        }
    }
}
