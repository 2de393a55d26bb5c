//! The `sub-workflow` action: a child job of an application that is compiled in, or of another executable that is registered.

use std::{borrow::Cow, collections::BTreeMap};

use hpdlc_core::{
    app_uri::{self, APP_PATH},
    empty_parts::Lost,
};
use hpdlc_host::property_names::{SKIP_NODES, SUSPEND_ON_NODES};
use hpdlc_program::{
    failure::ActionError,
    table::{self, Entry, Program, Settings, applications::user_of},
};
use serde::{Deserialize, Serialize};

use crate::{
    Evaluation, Executor, RunsIn,
    configuration::Written,
    launcher_inheritance::{self, InheritedGlobal},
};

/// The maximum nesting depth of sub-workflows (`oozie.action.subworkflow.max.depth`).
pub const MAX_DEPTH: i64 = 50;

/// The error code of an `app-path` that matches neither a compiled-in child nor a registered executable.
pub const NO_SUCH_APPLICATION: &str = "E0710";

/// Names that a job property may not have: expressions use them as constants (E0808).
pub const RESERVED: [&str; 16] = [
    "DAYS",
    "HOURS",
    "MINUTES",
    "KB",
    "MB",
    "GB",
    "TB",
    "PB",
    "RECORDS",
    "MAP_IN",
    "MAP_OUT",
    "REDUCE_IN",
    "REDUCE_OUT",
    "GROUPS",
    "user.name",
    "mapreduce.job.user.name",
];

/// A sub-workflow action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubWorkflow {
    /// As evaluated; the value of `wf:appPath()` in the child.
    pub app_path: String,
    /// The index of the child in the program's table; `None` if another executable has it.
    pub app_index: Option<usize>,
    /// The child's properties, without its own defaults.
    pub conf: BTreeMap<String, String>,
}

impl SubWorkflow {
    pub fn evaluate(
        cx: &Evaluation<'_>,
        def: &'static table::SubWorkflow,
    ) -> Result<SubWorkflow, ActionError> {
        let Settings {
            name_node,
            resource_manager,
            ..
        } = &def.settings;
        for text in name_node.iter().chain(resource_manager) {
            text.evaluate(cx.scope)?;
        }
        let app_path = def.app_path.evaluate(cx.scope)?;
        // Every child gets the parent's `oozie.*` properties and the user; with `propagate-configuration`, all properties.
        let mut conf: BTreeMap<String, String> = cx
            .conf
            .iter()
            .filter(|(name, _)| is_for_children(name, def.propagate_configuration))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        // `config-default.xml` is not passed to children; `global` is (`LiteWorkflowAppParser`).
        let own = [cx.app.global, def.settings.configuration];
        let mut inline = cx.configuration(&own)?;
        let inherited = InheritedGlobal::of(cx.conf);
        cx.add_inherited(&inherited, &own, &mut inline)?;
        if let Some(name) = RESERVED.iter().find(|name| inline.contains_key(**name)) {
            let problem = format!("a sub-workflow may not be given the property {name}");
            return Err(ActionError::error("CommandException", problem));
        }
        let known = Lost::of_job(cx.conf);
        let mut lost = known.clone().among(&conf);
        for (name, value) in cx.written(&own)? {
            let is_lost = match value {
                Written::Compiled(template) => template.is_lost(cx.scope, &known),
                Written::Text(text) => known.is_lost_in(&text, |text| {
                    hpdlc_program::evaluate::evaluate_text(cx.scope, text).ok()
                }),
            };
            lost.set(&name, is_lost);
        }
        conf.extend(inline);
        lost.keep(&mut conf);
        conf.insert("oozie.wf.application.path".to_owned(), app_path.clone());
        conf.extend(ancestry(cx)?);
        conf.remove(launcher_inheritance::PROPERTY);
        if def.propagate_configuration {
            let inherited = inherited
                .for_child(cx.app.global, &def.settings)
                .to_property();
            conf.extend(inherited.map(|text| (launcher_inheritance::PROPERTY.to_owned(), text)));
        }
        Ok(SubWorkflow {
            app_index: find(cx.program, cx.root, user_of(cx.conf), &app_path),
            app_path,
            conf,
        })
    }

    /// Whether another executable has the application.
    pub fn is_elsewhere(&self) -> bool {
        self.app_index.is_none()
    }
}

/// If another executable has the application, a worker process waits for the child, by a carrier that the engine provides;
/// the engine ends it too.
impl Executor for SubWorkflow {
    fn runs_in(&self) -> RunsIn {
        if self.is_elsewhere() {
            RunsIn::Worker
        } else {
            RunsIn::Child
        }
    }

    fn is_slow_to_start(&self) -> bool {
        self.is_elsewhere()
    }

    fn goes_on_elsewhere(&self) -> bool {
        self.is_elsewhere()
    }
}

/// The error for an `app-path` that no executable has.
pub fn unknown(app_path: &str) -> ActionError {
    ActionError::error(
        NO_SUCH_APPLICATION,
        format!(
            "sub-workflow `{app_path}` is not compiled into this executable, and no executable is registered for it; \
             name its folder at build time with --map {app_path}=FOLDER, or let its own executable \
             `register --as {app_path}`"
        ),
    )
}

