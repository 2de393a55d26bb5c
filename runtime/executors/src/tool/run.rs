//! One attempt, from its start or from the point that an earlier process of it has reached, to its end. In a container the tool is started
//! by others, and its end is judged here.

use std::time::{Duration, Instant};

use hpdlc_launcher::TimeLimit;
use hpdlc_program::failure::ActionError;

mod results;

use crate::{
    launcher_choice::Launcher,
    launcher_config, time_limit,
    tool::{
        ClusterMode, Tool, ToolType,
        client::{self, ToolExit},
        cluster::{Cluster, Followed},
        failure, ids,
        ready::{ReadyTool, ToolMachine},
        state::ToolState,
        supplies::Supplies,
        yarn::{ApplicationEnd, YarnApplication},
    },
    worker_process::{WorkContext, WorkError, WorkResult},
};

pub struct ToolRun<'a> {
    tool: &'a Tool,
    context: &'a WorkContext<'a>,
    r#type: &'static ToolType,
    way: ClusterMode,
    cluster: Cluster,
    tag: String,
    state: ToolState,
    until: Option<Instant>,
    warnings: Vec<String>,
}

impl<'a> ToolRun<'a> {
    /// `launcher` says where the tool runs.
    ///
    /// # Errors
    ///
    /// Hadoop's own files or the attempt's state cannot be read.
    pub fn new(
        tool: &'a Tool,
        context: &'a WorkContext<'a>,
        launcher: Launcher,
    ) -> Result<ToolRun<'a>, WorkError> {
        let attempt = context.attempt();
        let r#type = tool.r#type();
        let state = ToolState::read(attempt)
            .map_err(|error| WorkError::Lost(format!("{}: {error}", attempt.folder().display())))?;
        Ok(ToolRun {
            tool,
            context,
            r#type,
            way: (r#type.way)(tool),
            cluster: Cluster::of(tool)?,
            tag: tool.tags.own(context.place.job_id, attempt),
            state,
            until: tool
                .limit
                .as_ref()
                .map(|limit: &TimeLimit| Instant::now() + Duration::from_secs(limit.seconds)),
            warnings: launcher_config::without_effect("tool", launcher, &tool.configuration),
        })
    }

    pub fn carry(mut self) -> Result<WorkResult, WorkError> {
        if let Some(found) = self.find()? {
            return self.attend(&found);
        }
        let exit = self.start()?;
        self.conclude(exit)
    }

