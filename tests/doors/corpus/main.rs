//! Evaluates every text of many programs, and fails if one of them is evaluated by the tree walker.

use std::{collections::BTreeMap, process::ExitCode};

use hpdlc_runtime::{
    core::{
        el::{
            error::ElError,
            eval,
            phase::Phase,
            scope::{CoordinatorFacts, FileFacts, JobFacts, NodeFacts, Origin, Scope},
            value::Value,
        },
        status::ActionStatus,
    },
    table::{App, Entry, NodeKind, Program, Property, Template},
};

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// A job in which every property, node and file exists.
struct Everything {
    job: JobFacts,
    node: NodeFacts,
    origin: Origin,
    phase: Phase,
}

/// The phases of the texts of coordinators and bundles.
const SCHEDULED: [Phase; 11] = [
    Phase::Frequency,
    Phase::Plain,
    Phase::InitialInstance,
    Phase::Timeout,
    Phase::Instances,
    Phase::Data,
    Phase::Create,
    Phase::CreateRange,
    Phase::CreateSla,
    Phase::Start,
    Phase::Bundle,
];

impl Scope for Everything {
    fn variable(&self, _name: &str) -> Option<Value> {
        Some(Value::Text("1".to_owned()))
    }

    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        chrono::DateTime::UNIX_EPOCH
    }

    fn conf(&self, _name: &str) -> Result<Option<String>, ElError> {
        Ok(Some("1".to_owned()))
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Ok(&self.job)
    }

    fn node(&self, _name: &str) -> Result<Option<NodeFacts>, ElError> {
        Ok(Some(self.node.clone()))
    }

    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        Ok(Some("node".to_owned()))
    }

    fn callback_url(&self, state: &str) -> Result<String, ElError> {
        Ok(format!("http://localhost/{state}"))
    }

    fn files(&self) -> &dyn FileFacts {
        self
    }

    fn origin(&self) -> Origin {
        self.origin
    }

    fn phase(&self) -> Phase {
        self.phase
    }

    fn coordinator(&self) -> &dyn CoordinatorFacts {
        self
    }
}

impl CoordinatorFacts for Everything {
    fn has(&self, prefix: Option<&str>, _name: &str) -> bool {
        matches!(prefix, Some("coord" | "bundle"))
    }

    fn call(&self, _name: &str, _args: &[Value]) -> Result<Value, ElError> {
        Ok(Value::Text("1".to_owned()))
    }
}

impl FileFacts for Everything {
    fn exists(&self, _glob: &str) -> Result<bool, ElError> {
        Ok(true)
    }

    fn is_dir(&self, _path: &str) -> Result<bool, ElError> {
        Ok(true)
    }

    fn file_size(&self, _path: &str) -> Result<i64, ElError> {
        Ok(1)
    }

    fn dir_size(&self, _path: &str) -> Result<i64, ElError> {
        Ok(1)
    }

    fn block_size(&self, _path: &str) -> Result<i64, ElError> {
        Ok(1)
    }
}

/// The texts of a workflow that jobs evaluate.
fn texts(app: &'static App) -> Vec<Template> {
    let mut texts = vec![app.name];
    let mut add = |properties: &'static [Property]| {
        for property in properties {
            texts.push(property.value());
            if let Property::Computed { name, .. } = property {
                texts.push(*name);
            }
        }
    };
    add(app.global);
    for (_, node) in app.nodes() {
        if let NodeKind::Action(action) = &node.kind
            && let Some(settings) = action.body.def().settings()
        {
            add(settings.configuration);
        }
    }
    for sla in app.slas {
        texts.extend(sla.texts.elements().map(|(_, text)| *text));
    }
    for (_, node) in app.nodes() {
        match &node.kind {
            NodeKind::Kill { message } | NodeKind::Fail { message } => texts.push(*message),
            NodeKind::Decision { cases } => texts.extend_from_slice(cases),
            NodeKind::Action(action) => {
                let retry = &action.retry;
                texts.extend(
                    [retry.max, retry.interval, retry.policy]
                        .into_iter()
                        .flatten(),
                );
                texts.extend(action.body.def().texts().into_iter().copied());
            }
            NodeKind::Start | NodeKind::End | NodeKind::Fork { .. } | NodeKind::Join => {}
        }
    }
    texts
}

/// The texts of the bundle or coordinators that a program starts.
fn scheduled_texts(program: &'static Program) -> Vec<Template> {
    let coordinators = program.coordinators.iter();
    let mut texts: Vec<Template> = coordinators
        .flat_map(|coordinator| coordinator.templates())
        .collect();
    if let Entry::Bundle(bundle) = program.entry {
        texts.push(bundle.name);
        texts.extend(bundle.kick_off_time);
        for coordinator in bundle.coordinators {
            texts.push(coordinator.name);
            texts.push(coordinator.app_path);
            texts.extend(coordinator.enabled);
            texts.extend(coordinator.configuration.iter().map(Property::value));
        }
    }
    texts
}

fn main() -> ExitCode {
    let mut scope = Everything {
        phase: Phase::Workflow,
        job: JobFacts::default(),
        node: NodeFacts {
            status: Some(ActionStatus::Ok),
            data: BTreeMap::from([("key".to_owned(), "1".to_owned())]),
            ..NodeFacts::default()
        },
        origin: Origin::default(),
    };
    let (mut n_texts, mut n_failed) = (0, 0);
    for program in PROGRAMS {
        let workflows = program.apps.iter().flat_map(|app| texts(app));
        let workflows = workflows.map(|text| (text, &[Phase::Workflow][..]));
        let scheduled = scheduled_texts(program).into_iter();
        let scheduled = scheduled.map(|text| (text, &SCHEDULED[..]));
        for (text, phases) in workflows.chain(scheduled) {
            n_texts += 1;
            // Its own phase is one of these.
            let mut result = (false, false);
            for phase in phases {
                scope.phase = *phase;
                let before = eval::n_evaluated();
                let has_value = text.evaluate(&scope).is_ok();
                result = (has_value, eval::n_evaluated() > before);
                if has_value {
                    break;
                }
            }
            match result {
                (true, true) => {
                    eprintln!(
                        "{}: `{}` is evaluated by the tree walker",
                        program.name(),
                        text.source()
                    );
                    return ExitCode::FAILURE;
                }
                (true, false) => {}
                // The text is parsed to name the expression that failed.
                (false, _) => n_failed += 1,
            }
        }
    }
    println!(
        "{n_texts} texts of {} programs, {n_failed} without a value",
        PROGRAMS.len()
    );
    if n_texts > 20 * n_failed {
        ExitCode::SUCCESS
    } else {
        eprintln!("{n_failed} of {n_texts} texts have no value");
        ExitCode::FAILURE
    }
}
