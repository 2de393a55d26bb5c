//! Tests of the coordinator's state machine, one situation at a time.
//!
//! A coordinator is described in a few words, and each event is a line: `00:05 EVENT`, on 2026-01-01 unless it has a date.
//! [`played`] shows the result of each event, and after each compares the state with one rebuilt from its rows.

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use chrono::{DateTime, Utc};
use hpdlc_tests::cases::{self, Case};

use super::{
    ActionRecord, CoordinatorChange, CoordinatorEffect, CoordinatorEvent, CoordinatorState,
    CoordinatorStep, Presence, Rerun, Revisions, SchedulerSettings, Scope, step,
};
use crate::{
    coordinator::{
        ActionCounts, Coordinator, CoordinatorActionStatus, CoordinatorDefinition, InstanceTexts,
        LogicText, LogicTextKind,
        definition::{Controls, DatasetText, EventText},
        tests::{instant, job, template, written},
    },
    status::JobStatus,
    time::ProcessingZone,
};

mod changes;
mod commands;
mod data;
mod making;
mod reruns;
mod scopes;

/// A coordinator every 10 minutes of the first hour of 2026, unless `words` say otherwise: `every=5`, `end=02:00`, `throttle=3`,
/// `timeout=10`, `execution=LIFO`, `concurrency=2`, and inputs `in=INSTANCE` of a dataset that has an instance every 10 minutes.
fn coordinator(words: &str) -> Coordinator {
    let mut definition = CoordinatorDefinition {
        name: template("c"),
        frequency: template("10"),
        start: template("2026-01-01T00:00Z"),
        end: template("2026-01-01T01:00Z"),
        timezone: template("UTC"),
        controls: Controls::default(),
        datasets: BTreeMap::from([(
            "d".to_owned(),
            DatasetText {
                frequency: template("10"),
                initial_instance: template("2025-12-31T00:00Z"),
                timezone: template("UTC"),
                uri_template: template("/${DAY}-${HOUR}:${MINUTE}"),
                done_flag: Some(template("")),
            },
        )]),
        inputs: Vec::new(),
        input_logic: None,
        outputs: Vec::new(),
        sla: None,
    };
    let input = |name: &str, text: &str| EventText {
        name: name.to_owned(),
        dataset: template("d"),
        instances: InstanceTexts::Each(vec![template(&format!("${{coord:{text}}}"))]),
    };
    for word in words.split_whitespace() {
        let (key, value) = word.split_once('=').expect("key=value");
        let controls = &mut definition.controls;
        match key {
            "every" => definition.frequency = template(&value.replace('_', " ")),
            "start" => definition.start = template(&format!("{value}Z")),
            "end" => definition.end = template(&written_time(value)),
            "throttle" => controls.throttle = Some(template(value)),
            "timeout" => controls.timeout = Some(template(value)),
            "execution" => controls.execution = Some(template(value)),
            "concurrency" => controls.concurrency = Some(template(value)),
            "in" | "a" | "b" => definition.inputs.push(input(key, value)),
            "out" => definition.outputs.push(input(key, value)),
            "or" => {
                // `or=0,20`: the waits of `a` and `b`.
                let waits = value.split(',').zip(["a", "b"]);
                definition.input_logic = Some(LogicText {
                    kind: LogicTextKind::Or(
                        waits
                            .map(|(wait, name)| LogicText {
                                kind: LogicTextKind::Input(template(name)),
                                name: None,
                                min: None,
                                wait: Some(template(wait)),
                            })
                            .collect(),
                    ),
                    name: Some(template("either")),
                    min: None,
                    wait: None,
                });
            }
            _ => panic!("`{word}` is no word for a coordinator"),
        }
    }
    definition.resolve(job(&[])).expect("is sound")
}

fn written_time(text: &str) -> String {
    let day = if text.contains('T') {
        ""
    } else {
        "2026-01-01T"
    };
    format!("{day}{text}Z")
}

fn time(text: &str) -> DateTime<Utc> {
    let (text, seconds) = match text.matches(':').count() {
        2 => text.rsplit_once(':').expect("has colons"),
        _ => (text, "0"),
    };
    let written = written_time(text);
    instant(written.trim_end_matches('Z'))
        + chrono::Duration::seconds(seconds.parse().expect("are seconds"))
}

