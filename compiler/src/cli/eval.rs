//! `hpdlc eval`: the value of a template, or of every line of stdin.

use std::{
    io::{self, BufRead, BufReader, IsTerminal, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use chrono::{DateTime, NaiveDateTime, Utc};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hpdlc_core::{
    el::{eval, parser, phase::Phase, scope::NoJob},
    frequency,
};
use serde::Serialize;

use crate::{
    cli::{EXIT_ERRORS, EvalArguments, output::CommandOutput},
    diagnostics::Sink,
    driver::{
        Failure, mistakes,
        properties::{self, PropertyArguments},
        read::Files,
    },
};

/// A line of the answer.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum EvalAnswer<'a> {
    Value(&'a str),
    Error(&'a str),
}

pub(super) fn run(arguments: EvalArguments, output: &mut CommandOutput) -> u8 {
    let mut files = Files::default();
    let mut sink = Sink::default();
    let given = properties::read(
        &PropertyArguments {
            files: arguments.config.clone(),
            definitions: arguments.definitions,
        },
        &mut files,
        &mut sink,
    );
    let diagnostics = sink.into_sorted();
    let path = arguments
        .config
        .first()
        .map_or(Path::new("-D"), PathBuf::as_path);
    let code = output.human(
        &diagnostics,
        &files.sources,
        path,
        Some("nothing was evaluated"),
    );
    if mistakes::exit_code(&diagnostics) > 0 {
        return code;
    }
    let values = match properties::resolved(&given) {
        Ok(values) => values,
        Err(error) => {
            output.failure(
                &Failure::new(error.to_string())
                    .help("give one of these properties a value without `${}`"),
            );
            return EXIT_ERRORS;
        }
    };
    let now = arguments.at.unwrap_or_else(now);
    let scope = NoJob::in_phase(arguments.phase, &values, now);
    match arguments.template {
        Some(template) => match evaluate(&template, &scope) {
            Ok(value) => output.answer(&format!("{value}\n")),
            Err(error) => {
                output.failure(&Failure::new(error));
                EXIT_ERRORS
            }
        },
        None => lines(&scope, arguments.at.is_some(), output),
    }
}

/// Reads the name of a phase.
pub(super) fn phases() -> impl TypedValueParser<Value = Phase> {
    PossibleValuesParser::new(Phase::ALL.map(Phase::name))
        .map(|name| Phase::named(&name).expect("only names of phases are possible"))
}

/// The size of the buffers of stdin and stdout, in bytes, which reduce the number of system calls.
const BUFFER_SIZE: usize = 64 * 1024;

/// Answers every line of stdin with a line, before it waits for the next.
fn lines(scope: &NoJob, is_time_fixed: bool, output: &mut CommandOutput) -> u8 {
    let mut scope = scope.clone();
    let mut stdin = BufReader::with_capacity(BUFFER_SIZE, io::stdin().lock());
    if io::stdin().is_terminal() {
        output.message("reading a template per line from stdin; Ctrl-D ends\n");
    }
    let mut stdout = io::stdout().lock();
    let mut line = Vec::new();
    let mut answers = Vec::new();
    loop {
        // Flush if no further line is buffered: the caller may be waiting for the answer.
        let is_awaited = !stdin.buffer().contains(&b'\n');
        if is_awaited || answers.len() >= BUFFER_SIZE {
            if let Err(error) = stdout.write_all(&answers).and_then(|()| stdout.flush()) {
                return output.stdout_failed(&error);
            }
            answers.clear();
        }
        line.clear();
        match stdin.read_until(b'\n', &mut line) {
            Ok(0) => return 0,
            Ok(_) => {}
            Err(error) => {
                return output.failure(&Failure::new("cannot read stdin").note(error.to_string()));
            }
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        if !is_time_fixed {
            scope.now = now();
        }
        let result = match str::from_utf8(&line) {
            Ok(template) => evaluate(template, &scope),
            Err(error) => Err(format!(
                "the template is not UTF-8 after byte {}",
                error.valid_up_to()
            )),
        };
        let written = match &result {
            Ok(value) => serde_json::to_writer(&mut answers, &EvalAnswer::Value(value)),
            Err(error) => serde_json::to_writer(&mut answers, &EvalAnswer::Error(error)),
        };
        written.expect("strings have a JSON form, and memory takes any of them");
        answers.push(b'\n');
    }
}

fn evaluate(template: &str, scope: &NoJob) -> Result<String, String> {
    let parsed = parser::parse_template(template).map_err(|error| error.to_string())?;
    let value = match scope.phase {
        // Functions of this phase return numbers.
        Phase::Frequency => frequency::evaluate(&parsed, scope).map(|frequency| frequency.text),
        Phase::Timeout => frequency::evaluate_timeout(&parsed, scope),
        Phase::JobSubmit
        | Phase::WorkflowSla
        | Phase::Workflow
        | Phase::Plain
        | Phase::InitialInstance
        | Phase::Instances
        | Phase::Data
        | Phase::CoordinatorSla
        | Phase::Create
        | Phase::CreateRange
        | Phase::CreateSla
        | Phase::Start
        | Phase::Bundle => eval::evaluate_template(&parsed, scope),
    };
    value.map_err(|error| error.to_string())
}

/// Reads a point of time: `2026-11-20T09:30Z`, with seconds and another offset if wanted.
pub(super) fn parse_time(text: &str) -> Result<DateTime<Utc>, String> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.to_utc());
    }
    if let Ok(time) = DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M%z") {
        return Ok(time.to_utc());
    }
    NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%MZ")
        .map(|time| time.and_utc())
        .map_err(|_| "it has the form 2026-11-20T09:30Z or 2026-11-20T10:30+0100".to_owned())
}

/// The wall clock, which may be before 1970.
fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn times_are_read_with_and_without_seconds() {
        for text in [
            "2026-11-20T09:30Z",
            "2026-11-20T10:30+0100",
            "2026-11-20T09:30:00Z",
            "2026-11-20T09:30:00.000+00:00",
        ] {
            let time = parse_time(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(time.to_rfc3339(), "2026-11-20T09:30:00+00:00", "{text}");
        }
        assert!(parse_time("2026-11-20").is_err());
    }

    #[test]
    fn templates_are_taken_as_they_stand() {
        let scope = NoJob::new(
            &BTreeMap::from([("n".to_owned(), "20".to_owned())]),
            DateTime::UNIX_EPOCH,
        );
        assert_eq!(evaluate(" ${n * 2} ", &scope).as_deref(), Ok(" 40 "));
        assert_eq!(evaluate("", &scope).as_deref(), Ok(""));
        assert!(evaluate("${", &scope).is_err());
        assert!(evaluate("${wf:id()}", &scope).is_err());
    }
}
