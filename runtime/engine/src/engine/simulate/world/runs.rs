//! The submission of the job, and its reruns.

use std::collections::BTreeMap;

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_host::{job_id, property_names, settings::Settings};
use hpdlc_store::{JobRow, LogRow, NewRun, SkipMark, SlaRow, query, runs, slas, sql::Connection};

use super::{EngineWorld, Situation};
use crate::{job::rerun_plan, job_command::Verb, sla};

const USER: &str = "simulated";

impl EngineWorld {
    pub(super) fn submit(&mut self) -> Result<(), String> {
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
        let created = self.simulated.borrow().now();
        let number = query::next_number(self.store(), query::JOBS).map_err(fault)?;
        let id = job_id::workflow_job(number, created);
        let is_started = self.random.percent(50);
        let row = JobRow {
            app: "simulated".to_owned(),
            app_path: "/apps/simulated".to_owned(),
            user: USER.to_owned(),
            status: if is_started {
                JobStatus::Running
            } else {
                JobStatus::Prep
            },
            conf: serde_json::to_string(&self.plan.conf).expect("a map of strings is JSON"),
            hash: self.workflow.program.hash.to_owned(),
            ..JobRow::new(&id, created.timestamp_millis())
        };
        let expected = self.expected(&id, &self.plan.conf)?;
        let transaction = self.store().transaction().map_err(fault)?;
        query::insert_job(&transaction, &row).map_err(fault)?;
        for sla in &expected {
            slas::write(&transaction, sla).map_err(fault)?;
        }
        transaction.commit().map_err(fault)?;
        self.root = id;
        if !is_started {
            self.command(&self.root.clone(), Verb::Start)
                .map_err(fault)?;
        }
        Ok(())
    }

    /// The service levels of the job at the top, with these properties.
    pub(super) fn expected(
        &self,
        id: &str,
        conf: &BTreeMap<String, String>,
    ) -> Result<Vec<SlaRow>, String> {
        let settings = Settings {
            conf,
            site: &self.session.site,
        };
        let app = self.workflow.program.apps[0];
        let registrations = sla::evaluate(app, conf).map_err(|problems| problems.join("; "))?;
        Ok(sla::registered(id, &registrations, settings))
    }

    /// Begins a further run of a job that has ended; `false` if no more are planned.
    pub(super) fn rerun(&mut self, root: &JobRow) -> Result<bool, String> {
        if self.n_reruns_left == 0 {
            return Ok(false);
        }
        self.check_end()?;
        self.n_reruns_left -= 1;
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
        let mut conf = rerun_plan::stored(&root.conf);
        let rows = query::actions(self.store(), &root.id).map_err(fault)?;
        let ended = rows.iter().filter(|row| row.ended.is_some());
        let may_be_skipped: Vec<&str> = ended
            .filter(|row| matches!(row.status, ActionStatus::Ok | ActionStatus::Error))
            .filter(|row| !row.skip.is_some_and(SkipMark::is_ahead))
            .map(|row| row.name.as_str())
            .collect();
        match self.random.below(3) {
            0 => {
                conf.insert(property_names::FAIL_NODES.to_owned(), "true".to_owned());
            }
            1 => {
                let names: Vec<&str> = may_be_skipped
                    .into_iter()
                    .filter(|_| self.random.percent(50))
                    .collect();
                conf.insert(property_names::SKIP_NODES.to_owned(), names.join(","));
            }
            _ => {}
        }
        let choice = rerun_plan::choice(&conf)?;
        let run = root.run + 1;
        let app = self.workflow.program.apps[0];
        let plan = rerun_plan::plan(app, &rows, &choice, run)?;
        let job = JobRow {
            status: JobStatus::Prep,
            run,
            started: None,
            ended: None,
            conf: serde_json::to_string(&conf).expect("a map of strings is JSON"),
            error_code: None,
            error_message: None,
            last_error_node: root
                .last_error_node
                .clone()
                .filter(|name| plan.skipped.contains_key(name)),
            ..root.clone()
        };
        self.tell(|| format!("RERUN {choice:?}"));
        self.see(Situation::Rerun);
        let new_run = NewRun {
            job,
            skipped: plan.stored_skips(),
            slas: self.expected(&root.id, &conf)?,
        };
        let line = LogRow {
            job_id: root.id.clone(),
            time: self.simulated.borrow().now().timestamp_millis(),
            node: None,
            event: "RERUN".to_owned(),
            message: None,
        };
        let begin = |connection: &Connection| {
            let transaction = connection.transaction()?;
            runs::begin(&transaction, &new_run)?;
            line.write(&transaction)?;
            transaction.commit()
        };
        match self.is_on_server() {
            true => self.begin_on_server(run, begin)?,
            false => begin(self.store()).map_err(fault)?,
        }
        let id = root.id.clone();
        // Its children may run again too, in the same jobs.
        self.told.borrow_mut().clear();
        self.command(&id, Verb::Start).map_err(fault)?;
        Ok(true)
    }
}
