//! Coordinator jobs and their actions.

use std::collections::BTreeMap;

use hpdlc_program::coordinator_texts::CoordinatorTexts;
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{
    JobRow,
    coordinators::{CoordinatorActionRow, CoordinatorRow},
};

use crate::{
    api::{
        configuration,
        coordinator::{CoordinatorAction, CoordinatorJob},
    },
    serve::{
        dates::Zone,
        wire::workflow::{owner, properties, property},
    },
};

/// The rows of a coordinator.
pub(crate) struct Coordinator<'a> {
    pub(crate) job: &'a JobRow,
    pub(crate) row: &'a CoordinatorRow,
    /// The document of its newest revision.
    pub(crate) texts: &'a CoordinatorTexts,
    pub(crate) mask: &'a Masks,
}

impl CoordinatorJob {
    /// A coordinator as an element of a list.
    pub(crate) fn listed(of: &Coordinator<'_>, zone: &Zone) -> CoordinatorJob {
        CoordinatorJob {
            conf: None,
            mat_throttling: 0,
            ..CoordinatorJob::whole(of, zone, 0, Vec::new())
        }
    }

    /// A coordinator with some of its actions, of which `total` match.
    pub(crate) fn whole(
        of: &Coordinator<'_>,
        zone: &Zone,
        total: u64,
        actions: Vec<CoordinatorAction>,
    ) -> CoordinatorJob {
        let Coordinator {
            job,
            row,
            texts,
            mask,
        } = of;
        let record = &row.record;
        let status = record.status.name();
        let control = |name: &str| texts.controls.get(name);
        let number = |name: &str| control(name).and_then(|text| text.trim().parse::<i64>().ok());
        let (frequency, time_unit) = frequency(&row.frequency);
        let next = record.next_time.map(|time| time.timestamp_millis());
        CoordinatorJob {
            mat_throttling: number("throttle").unwrap_or(12),
            execution_policy: control("execution")
                .filter(|text| !text.contains("${"))
                .map_or_else(|| "FIFO".to_owned(), |text| text.trim().to_owned()),
            conf: Some(configuration::text(&properties(job, mask))),
            acl: property(job, "oozie.job.acl"),
            frequency,
            total,
            pause_time: zone.maybe(record.pause_time.map(|time| time.timestamp_millis())),
            console_url: None,
            last_action: zone.maybe(next),
            coord_job_name: mask.text(&job.app),
            created_time: zone.write(job.created),
            start_time: zone.write(row.start.timestamp_millis()),
            coord_external_id: None,
            time_unit: time_unit.to_owned(),
            group: property(job, "group.name"),
            coord_job_id: job.id.clone(),
            coord_job_path: property(job, "oozie.coord.application.path")
                .map_or_else(|| mask.text(&job.app_path), |path| mask.text(&path)),
            bundle_id: job.parent_id.clone(),
            time_zone: row.timezone.clone(),
            concurrency: record.concurrency.map_or(-1, i64::from),
            time_out: match number("timeout") {
                Some(minutes) if minutes >= 0 => minutes,
                // 60 days in minutes: what Oozie makes of a time-out of -1.
                _ => 86_400,
            },
            next_materialized_time: zone.maybe(next),
            to_string: format!("Coordinator application id[{}] status[{status}]", job.id),
            end_time: zone.write(record.end.timestamp_millis()),
            user: owner(job),
            actions,
            status: status.to_owned(),
        }
    }
}

