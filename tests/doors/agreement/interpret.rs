//! What Rust means by a random workflow: an interpreter of its tree.

use std::collections::BTreeMap;

use super::tree::{Call, Number, Statement, Text, Truth, Workflow};

/// The data of an action, or `None` where it fails.
pub type Answer = Option<(u64, &'static str, bool)>;

/// The properties of a job, and the answers of its nodes.
#[derive(Debug)]
pub struct Inputs {
    pub numbers: [u64; 2],
    pub texts: [&'static str; 2],
    pub truth: bool,
    pub answers: Vec<Answer>,
}

impl Inputs {
    /// The properties, in the order of the arguments.
    pub fn given(&self) -> [String; 5] {
        let [a, b] = self.numbers;
        let [s, t] = self.texts;
        [
            a.to_string(),
            b.to_string(),
            s.to_owned(),
            t.to_owned(),
            self.truth.to_string(),
        ]
    }
}

/// What a job does: how it ends, and the values of each action, in order of their names.
pub fn run(workflow: &Workflow, inputs: &Inputs) -> String {
    let mut machine = Machine {
        inputs,
        values: BTreeMap::new(),
        lines: Vec::new(),
    };
    let end = match machine.block(&workflow.body) {
        Ok(()) | Err(Leaves::End) => "Succeeded ".to_owned(),
        Err(Leaves::Kill(message)) => format!("Killed {message}"),
    };
    machine.lines.sort();
    machine.lines.insert(0, end);
    machine.lines.join("\n")
}

enum Leaves {
    End,
    Kill(String),
}

struct Machine<'i> {
    inputs: &'i Inputs,
    values: BTreeMap<usize, u64>,
    lines: Vec<String>,
}

impl Machine<'_> {
    fn block(&mut self, body: &[Statement]) -> Result<(), Leaves> {
        for statement in body {
            match statement {
                Statement::Note(call) | Statement::Make(call) => {
                    if !self.call(call) {
                        return Err(Leaves::Kill(format!("n{}: gone", call.node)));
                    }
                }
                Statement::Let(n, value) => {
                    let value = self.number(value);
                    self.values.insert(*n, value);
                }
                Statement::If(condition, then, otherwise) => {
                    if self.truth(condition) {
                        self.block(then)?;
                    } else if let Some(otherwise) = otherwise {
                        self.block(otherwise)?;
                    }
                }
                Statement::Match(subject, arms) => {
                    let arm = match self.number(subject) % 3 {
                        0 => 0,
                        _ => 1,
                    };
                    self.block(&arms[arm])?;
                }
                Statement::Outcome(call, ok, err) => {
                    let arm = if self.call(call) { ok } else { err };
                    self.block(arm)?;
                }
                Statement::Fork(branches) => {
                    for branch in branches {
                        self.block(branch)?;
                    }
                }
                Statement::End => return Err(Leaves::End),
                Statement::Kill(why) => return Err(Leaves::Kill(self.text(why))),
            }
        }
        Ok(())
    }

    /// Whether the action succeeds.
    fn call(&mut self, call: &Call) -> bool {
        let (number, text) = (self.number(&call.number).to_string(), self.text(&call.text));
        let truth = self.truth(&call.truth).to_string();
        self.lines
            .push(format!("n{} {number:?} {text:?} {truth:?}", call.node));
        self.inputs.answers[call.node].is_some()
    }

    fn data(&self, node: usize) -> (u64, &'static str, bool) {
        self.inputs.answers[node].expect("it has succeeded")
    }

    fn number(&self, it: &Number) -> u64 {
        match it {
            Number::Literal(n) => *n,
            Number::Argument(name) => self.inputs.numbers[usize::from(*name == "b")],
            Number::Value(n) => self.values[n],
            Number::Field(node) => self.data(*node).0,
            Number::Add(both) => self.number(&both[0]) + self.number(&both[1]),
            Number::Divide(left, by) => self.number(left) / by,
            Number::Modulo(left, by) => self.number(left) % by,
            Number::Subtract(both) => self.number(&both[0]).saturating_sub(self.number(&both[1])),
            Number::Length(of) => self.text(of).len() as u64,
            Number::If(condition, both) => self.number(&both[usize::from(!self.truth(condition))]),
        }
    }

    fn text(&self, it: &Text) -> String {
        match it {
            Text::Literal(text) => (*text).to_owned(),
            Text::Argument(name) => self.inputs.texts[usize::from(*name == "t")].to_owned(),
            Text::Field(node) => self.data(*node).1.to_owned(),
            Text::Code(node) => format!("E-n{node}"),
            Text::Format(value, of) => format!("{}-{}", self.number(value), self.text(of)),
            Text::Trim(of) => self.text(of).trim().to_owned(),
            Text::Upper(of) => self.text(of).to_uppercase(),
            Text::Own(of, n) => format!("<{}{n}>", self.text(of)),
            Text::If(condition, both) => self.text(&both[usize::from(!self.truth(condition))]),
        }
    }

    fn truth(&self, it: &Truth) -> bool {
        match it {
            Truth::Argument => self.inputs.truth,
            Truth::Field(node) => self.data(*node).2,
            Truth::Not(of) => !self.truth(of),
            Truth::And(both) => self.truth(&both[0]) && self.truth(&both[1]),
            Truth::Or(both) => self.truth(&both[0]) || self.truth(&both[1]),
            Truth::Numbers(operator, both) => {
                compared(operator, &self.number(&both[0]), &self.number(&both[1]))
            }
            Truth::Texts(operator, both) => {
                compared(operator, &self.text(&both[0]), &self.text(&both[1]))
            }
            Truth::IsEmpty(of) => self.text(of).is_empty(),
        }
    }
}

fn compared<T: Ord>(operator: &str, left: &T, right: &T) -> bool {
    match operator {
        "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        _ => left >= right,
    }
}
