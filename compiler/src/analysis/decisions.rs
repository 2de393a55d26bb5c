//! Cases of a decision that are always or never taken, and defaults that are never reached.
//!
//! Oozie evaluates a case to text, trims it, and compares it with `true`, in lower case (`DecisionActionExecutor`).

use hpdlc_core::el::{
    ast::{Expr, Part, Template},
    inference,
    types::Type,
    value::Value,
};

use crate::{
    analysis::known_values::KnownValues,
    diagnostics::Sink,
    lints::{
        always_true_cases::AlwaysTrueCase,
        never_true_cases::{NeverTrueCase, Reason},
        shadowed_cases::ShadowedCase,
        unreachable_defaults::UnreachableDefault,
    },
    model::{Case, Decision, NodeKind, WorkflowApp},
};

mod case_ways;
mod worlds;

pub use self::case_ways::{CaseWay, When};
use self::worlds::Proof;

/// What is known of a case before it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaseVerdict {
    Open,
    Always,
    /// The text can never be `true`. `is_spelling`: it differs only by case.
    Never {
        is_spelling: bool,
        has_text_around: bool,
    },
}

/// Reports cases whose outcome does not depend on the job, or is determined by an earlier case.
pub(crate) fn check(app: &WorkflowApp, known: &KnownValues, sink: &mut Sink) {
    for node in &app.nodes {
        if let NodeKind::Decision(decision) = &node.kind {
            check_cases(decision, known, sink);
        }
    }
}

/// When a decision takes each of its cases, and its default.
pub(super) fn examples(decision: &Decision) -> Vec<CaseWay> {
    let certain = decision.cases.iter().position(|case| {
        !case.predicate.is_invalid && verdict(&case.predicate.ast) == CaseVerdict::Always
    });
    let exprs: Vec<Option<&Expr>> = decision
        .cases
        .iter()
        .map(|case| {
            let ast = &case.predicate.ast;
            let is_open = !case.predicate.is_invalid && verdict(ast) == CaseVerdict::Open;
            only_expression(ast).filter(|_| is_open)
        })
        .collect();
    let (examples, of_default) = worlds::examples(&exprs);
    let mut ways: Vec<CaseWay> = decision
        .cases
        .iter()
        .zip(examples)
        .enumerate()
        .map(|(at, (case, example))| {
            let is_shut = !case.predicate.is_invalid
                && matches!(verdict(&case.predicate.ast), CaseVerdict::Never { .. });
            let when = match certain {
                Some(certain) if at > certain => When::Never,
                Some(certain) if at == certain => When::Values(Vec::new()),
                _ if is_shut => When::Never,
                _ => When::of(example),
            };
            CaseWay {
                to: case.to.value.clone(),
                condition: Some(case.predicate.text.as_str().to_owned()),
                when,
            }
        })
        .collect();
    if let Some(default) = &decision.default {
        ways.push(CaseWay {
            to: default.value.clone(),
            condition: None,
            when: if certain.is_some() {
                When::Never
            } else {
                When::of(of_default)
            },
        });
    }
    ways
}

fn check_cases(decision: &Decision, known: &KnownValues, sink: &mut Sink) {
    // The cases that depend on the job, and their expressions.
    let mut open: Vec<(&Case, Option<&Expr>)> = Vec::new();
    for (at, case) in decision.cases.iter().enumerate() {
        // A missing target has been reported.
        if case.predicate.is_invalid || case.to.value.is_empty() {
            open.push((case, None));
            continue;
        }
        match verdict(&case.predicate.ast) {
            CaseVerdict::Open => {
                check_known(case, known, sink);
                open.push((case, only_expression(&case.predicate.ast)));
            }
            CaseVerdict::Always => {
                always_true(case, decision.cases.len() - at - 1, sink);
                prove(decision, &open, true, sink);
                // The later ones are never evaluated.
                return;
            }
            CaseVerdict::Never {
                is_spelling,
                has_text_around,
            } => sink.emit(NeverTrueCase {
                place: case.predicate.span,
                target: case.to.value.clone(),
                reason: match (is_spelling, has_text_around) {
                    (true, _) => Reason::Spelling,
                    (false, true) => Reason::TextAround {
                        fixed: enclosed(case.predicate.text.as_str()),
                    },
                    // A condition that was written without `${` and `}`.
                    (false, false) => match enclosed(case.predicate.text.as_str()) {
                        Some(fixed) => Reason::TextAround { fixed: Some(fixed) },
                        None => Reason::OtherText,
                    },
                },
            }),
        }
    }
    prove(decision, &open, false, sink);
}

