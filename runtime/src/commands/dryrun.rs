//! `dryrun`: every value that every node would get, and its origin; nothing runs.

use std::{collections::BTreeMap, sync::Arc};

use clap::Args;
use hpdlc_core::{
    el::scope::{JobFacts, Origin, Scope},
    visible,
};
use hpdlc_engine::{
    job::{
        node_secrets,
        scope::{JobScope, NodeScope},
        submission::{self, Submission},
    },
    owner::Session,
    sla,
};
use hpdlc_executors::node_texts::{NodeText, TextResult};
use hpdlc_files::Access;
use hpdlc_host::{
    exit::{Exit, RunError},
    mask::Mask,
};
use hpdlc_program::table::{App, Program};
use hpdlc_scheduler::coordinator::submission::SubmissionContext;
use serde_json::{Value, json};

use crate::commands::{GivenPlace, GivenProperties, linked::Linked, print, print_json};

mod children;
mod deferred;
mod entries;
mod properties;
pub mod scheduled;
mod sources;

use self::{deferred::is_deferred, entries::entries, sources::DryrunSources};

/// Replaces a secret value.
const MASKED: &str = "********";

/// The dry run of a coordinator or a bundle.
pub type ScheduledDryrun =
    fn(&DryrunInput<'_>, SubmissionContext<'_>) -> Result<DryrunReport, RunError>;

/// [`scheduled::see`], where it is linked.
pub static SCHEDULED: Linked<ScheduledDryrun> = Linked::new();

#[derive(Debug, Args)]
pub struct Dryrun {
    #[command(flatten)]
    given: crate::commands::PropertySources,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The properties given on the command line.
pub struct DryrunInput<'a> {
    pub values: BTreeMap<String, String>,
    pub places: &'a BTreeMap<String, GivenPlace>,
}

/// The result of a dry run.
#[derive(Default)]
pub struct DryrunReport {
    pub text: String,
    pub nodes: Vec<Value>,
    pub slas: Vec<Value>,
    pub n_errors: usize,
}

impl Dryrun {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let GivenProperties { values, places } = self.given.read_with_places()?;
        let user = hpdlc_host::user::name();
        // No further property would help, so not all values have to be evaluated first.
        if let Some(problem) = submission::other_user(&values, &user) {
            return Err(RunError::usage(problem));
        }
        let (seen, properties, refusal) = match SCHEDULED.of(program) {
            None => {
                let app = program.apps[0];
                // Even if the job would be refused, all values that exist are shown.
                let (submission, refusal) =
                    submission::examine(app, values, submission::UNPACKED, &user);
                let conf = submission.conf.clone();
                let mask = node_secrets::mask(app, &conf);
                let mut seen = see(program, app, submission, &places, &user);
                let text = properties::text(app, &places, &conf, &mask);
                seen.text.insert_str(0, &text);
                let properties = properties::json(app, &places, &conf, &mask);
                (seen, Some(properties), refusal)
            }
            Some(see) => {
                let home = Session::open(program)?;
                let around = SubmissionContext {
                    program,
                    folder: submission::UNPACKED,
                    user: &user,
                    site: &home.site,
                    name: None,
                };
                let given = DryrunInput {
                    values,
                    places: &places,
                };
                (see(&given, around)?, None, None)
            }
        };
        if self.json {
            let mut all = json!({ "nodes": seen.nodes });
            if !program.is_scheduled() {
                all["sla"] = Value::from(seen.slas);
            }
            if let Some(properties) = properties {
                all["properties"] = properties;
            }
            print_json(&all)?;
        } else {
            print(&seen.text)?;
        }
        match refusal {
            Some(refusal) => Err(refusal),
            None if seen.n_errors == 0 => Ok(Exit::Success),
            None => Ok(Exit::Killed),
        }
    }
}

/// Writes values to the report.
struct ValueWriter<'a> {
    mask: &'a Mask,
    seen: DryrunReport,
}

