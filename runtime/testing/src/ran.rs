//! What became of a job.

use std::{collections::BTreeMap, ops::Deref, time::Duration};

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_engine::job::Job as EngineJob;
use hpdlc_program::table::App;
use hpdlc_store::SkipMark;

use crate::{
    answer::{Answer, Answers},
    script::unknown_node,
    values::Values,
    world::World,
};

mod rerun;

pub use self::rerun::Rerun;

/// A job that has ended, or cannot go on by itself. Derefs to the [`RanJob`] at the top; [`RanJob::child`] has the others.
#[derive(Debug)]
pub struct Ran {
    top: RanJob,
    world: World,
    /// The virtual time from the start of this run: waits of retries, and what answers take.
    pub elapsed: Duration,
}

/// One job: the one at the top, or a child.
#[derive(Debug)]
pub struct RanJob {
    /// What `wf:id()` is.
    pub id: String,
    /// SUSPENDED where a node or a failure has suspended it; RUNNING where it waits for a child that is.
    pub status: JobStatus,
    /// The message of its kill node, or of the failure that made it FAILED.
    pub message: Option<String>,
    /// The code of that: E0729 for a kill node.
    pub code: Option<String>,
    /// The properties of the job: given ones, defaults, and those that every job has.
    pub properties: BTreeMap<String, String>,
    app: &'static App,
    path: Vec<&'static str>,
    nodes: BTreeMap<&'static str, RanNode>,
    children: BTreeMap<String, RanJob>,
}

/// One node that a job has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RanNode {
    pub name: &'static str,
    /// The type of the action, such as `shell`, or `:KILL:`, `switch` and the like.
    pub type_name: String,
    pub status: ActionStatus,
    /// How often it was started, those of a run that a rerun continues included.
    pub attempts: u32,
    /// The code and the message of its last failure.
    pub code: Option<String>,
    pub message: Option<String>,
    /// What `wf:actionData` has.
    pub data: BTreeMap<String, String>,
    /// The node that followed; `*` after a fork.
    pub transition: Option<String>,
    /// What `wf:actionExternalId` and `wf:actionExternalStatus` have.
    pub external_id: Option<String>,
    pub external_status: Option<String>,
    /// A rerun has not run it again.
    pub is_skipped: bool,
    /// The values of its last attempt.
    pub values: Values,
}

impl Ran {
    pub(crate) fn new(world: World) -> Ran {
        let top = RanJob::of(world.top(), &world);
        if world.script.is_strict && top.status.is_terminal() {
            let unused = world.unused_answers();
            assert!(
                unused.is_empty(),
                "the job is strict, it ended {}, and nothing has asked for the answer of {}; its path was {}",
                top.status,
                unused.join(", "),
                top.path.join(", ")
            );
        }
        Ran {
            elapsed: world.elapsed(),
            top,
            world,
        }
    }

    /// Replaces the answers of an action, or gives it some, for what follows.
    #[must_use]
    pub fn answer(mut self, node: &str, answers: impl Into<Answers>) -> Ran {
        self.world.answer_anew(node, answers.into());
        self
    }

    /// As [`Ran::answer`], by a function of the values of the attempt.
    #[must_use]
    pub fn answer_with(
        mut self,
        node: &str,
        answer: impl FnMut(&Values) -> Answer + 'static,
    ) -> Ran {
        self.world.answer_anew(node, Answers::with(answer));
        self
    }

    /// Resumes the job, or those of its children that are suspended.
    ///
    /// # Panics
    ///
    /// If nothing is suspended.
    #[must_use]
    #[track_caller]
    pub fn resume(mut self) -> Ran {
        let was_suspended = self.world.resume();
        assert!(
            was_suspended,
            "the job is {}, and nothing of it is suspended",
            self.top.status
        );
        Ran::new(self.world)
    }

    /// A rerun of a job that has ended: of all nodes, unless it is told otherwise.
    ///
    /// # Panics
    ///
    /// If the job has not ended.
    #[track_caller]
    pub fn rerun(self) -> Rerun {
        let status = self.top.status;
        assert!(
            status.is_terminal(),
            "the job is {status}; only a job that has ended can be rerun (E0805)"
        );
        Rerun::new(self.world)
    }
}