/// A coordinator and its rows.
struct Played {
    revisions: Revisions,
    state: CoordinatorState,
    rows: BTreeMap<u64, ActionRecord>,
}

impl Played {
    fn new(words: &str) -> Played {
        let coordinator = Arc::new(coordinator(words));
        Played {
            state: CoordinatorState::new(&coordinator, SchedulerSettings::default()),
            revisions: Revisions::new(coordinator, BTreeMap::new()),
            rows: BTreeMap::new(),
        }
    }

    fn step(&mut self, now: DateTime<Utc>, event: CoordinatorEvent) -> CoordinatorStep {
        let step = step(&self.revisions, &mut self.state, now, event);
        self.rows.extend(step.actions.clone());
        for number in &step.deleted {
            self.rows.remove(number);
        }
        self.check_rows();
        step
    }

    /// Checks that the state equals the one rebuilt from its rows.
    fn check_rows(&self) {
        let rebuilt = self.rebuilt();
        let living: Vec<&ActionRecord> = self.state.actions().collect();
        assert_eq!(living, rebuilt.actions().collect::<Vec<_>>());
        assert_eq!(self.state.counts(), rebuilt.counts());
        assert_eq!(self.state.outstanding(), rebuilt.outstanding());
    }

    fn rebuilt(&self) -> CoordinatorState {
        let mut counts = ActionCounts::default();
        for row in self.rows.values() {
            counts.add(row.status, 1);
        }
        let living = self.rows.values().filter(|row| !row.is_at_rest());
        CoordinatorState::rebuild(
            &self.revisions,
            SchedulerSettings::default(),
            self.state.job().clone(),
            living.cloned().collect(),
            counts,
        )
    }

    fn selected(&self, text: &str) -> Vec<ActionRecord> {
        let scope = Scope::numbers(text).expect("are numbers");
        scope.select(self.rows.values()).cloned().collect()
    }

    /// Parses an event from a line.
    fn event(&self, words: &[&str]) -> CoordinatorEvent {
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`{text}`"));
        match words {
            ["tick"] => CoordinatorEvent::Tick,
            ["suspend"] => CoordinatorEvent::Suspend,
            ["resume"] => CoordinatorEvent::Resume,
            ["kill"] => CoordinatorEvent::Kill,
            ["kill", numbers] => {
                CoordinatorEvent::KillActions(numbers.split(',').map(number).collect())
            }
            ["ignore", numbers] => CoordinatorEvent::IgnoreActions(self.selected(numbers)),
            ["change", change] => CoordinatorEvent::Change(
                CoordinatorChange::parse(&change.replace("T+", "2026-01-01T"), ProcessingZone::UTC)
                    .unwrap_or_else(|refusal| panic!("{refusal}")),
            ),
            ["again", numbers] => CoordinatorEvent::RunsAgain(self.selected(numbers).remove(0)),
            ["rerun", numbers, how @ ..] => CoordinatorEvent::Rerun {
                actions: self.selected(numbers),
                how: Rerun {
                    refresh: how.contains(&"refresh"),
                    failed: how.contains(&"failed"),
                },
            },
            ["there", uris @ ..] => CoordinatorEvent::Looked(
                uris.iter()
                    .map(|uri| (Arc::from(*uri), Presence::There))
                    .collect(),
            ),
            ["missing", uris @ ..] => {
                let missing = Presence::Missing { is_watched: false };
                CoordinatorEvent::Looked(
                    uris.iter()
                        .map(|uri| (Arc::from(*uri), missing.clone()))
                        .collect(),
                )
            }
            ["unknown", uri] => {
                let problem = "connection refused".to_owned();
                CoordinatorEvent::Looked(vec![(Arc::from(*uri), Presence::Unknown(problem))])
            }
            ["searched", action, found @ ..] => CoordinatorEvent::Searched {
                number: number(action),
                found: found
                    .iter()
                    .enumerate()
                    .map(|(input, times)| {
                        let times = (*times != "-").then(|| times.split(',').map(time).collect());
                        (input, times)
                    })
                    .collect(),
                error: None,
            },
            ["arrived"] => CoordinatorEvent::Arrived,
            ["not-made", action] => CoordinatorEvent::NotMade {
                number: number(action),
                error: super::ActionFault {
                    code: "E1004".to_owned(),
                    message: "no value".to_owned(),
                },
            },
            [action, status] => CoordinatorEvent::Workflow {
                number: number(action),
                status: JobStatus::from_name(status).unwrap_or_else(|| panic!("`{status}`")),
            },
            _ => panic!("{words:?} is no event"),
        }
    }
}

