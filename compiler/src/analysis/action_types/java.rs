//! The `java` action.

use std::slice;

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ArgumentList, Outlet},
        needed::{Need, Needs},
    },
    lints::ineligible_retries::UsualFailure,
    model::{
        Template,
        action::{Java, java::JavaOpts},
    },
};

impl ActionType for Java {
    fn arguments(&self) -> Option<ArgumentList<'_>> {
        Some(ArgumentList {
            element: "arg",
            texts: &self.args,
        })
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("main-class", &self.main_class)]
    }

    fn options(&self) -> &[Template] {
        match &self.java_opts {
            JavaOpts::None => &[],
            JavaOpts::Text(text) => slice::from_ref(text),
            JavaOpts::List(list) => list,
        }
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        const HELP: &str =
            "have the program read a file, or the configuration under a name that tells a secret";
        Outlet::arguments(&self.args, "an argument of a program", HELP)
            .chain(Outlet::arguments(
                self.options(),
                "an option of a program",
                HELP,
            ))
            .collect()
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Java);
        // Only the program knows what it starts there.
        if has_cluster {
            needs.possible.insert(Need::Yarn);
        }
    }

    fn needs_remote_files(&self, has_cluster: bool) -> bool {
        // What the program starts on its cluster resolves the paths there.
        has_cluster
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Captured(self.capture_output)
    }

    fn has_counters(&self) -> bool {
        false
    }

    fn usual_failure(&self) -> Option<UsualFailure> {
        Some(UsualFailure::Exit(
            "a program that exits with another code than 0",
        ))
    }
}
