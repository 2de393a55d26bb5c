//! Cases of a decision that are always or never taken.
//!
//! Oozie evaluates a case to text, trims it, and compares it with `true`, lower case and nothing around it
//! (`DecisionActionExecutor`).

use hpdlc_core::el::{
    ast::{Expr, Part, Template},
    types::{self, Type},
    value::Value,
};

use crate::{
    diagnostics::Sink,
    lints::{always_true_cases::AlwaysTrueCase, never_true_cases::NeverTrueCase},
    model::{Decision, NodeKind, WorkflowApp},
};

/// What is known of a case before it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Open,
    Always,
    /// The text can never be `true`. `is_spelling`: it is, but for the case of its letters.
    Never {
        is_spelling: bool,
        has_text_around: bool,
    },
}

/// Reports cases whose outcome does not depend on the job.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for node in &app.nodes {
        if let NodeKind::Decision(decision) = &node.kind {
            check_cases(decision, sink);
        }
    }
}

fn check_cases(decision: &Decision, sink: &mut Sink) {
    for (at, case) in decision.cases.iter().enumerate() {
        if case.predicate.is_invalid {
            continue;
        }
        match verdict(&case.predicate.ast) {
            Verdict::Open => {}
            Verdict::Always => {
                sink.emit(AlwaysTrueCase {
                    place: case.predicate.span,
                    target: case.to.value.clone(),
                    n_later: decision.cases.len() - at - 1,
                });
                // Whatever the later ones say, they are not asked.
                return;
            }
            Verdict::Never {
                is_spelling,
                has_text_around,
            } => sink.emit(NeverTrueCase {
                place: case.predicate.span,
                target: case.to.value.clone(),
                is_spelling,
                has_text_around,
            }),
        }
    }
}

fn verdict(template: &Template) -> Verdict {
    let pieces: Vec<Piece> = template.parts.iter().map(piece).collect();
    let has_text_around = pieces.contains(&Piece::Open)
        && template
            .parts
            .iter()
            .any(|part| matches!(part, Part::Text(text, _) if !text.trim().is_empty()));
    let never = |is_spelling| Verdict::Never {
        is_spelling,
        has_text_around,
    };
    let fixed: Option<String> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Fixed(text) => Some(text.as_str()),
            Piece::Open | Piece::Never => None,
        })
        .collect();
    match fixed {
        Some(text) if text.trim() == "true" => Verdict::Always,
        Some(text) => never(text.trim().eq_ignore_ascii_case("true")),
        None if pieces.contains(&Piece::Never) => never(false),
        None if can_be_true(&pieces) => Verdict::Open,
        None => never(false),
    }
}

/// What a part of a template evaluates to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Fixed(String),
    /// Any text.
    Open,
    /// A text that is no part of `true`.
    Never,
}

fn piece(part: &Part) -> Piece {
    match part {
        Part::Text(text, _) => Piece::Fixed(text.clone()),
        Part::Expr(expr) => match types::fold(expr) {
            Some(value) => Piece::Fixed(value.to_text().into_owned()),
            None => open_piece(expr),
        },
    }
}

fn open_piece(expr: &Expr) -> Piece {
    match types::infer(expr) {
        Type::Long | Type::Double | Type::Map => Piece::Never,
        Type::Null => Piece::Fixed(Value::Null.to_text().into_owned()),
        Type::Bool | Type::Text | Type::NullableText | Type::Object => Piece::Open,
    }
}

/// Whether some choice of texts for the open pieces gives `true` with blanks around it.
fn can_be_true(pieces: &[Piece]) -> bool {
    // Every text that trims to `true` is blanks, `true`, blanks; a fixed piece must lie within it. Open pieces can supply
    // whatever is missing, so it is enough that the fixed ones are found in order.
    let mut rests: Vec<State> = vec![State::Before];
    let mut is_open = false;
    for piece in pieces {
        match piece {
            Piece::Open => is_open = true,
            Piece::Never => return false,
            Piece::Fixed(text) => {
                if is_open {
                    rests = State::all_from(&rests);
                    is_open = false;
                }
                rests = rests.iter().filter_map(|state| state.after(text)).collect();
            }
        }
    }
    if is_open {
        !rests.is_empty()
    } else {
        rests
            .iter()
            .any(|state| matches!(state, State::Within(4) | State::Behind))
    }
}

/// How far a text that trims to `true` has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// Only blanks so far.
    Before,
    /// So many letters.
    Within(usize),
    /// All letters and then a blank.
    Behind,
}

impl State {
    /// The states that can be reached from `states` by reading any text.
    fn all_from(states: &[State]) -> Vec<State> {
        let all = [
            State::Before,
            State::Within(1),
            State::Within(2),
            State::Within(3),
            State::Within(4),
            State::Behind,
        ];
        let first = states.iter().min();
        all.into_iter()
            .filter(|state| first.is_some_and(|first| state >= first))
            .collect()
    }

    /// The state after `text`, if that is possible.
    fn after(self, text: &str) -> Option<State> {
        text.chars().try_fold(self, |state, c| {
            let is_blank = c <= ' ';
            match state {
                State::Before if is_blank => Some(State::Before),
                State::Before if c == 't' => Some(State::Within(1)),
                State::Within(at) if "true".chars().nth(at) == Some(c) => {
                    Some(State::Within(at + 1))
                }
                State::Within(4) | State::Behind if is_blank => Some(State::Behind),
                State::Before | State::Within(_) | State::Behind => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::parser::parse_template;

    use super::*;

    #[track_caller]
    fn check(vectors: &[(&str, &str)]) {
        for (text, expected) in vectors {
            let word = match verdict(&parse_template(text).unwrap()) {
                Verdict::Open => "open",
                Verdict::Always => "always",
                Verdict::Never {
                    is_spelling: true, ..
                } => "misspelt",
                Verdict::Never {
                    has_text_around: true,
                    ..
                } => "around",
                Verdict::Never { .. } => "never",
            };
            assert_eq!(word, *expected, "for `{text}`");
        }
    }

    #[test]
    fn constant_text_decides() {
        check(&[
            ("true", "always"),
            (" true\n", "always"),
            ("${true}", "always"),
            ("${1 lt 2}", "always"),
            ("t${'ru'}e", "always"),
            ("True", "misspelt"),
            ("${'TRUE'}", "misspelt"),
            ("false", "never"),
            ("1", "never"),
            ("", "never"),
            ("${1 gt 2}", "never"),
        ]);
    }

    #[test]
    fn what_depends_on_the_job_is_open() {
        check(&[
            ("${x}", "open"),
            (" ${x} ", "open"),
            ("${x}${y}", "open"),
            ("${x eq 'y'}", "open"),
            ("tr${x}", "open"),
            ("${x}ue", "open"),
            ("t${x}u${y}", "open"),
            ("${wf:conf('x')}", "open"),
            ("${x ? true : false}", "open"),
        ]);
    }

    #[test]
    fn text_around_an_expression_never_is_true() {
        check(&[
            ("${x} eq 'y'", "around"),
            ("not ${x}", "around"),
            ("'${x}'", "around"),
            ("${x} and ${y}", "around"),
            ("true${x}u", "around"),
            ("u${x}t${y}", "around"),
        ]);
    }

    #[test]
    fn numbers_and_maps_never_are_true() {
        check(&[
            ("${wf:run()}", "never"),
            ("${wf:run() / 2}", "never"),
            ("${wf:actionData('a')}", "never"),
        ]);
    }
}
