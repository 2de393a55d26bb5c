//! A random workflow as Rust.

use std::fmt::Write as _;

use super::{
    RUNS,
    interpret::Inputs,
    tree::{Call, Number, Statement, Text, Truth, Workflow},
};

const HEAD: &str = r#"
use hpdlc_flow::{Data, Result, action, fork, function, kill, workflow};
use hpdlc_flow::runtime::{table::Program, test::{Answer, Job}};

#[derive(Data)]
pub struct Made { number: u64, text: String, truth: bool }

#[action]
fn make(number: u64, text: String, truth: bool) -> Result<Made> { Ok(Made { number, text, truth }) }

#[action]
fn note(_number: u64, _text: String, _truth: bool) -> Result { Ok(()) }

#[function]
fn own(text: String, n: i64) -> String { format!("<{text}{n}>") }

fn run(program: &'static Program, given: [&str; 5], answers: &[(&str, Option<(u64, &str, bool)>)]) {
    let mut job = Job::of(program);
    for (name, value) in ["a", "b", "s", "t", "p"].into_iter().zip(given) { job = job.given(name, value); }
    for (node, answer) in answers {
        let answer = match answer {
            Some((number, text, truth)) => Answer::ok().data("number", number).data("text", text).data("truth", truth),
            None => Answer::error(format!("E-{node}"), "gone"),
        };
        job = job.answer(*node, answer);
    }
    let ran = job.run();
    println!("{:?} {}", ran.status, ran.message.clone().unwrap_or_default());
    let mut lines: Vec<String> = Vec::new();
    for node in ran.path() {
        if answers.iter().any(|(name, _)| name == node) {
            let values = ran.values(node);
            lines.push(format!("{node} {:?} {:?} {:?}", &values["argument[1]"], &values["argument[2]"], &values["argument[3]"]));
        }
    }
    lines.sort();
    for line in lines { println!("{line}"); }
    println!();
}
"#;

/// The program, which prints what each run has done.
pub fn program(workflows: &[Workflow], runs: &[(&Workflow, Inputs)]) -> String {
    let mut text = HEAD.to_owned();
    for workflow in workflows {
        text.push_str(&function(workflow));
    }
    // One function for each workflow: rustc is slow on long ones.
    for (n, runs) in runs.chunks(RUNS).enumerate() {
        let _ = writeln!(text, "fn runs_{n}() {{");
        for (workflow, inputs) in runs {
            let answers: Vec<String> = inputs
                .answers
                .iter()
                .enumerate()
                .map(|(node, answer)| format!("(\"n{node}\", {answer:?})"))
                .collect();
            let _ = writeln!(
                text,
                "    run(&{}::PROGRAM, {:?}, &[{}]);",
                workflow.name,
                inputs.given(),
                answers.join(", ")
            );
        }
        text.push_str("}\n");
    }
    text.push_str("fn main() {\n");
    for n in 0..runs.len().div_ceil(RUNS) {
        let _ = writeln!(text, "    runs_{n}();");
    }
    text + "}\n"
}

pub fn function(workflow: &Workflow) -> String {
    let mut text = format!(
        "\n#[workflow]\nasync fn {}(a: u64, b: u64, s: String, t: String, p: bool) -> Result {{\n",
        workflow.name
    );
    statements(&workflow.body, 1, &mut text);
    let ends = matches!(
        workflow.body.last(),
        Some(Statement::End | Statement::Kill(_))
    );
    text + if ends { "}\n" } else { "    Ok(())\n}\n" }
}

