//! `if` and `match`: decisions, and what follows an action that may fail.

use syn::{Arm, Expr, ExprIf, ExprLet, ExprMatch, Lit, Pat};

use crate::rust::{
    document::{NodeKind, Target, Text},
    flow::{Flow, OnError},
    place::Place,
    reader::Reader,
    recognize::{awaited, is_action},
    scope::Binding,
    tokens::is_named_path,
    value::{Code, Type, Value, infix, parenthesized},
};

impl Reader {
    /// A decision whose cases are not known yet. It stands before their nodes.
    fn open_decision(
        &mut self,
        named: Option<(String, Place)>,
        place: Place,
        next: Target,
    ) -> usize {
        let kind = NodeKind::Decision {
            cases: Vec::new(),
            default: next,
        };
        self.add_control(named, "decision", place, kind)
    }

    /// `if`, with all its `else if`.
    pub(super) fn branch(&mut self, branch: &ExprIf, next: Target, is_result: bool) -> Flow {
        if let Expr::Let(condition) = &*branch.cond {
            return self.if_let(branch, condition, next, is_result);
        }
        let named = self.node_attribute(&branch.attrs);
        let place = Place::at(branch.if_token.span).to(Place::of(&branch.cond));
        let decision = self.open_decision(named, place, next);
        let before = self.last.clone();
        let mut cases = Vec::new();
        let mut values = Vec::new();
        let mut default = next;
        let mut rest = Some(branch);
        while let Some(branch) = rest.take() {
            self.last.clone_from(&before);
            self.outlines.naming.clone_from(&self.nodes[decision].name);
            let condition = self.condition(&branch.cond);
            let then = self.block(&branch.then_branch, next, is_result);
            cases.push((condition, then.entry, Place::of(&branch.cond)));
            values.push(then.value);
            self.last.clone_from(&before);
            match branch
                .else_branch
                .as_ref()
                .map(|(_, otherwise)| &**otherwise)
            {
                Some(Expr::If(other)) if !matches!(&*other.cond, Expr::Let(_)) => {
                    rest = Some(other);
                }
                Some(Expr::Block(block)) => {
                    let otherwise = self.block(&block.block, next, is_result);
                    default = otherwise.entry;
                    values.push(otherwise.value);
                }
                Some(other) => {
                    let otherwise = self.tail(other, next, is_result);
                    default = otherwise.entry;
                    values.push(otherwise.value);
                }
                None => values.push(Some(Binding::Unit)),
            }
        }
        self.last = before;
        self.nodes[decision].kind = NodeKind::Decision { cases, default };
        Flow {
            entry: Target::Node(decision),
            value: self.merged(values),
        }
    }

    /// What a condition becomes in a `case`.
    fn condition(&mut self, condition: &Expr) -> Text {
        match self.value(condition) {
            Some(value) => value.into_text(),
            None => Text::default(),
        }
    }

    /// The value of what has several ways through it.
    fn merged(&mut self, values: Vec<Option<Binding>>) -> Option<Binding> {
        let mut arriving: Vec<Binding> = values.into_iter().flatten().collect();
        match arriving.len() {
            0 => None,
            1 => arriving.pop(),
            _ => {
                let is_data = |it: &Binding| matches!(it, Binding::Data { .. } | Binding::Value(_));
                Some(if arriving.iter().any(is_data) {
                    Binding::Merged
                } else {
                    Binding::Unit
                })
            }
        }
    }

    /// `if let Err(failure) = action.await { … }`
    fn if_let(
        &mut self,
        branch: &ExprIf,
        condition: &ExprLet,
        next: Target,
        is_result: bool,
    ) -> Flow {
        let Some((call, false)) = awaited(&condition.expr).filter(|(call, _)| is_action(call))
        else {
            self.mistake(
                Place::of(condition),
                "`if let` in a workflow is for the result of an action: `if let Err(failure) = action().await { … }`",
            );
            return Flow::unknown(next);
        };
        let otherwise = branch
            .else_branch
            .as_ref()
            .map(|(_, otherwise)| &**otherwise);
        self.outcomes(
            call,
            &[
                (Some(&condition.pat), Body::Block(&branch.then_branch)),
                (None, otherwise.map_or(Body::Nothing, Body::Expr)),
            ],
            next,
            is_result,
        )
    }

