//! The results of an attempt: its jobs, their counters, and where they ran.

use std::collections::BTreeMap;

use hpdlc_core::el::functions::hadoop;
use hpdlc_program::failure::ActionError;

use super::ToolRun;
use crate::{
    process_end,
    tool::{Counted, client, cluster::Uncounted, ids, yarn::Counters},
    worker_process::{WorkError, WorkResult},
};

/// The key of an action's jobs in its data (`LauncherMain.HADOOP_JOBS`).
const JOBS: &str = "hadoopJobs";

/// Whether the statistics of an action's tool are stored.
const STATISTICS: &str = "oozie.action.external.stats.write";

/// The results of an action.
struct ToolResults {
    data: BTreeMap<String, String>,
    /// Jobs that may have counters.
    jobs: Vec<String>,
    warnings: Vec<String>,
}

impl ToolRun<'_> {
    pub(super) fn delivery(&self, jobs: Vec<String>) -> Result<WorkResult, WorkError> {
        let mut left = self.left(jobs);
        match self.count(&mut left) {
            Ok(()) => Ok(self.delivered("SUCCEEDED", left)),
            // Its jobs have succeeded nevertheless.
            Err(error) => Err(WorkError::Known(
                error,
                Box::new(self.delivered("SUCCEEDED", left)),
            )),
        }
    }

    pub(super) fn failed(&self, error: ActionError, jobs: Vec<String>) -> WorkError {
        let delivery = self.delivered(process_end::FAILED, self.left(jobs));
        WorkError::Known(error, Box::new(delivery))
    }

    fn delivered(&self, external_status: &str, left: ToolResults) -> WorkResult {
        WorkResult {
            external_status: external_status.to_owned(),
            external_id: self.external_id(&left.data),
            data: left.data,
            warnings: left.warnings,
        }
    }

    /// The results of the action: its jobs, under Oozie's key, and where they ran.
    fn left(&self, mut jobs: Vec<String>) -> ToolResults {
        let mut data = BTreeMap::new();
        let Some(yarn) = self
            .cluster
            .yarn
            .as_ref()
            .filter(|_| self.way.has_applications())
        else {
            if !jobs.is_empty() {
                data.insert(JOBS.to_owned(), jobs.join(","));
            }
            return ToolResults {
                data,
                jobs: Vec::new(),
                warnings: self.warnings.clone(),
            };
        };
        // Applications that the tool does not print are found by their tag.
        for app in self.cluster.tagged(&self.tag).unwrap_or_default() {
            ids::push_once(&mut jobs, ids::job(&app.id));
        }
        let tracker = self.tool.resource_manager.as_deref();
        let tracker = tracker.unwrap_or_else(|| yarn.address());
        data.insert(hadoop::TRACKER.to_owned(), tracker.to_owned());
        if !jobs.is_empty() {
            data.insert(JOBS.to_owned(), jobs.join(","));
        }
        ToolResults {
            data,
            jobs,
            warnings: self.warnings.clone(),
        }
    }

    /// Adds the counters of its jobs to the results of a successful action, if they are wanted.
    ///
    /// Oozie requires a history server; here one that does not answer or is not configured only means that there are no counters.
    ///
    /// # Errors
    ///
    /// MR002 and SQOOP001, failed: the history server does not know a job.
    fn count(&self, left: &mut ToolResults) -> Result<(), ActionError> {
        let unknown = match self.r#type.counters {
            Counted::No => return Ok(()),
            Counted::Statistics(_) if !self.tool.is_set(STATISTICS) => return Ok(()),
            Counted::Statistics(_) => None,
            Counted::Sums { unknown } => Some(unknown),
        };
        if left.jobs.is_empty() {
            // As in Oozie for a tool that has started no job.
            if unknown.is_some() && left.data.contains_key(hadoop::TRACKER) {
                left.data
                    .insert(hadoop::COUNTERS_KEY.to_owned(), String::new());
                let warning = "hadoop:counters will be empty: the tool has started no job";
                left.warnings.push(warning.to_owned());
            }
            return Ok(());
        }
        match (self.counters(&left.jobs), unknown) {
            (Ok(counters), _) => {
                left.data.insert(hadoop::COUNTERS_KEY.to_owned(), counters);
                Ok(())
            }
            (Err(Uncounted::Unknown(problem)), Some(code)) => {
                Err(ActionError::failed(code, problem))
            }
            (Err(Uncounted::Unknown(problem) | Uncounted::Unasked(problem)), _) => {
                let warning = format!("hadoop:counters will be empty: {problem}");
                left.warnings.push(warning);
                Ok(())
            }
        }
    }

    /// The sum of the counters of all jobs, in Oozie's format (`MRStats`), or the statistics of the tool.
    fn counters(&self, jobs: &[String]) -> Result<String, Uncounted> {
        let mut all = Vec::new();
        for job in jobs {
            all.push((job.clone(), self.cluster.counters(job)?));
        }
        if let Counted::Statistics(of) = self.r#type.counters {
            let (stdout, stderr) = client::words(self.context.attempt());
            return Ok(of(&format!("{stdout}\n{stderr}"), &all));
        }
        let mut sums = Counters::new();
        for (name, group) in all.into_iter().flat_map(|(_, counters)| counters) {
            let sums = sums.entry(name).or_default();
            for (name, value) in group {
                *sums.entry(name).or_default() += value;
            }
        }
        let mut all = serde_json::Map::new();
        all.insert("ACTION_TYPE".to_owned(), "MAP_REDUCE".into());
        for (name, group) in sums {
            all.insert(name, serde_json::json!(group));
        }
        Ok(serde_json::Value::Object(all).to_string())
    }

    /// The job of an action that is a single one, as Oozie shows it; for others, the first application.
    fn external_id(&self, data: &BTreeMap<String, String>) -> Option<String> {
        let jobs = data.get(JOBS)?;
        let first = jobs.split(',').next()?.to_owned();
        Some(if self.r#type.is_job {
            first
        } else {
            ids::application(&first)
        })
    }
}