impl ValueWriter<'_> {
    /// Adds a line for each entry; returns them as JSON.
    fn values(&mut self, entries: &[NodeText], scope: &dyn Scope) -> Vec<Value> {
        entries
            .iter()
            .map(|entry| self.value(entry, scope))
            .collect()
    }

    /// The text as written, with secrets masked.
    fn template(&self, entry: &NodeText) -> String {
        let source = entry.source();
        if entry.is_secret && !source.is_empty() && !source.contains("${") {
            MASKED.to_owned()
        } else {
            self.mask.text(&source)
        }
    }

    fn value(&mut self, entry: &NodeText, scope: &dyn Scope) -> Value {
        let (file, line) = entry.place(scope.origin());
        let mut value = json!({
            "path": self.mask.text(&entry.path),
            "template": self.template(entry),
            "origin": { "file": file, "line": line },
            "secret": entry.is_secret,
        });
        let shown = match entry.evaluate(scope, is_deferred) {
            TextResult::Value(shown) => {
                let shown = if entry.is_secret {
                    MASKED.to_owned()
                } else {
                    self.mask.text(&shown)
                };
                value["value"] = json!(shown);
                shown
            }
            TextResult::Deferred => {
                value["deferred"] = Value::Bool(true);
                format!("(known when it runs) {}", self.template(entry))
            }
            TextResult::Error(error) => {
                self.seen.n_errors += 1;
                let shown = self.mask.text(&error);
                value["error"] = json!(shown);
                format!("ERROR {shown}")
            }
        };
        let from = if entry.is_from_outside() {
            format!("  ({file}:{line})")
        } else {
            String::new()
        };
        self.seen.text.push_str(&format!(
            "  {:<28} {}{from}\n",
            visible::line(&self.mask.text(&entry.path)),
            visible::line(&shown)
        ));
        value
    }
}

/// Every value of every node of a workflow.
pub(super) fn see(
    program: &'static Program,
    app: &'static App,
    submission: Submission,
    places: &BTreeMap<String, GivenPlace>,
    user: &str,
) -> DryrunReport {
    let Submission {
        conf,
        app_name,
        app_path,
        slas: _,
    } = submission;
    let mask = node_secrets::mask(app, &conf);
    let view = JobScope {
        facts: JobFacts {
            id: String::new(),
            name: app_name,
            app_path,
            user: user.to_owned(),
            group: conf.get("group.name").cloned(),
            run: 0,
        },
        conf: Arc::new(conf),
        nodes: BTreeMap::new(),
        last_error_node: None,
        callbacks: None,
    };
    let mut paper = ValueWriter {
        mask: &mask,
        seen: DryrunReport::default(),
    };
    for (id, def) in app.nodes() {
        let origin = app.origin(id);
        let scope = NodeScope {
            view: &view,
            node: def.name,
            origin,
            access: &Access::default(),
        };
        let sources = DryrunSources {
            program,
            app,
            app_path: &view.facts.app_path,
            given: places,
            conf: &view.conf,
            scope: &scope,
        };
        let type_name = hpdlc_engine::job::type_name(def);
        let entries = entries(sources, def);
        if !entries.is_empty() {
            let Origin { file, line } = origin;
            let head = format!("{} ({type_name}, {file}:{line})\n", def.name);
            paper.seen.text.push_str(&head);
        }
        let values = paper.values(&entries, &scope);
        let node = json!({ "name": def.name, "type": type_name, "values": values });
        paper.seen.nodes.push(node);
    }
    for sla in app.slas {
        let node = sla.node.map(|node| app.node(node).name);
        paper.seen.text.push_str(&match node {
            Some(node) => format!("SLA of {node}\n"),
            None => "SLA of the workflow\n".to_owned(),
        });
        let elements = sla.texts.elements();
        let entries: Vec<NodeText> = elements
            .map(|(name, text)| NodeText::of(name, *text))
            .collect();
        let values = paper.values(&entries, &sla::scope(app, sla, &view.conf));
        let sla = json!({ "node": node, "values": values });
        paper.seen.slas.push(sla);
    }
    paper.seen
}
