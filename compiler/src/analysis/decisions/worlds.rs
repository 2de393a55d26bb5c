//! What the cases of a decision imply about each other, found by exhaustive evaluation over a finite domain.
//!
//! Cases depend on a few things - a property, the data of an action - and compare them with constants. As far as the
//! comparisons go, only finitely many values of each thing differ: each constant, a value between any two of them, a value
//! outside of all of them, the empty one. A *world* assigns such a value to each thing, and the cases are evaluated in each
//! world by the evaluator that a job uses. What holds in every world holds in every job. Where finitely many values do not
//! suffice to distinguish the outcomes, the cases that depend on the thing are skipped.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, Literal, TextRange, UnaryOp},
    eval, inference,
    types::Type,
    value::Value,
};

mod domain;
mod examples;
mod groups;

use self::domain::{Assignment, Constants, ThingUse};
pub(super) use self::examples::{CaseExample, examples};
use self::groups::groups;

/// What is proved about the cases of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Proofs {
    /// By the index of the case.
    pub(super) cases: BTreeMap<usize, Proof>,
    /// Cases one of which is always true, although none is always true by itself.
    pub(super) exhaustive: Option<Vec<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// True in no job.
    Never,
    /// True in every job in which its evaluation succeeds.
    Always,
    /// Whenever it is true, one of these earlier cases is too.
    Shadowed(Vec<usize>),
}

/// Proves facts about `cases`; `None` stands for a case that is skipped.
pub(super) fn prove(cases: &[Option<&Expr>]) -> Proofs {
    let mut proofs = Proofs::default();
    // For a single simple case there is nothing to prove.
    if let [only] = cases
        && only.is_none_or(is_simple)
    {
        return proofs;
    }
    let AskedCases {
        cases: asked,
        domains,
        ..
    } = AskedCases::of(cases);
    for group in groups(&asked, &domains) {
        if let [only] = group.as_slice()
            && is_simple(&only.1.expr)
        {
            continue;
        }
        prove_group(&group, &domains, &mut proofs);
    }
    proofs
}

/// Whether the expression has no `and`, `or` or conditional, so that no part of it can contradict another.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => true,
        ExprKind::Unary { operand, .. } => is_simple(operand),
        ExprKind::Binary {
            op: BinaryOp::And | BinaryOp::Or,
            ..
        }
        | ExprKind::Conditional { .. } => false,
        ExprKind::Binary { left, right, .. } => is_simple(left) && is_simple(right),
    }
}

/// A case in which the things that it depends on are replaced by variables.
#[derive(Clone, Debug)]
struct AbstractCase {
    expr: Expr,
    things: BTreeSet<usize>,
}

/// The cases of a decision whose outcomes finitely many values distinguish.
struct AskedCases {
    /// With their indices.
    cases: Vec<(usize, AbstractCase)>,
    things: UnknownValues,
    /// By thing.
    domains: Vec<Option<Vec<Value>>>,
}