fn always_true(case: &Case, n_later: usize, sink: &mut Sink) {
    sink.emit(AlwaysTrueCase {
        place: case.predicate.span,
        target: case.to.value.clone(),
        n_later,
    });
}

/// Reports what follows from the cases taken together.
fn prove(
    decision: &Decision,
    open: &[(&Case, Option<&Expr>)],
    has_certain_case: bool,
    sink: &mut Sink,
) {
    let exprs: Vec<Option<&Expr>> = open.iter().map(|(_, expr)| *expr).collect();
    let proofs = worlds::prove(&exprs);
    let named = |at: &usize| {
        let case = open[*at].0;
        (case.predicate.span, case.to.value.clone())
    };
    for (at, (case, _)) in open.iter().enumerate() {
        match proofs.cases.get(&at) {
            None => {}
            Some(Proof::Never) => sink.emit(NeverTrueCase {
                place: case.predicate.span,
                target: case.to.value.clone(),
                reason: Reason::Contradiction,
            }),
            Some(Proof::Always) => {
                always_true(case, open.len() - at - 1, sink);
                return;
            }
            Some(Proof::Shadowed(by)) => sink.emit(ShadowedCase {
                place: case.predicate.span,
                target: case.to.value.clone(),
                by: by.iter().map(named).collect(),
            }),
        }
    }
    if let (Some(cases), Some(default), false) =
        (&proofs.exhaustive, &decision.default, has_certain_case)
    {
        sink.emit(UnreachableDefault {
            place: default.span,
            target: default.value.clone(),
            cases: cases.iter().map(named).collect(),
        });
    }
}

/// The expression of a text that consists of nothing else, except blanks.
fn only_expression(template: &Template) -> Option<&Expr> {
    let is_blank = |part: &Part| match part {
        Part::Text(text, _) => text.trim().is_empty(),
        Part::Expr(_) => false,
    };
    let mut parts = template.parts.iter().filter(|part| !is_blank(part));
    match (parts.next(), parts.next()) {
        (Some(Part::Expr(expr)), None) => Some(expr),
        (Some(_) | None, _) => None,
    }
}

/// Reports a case that is a property whose known value is neither `true` nor `false`: whatever was meant, it is never true.
///
/// A condition that is constant for the values of one job is no mistake: other jobs have other values.
fn check_known(case: &Case, known: &KnownValues, sink: &mut Sink) {
    let Some(expr) = only_expression(&case.predicate.ast) else {
        return;
    };
    if inference::infer(expr) == Type::Bool || known.certain_text(&case.predicate).is_none() {
        return;
    }
    let Some(text) = known.text(&case.predicate) else {
        return;
    };
    if !matches!(text.value.trim(), "true" | "false" | "") {
        sink.emit(NeverTrueCase {
            place: case.predicate.span,
            target: case.to.value.clone(),
            reason: Reason::Value {
                value: text.value.trim().to_owned(),
                origin: text.origin(),
            },
        });
    }
}

/// `${a} eq 'b'` as `${a eq 'b'}`, if that is a valid expression.
fn enclosed(text: &str) -> Option<String> {
    let mut inner = String::new();
    let mut rest = text.trim();
    while let Some((before, after)) = rest.split_once("${") {
        let (expression, behind) = after.split_once('}')?;
        inner.push_str(before);
        inner.push_str(expression);
        rest = behind;
    }
    inner.push_str(rest);
    let whole = format!("${{{}}}", inner.trim());
    let parsed = hpdlc_core::el::parser::parse_template(&whole).ok()?;
    let expr = only_expression(&parsed)?;
    (inference::infer(expr) == Type::Bool && inference::fold(expr).is_none()).then_some(whole)
}

fn verdict(template: &Template) -> CaseVerdict {
    let pieces: Vec<PartValue> = template.parts.iter().map(piece).collect();
    let has_text_around = pieces.contains(&PartValue::Open)
        && template
            .parts
            .iter()
            .any(|part| matches!(part, Part::Text(text, _) if !text.trim().is_empty()));
    let never = |is_spelling| CaseVerdict::Never {
        is_spelling,
        has_text_around,
    };
    let fixed: Option<String> = pieces
        .iter()
        .map(|piece| match piece {
            PartValue::Fixed(text) => Some(text.as_str()),
            PartValue::Open | PartValue::Never => None,
        })
        .collect();
    match fixed {
        Some(text) if text.trim() == "true" => CaseVerdict::Always,
        Some(text) => never(text.trim().eq_ignore_ascii_case("true")),
        None if pieces.contains(&PartValue::Never) => never(false),
        None if can_be_true(&pieces) => CaseVerdict::Open,
        None => never(false),
    }
}

