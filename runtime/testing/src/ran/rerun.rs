//! Reruns.

use std::collections::BTreeMap;

use hpdlc_host::property_names::{FAIL_NODES, SKIP_NODES};

use crate::{
    answer::{Answer, Answers},
    ran::Ran,
    refusal::Refusal,
    values::Values,
    world::World,
};

/// A further run of a job that has ended.
#[derive(Debug)]
pub struct Rerun {
    world: World,
    given: BTreeMap<String, String>,
}

impl Rerun {
    pub(crate) fn new(world: World) -> Rerun {
        Rerun {
            world,
            given: BTreeMap::new(),
        }
    }

    /// Skips the nodes that ended OK (`oozie.wf.rerun.failnodes`).
    #[must_use]
    pub fn failnodes(self) -> Rerun {
        self.given(FAIL_NODES, "true")
    }

    /// Skips these nodes (`oozie.wf.rerun.skip.nodes`).
    #[must_use]
    pub fn skip<'n>(self, nodes: impl IntoIterator<Item = &'n str>) -> Rerun {
        let names: Vec<&str> = nodes.into_iter().collect();
        self.given(SKIP_NODES, names.join(","))
    }

    /// Gives a property, over the value that it had.
    #[must_use]
    pub fn given(mut self, name: &str, value: impl ToString) -> Rerun {
        self.given.insert(name.to_owned(), value.to_string());
        self
    }

    /// Replaces the answers of an action, or gives it some. Without it, a list goes on where the last run has left it.
    #[must_use]
    pub fn answer(mut self, node: &str, answers: impl Into<Answers>) -> Rerun {
        self.world.answer_anew(node, answers.into());
        self
    }

    /// As [`Rerun::answer`], by a function of the values of the attempt.
    #[must_use]
    pub fn answer_with(
        mut self,
        node: &str,
        answer: impl FnMut(&Values) -> Answer + 'static,
    ) -> Rerun {
        self.world.answer_anew(node, Answers::with(answer));
        self
    }

    /// Runs it.
    ///
    /// # Panics
    ///
    /// If the rerun is refused, or as [`Job::run`](crate::Job::run).
    #[must_use]
    #[track_caller]
    pub fn run(self) -> Ran {
        match self.try_run() {
            Ok(ran) => ran,
            Err(refusal) => panic!("{refusal}"),
        }
    }

    /// Runs it, unless it is refused.
    ///
    /// # Errors
    ///
    /// Nodes that cannot be skipped, or mistakes in the properties.
    #[track_caller]
    pub fn try_run(mut self) -> Result<Ran, Refusal> {
        self.world.rerun(self.given)?;
        Ok(Ran::new(self.world))
    }
}
