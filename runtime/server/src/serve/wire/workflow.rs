//! Workflow jobs and their actions.

use std::collections::BTreeMap;

use hpdlc_core::status::ActionStatus;
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, JobRow};
use serde_json::Value;

use crate::{
    api::{
        configuration,
        workflow::{WorkflowAction, WorkflowJob},
    },
    serve::dates::Zone,
};

/// What a row of a job does not say.
pub(crate) struct JobFacts<'a> {
    pub(crate) zone: &'a Zone,
    pub(crate) mask: &'a Masks,
    /// The last change, in milliseconds since 1970.
    pub(crate) changed: Option<i64>,
    /// The URL of the server.
    pub(crate) url: &'a str,
}

/// The stored properties of a job.
fn stored(job: &JobRow) -> BTreeMap<String, String> {
    serde_json::from_str(&job.conf).unwrap_or_default()
}

/// The stored properties of a job, with the user's name as Oozie adds it and without secrets.
pub(crate) fn properties(job: &JobRow, mask: &Masks) -> BTreeMap<String, String> {
    shown(stored(job), job, mask)
}

fn shown(
    mut conf: BTreeMap<String, String>,
    job: &JobRow,
    mask: &Masks,
) -> BTreeMap<String, String> {
    conf.entry("user.name".to_owned())
        .or_insert_with(|| job.user.clone());
    mask.properties(&conf)
}

/// A property of a job.
pub(crate) fn property(job: &JobRow, name: &str) -> Option<String> {
    stored(job).remove(name)
}

/// The owner as its client named it.
pub(crate) fn owner(job: &JobRow) -> String {
    property(job, "user.name").unwrap_or_else(|| job.user.clone())
}

impl WorkflowJob {
    /// A job as an element of a list.
    pub(crate) fn listed(job: &JobRow, facts: &JobFacts<'_>) -> WorkflowJob {
        WorkflowJob::short(job, facts, &stored(job))
    }

    /// A job by itself.
    pub(crate) fn whole(
        job: &JobRow,
        facts: &JobFacts<'_>,
        actions: Vec<WorkflowAction>,
    ) -> WorkflowJob {
        let conf = stored(job);
        let external_id = match (&job.parent_id, &job.parent_node) {
            (Some(parent), Some(node)) => Some(format!(
                "{parent}@{node}@{}",
                job.parent_run.unwrap_or_default()
            )),
            _ => conf.get("oozie.wf.external.id").cloned(),
        };
        WorkflowJob {
            external_id,
            acl: conf.get("oozie.job.acl").cloned(),
            app_path: Some(facts.mask.text(&job.app_path)),
            actions,
            ..WorkflowJob::short(job, facts, &conf)
        }
        .with_configuration(shown(conf, job, facts.mask))
    }

    fn with_configuration(self, conf: BTreeMap<String, String>) -> WorkflowJob {
        WorkflowJob {
            conf: Some(configuration::text(&conf)),
            ..self
        }
    }

    /// What lists have of a job with these properties.
    fn short(job: &JobRow, facts: &JobFacts<'_>, conf: &BTreeMap<String, String>) -> WorkflowJob {
        let (zone, mask) = (facts.zone, facts.mask);
        let user = conf.get("user.name").unwrap_or(&job.user);
        WorkflowJob {
            app_name: mask.text(&job.app),
            external_id: None,
            conf: None,
            run: job.run,
            acl: None,
            app_path: None,
            parent_id: job.parent_id.clone(),
            last_mod_time: zone.maybe(facts.changed.or(job.ended).or(Some(job.created))),
            console_url: Some(format!("{}?job={}", facts.url, job.id)),
            created_time: zone.write(job.created),
            start_time: zone.maybe(job.started),
            to_string: format!("Workflow id[{}] status[{}]", job.id, job.status.name()),
            id: job.id.clone(),
            end_time: zone.maybe(job.ended),
            user: user.clone(),
            actions: Vec::new(),
            status: job.status.name().to_owned(),
            group: conf.get("group.name").cloned(),
        }
    }
}

/// Whether a node was more than waiting for its turn.
pub(crate) fn has_begun(row: &ActionRow) -> bool {
    row.status != ActionStatus::Prep && (row.status != ActionStatus::Killed || row.attempt > 0)
}

impl WorkflowAction {
    /// An action; `url` is that of the server.
    pub(crate) fn of(row: &ActionRow, zone: &Zone, mask: &Masks, url: &str) -> WorkflowAction {
        let status = row.shown_status().name();
        let is_sub_workflow = row.type_name == "sub-workflow";
        let nothing_else = || Some("-".to_owned());
        // The time of a node that waits is that of its turn: Oozie has none until it is started.
        let started = row.started.filter(|_| has_begun(row));
        let is_started = started.is_some();
        let masked = |text: &Option<String>| text.as_ref().map(|text| mask.text(text));
        WorkflowAction {
            cred: None,
            user_retry_max: 0,
            tracker_uri: if is_sub_workflow {
                Some("local".to_owned())
            } else {
                is_started.then(nothing_else).flatten()
            },
            data: row.data.as_deref().map(|data| mask.text(&captured(data))),
            // As `wf:errorMessage`: without a code the message is ours.
            error_message: masked(&row.error_message).filter(|_| row.error_code.is_some()),
            user_retry_count: row.user_retries,
            external_child_ids: None,
            external_id: row
                .external_id
                .clone()
                .or_else(|| is_started.then(nothing_else).flatten()),
            error_code: row.error_code.clone(),
            conf: String::new(),
            type_name: row.type_name.clone(),
            transition: row.transition.clone(),
            retries: row.retries,
            console_url: match row.external_id.as_deref().filter(|_| is_sub_workflow) {
                Some(child) => Some(format!("{url}?job={child}")),
                None => is_started.then(nothing_else).flatten(),
            },
            stats: None,
            user_retry_interval: 10,
            name: row.name.clone(),
            start_time: zone.maybe(started),
            to_string: format!("Action name[{}] status[{status}]", row.name),
            id: format!("{}@{}", row.job_id, row.name),
            end_time: zone.maybe(row.ended.filter(|_| has_begun(row))),
            external_status: masked(&row.external_status),
            status: status.to_owned(),
        }
    }
}

/// The stored JSON object of captured output as a text of properties.
fn captured(data: &str) -> String {
    let Ok(Value::Object(values)) = serde_json::from_str(data) else {
        return data.to_owned();
    };
    let mut text = String::new();
    for (name, value) in &values {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let value = value.replace('\\', "\\\\").replace('\n', "\\n");
        text.push_str(&format!("{name}={value}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_was_not_started_has_no_times() {
        for (status, attempt, has_times) in [
            (ActionStatus::Prep, 0, false),
            (ActionStatus::Killed, 0, false),
            (ActionStatus::Killed, 1, true),
            (ActionStatus::Running, 1, true),
            (ActionStatus::Ok, 0, true),
        ] {
            let mut row = ActionRow::new("1-W", "a", "fs");
            row.status = status;
            row.attempt = attempt;
            (row.started, row.ended) = (Some(1_000), Some(2_000));
            let action = WorkflowAction::of(&row, &Zone::Gmt, &Masks::default(), "");
            let times = [&action.start_time, &action.end_time];
            assert_eq!(times.map(Option::is_some), [has_times; 2], "{status:?}");
        }
    }
}