impl Deref for Ran {
    type Target = RanJob;

    fn deref(&self) -> &RanJob {
        &self.top
    }
}

impl RanJob {
    fn of(job: &EngineJob, world: &World) -> RanJob {
        let track = world.track(job.id());
        let mut nodes = BTreeMap::new();
        for (id, def) in job.app.nodes() {
            let Some(row) = job.stored_row(id) else {
                continue;
            };
            // What a rerun has kept, and has not come to, is of the run before.
            if row.skip.is_some_and(SkipMark::is_ahead) {
                continue;
            }
            let data = row.data.as_deref();
            let node = RanNode {
                name: def.name,
                type_name: row.type_name.clone(),
                status: row.status,
                attempts: u32::try_from(row.attempt).unwrap_or_default(),
                code: row.error_code.clone(),
                message: row.error_message.clone(),
                data: data.map(parse_data).unwrap_or_default(),
                transition: row.transition.clone(),
                external_id: row.external_id.clone(),
                external_status: row.external_status.clone(),
                is_skipped: row.skip == Some(SkipMark::Taken),
                values: track.values(id).cloned().unwrap_or_default(),
            };
            nodes.insert(def.name, node);
        }
        let names = track.path().iter().map(|&node| job.def(node).name);
        let mut children: Vec<&EngineJob> = world
            .jobs()
            .filter(|child| child.row.parent_id.as_deref() == Some(job.id()))
            .collect();
        children.sort_by_key(|child| (child.row.parent_run, child.row.parent_attempt));
        RanJob {
            id: job.id().to_owned(),
            status: job.state.status,
            message: job.row.error_message.clone(),
            code: job.row.error_code.clone(),
            properties: BTreeMap::clone(&job.view.conf),
            app: job.app,
            path: names.filter(|name| !name.starts_with(':')).collect(),
            nodes,
            // Of several of one node, the last.
            children: children
                .into_iter()
                .filter_map(|child| {
                    Some((child.row.parent_node.clone()?, RanJob::of(child, world)))
                })
                .collect(),
        }
    }

    /// The names of the nodes in the order in which they began, control nodes included; the start has no name.
    pub fn path(&self) -> &[&'static str] {
        &self.path
    }

    /// Whether the job has come to a node; `report/count` is the node `count` of the child of `report`.
    pub fn has_reached(&self, node: &str) -> bool {
        match node.split_once('/') {
            Some((child, rest)) => self
                .children
                .get(child)
                .is_some_and(|child| child.has_reached(rest)),
            None => self.nodes.contains_key(node),
        }
    }

    /// A node; `report/count` is the node `count` of the child of `report`.
    ///
    /// # Panics
    ///
    /// If there is no such node, or the job has not come to it.
    #[track_caller]
    pub fn node(&self, node: &str) -> &RanNode {
        if let Some((child, rest)) = node.split_once('/') {
            return self.child(child).node(rest);
        }
        match self.nodes.get(node) {
            Some(node) => node,
            None => panic!("{}", self.unreached(node)),
        }
    }

    /// The values of the last attempt of a node.
    ///
    /// # Panics
    ///
    /// As [`RanJob::node`].
    #[track_caller]
    pub fn values(&self, node: &str) -> &Values {
        &self.node(node).values
    }

    /// The last job that a sub-workflow action has started.
    ///
    /// # Panics
    ///
    /// If there is none: the job has not come to the action, or the action was answered.
    #[track_caller]
    pub fn child(&self, node: &str) -> &RanJob {
        match self.children.get(node) {
            Some(child) => child,
            None if self.nodes.contains_key(node) => panic!("node `{node}` has started no child"),
            None => panic!("{}", self.unreached(node)),
        }
    }

    fn unreached(&self, node: &str) -> String {
        if self.app.nodes().any(|(_, def)| def.name == node) {
            let path = self.path.join(", ");
            return format!(
                "the job is {} and has not come to `{node}`; its path is {path}",
                self.status
            );
        }
        unknown_node(self.app, node)
    }
}

/// The data of an action, as the row has them.
fn parse_data(text: &str) -> BTreeMap<String, String> {
    serde_json::from_str(text).unwrap_or_default()
}
