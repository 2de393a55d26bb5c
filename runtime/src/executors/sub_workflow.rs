//! The `sub-workflow` action: a child job of an application that is compiled in.

use std::collections::BTreeMap;

use hpdlc_core::app_uri::{APP_PATH, below, normalized};
use serde::{Deserialize, Serialize};

use crate::{
    executors::{ActionError, Evaluation},
    job::SUSPEND_ON_NODES,
    rerun::SKIP_NODES,
    table::{self, Program},
};

/// Nested deeper than this, sub-workflows are refused (`oozie.action.subworkflow.max.depth`).
pub const MAX_DEPTH: i64 = 50;

/// The error code of an `app-path` that is no compiled-in child's.
pub const NOT_COMPILED_IN: &str = "E0710";

/// Names that a job property may not have: expressions know them as constants (E0808).
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
    /// As evaluated; what the child sees as `wf:appPath()`.
    pub app_path: String,
    /// The place of the child in the program's table.
    pub app_index: usize,
    /// The child's properties, before its own defaults.
    pub conf: BTreeMap<String, String>,
}

impl SubWorkflow {
    pub fn evaluate(
        cx: &Evaluation<'_>,
        def: &'static table::SubWorkflow,
    ) -> Result<SubWorkflow, ActionError> {
        for name in ["name-node", "resource-manager"] {
            if let Some(text) = def.settings.element(name) {
                text.evaluate(cx.scope)?;
            }
        }
        let app_path = def.settings.required("app-path").evaluate(cx.scope)?;
        // Every child gets the parent's `oozie.*` properties and the user, with `propagate-configuration` all of them.
        let mut conf: BTreeMap<String, String> = cx
            .conf
            .iter()
            .filter(|(name, _)| is_for_children(name, def.propagate_configuration))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        // `config-default.xml` is not for children; `global` is (`LiteWorkflowAppParser`).
        let inline = cx.configuration(&[cx.app.global, def.settings.configuration])?;
        if let Some(name) = RESERVED.iter().find(|name| inline.contains_key(**name)) {
            let problem = format!("a sub-workflow may not be given the property {name}");
            return Err(ActionError::error("CommandException", problem));
        }
        conf.extend(inline);
        conf.insert("oozie.wf.application.path".to_owned(), app_path.clone());
        let Some(app_index) = find(cx.program, cx.root_app_path, &app_path) else {
            return Err(ActionError::error(
                NOT_COMPILED_IN,
                format!(
                    "sub-workflow `{app_path}` is not compiled into this executable; name its folder at build time \
                     with --map {app_path}=FOLDER"
                ),
            ));
        };
        Ok(SubWorkflow {
            app_path,
            app_index,
            conf,
        })
    }
}

/// Names of nodes are the parent's own: what is skipped never counts for a child, and where to suspend only with
/// `propagate-configuration` (Oozie hands on both with all other `oozie.*`).
fn is_for_children(name: &str, is_propagated: bool) -> bool {
    match name {
        SKIP_NODES => false,
        SUSPEND_ON_NODES => is_propagated,
        "user.name" => true,
        _ => is_propagated || name.starts_with("oozie."),
    }
}

/// The compiled-in application that `app_path` means; `root` is the folder of the program's own application.
fn find(program: &Program, root: &str, app_path: &str) -> Option<usize> {
    let app_path = app_path.trim();
    let below_root = below(app_path, root.trim().trim_end_matches('/'));
    let uri = normalized(&match below_root {
        Some(rest) => format!("{APP_PATH}/{rest}"),
        None => app_path.to_owned(),
    });
    if uri == APP_PATH {
        return Some(0);
    }
    program
        .children
        .iter()
        .find(|child| child.uri == uri)
        .map(|child| child.app)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Child;

    static PROGRAM: Program = Program {
        hpdlc_version: "",
        hash: "",
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

    #[track_caller]
    fn check(app_path: &str, expected: Option<usize>) {
        assert_eq!(
            find(&PROGRAM, "/state/apps/1", app_path),
            expected,
            "{app_path}"
        );
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
