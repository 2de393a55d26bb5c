//! The cluster of an action: which one it is, what runs there for the action, and how that ends.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    thread,
    time::{Duration, Instant},
};

use hpdlc_files::{clusters, error};
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use crate::tool::{
    Tool, client, configuration, ids,
    yarn::{ApplicationEnd, CONTAINER, Counters, MAP_REDUCE, RememberedJob, Yarn, YarnApplication},
};

/// Polling interval for the state of an application, in seconds.
const POLL: u64 = 2;

/// Maximum number of repeated queries for an application that the resource manager does not know.
const MAX_UNKNOWN: u32 = 5;

/// Maximum number of attempts to end applications, half a second apart; of several resource managers, one takes over within this time.
const MAX_KILLS: u32 = 5;
const MAX_KILLS_OF_SEVERAL: u32 = 60;

/// How long to wait for counters, in seconds: the history server shows them shortly after the end.
const HISTORY_LAG: u64 = 15;

/// The cluster of an action.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// `None` if everything runs on this machine.
    pub yarn: Option<Yarn>,
    poll: Duration,
    history_lag: Duration,
}

/// Why a job has no counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// The history server answers and does not know it: a message for the user.
    Unknown(String),
    /// Unavailable: the history server does not answer or is not configured, or the application is not a MapReduce job.
    Unasked(String),
}

/// How an application ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    Ended(ApplicationEnd, YarnApplication),
    /// Neither the resource manager nor the history server knows it.
    Unknown,
    /// Its time limit was exceeded; it has been ended.
    Exceeded,
}

impl Cluster {
    /// The cluster that the action and Hadoop's own files name.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn of(tool: &Tool) -> Result<Cluster, ActionError> {
        let site = installed_site()?;
        let framework = tool
            .configuration
            .get(configuration::FRAMEWORK)
            .or_else(|| site.get(configuration::FRAMEWORK));
        let has_yarn = match framework.map(|framework| framework.trim()) {
            _ if tool.resource_manager.as_deref() == Some(configuration::LOCAL) => false,
            Some(framework) => framework.starts_with("yarn"),
            None => tool.resource_manager.is_some(),
        };
        let seconds = |name: &str, default: u64| {
            let set = tool.setting(name).and_then(|seconds| seconds.parse().ok());
            Duration::from_secs(set.unwrap_or(default))
        };
        Ok(Cluster {
            yarn: has_yarn.then(|| Yarn::of(&tool.said(), &site)),
            poll: seconds("hpdl.yarn.poll.interval", POLL).max(Duration::from_millis(100)),
            history_lag: seconds("hpdl.hadoop.history.wait", HISTORY_LAG),
        })
    }

    /// The applications with this tag that the tool has started, the oldest first: that of its own container is none of them.
    ///
    /// # Errors
    ///
    /// JA001, JA006, JA009: no resource manager answers.
    pub fn tagged(&self, tag: &str) -> Result<Vec<YarnApplication>, ActionError> {
        let Some(yarn) = &self.yarn else {
            return Ok(Vec::new());
        };
        let mut all = yarn
            .tagged(tag)
            .map_err(|error| error::of_file(&error, "the resource manager"))?;
        all.retain(|app| app.framework != CONTAINER);
        Ok(all)
    }

    /// Waits for the end of an application, however long the resource manager is unavailable meanwhile.
    pub fn follow(&self, id: &str, until: Option<Instant>) -> Followed {
        let Some(yarn) = &self.yarn else {
            return Followed::Unknown;
        };
        let mut n_unknown = 0;
        let mut last_problem = String::new();
        loop {
            match yarn.application(id) {
                Ok(Some(app)) => {
                    n_unknown = 0;
                    last_problem.clear();
                    if let Some(end) = app.end {
                        return Followed::Ended(end, app);
                    }
                }
                Ok(None) => {
                    // Finished applications are removed from the resource manager after a while, but the history server keeps them.
                    if let Ok(Some(app)) = yarn.job_end(&ids::job(id))
                        && let Some(end) = app.end
                    {
                        return Followed::Ended(end, app);
                    }
                    n_unknown += 1;
                    if n_unknown > MAX_UNKNOWN {
                        return Followed::Unknown;
                    }
                }
                Err(error) => {
                    let problem = error.to_string();
                    if problem != last_problem {
                        let _ = writeln!(io::stderr(), "waiting for {id}: {problem}");
                        last_problem = problem;
                    }
                }
            }
            if until.is_some_and(|until| Instant::now() > until) {
                let _ = yarn.kill(id);
                return Followed::Exceeded;
            }
            thread::sleep(self.poll);
        }
    }

    /// Ends everything that an attempt has started: applications with its tag, and those whose ids its tool has printed.
    ///
    /// # Errors
    ///
    /// Why some may still run.
    pub fn kill(&self, tool: &Tool, tag: &str, attempt: &Attempt) -> Result<(), String> {
        let Some(yarn) = &self.yarn else {
            return Ok(());
        };
        if !(tool.r#type().way)(tool).has_applications() {
            return Ok(());
        }
        let (stdout, stderr) = client::words(attempt);
        let patterns = tool.r#type().ids;
        let mut named = ids::jobs_in(&stdout, patterns);
        for id in ids::jobs_in(&stderr, patterns) {
            ids::push_once(&mut named, id);
        }
        end_patiently(yarn, tag, &named)
    }

    /// Ends the applications with this tag, and those with these ids.
    ///
    /// # Errors
    ///
    /// Why some may still run.
    pub fn end(&self, tag: &str, named: &[String]) -> Result<(), String> {
        match &self.yarn {
            Some(yarn) => end_patiently(yarn, tag, named),
            None => Ok(()),
        }
    }

    /// The counters of a finished job, as soon as the history server has them.
    ///
    /// # Errors
    ///
    /// The history server does not answer, or does not know the job.
    pub fn counters(&self, job: &str) -> Result<Counters, Uncounted> {
        let Some(yarn) = &self.yarn else {
            return Ok(Counters::new());
        };
        let begun = Instant::now();
        loop {
            let answer = yarn
                .counters(job)
                .map_err(|error| Uncounted::Unasked(format!("the history of jobs: {error}")))?;
            let uncounted = match answer {
                RememberedJob::Counters(counters) => return Ok(counters),
                RememberedJob::Strange(problem) => Uncounted::Unasked(problem),
                RememberedJob::Unknown => Uncounted::Unknown(unknown(yarn, job, self.history_lag)),
            };
            if is_foreign(yarn, job) {
                let problem = format!("{job} is no job of MapReduce");
                return Err(Uncounted::Unasked(problem));
            }
            if begun.elapsed() >= self.history_lag {
                return Err(uncounted);
            }
            thread::sleep(self.poll.min(Duration::from_millis(500)));
        }
    }
}