/// The number and the unit, in Oozie's words, of a stored frequency: `every 2 hours`, `at the end of every day`, `` `...`, at 12:00 ``, or an older
/// store's ``at the times of `...` ``.
fn frequency(text: &str) -> (String, &'static str) {
    if let Some(cron) = text.split('`').nth(1) {
        return (cron.to_owned(), "CRON");
    }
    let (is_at_end, every) = match text.strip_prefix("at the end of ") {
        Some(every) => (true, every),
        None => (false, text),
    };
    let every = every.strip_prefix("every ").unwrap_or(every);
    let (n, unit) = match every.split_once(' ') {
        Some((n, unit)) => (n.parse::<i64>().unwrap_or(1), unit.trim_end_matches('s')),
        None => (1, every),
    };
    let (n, unit) = match (unit, is_at_end) {
        ("day", true) => (n, "END_OF_DAY"),
        ("week", true) => (n, "END_OF_WEEK"),
        ("month", true) => (n, "END_OF_MONTH"),
        ("hour", _) => (n.saturating_mul(60), "MINUTE"),
        ("day", false) => (n, "DAY"),
        ("week", false) => (n, "WEEK"),
        ("month", false) => (n, "MONTH"),
        ("year", _) => (n.saturating_mul(12), "MONTH"),
        _ => (n, "MINUTE"),
    };
    (n.to_string(), unit)
}

/// The stored texts of a frequency of so many `minute`, `day` or `month`; of any of them without a unit.
pub(crate) fn frequency_texts(n: i64, unit: Option<&str>) -> Vec<String> {
    let every = |n: i64, unit: &str| match n {
        1 => format!("every {unit}"),
        n => format!("every {n} {unit}s"),
    };
    let mut texts = Vec::new();
    if unit.is_none_or(|unit| unit == "minute") {
        texts.push(match n % 60 {
            0 => every(n / 60, "hour"),
            _ => every(n, "minute"),
        });
    }
    let others = ["day", "month"];
    let others = others
        .into_iter()
        .filter(|other| unit.is_none_or(|unit| unit == *other));
    texts.extend(others.map(|other| every(n, other)));
    texts
}

impl CoordinatorAction {
    /// The properties of the coordinator when the action was created, and those of its workflow, each a stored JSON object. Only the answers
    /// to commands have them.
    pub(crate) fn add_configurations(&mut self, created: &str, run: &str, mask: &Masks) {
        let text = |conf: &str| {
            let conf: BTreeMap<String, String> = serde_json::from_str(conf).unwrap_or_default();
            configuration::text(&mask.properties(&conf))
        };
        self.created_conf = Some(text(created));
        self.run_conf = Some(text(run));
    }

    /// An action that waits for these URIs.
    pub(crate) fn of(
        job: &JobRow,
        row: &CoordinatorActionRow,
        missing: &[String],
        zone: &Zone,
        mask: &Masks,
    ) -> CoordinatorAction {
        let record = &row.record;
        let id = format!("{}@{}", job.id, record.number);
        let status = record.status.name();
        CoordinatorAction {
            nominal_time: zone.write(record.nominal.timestamp_millis()),
            tracker_uri: None,
            last_modified_time: zone.write(record.since.timestamp_millis()),
            coord_job_id: job.id.clone(),
            missing_dependencies: mask.text(&missing.join("#")),
            created_conf: None,
            error_message: record.error.as_ref().map(|error| mask.text(&error.message)),
            external_id: row.workflow_id.clone(),
            error_code: record.error.as_ref().map(|error| error.code.to_string()),
            type_name: None,
            push_missing_dependencies: String::new(),
            console_url: None,
            run_conf: None,
            action_number: record.number,
            created_time: zone.write(record.created.timestamp_millis()),
            to_string: format!("CoordinatorAction name[{id}] status[{status}]"),
            id,
            external_status: None,
            status: status.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_frequency_is_a_number_and_a_unit() {
        for (text, expected) in [
            ("every 5 minutes", ("5", "MINUTE")),
            ("every hour", ("60", "MINUTE")),
            ("every 2 hours", ("120", "MINUTE")),
            ("every day", ("1", "DAY")),
            ("at the end of every month", ("1", "END_OF_MONTH")),
            ("`0 10 * * *`, at 10:00", ("0 10 * * *", "CRON")),
            ("at the times of `0 10 * * *`", ("0 10 * * *", "CRON")),
        ] {
            assert_eq!(
                frequency(text),
                (expected.0.to_owned(), expected.1),
                "{text}"
            );
        }
        assert_eq!(frequency_texts(120, Some("minute")), ["every 2 hours"]);
        let any = ["every minute", "every day", "every month"];
        assert_eq!(frequency_texts(1, None), any);
    }
}
