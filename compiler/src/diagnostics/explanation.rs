//! Parses explanations, so that their examples can be tested.
//!
//! An explanation is Markdown with at least one fenced block of info string `<language>,wrong` and one of
//! `<language>,right`. A wrong example must yield exactly the rule that it explains, a right one nothing.

/// The expected result of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// Exactly the explained rule is reported.
    Wrong,
    /// Nothing is reported.
    Right,
}

/// A fenced block of an explanation with an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example<'a> {
    /// The first word of the info string: `xml`, `properties`.
    pub language: &'a str,
    pub expectation: Expectation,
    /// The lines between the fences.
    pub text: &'a str,
}

/// The examples of an explanation, in order. Blocks without an expectation are skipped.
pub fn examples(explanation: &str) -> Vec<Example<'_>> {
    const FENCE: &str = "```";
    let mut found = Vec::new();
    let mut rest = explanation;
    while let Some((info, after)) = next_fence(rest, FENCE) {
        let Some((text, after)) = until_fence(after, FENCE) else {
            break;
        };
        rest = after;
        let (language, promise) = info.split_once(',').unwrap_or((info, ""));
        let expectation = match promise.trim() {
            "wrong" => Expectation::Wrong,
            "right" => Expectation::Right,
            _ => continue,
        };
        found.push(Example {
            language: language.trim(),
            expectation,
            text,
        });
    }
    found
}

/// The info string of the next opening fence, and what follows its line.
fn next_fence<'a>(text: &'a str, fence: &str) -> Option<(&'a str, &'a str)> {
    let mut rest = text;
    loop {
        let (line, after) = rest.split_once('\n')?;
        if let Some(info) = line.strip_prefix(fence) {
            return Some((info.trim(), after));
        }
        rest = after;
    }
}

/// The text up to the closing fence, and what follows it.
fn until_fence<'a>(text: &'a str, fence: &str) -> Option<(&'a str, &'a str)> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == fence {
            return Some((&text[..offset], &text[offset + line.len()..]));
        }
        offset += line.len();
    }
    None
}

/// Checks the examples of an explanation. `report` returns the ids of the rules that an example's text yields.
///
/// # Errors
///
/// The first expectation that is not met, in words, for a test to show.
pub fn check_explanation(
    id: &str,
    explanation: &str,
    mut report: impl FnMut(&Example<'_>) -> Vec<String>,
) -> Result<(), String> {
    let examples = examples(explanation);
    for wanted in [Expectation::Wrong, Expectation::Right] {
        if !examples.iter().any(|example| example.expectation == wanted) {
            return Err(format!("the explanation of {id} has no {wanted:?} example"));
        }
    }
    for example in &examples {
        let reported = report(example);
        let is_kept = match example.expectation {
            Expectation::Wrong => reported == [id],
            Expectation::Right => reported.is_empty(),
        };
        if !is_kept {
            return Err(format!(
                "the explanation of {id} has a {:?} example that yields {reported:?}:\n{}",
                example.expectation, example.text
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPLANATION: &str = "Why.\n\n```xml,wrong\n<a>\n```\n\nBetter:\n\n```xml,right\n<a/>\n<!-- x -->\n```\n\n```text\nother\n```\n";

    #[test]
    fn fenced_blocks_with_a_promise_are_examples() {
        assert_eq!(
            examples(EXPLANATION),
            [
                Example {
                    language: "xml",
                    expectation: Expectation::Wrong,
                    text: "<a>\n"
                },
                Example {
                    language: "xml",
                    expectation: Expectation::Right,
                    text: "<a/>\n<!-- x -->\n"
                },
            ]
        );
    }

    #[test]
    fn broken_promises_are_told() {
        let honest = |example: &Example<'_>| match example.text {
            "<a>\n" => vec!["H0001".to_owned()],
            _ => Vec::new(),
        };
        assert_eq!(check_explanation("H0001", EXPLANATION, honest), Ok(()));
        check_explanation("H0002", EXPLANATION, honest).expect_err("another code is reported");
        check_explanation("H0001", EXPLANATION, |_| vec!["H0001".to_owned()])
            .expect_err("right example fails");
        check_explanation("H0001", EXPLANATION, |_| Vec::new()).expect_err("wrong example passes");
        check_explanation("H0001", "No example.\n", honest).expect_err("nothing to test");
    }
}
