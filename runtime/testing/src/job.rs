//! A job of a program, before it runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use chrono::{DateTime, Utc};
use hpdlc_executors::action::Action;
use hpdlc_program::table::{Entry, Program};

use crate::{
    answer::{Answer, Answers},
    files::{Clusters, Files},
    ran::Ran,
    refusal::Refusal,
    script::Script,
    values::Values,
    ways::{self, Way},
    world::{Ground, World},
};

/// When the virtual clock begins: 2026-01-01T00:00Z, in seconds since 1970.
const BEGIN: i64 = 1_767_225_600;

/// How many ways [`Job::every_way`] visits at most.
const MAX_WAYS: usize = 1000;

/// A job of a program with a script of what happens to it.
///
/// Nodes are named as in the XML; `report/count` is the node `count` of the child that the sub-workflow action `report` starts.
#[derive(Clone, Debug)]
pub struct Job {
    program: &'static Program,
    app: usize,
    given: BTreeMap<String, String>,
    script: Script,
}

impl Job {
    /// A job of the program's workflow. Of a coordinator, that is the workflow that it starts, and the job has only the properties
    /// given here.
    ///
    /// # Panics
    ///
    /// If the program has several coordinators with different workflows: [`Job::of_workflow`] chooses one.
    #[track_caller]
    pub fn of(program: &'static Program) -> Job {
        let started = program.coordinators.iter();
        let started = started.flat_map(|coordinator| coordinator.workflows);
        let started: BTreeSet<usize> = started.map(|workflow| workflow.app).collect();
        let app = match (&program.entry, started.first()) {
            (Entry::Workflow, _) => 0,
            (Entry::Coordinator | Entry::Bundle(_), Some(&app)) if started.len() == 1 => app,
            (Entry::Coordinator | Entry::Bundle(_), _) => panic!(
                "the program is of a {}; choose one of its workflows by Job::of_workflow: {}",
                program.word(),
                names(program).join(", ")
            ),
        };
        Job::of_app(program, app)
    }