fn shown(effect: &CoordinatorEffect) -> String {
    match effect {
        CoordinatorEffect::Submit {
            number,
            keeps_workflow: false,
        } => format!("submit {number}"),
        CoordinatorEffect::Submit { number, .. } => format!("submit {number} again"),
        CoordinatorEffect::Start { number } => format!("start {number}"),
        CoordinatorEffect::Command { number, command } => {
            format!("{} {number}", command.name().to_lowercase())
        }
        CoordinatorEffect::Look { uri } => format!("look {uri}"),
        CoordinatorEffect::Search { number, inputs } => format!("search {number} {inputs:?}"),
        CoordinatorEffect::Forget { uri } => format!("forget {uri}"),
        CoordinatorEffect::Finished(status) => format!("finished {status}"),
    }
}

/// The result of a step, in a line.
fn summary(step: &CoordinatorStep) -> String {
    let mut text = String::new();
    if let Some(refusal) = &step.refusal {
        return format!(" refused {refusal}");
    }
    let mut numbers: Vec<u64> = Vec::new();
    for transition in &step.transitions {
        if !numbers.contains(&transition.number) {
            numbers.push(transition.number);
        }
    }
    for number in numbers {
        let of = step.transitions.iter();
        let names: Vec<&str> = of
            .filter(|transition| transition.number == number)
            .map(|transition| CoordinatorActionStatus::name(transition.to))
            .collect();
        let _ = write!(text, " {number}:{}", names.join(">"));
    }
    for number in &step.deleted {
        let _ = write!(text, " {number}:deleted");
    }
    if !step.passed_over.is_empty() {
        let _ = write!(text, " passed over {:?}", step.passed_over);
    }
    let effects: Vec<String> = step.effects.iter().map(shown).collect();
    if !effects.is_empty() {
        let _ = write!(text, " [{}]", effects.join(", "));
    }
    text
}

/// Replays the events of a case, which precede the ` =>` of its lines, and shows the result of each. The last line is the job.
fn played(case: &Case) -> String {
    let words = case.given.strip_prefix("coordinator");
    let mut played = Played::new(words.expect("a coordinator is given"));
    let mut text = String::new();
    let lines = case.expected.lines();
    for line in lines.filter_map(|line| Some(line.split_once(" =>")?.0)) {
        let (at, event) = line.split_once(' ').expect("a time and an event");
        let event: Vec<&str> = event.split_whitespace().collect();
        if event == ["crash"] {
            played.state = played.rebuilt();
            let owed: Vec<String> = played.state.outstanding().iter().map(shown).collect();
            let _ = writeln!(text, "{line} => owes [{}]", owed.join(", "));
            continue;
        }
        let before = played.state.job().status;
        let event = played.event(&event);
        let step = played.step(time(at), event);
        let status = played.state.job().status;
        let _ = write!(text, "{line} =>{}", summary(&step));
        if status != before {
            let _ = write!(text, " {status}");
        }
        text.push('\n');
    }
    let job = played.state.job();
    let wake = played.state.wake(&played.revisions);
    let wake = wake.map(|time| time.format("%Y-%m-%dT%H:%M:%S%.f").to_string());
    text + &format!(
        "{}{} next {} wake {}",
        job.status,
        if job.is_done { " done" } else { "" },
        job.next_time.map_or_else(|| "-".to_owned(), written),
        wake.unwrap_or_else(|| "-".to_owned())
    )
}

#[test]
fn situations() {
    cases::check("runtime/core/src/coordinator/machine/tests", played);
}
