//! The `sqoop` action.

use std::slice;

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ArgumentList, Outlet},
        needed::{Need, Needs},
    },
    lints::ineligible_retries::UsualFailure,
    model::{
        Template,
        action::{Sqoop, sqoop::SqoopCommand},
    },
};

impl ActionType for Sqoop {
    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        match &self.command {
            SqoopCommand::Text(command) => vec![("command", command)],
            SqoopCommand::Args(_) => Vec::new(),
        }
    }

    fn arguments(&self) -> Option<ArgumentList<'_>> {
        match &self.command {
            SqoopCommand::Text(_) => None,
            SqoopCommand::Args(args) => Some(ArgumentList {
                element: "arg",
                texts: args,
            }),
        }
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        let command = match &self.command {
            SqoopCommand::Text(text) => slice::from_ref(text),
            SqoopCommand::Args(args) => args,
        };
        Outlet::arguments(
            command,
            "a command of Sqoop",
            "name a file with `--password-file`, or an alias with `--password-alias`",
        )
        .collect()
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Sqoop);
        if has_cluster {
            needs.certain.insert(Need::Yarn);
        }
    }

    fn needs_remote_files(&self, _has_cluster: bool) -> bool {
        true
    }

    fn usual_failure(&self) -> Option<UsualFailure> {
        Some(UsualFailure::Exit("a command of Sqoop that fails"))
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Jobs
    }
}
