//! Random workflows, the same for the same seed.

use super::{
    interpret::Inputs,
    tree::{Call, Number, Statement, Text, Truth, Workflow},
};

const TEXTS: &[&str] = &["", "a", "9", "10", "Z", "é", "true", "it's", "a-b", "null"];
/// Texts of data, which are not trimmed.
const DATA_TEXTS: &[&str] = &["", " a ", "9", "10", "b\n", "\"q\"", "é", "false"];
const NUMBERS: &[u64] = &[0, 1, 2, 7, 9, 10, 30, 1_000_000];
const OPERATORS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

pub struct Generator {
    state: u64,
    n_nodes: usize,
    n_values: usize,
    /// The nodes whose data is known here, those whose failure is, and the values.
    data: Vec<usize>,
    failures: Vec<usize>,
    values: Vec<usize>,
    is_in_fork: bool,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            n_nodes: 0,
            n_values: 0,
            data: Vec::new(),
            failures: Vec::new(),
            values: Vec::new(),
            is_in_fork: false,
        }
    }

    /// xorshift64*
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let random = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        random as usize % n.max(1)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn workflow(&mut self, n: u64) -> Workflow {
        self.n_nodes = 0;
        let body = self.block(3, 2);
        Workflow {
            name: format!("w{n}"),
            body,
            n_nodes: self.n_nodes,
        }
    }

    /// Properties and answers of a job. Nodes of forks succeed; the generator has just made or seen the workflow.
    pub fn inputs(&mut self, workflow: &Workflow) -> Inputs {
        let answers = (0..workflow.n_nodes).map(|node| {
            let fails = self.below(6) == 0 && !is_in_fork(&workflow.body, node, false);
            (!fails).then(|| {
                (
                    self.pick(NUMBERS),
                    self.pick(DATA_TEXTS),
                    self.below(2) == 0,
                )
            })
        });
        let answers = answers.collect();
        Inputs {
            numbers: [self.pick(NUMBERS), self.pick(NUMBERS)],
            texts: [self.pick(TEXTS), self.pick(TEXTS)],
            truth: self.below(2) == 0,
            answers,
        }
    }

    /// Statements, with the names that are visible behind them forgotten again.
    fn block(&mut self, n_statements: usize, depth: usize) -> Vec<Statement> {
        let visible = (self.data.len(), self.failures.len(), self.values.len());
        let mut body: Vec<Statement> = (0..1 + self.below(n_statements))
            .map(|_| self.statement(depth))
            .collect();
        if !self.is_in_fork && depth < 2 && self.below(4) == 0 {
            body.push(match self.below(2) {
                0 => Statement::End,
                _ => Statement::Kill(self.text(2)),
            });
        }
        self.data.truncate(visible.0);
        self.failures.truncate(visible.1);
        self.values.truncate(visible.2);
        body
    }

    fn call(&mut self) -> Call {
        let (number, text, truth) = (self.number(2), self.text(2), self.truth(2));
        self.n_nodes += 1;
        Call {
            node: self.n_nodes - 1,
            number,
            text,
            truth,
        }
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let n_kinds = if depth == 0 { 5 } else { 9 };
        match self.below(n_kinds) {
            0 | 1 => Statement::Note(self.call()),
            2 | 3 => {
                let call = self.call();
                self.data.push(call.node);
                Statement::Make(call)
            }
            4 => {
                let value = self.number(2);
                self.n_values += 1;
                self.values.push(self.n_values);
                Statement::Let(self.n_values, value)
            }
            5 => {
                let condition = self.truth(3);
                let then = self.block(2, depth - 1);
                let otherwise = (self.below(2) == 0).then(|| self.block(2, depth - 1));
                Statement::If(condition, then, otherwise)
            }
            6 => {
                let subject = self.number(2);
                let arms = std::array::from_fn(|_| self.block(1, depth - 1));
                Statement::Match(subject, arms)
            }
            7 if !self.is_in_fork => {
                let call = self.call();
                self.data.push(call.node);
                let ok = self.block(2, depth - 1);
                self.data.pop();
                self.failures.push(call.node);
                let err = self.block(2, depth - 1);
                self.failures.pop();
                Statement::Outcome(call, ok, err)
            }
            8 if !self.is_in_fork => {
                self.is_in_fork = true;
                let branches = std::array::from_fn(|_| {
                    // A branch begins with an action.
                    let mut branch = vec![Statement::Note(self.call())];
                    branch.extend(self.block(2, 0));
                    branch
                });
                self.is_in_fork = false;
                Statement::Fork(branches)
            }
            _ => Statement::Note(self.call()),
        }
    }

    fn number(&mut self, depth: usize) -> Number {
        let below = depth.saturating_sub(1);
        let n_kinds = if depth == 0 { 4 } else { 10 };
        match self.below(n_kinds) {
            0 => Number::Literal(self.pick(NUMBERS)),
            1 if !self.values.is_empty() => Number::Value(self.pick(&self.values.clone())),
            2 if !self.data.is_empty() => Number::Field(self.pick(&self.data.clone())),
            4 => Number::Add(Box::new([self.number(below), self.number(below)])),
            5 => Number::Divide(Box::new(self.argument()), self.pick(&[1, 2, 3, 7])),
            6 => Number::Modulo(Box::new(self.argument()), self.pick(&[1, 2, 3, 7])),
            7 => Number::Subtract(Box::new([self.number(below), self.number(below)])),
            8 => Number::Length(Box::new(self.text(below))),
            9 => Number::If(
                Box::new(self.truth(below)),
                Box::new([self.number(below), self.number(below)]),
            ),
            _ => self.argument(),
        }
    }

    fn argument(&mut self) -> Number {
        Number::Argument(self.pick(&["a", "b"]))
    }

    fn text(&mut self, depth: usize) -> Text {
        let below = depth.saturating_sub(1);
        let n_kinds = if depth == 0 { 4 } else { 9 };
        match self.below(n_kinds) {
            0 => Text::Literal(self.pick(TEXTS)),
            1 if !self.data.is_empty() => Text::Field(self.pick(&self.data.clone())),
            2 if !self.failures.is_empty() => Text::Code(self.pick(&self.failures.clone())),
            4 => Text::Format(Box::new(self.number(below)), Box::new(self.text(below))),
            5 => Text::Trim(Box::new(self.text(below))),
            6 => Text::Upper(Box::new(self.text(below))),
            7 => Text::Own(Box::new(self.text(below)), self.pick(&[1, 16])),
            8 => Text::If(
                Box::new(self.truth(below)),
                Box::new([self.text(below), self.text(below)]),
            ),
            _ => Text::Argument(self.pick(&["s", "t"])),
        }
    }

    fn truth(&mut self, depth: usize) -> Truth {
        let below = depth.saturating_sub(1);
        let n_kinds = if depth == 0 { 2 } else { 9 };
        match self.below(n_kinds) {
            0 if !self.data.is_empty() => Truth::Field(self.pick(&self.data.clone())),
            2 => Truth::Not(Box::new(self.truth(below))),
            3 => Truth::And(Box::new([self.truth(below), self.truth(below)])),
            4 => Truth::Or(Box::new([self.truth(below), self.truth(below)])),
            5 | 6 => Truth::Numbers(
                self.pick(OPERATORS),
                Box::new([self.argument(), self.number(below)]),
            ),
            7 => Truth::Texts(
                self.pick(OPERATORS),
                Box::new([self.text(below), self.text(below)]),
            ),
            8 => Truth::IsEmpty(Box::new(self.text(0))),
            _ => Truth::Argument,
        }
    }
}

/// Whether the action of a node is in a branch of a fork.
fn is_in_fork(body: &[Statement], node: usize, is_inside: bool) -> bool {
    let inside = |body: &Vec<Statement>| is_in_fork(body, node, is_inside);
    body.iter().any(|statement| match statement {
        Statement::Note(call) | Statement::Make(call) => is_inside && call.node == node,
        Statement::Let(..) | Statement::End | Statement::Kill(_) => false,
        Statement::If(_, then, otherwise) => inside(then) || otherwise.as_ref().is_some_and(inside),
        Statement::Match(_, arms) => arms.iter().any(inside),
        Statement::Outcome(call, ok, err) => {
            is_inside && call.node == node || inside(ok) || inside(err)
        }
        Statement::Fork(branches) => branches.iter().any(|branch| is_in_fork(branch, node, true)),
    })
}