/// What a part of a template evaluates to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PartValue {
    Fixed(String),
    /// Any text.
    Open,
    /// A text that is not part of `true`.
    Never,
}

fn piece(part: &Part) -> PartValue {
    match part {
        Part::Text(text, _) => PartValue::Fixed(text.clone()),
        Part::Expr(expr) => match inference::fold(expr) {
            Some(value) => PartValue::Fixed(value.to_text().into_owned()),
            None => open_piece(expr),
        },
    }
}

fn open_piece(expr: &Expr) -> PartValue {
    match inference::infer(expr) {
        Type::Long | Type::Double | Type::Map => PartValue::Never,
        Type::Null => PartValue::Fixed(Value::Null.to_text().into_owned()),
        Type::Bool | Type::Text | Type::NullableText | Type::Object => PartValue::Open,
    }
}

/// Whether some assignment of texts to the open pieces gives `true` with blanks around it.
fn can_be_true(pieces: &[PartValue]) -> bool {
    // Every text that trims to `true` is blanks, `true`, blanks; a fixed piece must be a part of it. Open pieces can supply
    // whatever is missing, so it is sufficient that the fixed ones are found in order.
    let mut rests: Vec<MatchState> = vec![MatchState::Before];
    let mut is_open = false;
    for piece in pieces {
        match piece {
            PartValue::Open => is_open = true,
            PartValue::Never => return false,
            PartValue::Fixed(text) => {
                if is_open {
                    rests = MatchState::all_from(&rests);
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
            .any(|state| matches!(state, MatchState::Within(4) | MatchState::Behind))
    }
}

/// The state of matching a text that trims to `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchState {
    /// Only blanks so far.
    Before,
    /// This many letters.
    Within(usize),
    /// All letters, then one or more blanks.
    Behind,
}

impl MatchState {
    /// The states that can be reached from `states` by reading any text.
    fn all_from(states: &[MatchState]) -> Vec<MatchState> {
        let all = [
            MatchState::Before,
            MatchState::Within(1),
            MatchState::Within(2),
            MatchState::Within(3),
            MatchState::Within(4),
            MatchState::Behind,
        ];
        let first = states.iter().min();
        all.into_iter()
            .filter(|state| first.is_some_and(|first| state >= first))
            .collect()
    }

    /// The state after `text`, or `None` if it does not match.
    fn after(self, text: &str) -> Option<MatchState> {
        text.chars().try_fold(self, |state, c| {
            let is_blank = c <= ' ';
            match state {
                MatchState::Before if is_blank => Some(MatchState::Before),
                MatchState::Before if c == 't' => Some(MatchState::Within(1)),
                MatchState::Within(at) if "true".chars().nth(at) == Some(c) => {
                    Some(MatchState::Within(at + 1))
                }
                MatchState::Within(4) | MatchState::Behind if is_blank => Some(MatchState::Behind),
                MatchState::Before | MatchState::Within(_) | MatchState::Behind => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::parser::parse_template;

    use super::*;

    #[test]
    fn a_condition_around_expressions_is_put_into_one() {
        for (text, expected) in [
            ("${a} eq 'b'", Some("${a eq 'b'}")),
            ("not ${a}", Some("${not a}")),
            (" ${a} and ${b eq 'c'} ", Some("${a and b eq 'c'}")),
            ("'${a}'", None),
            ("${a} is", None),
            ("x${a", None),
        ] {
            assert_eq!(enclosed(text).as_deref(), expected, "for `{text}`");
        }
    }

    #[track_caller]
    fn check(vectors: &[(&str, &str)]) {
        for (text, expected) in vectors {
            let word = match verdict(&parse_template(text).unwrap()) {
                CaseVerdict::Open => "open",
                CaseVerdict::Always => "always",
                CaseVerdict::Never {
                    is_spelling: true, ..
                } => "misspelt",
                CaseVerdict::Never {
                    has_text_around: true,
                    ..
                } => "around",
                CaseVerdict::Never { .. } => "never",
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
