//! `hpdlc paths`: where a workflow can go: a shortest way to each of its ends, and when each decision takes which case.
//!
//! Every outcome of every action and decision is followed once, so the time is that of reading the document. What is wrong with the
//! workflow is reported first, as by `check`.

use std::fmt::Write as _;

use hpdlc_core::el::value::Value as El;
use serde_json::{Value, json};

use crate::{
    analysis::{self, CaseWay, Edge, Ways, When},
    cli::{
        PathsArguments, PathsFormat,
        output::{self, CommandOutput},
    },
    driver::{
        Failure,
        application::{CheckedApp, Session},
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
};

pub(super) fn run(arguments: PathsArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let mut session = Session::new(&input);
    let location = session.source(&arguments.path).map(|it| it.location);
    let mut workflow = None;
    if let Some(location) = location {
        if !session.is_workflow(&location) {
            let failure = Failure::new("only workflows have paths")
                .help("name a workflow; `hpdlc schedule` tells when a coordinator runs");
            return output.failure(&failure);
        }
        workflow = session.workflow(location);
    }
    let (diagnostics, sources) = session.finish();
    let prevented = Some("nothing was listed");
    let code = output.human(&diagnostics, &sources, &arguments.path, prevented);
    let Some(CheckedApp { app, facts, .. }) = workflow else {
        return code;
    };
    if output::has_errors(&diagnostics) {
        return code;
    }
    let ways = analysis::ways(&app, &facts);
    let text = match arguments.format {
        PathsFormat::Human => human(&app, &ways),
        PathsFormat::Json => format!("{}\n", as_json(&app, &ways)),
    };
    output.answer(&text).max(code)
}

fn human(app: &WorkflowApp, ways: &Ways) -> String {
    let mut text = String::new();
    for end in &ways.ends {
        let kind = app.node(end.node).kind.element();
        let name = name(app, end.node);
        let way = match &end.way {
            Some(way) => steps(app, way).join(" -> "),
            None => "no way leads here".to_owned(),
        };
        let _ = writeln!(text, "{kind} `{name}`: {way}");
    }
    for decision in &ways.decisions {
        let _ = writeln!(text, "\ndecision `{}`", name(app, decision.node));
        for (number, case) in (1..).zip(&decision.cases) {
            let what = match &case.condition {
                Some(_) => format!("case {number}"),
                None => "default".to_owned(),
            };
            let _ = writeln!(text, "  {what} -> `{}`: {}", case.to, when(case));
            if let (Some(condition), When::Unknown) = (&case.condition, &case.when) {
                let _ = writeln!(text, "    {condition}");
            }
        }
    }
    if !ways.unreached.is_empty() {
        let names: Vec<String> = ways
            .unreached
            .iter()
            .map(|node| format!("`{}`", name(app, *node)))
            .collect();
        let _ = writeln!(text, "\nno way reaches {}", names.join(", "));
    }
    let _ = writeln!(
        text,
        "\nfollowed {} outcomes of actions and decisions",
        ways.n_outcomes
    );
    text
}

fn when(case: &CaseWay) -> String {
    match &case.when {
        When::Never => "never".to_owned(),
        When::Unknown if case.condition.is_some() => "if this holds in the job:".to_owned(),
        When::Unknown => "if no case holds".to_owned(),
        When::Values(values) if values.is_empty() => "always, if no earlier case holds".to_owned(),
        When::Values(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|(text, value)| format!("`{text}` is {}", shown(value.as_ref())))
                .collect();
            format!("such as if {}", values.join(" and "))
        }
    }
}

/// The nodes of a way, each with the transition that leads on from it if that is not the usual one.
fn steps(app: &WorkflowApp, way: &[Edge]) -> Vec<String> {
    let mut steps: Vec<String> = way
        .iter()
        .map(|edge| {
            let from = name(app, edge.from);
            let outcome = match edge.kind {
                TransitionKind::Error => " (error)".to_owned(),
                TransitionKind::Case(at) => format!(" (case {})", at + 1),
                TransitionKind::Default => " (default)".to_owned(),
                TransitionKind::Start
                | TransitionKind::Ok
                | TransitionKind::Branch(_)
                | TransitionKind::Joined => String::new(),
            };
            format!("{from}{outcome}")
        })
        .collect();
    steps.extend(way.last().map(|edge| name(app, edge.to)));
    steps
}

fn name(app: &WorkflowApp, node: NodeId) -> String {
    match &app.node(node).kind {
        NodeKind::Start(_) => "start".to_owned(),
        _ => app.node(node).name.value.clone(),
    }
}

fn as_json(app: &WorkflowApp, ways: &Ways) -> Value {
    let ends: Vec<Value> = ways
        .ends
        .iter()
        .map(|end| {
            json!({
                "node": name(app, end.node),
                "kind": app.node(end.node).kind.element(),
                "way": end.way.as_ref().map(|way| steps(app, way)),
            })
        })
        .collect();
    let decisions: Vec<Value> = ways
        .decisions
        .iter()
        .map(|decision| {
            let cases: Vec<Value> = decision
                .cases
                .iter()
                .map(|case| {
                    let values = match &case.when {
                        When::Values(values) => Some(values),
                        When::Never | When::Unknown => None,
                    };
                    json!({
                        "to": case.to,
                        "condition": case.condition,
                        "is_possible": !matches!(case.when, When::Never),
                        "example": values.map(|values| values.iter().map(|(text, value)| {
                            json!({
                                "expression": text,
                                "value": value.as_ref().map(json_value),
                                "is_other_text": value.is_none(),
                            })
                        }).collect::<Vec<Value>>()),
                    })
                })
                .collect();
            json!({ "node": name(app, decision.node), "cases": cases })
        })
        .collect();
    let unreached: Vec<String> = ways.unreached.iter().map(|node| name(app, *node)).collect();
    json!({
        "ends": ends,
        "decisions": decisions,
        "unreached": unreached,
        "outcomes": ways.n_outcomes,
    })
}

/// A value in words; `None` is any text that no case compares with.
fn shown(value: Option<&El>) -> String {
    match value {
        None => "another text".to_owned(),
        Some(El::Null) => "null".to_owned(),
        Some(El::Text(text)) if text.is_empty() => "empty".to_owned(),
        Some(El::Text(text)) => format!("`{text}`"),
        Some(value) => value.clone().into_text(),
    }
}

fn json_value(value: &El) -> Value {
    match value {
        El::Null => Value::Null,
        El::Bool(value) => json!(value),
        El::Long(value) => json!(value),
        El::Double(value) => json!(value),
        El::Text(_) | El::Map(_) => json!(value.clone().into_text()),
    }
}