/// Whether the application with the job's id is of another framework, so that no history server has it.
fn is_foreign(yarn: &Yarn, job: &str) -> bool {
    let app = yarn.application(&ids::application(job)).ok().flatten();
    app.is_some_and(|app| !["", MAP_REDUCE].contains(&app.framework.as_str()))
}

fn unknown(yarn: &Yarn, job: &str, waited: Duration) -> String {
    format!(
        "the history of jobs at {} does not know {job}, which has succeeded, {} s after its end; see that \
         mapreduce.jobhistory.webapp.address (or hpdl.hadoop.history.webapp.address) is the history of this cluster, and that \
         mapreduce.jobhistory.intermediate-done-dir is one folder to both; for one that is slow, hpdl.hadoop.history.wait has \
         the seconds",
        yarn.history(),
        waited.as_secs()
    )
}

/// The properties of Hadoop's own files.
///
/// # Errors
///
/// JA018: a file cannot be read.
pub fn installed_site() -> Result<BTreeMap<String, String>, ActionError> {
    let names = [
        "core-site.xml",
        "hdfs-site.xml",
        "mapred-site.xml",
        "yarn-site.xml",
    ];
    let site = clusters::site_properties(&names)
        .map_err(|error| ActionError::error("JA018", format!("Hadoop's configuration: {error}")))?;
    Ok(hpdlc_core::substitute::resolve_all(&site).unwrap_or(site))
}

/// Ends the applications with this tag, and those named by their jobs' ids, as soon as a resource manager answers.
///
/// # Errors
///
/// Why some may still run.
pub fn end_patiently(yarn: &Yarn, tag: &str, named: &[String]) -> Result<(), String> {
    let max_failures = match yarn.has_several() {
        true => MAX_KILLS_OF_SEVERAL,
        false => MAX_KILLS,
    };
    end(yarn, tag, named, max_failures)
}

/// Ends the applications with this tag, and those named by their jobs' ids; a resource manager that fails is tried
/// `max_failures` times.
///
/// # Errors
///
/// Why some may still run.
pub fn end(yarn: &Yarn, tag: &str, named: &[String], max_failures: u32) -> Result<(), String> {
    let (mut n_failures, mut has_looked) = (0, false);
    loop {
        match kill_once(yarn, tag, named) {
            Ok(true) => return Ok(()),
            // A submission that was in progress when its process was ended may appear slightly later.
            Ok(false) if has_looked => return Ok(()),
            Ok(false) => has_looked = true,
            Err(error) => {
                n_failures += 1;
                if n_failures >= max_failures {
                    return Err(format!(
                        "the applications with the tag {tag} may go on: {error}"
                    ));
                }
            }
        }
        thread::sleep(Duration::from_millis(500));
    }
}

/// Ends the running applications of an attempt; whether there were any.
fn kill_once(yarn: &Yarn, tag: &str, named: &[String]) -> io::Result<bool> {
    let mut ids: Vec<String> = yarn
        .tagged(tag)?
        .into_iter()
        .filter(|app| app.end.is_none())
        .map(|app| app.id)
        .collect();
    for job in named {
        let id = ids::application(job);
        if !ids.contains(&id) && yarn.application(&id)?.is_some_and(|app| app.end.is_none()) {
            ids.push(id);
        }
    }
    for id in &ids {
        yarn.kill(id)?;
    }
    Ok(!ids.is_empty())
}