fn statements(body: &[Statement], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    let block = |body: &[Statement], text: &mut String| {
        text.push_str("{\n");
        statements(body, depth + 1, text);
        text.push_str(&indent);
        text.push('}');
    };
    for statement in body {
        text.push_str(&indent);
        match statement {
            Statement::Note(it) => text.push_str(&format!("{}.await?;", call("note", it))),
            Statement::Make(it) => {
                text.push_str(&format!("let d{} = {}.await?;", it.node, call("make", it)));
            }
            Statement::Let(n, value) => {
                text.push_str(&format!("let v{n}: u64 = {};", number(value)))
            }
            Statement::If(condition, then, otherwise) => {
                text.push_str(&format!("if {} ", truth(condition)));
                block(then, text);
                if let Some(otherwise) = otherwise {
                    text.push_str(" else ");
                    block(otherwise, text);
                }
            }
            Statement::Match(subject, arms) => {
                text.push_str(&format!("match {} % 3 {{ ", number(subject)));
                for (pattern, arm) in ["0", "1 | 2", "_"].into_iter().zip(arms) {
                    text.push_str(&format!("{pattern} => "));
                    block(arm, text);
                    text.push(' ');
                }
                text.push('}');
            }
            Statement::Outcome(it, ok, err) => {
                text.push_str(&format!(
                    "match {}.await {{ Ok(d{}) => ",
                    call("make", it),
                    it.node
                ));
                block(ok, text);
                text.push_str(&format!(" Err(e{}) => ", it.node));
                block(err, text);
                text.push_str(" }");
            }
            Statement::Fork(branches) => {
                text.push_str("fork!(");
                for branch in branches {
                    text.push_str("async {\n");
                    statements(branch, depth + 1, text);
                    text.push_str(&format!("{indent}    Ok(())\n{indent}}}, "));
                }
                text.push_str(").await?;");
            }
            Statement::End => text.push_str("return Ok(());"),
            Statement::Kill(why) => {
                text.push_str(&format!("return Err(kill({}));", self::text(why)));
            }
        }
        text.push('\n');
    }
}

fn call(function: &str, call: &Call) -> String {
    format!(
        "{function}({}, {}, {}).named(\"n{}\")",
        number(&call.number),
        text(&call.text),
        truth(&call.truth),
        call.node
    )
}

fn number(it: &Number) -> String {
    match it {
        Number::Literal(n) => n.to_string(),
        Number::Argument(name) => (*name).to_owned(),
        Number::Value(n) => format!("v{n}"),
        Number::Field(n) => format!("d{n}.number"),
        Number::Add(both) => format!("({} + {})", number(&both[0]), number(&both[1])),
        Number::Divide(left, by) => format!("({} / {by})", number(left)),
        Number::Modulo(left, by) => format!("({} % {by})", number(left)),
        Number::Subtract(both) => format!(
            "u64::saturating_sub({}, {})",
            number(&both[0]),
            number(&both[1])
        ),
        Number::Length(of) => format!("({}.len() as u64)", text(of)),
        Number::If(condition, both) => format!(
            "(if {} {{ {} }} else {{ {} }})",
            truth(condition),
            number(&both[0]),
            number(&both[1])
        ),
    }
}

/// A `String`.
fn text(it: &Text) -> String {
    match it {
        Text::Literal(text) => format!("{text:?}.to_owned()"),
        Text::Argument(name) => format!("{name}.clone()"),
        Text::Field(n) => format!("d{n}.text.clone()"),
        Text::Code(n) => format!("e{n}.code().to_owned()"),
        Text::Format(value, of) => {
            format!("format!(\"{{}}-{{}}\", {}, {})", number(value), text(of))
        }
        Text::Trim(of) => format!("{}.trim().to_owned()", text(of)),
        Text::Upper(of) => format!("{}.to_uppercase()", text(of)),
        Text::Own(of, n) => format!("own(&{}, {n})", text(of)),
        Text::If(condition, both) => format!(
            "(if {} {{ {} }} else {{ {} }})",
            truth(condition),
            text(&both[0]),
            text(&both[1])
        ),
    }
}

fn truth(it: &Truth) -> String {
    match it {
        Truth::Argument => "p".to_owned(),
        Truth::Field(n) => format!("d{n}.truth"),
        Truth::Not(of) => format!("!{}", truth(of)),
        Truth::And(both) => format!("({} && {})", truth(&both[0]), truth(&both[1])),
        Truth::Or(both) => format!("({} || {})", truth(&both[0]), truth(&both[1])),
        Truth::Numbers(operator, both) => {
            format!("({} {operator} {})", number(&both[0]), number(&both[1]))
        }
        Truth::Texts(operator, both) => {
            format!("({} {operator} {})", text(&both[0]), text(&both[1]))
        }
        Truth::IsEmpty(of) => format!("{}.is_empty()", text(of)),
    }
}
