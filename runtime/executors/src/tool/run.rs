//! One attempt, from its start or from the point that an earlier process of it has reached, to its end.

use std::{
    io,
    time::{Duration, Instant},
};

use hpdlc_host::exec_error;
use hpdlc_launcher::TimeLimit;
use hpdlc_program::failure::ActionError;

mod results;

use crate::{
    environment,
    launcher_choice::{LAUNCHER, YARN},
    launcher_config, time_limit,
    tool::{
        ClusterMode, Tool, ToolCall, ToolGround, ToolType,
        client::{self, ToolExit},
        cluster::{Cluster, Followed},
        configuration, failure,
        hive::script_name,
        ids, installed, libraries,
        map_reduce::config_class,
        resources::{self, ResourceRole, WrittenPath},
        state::ToolState,
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
    /// # Errors
    ///
    /// Hadoop's own files or the attempt's state cannot be read.
    pub fn new(tool: &'a Tool, context: &'a WorkContext<'a>) -> Result<ToolRun<'a>, WorkError> {
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
            warnings: launcher_config::without_effect("tool", &tool.configuration)
                .into_iter()
                .chain(here_after_all(tool))
                .collect(),
        })
    }

    pub fn carry(mut self) -> Result<WorkResult, WorkError> {
        if let Some(found) = self.find()? {
            return self.attend(&found);
        }
        let tool_end = self.start()?;
        let (stdout, stderr) = client::words(self.context.attempt());
        let words = format!("{stdout}\n{stderr}");
        let mut jobs = ids::jobs_in(&words, self.r#type.ids);
        match tool_end {
            (ToolExit::Exceeded, _) => Err(self.exceeded(jobs)),
            (ToolExit::Exited(0), _) if self.way == ClusterMode::Submits => match jobs.pop() {
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
            (ToolExit::Exited(0), _) => self.delivery(jobs),
            (ToolExit::Exited(code), call) => {
                let reported = failure::error_in_output(&words)
                    .filter(|_| jobs.is_empty() && self.way.outlives_tool());
                let last = failure::most_informative_line(&stderr)
                    .or_else(|| failure::most_informative_line(&stdout));
                let exit = call.exit.judged(code, &words);
                let error = reported.unwrap_or_else(|| exit.error(code, last));
                Err(self.failed(error, jobs))
            }
            (ToolExit::Signaled, _) => {
                let problem = "the tool was ended by a signal";
                Err(self.failed(ActionError::error("JA018", problem), jobs))
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
    fn start(&mut self) -> Result<(ToolExit, ToolCall), WorkError> {
        let place = &self.context.place;
        let attempt = self.context.attempt();
        let folder = attempt.folder();
        let machine = |error: io::Error| {
            ActionError::transient("JA009", format!("{}: {error}", folder.display()))
        };
        let ground = self.ground()?;
        let call = (self.r#type.call)(self.tool, &ground)?;
        let action_xml = configuration::to_xml(&ground.configuration)?;
        let action_xml = [("action.xml".to_owned(), action_xml)];
        client::write_files(&action_xml, folder).map_err(machine)?;
        client::write_files(&call.files, folder).map_err(machine)?;
        client::write_files(&self.sent_scripts(), folder).map_err(machine)?;
        let program = client::find(self.tool, attempt, call.command)?;
        if !self.state.is_prepared {
            self.tool.prepare.run(place.is_canceled)?;
            self.state.is_prepared = true;
            self.record()?;
        }
        let java_options = self.tool.texts.one("java-opts").unwrap_or_default();
        let launcher = configuration::launcher_environment(self.tool, java_options, folder)?;
        let environment =
            client::environment(self.tool, place, &ground, launcher, &call.environment);
        if self.r#type.is_job
            && let Some(class) = config_class::of(&ground)
        {
            let environment = config_class::environment(environment.clone(), folder);
            if self.configure(class, &ground, environment)? == ToolExit::Exceeded {
                return Ok((ToolExit::Exceeded, call));
            }
        }
        self.state.has_begun = true;
        self.record()?;
        let mut child = client::start(&program, &call, folder, environment, &self.kept_out())
            .map_err(|error| {
                let why = exec_error::why(&program, &error);
                let problem = format!("cannot run {}: {why}", program.display());
                ActionError::error("JA018", problem)
            })?;
        let end = client::wait(&mut child, self.until).map_err(|error| {
            WorkError::Lost(format!("cannot wait for {}: {error}", program.display()))
        })?;
        Ok((end, call))
    }

    fn kept_out(&self) -> Vec<String> {
        environment::kept_out(self.tool.setting(environment::PASS).unwrap_or_default())
    }

    /// Lets the author's class complete the configuration of the job.
    fn configure(
        &self,
        class: &str,
        ground: &ToolGround,
        environment: Vec<(String, String)>,
    ) -> Result<ToolExit, WorkError> {
        let attempt = self.context.attempt();
        let folder = attempt.folder();
        let call = config_class::call(class, folder).map_err(|error| {
            ActionError::transient("JA009", format!("{}: {error}", folder.display()))
        })?;
        let program = client::find(self.tool, attempt, call.command)?;
        let cannot = |what: &str, error: io::Error| {
            ActionError::error(
                "JA018",
                format!("cannot {what} {}: {error}", program.display()),
            )
        };
        let mut child = client::start(&program, &call, folder, environment, &self.kept_out())
            .map_err(|error| cannot("run", error))?;
        let end =
            client::wait(&mut child, self.until).map_err(|error| cannot("wait for", error))?;
        if end != ToolExit::Exceeded {
            config_class::finish(class, end, &client::words(attempt), ground)?;
        }
        Ok(end)
    }

    /// The script with its text, if that was submitted with the job.
    fn sent_scripts(&self) -> Vec<(String, String)> {
        let text = self.r#type.sent_script;
        let text = text.and_then(|name| self.tool.settings.get(name));
        let text = text.filter(|text| !text.trim().is_empty());
        let Some(text) = text else {
            return Vec::new();
        };
        let scripts = (self.r#type.scripts)(self.tool).into_iter();
        scripts
            .map(|script| (script_name(&script).to_owned(), format!("{text}\n")))
            .collect()
    }

    /// Fills the folder, and describes its content.
    fn ground(&self) -> Result<ToolGround, WorkError> {
        let (tool, place) = (self.tool, &self.context.place);
        let folder = self.context.attempt().folder();
        let access = self.context.access(&tool.prepare.access);
        let mut all = resources::of_elements(tool, place)?;
        let is_sent = !self.sent_scripts().is_empty();
        let scripts = (self.r#type.scripts)(tool).into_iter();
        for script in scripts.filter(|_| !is_sent) {
            for written in resources::written(&script, false) {
                let uri = resources::locate(tool, place, &written.path)?;
                let written = WrittenPath {
                    role: ResourceRole::Link,
                    ..written
                };
                resources::add(&mut all, written, uri);
            }
        }
        libraries::add(&mut all, tool, place, &access)?;
        let mut jars = Vec::new();
        for resource in &all {
            // JARs are needed here too: the tool reads them before it ships them.
            if resource.role == ResourceRole::Jar || self.r#type.has_files_here {
                let file = resources::bring(resource, folder, &access)?;
                if resource.role == ResourceRole::Jar {
                    jars.push(file);
                }
            }
        }
        let oozie_tag = tool.tags.of_oozie(place.job_id, place.node);
        let tags = [oozie_tag.as_str(), &self.tag];
        let mut ground = ToolGround {
            folder: folder.to_owned(),
            app_folder: place.app_folder.to_owned(),
            job_id: place.job_id.to_owned(),
            node: place.node.to_owned(),
            configuration: configuration::complete(tool, place.job_id, place.node, &tags),
            resources: all,
            jars,
            site: self.cluster.site.clone(),
            found: None,
            installed: installed::of(tool, self.context.attempt())?,
        };
        ground.found = (self.r#type.find)(tool, self.context, &ground)?;
        Ok(ground)
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

/// A warning about a launcher that this type of action does not have yet.
fn here_after_all(tool: &Tool) -> Option<String> {
    let is_wanted = tool.setting(LAUNCHER) == Some(YARN);
    is_wanted.then(|| {
        format!(
            "{LAUNCHER}={YARN} has no effect on {} actions yet: their client runs on this machine, and its jobs on the cluster",
            tool.kind.type_name()
        )
    })
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
