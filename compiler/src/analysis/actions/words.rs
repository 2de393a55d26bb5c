//! Texts that a tool, or its launcher, splits into other words than their author may expect.

use hpdlc_core::{java_options, spark_options};

use crate::{
    analysis::{action_types::ArgumentList, known_values::KnownValues},
    diagnostics::Sink,
    lints::{
        joined_arguments::JoinedArgument,
        misread_java_options::MisreadJavaOptions,
        misread_spark_options::{MisreadSparkOptions, SparkOptionsProblem},
        quoted_arguments::QuotedArgument,
    },
    model::{Template, action::java::JavaOpts},
    source::Span,
};

/// Reports arguments in quotes, and options that share an argument with their value.
pub(super) fn arguments(list: ArgumentList<'_>, is_shell: bool, sink: &mut Sink) {
    for template in list.texts.iter().filter(|text| !text.is_invalid) {
        let text = template.text.as_str();
        if let Some(start) = quoted_from(text) {
            let end = text.len();
            let quote = |at: usize| template.text.span_of(at..at + 1);
            sink.emit(QuotedArgument {
                place: template.span,
                written: text.to_owned(),
                quotes: [quote(start), quote(end - 1)],
            });
        } else if let Some((start, end)) = blanks_after_option(text, is_shell) {
            sink.emit(JoinedArgument {
                place: template.span,
                element: list.element,
                written: text.to_owned(),
                blanks: template.text.span_of(start..end),
            });
        }
    }
}

/// Where the quoted part of `'a b'` or of `--name='a b'` begins, if it is all of the rest.
fn quoted_from(text: &str) -> Option<usize> {
    let start = if text.starts_with('-') {
        text.find('=')? + 1
    } else {
        0
    };
    let quoted = &text[start..];
    let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = quoted[1..].strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(start)
}

/// The range of the blanks between an option and its value in the same text. Shell commands often take the value of an option of
/// one letter in the same argument.
fn blanks_after_option(text: &str, is_shell: bool) -> Option<(usize, usize)> {
    let name = text.trim_start_matches('-');
    let n_signs = text.len() - name.len();
    if !matches!(n_signs, 1 | 2) || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let length = name.find(|c| !is_of_name(c))?;
    let value = name[length..].trim_start_matches([' ', '\t', '\n', '\r']);
    let n_blanks = name.len() - length - value.len();
    let is_short = n_signs == 1 && length == 1;
    // `-x y z` is rather a sentence, or the options of a program in turn.
    // Some programs read `-name = value`.
    let is_one_value = !value.is_empty()
        && !value.starts_with('=')
        && (value.contains("${") || !value.contains(' '));
    let start = n_signs + length;
    (n_blanks > 0 && is_one_value && !(is_shell && is_short)).then_some((start, start + n_blanks))
}

/// Options whose value is split again, with quotes, by the program that gets it.
const SPLIT_AGAIN: [&str; 2] = ["JavaOptions", "java-options"];

/// Reports what a `spark-opts` loses, and quotes that stay in it.
pub(super) fn spark_options(options: Option<&Template>, known: &KnownValues, sink: &mut Sink) {
    let Some(template) = options.filter(|options| !options.is_invalid) else {
        return;
    };
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
        // The value of a property may begin with an option.
        Some(lost) if !lost.contains("${") => {
            Some((place_of(lost), SparkOptionsProblem::Lost(lost.to_owned())))
        }
        Some(_) => None,
        None => {
            let is_split_again = |at: usize| {
                let before = at.checked_sub(1).and_then(|before| words.get(before));
                [before, words.get(at)]
                    .into_iter()
                    .flatten()
                    .any(|word| SPLIT_AGAIN.iter().any(|name| word.contains(name)))
            };
            let misread = words.iter().enumerate().find_map(|(at, word)| {
                if is_split_again(at) {
                    None
                } else if word.contains('"') {
                    Some((word, SparkOptionsProblem::InnerQuotes))
                } else if word.starts_with('\'') || word.contains("='") {
                    Some((word, SparkOptionsProblem::SingleQuotes))
                } else {
                    None
                }
            });
            misread.map(|(word, problem)| (place_of(word), problem))
        }
    };
    if let Some((place, problem)) = problem {
        sink.emit(MisreadSparkOptions {
            place,
            problem,
            words,
        });
    }
}

/// Reports double quotes in the options of a JVM, if they change the options on YARN.
pub(super) fn java_options(options: &JavaOpts, known: &KnownValues, sink: &mut Sink) {
    let texts = match options {
        JavaOpts::None => &[],
        JavaOpts::Text(text) => std::slice::from_ref(text),
        JavaOpts::List(list) => list.as_slice(),
    };
    for template in texts {
        let Some(text) = known.text(template) else {
            continue;
        };
        let quotes = bare_quotes(&text.value);
        if quotes.is_empty() {
            continue;
        }
        let keep = |name: &str| Some(format!("${name}"));
        // Without them the text is what YARN's script reads.
        let mut bare = text.value.clone().into_owned();
        quotes.iter().rev().for_each(|at| {
            bare.remove(*at);
        });
        let here = java_options::split(&text.value, &keep);
        let on_yarn = java_options::split(&bare, &keep);
        let (Ok(here), Ok(on_yarn)) = (here, on_yarn) else {
            continue;
        };
        if here == on_yarn {
            continue;
        }
        let is_written = template.ast.as_text().is_some() && !text.value.contains('\'');
        let quotes = quotes.iter().filter(|_| is_written);
        sink.emit(MisreadJavaOptions {
            place: template.span,
            words: on_yarn,
            quotes: quotes
                .map(|at| template.text.span_of(*at..*at + 1))
                .collect(),
        });
    }
}

/// The places of double quotes without a backslash.
fn bare_quotes(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                characters.next();
            }
            '"' => places.push(at),
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_in_quotes() {
        for (text, expected) in [
            ("'a b'", Some(0)),
            ("\"\"", Some(0)),
            ("--where=\"x = 1\"", Some(8)),
            ("'a','b'", None),
            ("it's", None),
            ("'", None),
            ("a='b'", None),
            ("x = 'y'", None),
        ] {
            assert_eq!(quoted_from(text), expected, "{text}");
        }
    }

    #[test]
    fn options_with_their_values() {
        for (text, is_shell, expected) in [
            ("--input /data", true, Some((7, 8))),
            ("--input  ${in}", true, Some((7, 9))),
            ("-input /data", false, Some((6, 7))),
            ("-f x", false, Some((2, 3))),
            ("-f x", true, None),
            ("-D a=b", false, Some((2, 3))),
            ("--input", false, None),
            ("--input=a b", false, None),
            ("- a", false, None),
            ("-1 day", false, None),
            ("--- a", false, None),
            ("--a b c", false, None),
            ("-input = ${in}", false, None),
            ("a -b", false, None),
        ] {
            assert_eq!(blanks_after_option(text, is_shell), expected, "{text}");
        }
    }
}