impl AskedCases {
    /// `None` stands for a case that is skipped.
    fn of(cases: &[Option<&Expr>]) -> AskedCases {
        let mut things = UnknownValues::default();
        let mut asked: Vec<(usize, AbstractCase)> = cases
            .iter()
            .enumerate()
            .filter_map(|(at, case)| Some((at, things.ask((*case)?))))
            .collect();
        let domains: Vec<Option<Vec<Value>>> = things
            .list
            .iter()
            .map(|thing| thing.constants.domain(thing.r#type))
            .collect();
        asked.retain(|(_, asked)| asked.things.iter().all(|thing| domains[*thing].is_some()));
        AskedCases {
            cases: asked,
            things,
            domains,
        }
    }
}

/// Something whose value is not known before the job runs.
#[derive(Clone, Debug)]
struct UnknownValue {
    r#type: Type,
    constants: Constants,
}

/// The things that the cases of a decision depend on.
#[derive(Default)]
struct UnknownValues {
    list: Vec<UnknownValue>,
    by_text: BTreeMap<String, usize>,
}

impl UnknownValues {
    fn ask(&mut self, expr: &Expr) -> AbstractCase {
        let mut things = BTreeSet::new();
        let expr = self.replaced(expr, ThingUse::Truth, &mut things);
        AbstractCase { expr, things }
    }

    fn thing(
        &mut self,
        text: String,
        r#type: Type,
        range: TextRange,
        things: &mut BTreeSet<usize>,
    ) -> (usize, Expr) {
        let next = self.list.len();
        let at = *self.by_text.entry(text).or_insert(next);
        if at == next {
            self.list.push(UnknownValue {
                r#type,
                constants: Constants::default(),
            });
        }
        things.insert(at);
        let kind = ExprKind::Variable(domain::name(at));
        (at, Expr { kind, range })
    }

    /// The expression with its things replaced by variables, which it adds to `things`.
    fn replaced(&mut self, expr: &Expr, used: ThingUse, things: &mut BTreeSet<usize>) -> Expr {
        let range = expr.range;
        if let Some(literal) = constant(expr) {
            let kind = ExprKind::Literal(literal);
            return Expr { kind, range };
        }
        let kind = match &expr.kind {
            ExprKind::Unary {
                op: op @ (UnaryOp::Not | UnaryOp::Empty),
                operand,
            } => {
                let used = match op {
                    UnaryOp::Empty => ThingUse::Emptiness,
                    UnaryOp::Not | UnaryOp::Minus => ThingUse::Truth,
                };
                ExprKind::Unary {
                    op: *op,
                    operand: Box::new(self.replaced(operand, used, things)),
                }
            }
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => ExprKind::Binary {
                op: *op,
                left: Box::new(self.replaced(left, ThingUse::Truth, things)),
                right: Box::new(self.replaced(right, ThingUse::Truth, things)),
            },
            ExprKind::Binary {
                op:
                    op @ (BinaryOp::Equal
                    | BinaryOp::NotEqual
                    | BinaryOp::Less
                    | BinaryOp::LessOrEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterOrEqual),
                left,
                right,
            } => return self.comparison(*op, left, right, range, things),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => ExprKind::Conditional {
                condition: Box::new(self.replaced(condition, ThingUse::Truth, things)),
                then: Box::new(self.replaced(then, used, things)),
                otherwise: Box::new(self.replaced(otherwise, used, things)),
            },
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Unary {
                op: UnaryOp::Minus, ..
            }
            | ExprKind::Binary { .. }
            | ExprKind::Index { .. }
            | ExprKind::Property { .. }
            | ExprKind::Call { .. } => {
                let text = expr.to_string();
                let (at, thing) = self.thing(text, inference::infer(expr), range, things);
                self.list[at].constants.add_use(used);
                return thing;
            }
        };
        Expr { kind, range }
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        range: TextRange,
        things: &mut BTreeSet<usize>,
    ) -> Expr {
        let is_order = !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let of_literal = |literal: Literal, range| {
            let kind = ExprKind::Literal(literal);
            Box::new(Expr { kind, range })
        };
        let (left, right) = match (constant(left), constant(right)) {
            (None, Some(literal)) => {
                let text = left.to_string();
                let (at, thing) = self.thing(text, inference::infer(left), left.range, things);
                self.list[at].constants.add(&literal, is_order);
                (Box::new(thing), of_literal(literal, right.range))
            }
            (Some(literal), None) => {
                let text = right.to_string();
                let (at, thing) = self.thing(text, inference::infer(right), right.range, things);
                self.list[at].constants.add(&literal, is_order);
                (of_literal(literal, left.range), Box::new(thing))
            }
            // Of two unknown things, only the result of the comparison is distinguished.
            (None, None) | (Some(_), Some(_)) => {
                return self.opaque(op, left, right, range, things);
            }
        };
        let kind = ExprKind::Binary { op, left, right };
        Expr { kind, range }
    }

    /// A comparison as a thing of its own, the same for each equivalent form of it.
    fn opaque(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        range: TextRange,
        things: &mut BTreeSet<usize>,
    ) -> Expr {
        let (left, right) = (left.to_string(), right.to_string());
        let symmetric = |left: String, right: String| {
            let (first, second) = if left <= right {
                (left, right)
            } else {
                (right, left)
            };
            format!("{first} == {second}")
        };
        let (text, is_negated) = match op {
            BinaryOp::Equal => (symmetric(left, right), false),
            BinaryOp::NotEqual => (symmetric(left, right), true),
            BinaryOp::Greater => (format!("{right} < {left}"), false),
            BinaryOp::GreaterOrEqual => (format!("{right} <= {left}"), false),
            BinaryOp::LessOrEqual => (format!("{left} <= {right}"), false),
            BinaryOp::Less
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::And
            | BinaryOp::Or => (format!("{left} {} {right}", op.symbol()), false),
        };
        let (_, thing) = self.thing(text, Type::Bool, range, things);
        if !is_negated {
            return thing;
        }
        let kind = ExprKind::Unary {
            op: UnaryOp::Not,
            operand: Box::new(thing),
        };
        Expr { kind, range }
    }
}

/// The literal value of an expression that is constant in every job.
fn constant(expr: &Expr) -> Option<Literal> {
    match inference::fold(expr)? {
        Value::Null => Some(Literal::Null),
        Value::Bool(value) => Some(Literal::Bool(value)),
        Value::Long(value) => Some(Literal::Long(value)),
        Value::Double(value) => Some(Literal::Double(value)),
        Value::Text(value) => Some(Literal::Text(value)),
        Value::Map(_) => None,
    }
}

/// The result of a case in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaseOutcome {
    True,
    False,
    /// The evaluation fails, and so does the job.
    Error,
}

fn prove_group(
    group: &[&(usize, AbstractCase)],
    domains: &[Option<Vec<Value>>],
    proofs: &mut Proofs,
) {
    let things: BTreeSet<usize> = group
        .iter()
        .flat_map(|(_, asked)| &asked.things)
        .copied()
        .collect();
    let mut worlds: Vec<Vec<CaseOutcome>> = Vec::new();
    let mut world = Assignment::first(&things, domains);
    loop {
        let outcomes = group.iter().map(|(_, asked)| outcome(&asked.expr, &world));
        worlds.push(outcomes.collect());
        if !world.advance() {
            break;
        }
    }
    let mut is_decided = false;
    for (place, (at, _)) in group.iter().enumerate() {
        let outcomes = || worlds.iter().map(|world| world[place]);
        let is_true = outcomes().any(|outcome| outcome == CaseOutcome::True);
        let is_false = outcomes().any(|outcome| outcome == CaseOutcome::False);
        let proof = match (is_true, is_false) {
            // It fails in every job, which is reported as such.
            (false, false) => continue,
            (false, true) => Proof::Never,
            (true, false) => {
                is_decided = true;
                Proof::Always
            }
            (true, true) => match shadowing(&worlds, place) {
                Some(by) => Proof::Shadowed(by.into_iter().map(|by| group[by].0).collect()),
                None => continue,
            },
        };
        proofs.cases.insert(*at, proof);
    }
    let is_exhaustive = !worlds
        .iter()
        .any(|world| world.iter().all(|outcome| *outcome == CaseOutcome::False));
    if is_exhaustive && !is_decided && worlds.iter().flatten().any(|it| *it == CaseOutcome::True) {
        let unneeded = |at: &usize| proofs.cases.contains_key(at);
        let members: Vec<usize> = group
            .iter()
            .map(|(at, _)| *at)
            .filter(|at| !unneeded(at))
            .collect();
        proofs.exhaustive = Some(members);
    }
}

/// The earlier cases that together cover the one at `place`.
fn shadowing(worlds: &[Vec<CaseOutcome>], place: usize) -> Option<Vec<usize>> {
    let reaches = |world: &&Vec<CaseOutcome>| {
        world[..place]
            .iter()
            .all(|outcome| *outcome == CaseOutcome::False)
    };
    if worlds
        .iter()
        .filter(reaches)
        .any(|world| world[place] == CaseOutcome::True)
    {
        return None;
    }
    let wanted: Vec<&Vec<CaseOutcome>> = worlds
        .iter()
        .filter(|world| world[place] == CaseOutcome::True)
        // If an earlier case fails, the job ends.
        .filter(|world| !world[..place].contains(&CaseOutcome::Error))
        .collect();
    let single = (0..place).find(|earlier| {
        !wanted.is_empty()
            && wanted
                .iter()
                .all(|world| world[*earlier] == CaseOutcome::True)
    });
    match single {
        Some(single) => Some(vec![single]),
        None => Some(
            (0..place)
                .filter(|earlier| {
                    wanted
                        .iter()
                        .any(|world| world[*earlier] == CaseOutcome::True)
                })
                .collect::<Vec<usize>>(),
        )
        .filter(|by| !by.is_empty()),
    }
}

/// A case holds if its trimmed text is `true`.
fn outcome(expr: &Expr, world: &Assignment<'_>) -> CaseOutcome {
    match eval::evaluate_expr(expr, world) {
        Ok(value) if value.to_text().trim() == "true" => CaseOutcome::True,
        Ok(_) => CaseOutcome::False,
        Err(_) => CaseOutcome::Error,
    }
}

#[cfg(test)]
mod tests;