    /// `match`, on the result of an action or on a value.
    pub(super) fn choice(&mut self, choice: &ExprMatch, next: Target, is_result: bool) -> Flow {
        for arm in &choice.arms {
            if let Pat::Guard(guard) = &arm.pat {
                self.mistake(
                    Place::of(&guard.guard),
                    "an arm of a workflow has no condition of its own: write an `if` inside it",
                );
                return Flow::unknown(next);
            }
        }
        if let Some((call, is_tried)) = awaited(&choice.expr) {
            if is_tried || !is_action(call) {
                self.mistake(
                    Place::of(&choice.expr),
                    "name the data first, `let data = action().await?;`, and `match` on one of its fields",
                );
                return Flow::unknown(next);
            }
            let arms: Vec<(Option<&Pat>, Body<'_>)> = choice
                .arms
                .iter()
                .map(|arm| (Some(&arm.pat), Body::Expr(&arm.body)))
                .collect();
            let is_covered = |name: &str| {
                let mut patterns = choice.arms.iter().map(|arm| &arm.pat);
                patterns.any(|it| match it {
                    Pat::TupleStruct(tuple) => is_named_path(&tuple.path, name),
                    // Others are refused where they are.
                    _ => true,
                })
            };
            for (name, event, arm) in [
                ("Ok", "succeeds", "Ok(data) => …"),
                ("Err", "fails", "Err(failure) => …"),
            ] {
                if !is_covered(name) {
                    let message =
                        format!("what happens if this {event} is not said: add an arm `{arm}`");
                    self.mistake_of_rustc(Place::of(call), &message);
                }
            }
            return self.outcomes(call, &arms, next, is_result);
        }
        self.switch(choice, next, is_result)
    }

    /// The ways after an action: one for success, one for failure.
    fn outcomes(
        &mut self,
        call: &Expr,
        arms: &[(Option<&Pat>, Body<'_>)],
        next: Target,
        is_result: bool,
    ) -> Flow {
        let (ok, error) = (self.new_label(), self.new_label());
        let (flow, node) = self.action(call, ok, &OnError::To(error));
        let before = self.last.clone();
        let mut values = Vec::new();
        let mut seen = [false; 2];
        for (pattern, body) in arms {
            let covers = match pattern {
                Some(Pat::TupleStruct(it)) if is_named_path(&it.path, "Ok") => [true, false],
                Some(Pat::TupleStruct(it)) if is_named_path(&it.path, "Err") => [false, true],
                Some(Pat::Wild(_)) | None => [true, true],
                Some(other) => {
                    self.mistake(
                        Place::of(other),
                        "the result of an action is `Ok(data)` or `Err(failure)`",
                    );
                    return Flow::unknown(next);
                }
            };
            let new = [covers[0] && !seen[0], covers[1] && !seen[1]];
            if new == [false, false] {
                continue;
            }
            self.scopes.enter();
            if let Some(Pat::TupleStruct(tuple)) = pattern
                && let Some(inner) = tuple.elems.first()
            {
                let binding = match node {
                    Some(node) if covers[0] => Binding::Data { node },
                    Some(node) => Binding::Failure { node },
                    None => Binding::Unknown,
                };
                self.bind_pattern(inner, &binding);
            }
            let arm = match body {
                Body::Block(block) => self.block(block, next, is_result),
                Body::Expr(body) => self.tail(body, next, is_result),
                Body::Nothing => Flow::through(next),
            };
            self.scopes.leave();
            self.last.clone_from(&before);
            for (n, label) in [ok, error].into_iter().enumerate() {
                if new[n] {
                    self.bind_label(label, arm.entry);
                    seen[n] = true;
                }
            }
            values.push(arm.value);
        }
        if seen != [true, true] {
            // rustc asks for the missing pattern.
            self.left_to_rustc::<()>();
        }
        Flow {
            entry: flow.entry,
            value: self.merged(values),
        }
    }

    /// `match` on a value: a decision, whose last arm is the default.
    fn switch(&mut self, choice: &ExprMatch, next: Target, is_result: bool) -> Flow {
        let place = Place::at(choice.match_token.span).to(Place::of(&choice.expr));
        let named = self.node_attribute(&choice.attrs);
        let decision = self.open_decision(named, place, next);
        self.outlines.naming.clone_from(&self.nodes[decision].name);
        let subject = self.value(&choice.expr);
        let before = self.last.clone();
        let mut cases = Vec::new();
        let mut values = Vec::new();
        let mut default = next;
        for (n, Arm { pat, body, .. }) in choice.arms.iter().enumerate() {
            let is_last = n + 1 == choice.arms.len() || matches!(pat, Pat::Wild(_));
            let mut tests = Vec::new();
            if !matches!(pat, Pat::Wild(_)) {
                self.tests(pat, subject.as_ref(), &mut tests);
            }
            self.scopes.enter();
            let arm = self.tail(body, next, is_result);
            self.scopes.leave();
            self.last.clone_from(&before);
            values.push(arm.value);
            if is_last {
                default = arm.entry;
                break;
            }
            let test = match tests.len() {
                1 => tests.pop(),
                _ => tests
                    .into_iter()
                    .map(parenthesized)
                    .reduce(|left, right| infix(left, "or", right)),
            };
            let test = test.map_or_else(Text::default, Text::expression);
            cases.push((test, arm.entry, Place::of(pat)));
        }
        let takes_everything = |arm: &Arm| matches!(arm.pat, Pat::Wild(_));
        if cases.is_empty() && !choice.arms.first().is_some_and(takes_everything) {
            self.left_to_rustc::<()>();
        } else if cases.is_empty() {
            self.mistake(
                place,
                "this `match` chooses nothing, since its first arm takes everything: write what it does without it",
            );
        }
        self.nodes[decision].kind = NodeKind::Decision { cases, default };
        Flow {
            entry: Target::Node(decision),
            value: self.merged(values),
        }
    }

    /// The comparisons by which a pattern is chosen.
    fn tests(&mut self, pattern: &Pat, subject: Option<&Value>, tests: &mut Vec<Code>) {
        let place = Place::of(pattern);
        let (text, of) = match pattern {
            Pat::Or(either) => {
                for case in &either.cases {
                    self.tests(case, subject, tests);
                }
                return;
            }
            Pat::Paren(inner) => return self.tests(&inner.pat, subject, tests),
            Pat::Path(path) if path.path.segments.len() > 1 => {
                let variant = path.path.segments.last();
                (
                    variant.map(|it| it.ident.to_string()).unwrap_or_default(),
                    Type::Text,
                )
            }
            Pat::Lit(literal) => match &literal.lit {
                Lit::Str(text) => (text.value(), Type::Text),
                Lit::Int(number) => (number.base10_digits().to_owned(), Type::Number),
                Lit::Bool(value) => (value.value.to_string(), Type::Bool),
                _ => {
                    self.no_pattern(place);
                    return;
                }
            },
            // The action whose result this was has its mistake already.
            Pat::TupleStruct(result)
                if subject.is_none()
                    && (is_named_path(&result.path, "Ok")
                        || is_named_path(&result.path, "Err")) =>
            {
                return;
            }
            _ => {
                self.no_pattern(place);
                return;
            }
        };
        if self.check_text(&text, place).is_none() {
            return;
        }
        let Some(subject) = subject.and_then(|it| it.clone().into_operand()) else {
            return;
        };
        let subject = if of == Type::Number {
            parenthesized(infix(subject, "+", vec![("0".to_owned(), None)]))
        } else {
            subject
        };
        let Some(literal) = Value::Literal(text, of, place).into_operand() else {
            return;
        };
        tests.push(infix(subject, "eq", literal));
    }

    fn no_pattern(&mut self, place: Place) {
        self.mistake(
            place,
            "a workflow chooses by variants without fields, texts, whole numbers and booleans, and `_`",
        );
    }
}

/// What an arm does.
#[derive(Clone, Copy)]
enum Body<'a> {
    Block(&'a syn::Block),
    Expr(&'a Expr),
    Nothing,
}