    /// A job of the workflow with this `name`, as it is written in its XML.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn of_workflow(program: &'static Program, name: &str) -> Job {
        let names = names(program);
        match names.iter().position(|own| own == name) {
            Some(app) => Job::of_app(program, app),
            None => panic!(
                "the program has no workflow `{name}`; it has {}",
                names.join(", ")
            ),
        }
    }

    pub(crate) fn of_app(program: &'static Program, app: usize) -> Job {
        Job {
            program,
            app,
            given: BTreeMap::new(),
            script: Script {
                site: BTreeMap::new(),
                answers: BTreeMap::new(),
                stops: BTreeSet::new(),
                files: Files::default(),
                clusters: Clusters::default(),
                begin: DateTime::<Utc>::from_timestamp(BEGIN, 0).unwrap_or_default(),
                is_strict: false,
            },
        }
    }

    /// Gives a property of the job, as `-D name=value` does.
    #[must_use]
    pub fn given(mut self, name: impl Into<String>, value: impl ToString) -> Job {
        self.given.insert(name.into(), value.to_string());
        self
    }

    /// Gives properties of the job, such as those of the generated `Params`.
    #[must_use]
    pub fn given_all<N: Into<String>, V: ToString>(
        self,
        properties: impl IntoIterator<Item = (N, V)>,
    ) -> Job {
        let properties = properties.into_iter();
        properties.fold(self, |job, (name, value)| job.given(name, value))
    }

    /// Sets a setting of the site (`hpdl-site.xml`), which the job's properties override.
    #[must_use]
    pub fn site(mut self, name: impl Into<String>, value: impl ToString) -> Job {
        self.script.site.insert(name.into(), value.to_string());
        self
    }

    /// Scripts how the attempts of an action end: an [`Answer`], or a list of them. An action without one succeeds, without data. A
    /// sub-workflow action with one starts no child.
    #[must_use]
    pub fn answer(mut self, node: impl Into<String>, answers: impl Into<Answers>) -> Job {
        self.script.answers.insert(node.into(), answers.into());
        self
    }

    /// As [`Job::answer`], by a function of the values of the attempt.
    #[must_use]
    pub fn answer_with(
        self,
        node: impl Into<String>,
        answer: impl FnMut(&Values) -> Answer + 'static,
    ) -> Job {
        self.answer(node, Answers::with(answer))
    }

    /// Has the attempts of a `rust` action done by its function, in this process, with the arguments that the workflow gives it. The
    /// current folder is not that of the attempt, and a panic of the function is one of the test.
    #[must_use]
    pub fn real(self, node: impl Into<String>, action: &'static Action) -> Job {
        self.answer(node, Answers::real(action))
    }

    /// Loses every attempt of an action: [`Answer::lost`].
    #[must_use]
    pub fn lose(self, node: impl Into<String>) -> Job {
        self.answer(node, Answer::lost())
    }

    /// Suspends the job before a node begins, as `oozie.suspend.on.nodes` does; [`Ran::resume`] goes on.
    #[must_use]
    pub fn suspend_before(mut self, node: impl Into<String>) -> Job {
        self.script.stops.insert(node.into());
        self
    }

    /// Makes it an error if an action that runs has no answer, and if the job ends and nothing has asked for an answer.
    #[must_use]
    pub fn strict(mut self) -> Job {
        self.script.is_strict = true;
        self
    }

    /// Lets a file exist for the functions of prefix `fs`, with its length in bytes, or a table for `hcat:exists`. What is not named does
    /// not exist, except for the folders above; no action changes it.
    ///
    /// # Panics
    ///
    /// If the path is not absolute.
    #[must_use]
    #[track_caller]
    pub fn file(self, path: &str, length: u64) -> Job {
        self.with_file(path, Some(i64::try_from(length).unwrap_or(i64::MAX)))
    }

    /// Lets an empty folder exist for the functions of prefix `fs`.
    ///
    /// # Panics
    ///
    /// If the path is not absolute.
    #[must_use]
    #[track_caller]
    pub fn folder(self, path: &str) -> Job {
        self.with_file(path, None)
    }

    #[track_caller]
    fn with_file(mut self, path: &str, length: Option<i64>) -> Job {
        if let Err(error) = self.script.files.add(path, length) {
            panic!("{error}");
        }
        self
    }

    /// Sets what `hadoop:conf(host, name)` is.
    #[must_use]
    pub fn cluster(mut self, host: &str, name: &str, value: impl ToString) -> Job {
        let key = (host.to_owned(), name.to_owned());
        let properties = &mut self.script.clusters.properties;
        properties.insert(key, value.to_string());
        self
    }

    /// Sets when the virtual clock begins, which `timestamp()` reads; otherwise 2026-01-01T00:00Z.
    #[must_use]
    pub fn begins(mut self, time: DateTime<Utc>) -> Job {
        self.script.begin = time;
        self
    }

    /// Runs the job until it has ended or cannot go on by itself.
    ///
    /// # Panics
    ///
    /// If the job is refused, if an answer or a suspension is for a node that does not exist, and as [`Job::strict`] says.
    #[must_use]
    #[track_caller]
    pub fn run(self) -> Ran {
        match self.try_run() {
            Ok(ran) => ran,
            Err(refusal) => panic!("{refusal}"),
        }
    }

    /// As [`Job::run`], for tests of what is refused.
    ///
    /// # Errors
    ///
    /// Properties are missing or malformed.
    #[track_caller]
    pub fn try_run(self) -> Result<Ran, Refusal> {
        let ground = Rc::new(Ground::of(self.program).map_err(Refusal::new)?);
        let mut world = World::new(self.program, self.app, self.script, ground, None);
        world.begin(self.given)?;
        Ok(Ran::new(world))
    }

    /// Visits every way that a job can take: each action succeeds and ends in ERROR, each decision takes all its cases, whatever its
    /// expressions say; suspensions are resumed. An answer that succeeds or fails with `error` is used for that outcome, for its data.
    ///
    /// Expressions are evaluated on every way. What a decision has no value for in one of its cases, or an action in its body, is
    /// a failure.
    ///
    /// # Panics
    ///
    /// If a way has no end, if an expression fails on one, if a job on one ends FAILED, or if there are more than 1,000 ways; and as
    /// [`Job::run`]. The message says which ways.
    #[track_caller]
    pub fn every_way(self) -> Vec<Way> {
        self.every_way_up_to(MAX_WAYS)
    }

    /// As [`Job::every_way`], with another bound.
    ///
    /// # Panics
    ///
    /// As [`Job::every_way`].
    #[track_caller]
    pub fn every_way_up_to(self, max: usize) -> Vec<Way> {
        let ground = match Ground::of(self.program) {
            Ok(ground) => Rc::new(ground),
            Err(problem) => panic!("{problem}"),
        };
        ways::visit(max, self.given, |explorer| {
            let ground = Rc::clone(&ground);
            let script = self.script.clone();
            World::new(self.program, self.app, script, ground, Some(explorer))
        })
    }
}

/// The names of the program's workflows, as written.
fn names(program: &'static Program) -> Vec<String> {
    let names = program.apps.iter().map(|app| app.name.source());
    names.map(|name| name.into_owned()).collect()
}