    /// The result of a tool that has ended, with its output in the files of the attempt; waits for its job, if it does not do that itself.
    pub fn conclude(mut self, exit: ToolExit) -> Result<WorkResult, WorkError> {
        let (stdout, stderr) = client::words(self.context.attempt());
        let words = format!("{stdout}\n{stderr}");
        let mut jobs = ids::jobs_in(&words, self.r#type.ids);
        match exit {
            ToolExit::Exceeded => Err(self.exceeded(jobs)),
            ToolExit::Exited(0) if self.way == ClusterMode::Submits => match jobs.pop() {
                Some(job) => {
                    self.state.job = Some(job.clone());
                    self.record()?;
                    self.attend(&job)
                }
                None => {
                    let problem = "the tool ended well and has named no job";
                    Err(self.failed(ActionError::error("JA018", problem), jobs))
                }
            },
            ToolExit::Exited(0) => self.delivery(jobs),
            ToolExit::Exited(code) => {
                let reported = failure::error_in_output(&words)
                    .filter(|_| jobs.is_empty() && self.way.outlives_tool());
                let last = failure::most_informative_line(&stderr)
                    .or_else(|| failure::most_informative_line(&stdout));
                let exit = self.r#type.exit.judged(code, &words);
                let error = reported.unwrap_or_else(|| exit.error(code, last));
                Err(self.failed(error, jobs))
            }
            ToolExit::Signaled => {
                let problem = "the tool was ended by a signal";
                Err(self.failed(ActionError::error("JA018", problem), jobs))
            }
        }
    }

    /// The result of an attempt whose container is gone and has left none, if the job of its tool goes on without it. Otherwise what the
    /// tool has started is ended: what has its tag, and the applications `named`.
    ///
    /// # Errors
    ///
    /// The attempt is lost: the cluster does not say what the tool has started, or some of that may go on.
    pub fn without_tool(self, named: &[String]) -> Result<Option<WorkResult>, WorkError> {
        if !self.way.has_applications() {
            return Ok(None);
        }
        let started = self
            .cluster
            .tagged(&self.tag)
            .map_err(|error| WorkError::Lost(error.message))?;
        match started.first() {
            Some(first) if self.way.outlives_tool() => self.attend(&ids::job(&first.id)).map(Some),
            Some(_) | None => {
                let ended = self.cluster.end(&self.tag, named);
                ended.map(|()| None).map_err(WorkError::Lost)
            }
        }
    }

    /// The job that this attempt has already submitted, if any. The tag is the primary key: it finds the job even if the
    /// process died before it recorded its id.
    fn find(&self) -> Result<Option<String>, WorkError> {
        if !self.way.has_applications() {
            return self.left_alone().map_or(Ok(None), Err);
        }
        if let Some(job) = &self.state.job {
            return Ok(Some(job.clone()));
        }
        let found = self.cluster.tagged(&self.tag)?;
        match found.first() {
            Some(first) if self.way.outlives_tool() => Ok(Some(ids::job(&first.id))),
            Some(_) => {
                let killed = self
                    .cluster
                    .kill(self.tool, &self.tag, self.context.attempt());
                let problem = match killed {
                    Ok(()) => "its applications have been ended".to_owned(),
                    Err(problem) => problem,
                };
                Err(WorkError::Lost(format!(
                    "the process of the tool that controlled its applications no longer exists: {problem}"
                )))
            }
            None => self.left_alone().map_or(Ok(None), Err),
        }
    }

    /// The error for a tool whose end was not observed and whose work does not continue without it.
    fn left_alone(&self) -> Option<WorkError> {
        let is_lost = self.state.has_begun && !self.way.outlives_tool();
        is_lost.then(|| {
            let problem = "the tool's process no longer exists, and how it ended is not known";
            WorkError::Lost(problem.to_owned())
        })
    }

    /// Starts the tool and waits for its end.
    fn start(&mut self) -> Result<ToolExit, WorkError> {
        let (tool, place) = (self.tool, &self.context.place);
        let machine = ToolMachine::own(place.attempt);
        let supplies = Supplies::gather(tool, place)?;
        let tags = tool.both_tags(place);
        let ready = ReadyTool::make(tool, place, &tags, supplies, &machine)?;
        if !self.state.is_prepared {
            tool.prepare.run(place.is_canceled)?;
            self.state.is_prepared = true;
            self.record()?;
        }
        if ready.configure(self.until)? {
            return Ok(ToolExit::Exceeded);
        }
        self.state.has_begun = true;
        self.record()?;
        let mut child = ready.start()?;
        client::wait(&mut child, self.until).map_err(|error| {
            let program = ready.program().display();
            WorkError::Lost(format!("cannot wait for {program}: {error}"))
        })
    }

    /// Waits for the end of this attempt's job.
    fn attend(&self, job: &str) -> Result<WorkResult, WorkError> {
        let jobs = vec![job.to_owned()];
        match self.cluster.follow(&ids::application(job), self.until) {
            Followed::Ended(ApplicationEnd::Succeeded, _) => self.delivery(jobs),
            Followed::Ended(end, app) => Err(self.failed(ended(job, end, &app), jobs)),
            Followed::Exceeded => Err(self.exceeded(jobs)),
            Followed::Unknown => {
                let problem = format!(
                    "neither the resource manager nor the history knows {job}, which was given to the cluster"
                );
                Err(self.failed(ActionError::failed("JA017", problem), jobs))
            }
        }
    }

    fn exceeded(&self, jobs: Vec<String>) -> WorkError {
        let killed = self
            .cluster
            .kill(self.tool, &self.tag, self.context.attempt());
        let seconds = self.tool.limit.as_ref().map_or(0, |limit| limit.seconds);
        let mut error = time_limit::time_over("it", seconds);
        if let Err(more) = killed {
            error.message.push_str("; ");
            error.message.push_str(&more);
        }
        self.failed(error, jobs)
    }

    fn record(&self) -> Result<(), WorkError> {
        self.state.write(self.context.attempt()).map_err(|error| {
            let problem = format!("{}: {error}", self.context.attempt().folder().display());
            ActionError::transient("JA009", problem).into()
        })
    }
}

/// The error of a job that has not succeeded.
fn ended(job: &str, end: ApplicationEnd, app: &YarnApplication) -> ActionError {
    let how = match end {
        ApplicationEnd::Succeeded => "SUCCEEDED",
        ApplicationEnd::Failed => "FAILED",
        ApplicationEnd::Killed => "KILLED",
    };
    let mut problem = format!("{job} ended {how}");
    if let Some(line) = app
        .diagnostics
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
    {
        problem.push_str(": ");
        problem.push_str(line);
    }
    if !app.url.is_empty() {
        problem.push_str(&format!("; see {}", app.url));
    }
    ActionError::error("JA018", problem)
}