/// The properties that tell a child its ancestors (`SubWorkflowActionExecutor`); they cannot be overridden.
fn ancestry(cx: &Evaluation<'_>) -> Result<Vec<(String, String)>, ActionError> {
    const SUPER_PARENT: &str = "oozie.wf.superparent.id";
    const DEPTH: &str = "oozie.action.subworkflow.depth";
    const TAG: &str = "oozie.action.yarn.tag";
    let job = cx.scope.job();
    let job = job.map_err(|error| ActionError::failed("EL_ERROR", error.to_string()))?;
    let of_job = |name: &str| cx.conf.get(name).map(String::as_str);
    // If a coordinator started this workflow, its action is the ancestor.
    let above = cx.parent.unwrap_or(&job.id);
    let depth = of_job(DEPTH).and_then(|depth| depth.parse::<i64>().ok());
    let tag = of_job(TAG).unwrap_or(above);
    let all = [
        ("oozie.wf.parent.id", job.id.clone()),
        (
            SUPER_PARENT,
            of_job(SUPER_PARENT).unwrap_or(above).to_owned(),
        ),
        (DEPTH, (depth.unwrap_or(0) + 1).to_string()),
        (
            "oozie.wf.external.id",
            format!("{}@{}@{}", job.id, cx.node, job.run),
        ),
        (TAG, format!("{tag}@{}", cx.node)),
    ];
    Ok(all.map(|(name, value)| (name.to_owned(), value)).into())
}

/// Names of nodes belong to the parent: those to skip are never passed to a child, those to suspend at only with
/// `propagate-configuration` (Oozie passes on both with all other `oozie.*`).
fn is_for_children(name: &str, is_propagated: bool) -> bool {
    match name {
        SKIP_NODES => false,
        SUSPEND_ON_NODES => is_propagated,
        "user.name" => true,
        _ => is_propagated || name.starts_with("oozie."),
    }
}

/// The job at the top of the sub-workflows: the index of its application in the table, and its `wf:appPath()`.
#[derive(Clone, Copy, Debug)]
pub struct TopJob<'a> {
    pub app: usize,
    pub app_path: &'a str,
}

/// The compiled-in application that `app_path` refers to in a job of `user`.
pub fn find(program: &Program, root: TopJob<'_>, user: &str, app_path: &str) -> Option<usize> {
    let children = program.children.iter();
    let mut known = app_uri::for_user(children.map(|child| (child.uri, child.app)), user);
    let own_uris: Vec<Cow<'_, str>> = match program.entry {
        Entry::Workflow => vec![Cow::Borrowed(APP_PATH)],
        // A workflow that a coordinator starts is known by the URIs that the coordinator has for it.
        Entry::Coordinator | Entry::Bundle(_) => {
            let own = known.iter().filter(|(_, app)| *app == root.app);
            let own: Vec<_> = own.map(|(uri, _)| uri.clone()).collect();
            // One in Rust was compiled without its coordinator: the URIs of its sub-workflows begin at itself.
            if own.is_empty() {
                vec![Cow::Borrowed(APP_PATH)]
            } else {
                own
            }
        }
    };
    known.extend(own_uris.iter().map(|uri| (uri.clone(), root.app)));
    app_uri::find_from(&known, &own_uris, root.app_path, app_path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpdlc_program::table::Child;

    static PROGRAM: Program = Program {
        hpdlc_version: "",
        hash: "",
        entry: hpdlc_program::table::Entry::Workflow,
        coordinators: &[],
        apps: &[],
        children: &[
            Child {
                uri: "${wf:appPath()}/report",
                app: 1,
            },
            Child {
                uri: "hdfs://nn/apps/clean",
                app: 2,
            },
        ],
        files: &[],
    };

    #[test]
    fn a_child_of_the_job_s_folder_is_found_by_the_uri_of_that() {
        for own_path in [
            "hdfs://nn:8020/apps/1",
            "hdfs://nn/apps/1/",
            "hdfs://nn/apps/1/workflow.xml",
            "/apps/1",
        ] {
            let root = TopJob {
                app: 0,
                app_path: own_path,
            };
            for (app_path, expected) in [
                ("hdfs://nn:8020/apps/1/report", Some(1)),
                ("hdfs://nn/apps/1/report/workflow.xml", Some(1)),
                ("hdfs://nn/apps/1", Some(0)),
                ("hdfs://nn/apps/clean", Some(2)),
                ("hdfs://nn/apps/report", None),
            ] {
                let found = find(&PROGRAM, root, "ann", app_path);
                assert_eq!(found, expected, "{app_path} from {own_path}");
            }
        }
    }

    #[track_caller]
    fn check(app_path: &str, expected: Option<usize>) {
        assert_eq!(
            find(
                &PROGRAM,
                TopJob {
                    app: 0,
                    app_path: "/state/apps/1"
                },
                "ann",
                app_path
            ),
            expected,
            "{app_path}"
        );
    }

    #[test]
    fn a_workflow_of_a_coordinator_in_rust_finds_its_children_below_itself() {
        let program = Program {
            entry: Entry::Coordinator,
            ..PROGRAM
        };
        let root = TopJob {
            app: 0,
            app_path: "/state/apps/1",
        };
        for (app_path, expected) in [
            ("/state/apps/1/report", Some(1)),
            ("hdfs://nn/apps/clean", Some(2)),
            ("/elsewhere/report", None),
        ] {
            assert_eq!(
                find(&program, root, "ann", app_path),
                expected,
                "{app_path}"
            );
        }
    }

    #[test]
    fn a_child_is_found_by_its_uri() {
        check("/state/apps/1/report", Some(1));
        check("/state/apps/1//report/", Some(1));
        check("/state/apps/1/report/workflow.xml", Some(1));
        check("/state/apps/1/counts/../report", Some(1));
        check("hdfs://nn/apps/clean", Some(2));
        check("hdfs://nn//apps/clean/workflow.xml", Some(2));
    }

    #[test]
    fn a_workflow_can_start_itself() {
        check("/state/apps/1", Some(0));
        check("/state/apps/1/workflow.xml", Some(0));
    }

    #[test]
    fn a_similar_path_is_another_application() {
        check("/state/apps/10/report", None);
        check("/elsewhere/report", None);
        check("hdfs://other/apps/clean", None);
        check("report", None);
    }
}
