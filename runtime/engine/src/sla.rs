//! Service levels: the expected times of jobs and actions, monitored by their owner.
//!
//! Evaluated once, when a job ([`evaluate`], [`registered`]) or an action of a coordinator is created, and stored with it. The owner passes
//! changes and the time to its [`Slas`] or [`ActionSlas`]; the resulting events are recorded in the transaction of their cause, so each
//! occurs once. Jobs without an owner become due like those that lost theirs: `recover --watch` has an owner check them.

use std::collections::BTreeMap;

use hpdlc_core::{
    el::{phase::Phase, scope::NoJob},
    sla::{SlaRecord, SlaState, USUAL_AGE_LIMIT, is_too_old},
};
use hpdlc_host::{clock, settings::Settings};
use hpdlc_program::table::{App, Sla};
use hpdlc_store::SlaRow;

mod actions;
mod alert;
mod nodes;
mod watched;
mod words;

pub use self::{
    actions::ActionSlas,
    alert::{AlertSubject, Consequences, consequences},
    nodes::Slas,
    watched::DueEvent,
    words::part,
};

/// The age in hours after which no alerts are sent; 0 means no limit.
const AGE_LIMIT: &str = "oozie.sla.disable.alerts.older.than";

/// The service level of a job or one of its actions.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The action; `None` for the job.
    pub node: Option<&'static str>,
    pub record: SlaRecord,
}

/// The block's texts see all properties of the job, verbatim, and the constants of time (`SubmitXCommand`, context `wf-sla-submit`).
pub fn scope(app: &App, sla: &Sla, conf: &BTreeMap<String, String>) -> NoJob {
    let mut scope = NoJob::in_phase(Phase::WorkflowSla, conf, clock::now());
    if let Some(node) = sla.node {
        scope.origin = app.origin(node);
    }
    scope
}

/// Evaluates every block of `app` for a job with these properties.
///
/// # Errors
///
/// Every text that cannot be evaluated (E1004), and every malformed time (E0302), each with its position.
pub fn evaluate(
    app: &App,
    conf: &BTreeMap<String, String>,
) -> Result<Vec<Registration>, Vec<String>> {
    let mut registrations = Vec::new();
    let mut problems = Vec::new();
    for sla in app.slas {
        match record(app, sla, conf) {
            Ok(record) => registrations.push(Registration {
                node: sla.node.map(|node| app.node(node).name),
                record,
            }),
            Err(of_block) => problems.extend(of_block),
        }
    }
    if problems.is_empty() {
        Ok(registrations)
    } else {
        Err(problems)
    }
}

fn record(app: &App, sla: &Sla, conf: &BTreeMap<String, String>) -> Result<SlaRecord, Vec<String>> {
    let scope = scope(app, sla, conf);
    let mut problems = Vec::new();
    let texts = sla.texts.map(|text| {
        let value = text.evaluate(&scope);
        value.unwrap_or_else(|error| {
            problems.push(format!("{error} (E1004)"));
            String::new()
        })
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    SlaRecord::read(&texts).map_err(|mistakes| {
        let of = match sla.node {
            Some(node) => format!("the SLA of {}", app.node(node).name),
            None => "the SLA of the workflow".to_owned(),
        };
        let place = |element: &str| {
            let mut texts = sla.texts.elements();
            let (_, text) = texts.find(|(name, _)| *name == element)?;
            let place = text.place(scope.origin);
            Some(format!("{}:{}: ", place.file, place.line))
        };
        mistakes
            .iter()
            .map(|mistake| {
                let place = place(mistake.element).unwrap_or_default();
                format!("{place}{of}: {mistake} (E0302)")
            })
            .collect()
    })
}

/// In hours; 0 or less means no limit.
pub fn age_limit(settings: Settings<'_>) -> i64 {
    settings
        .text(AGE_LIMIT)
        .and_then(|hours| hours.parse().ok())
        .unwrap_or(USUAL_AGE_LIMIT)
}

/// The rows of a job that is being created.
pub fn registered(
    job: &str,
    registrations: &[Registration],
    settings: Settings<'_>,
) -> Vec<SlaRow> {
    let (now, limit) = (clock::now_millis(), age_limit(settings));
    registrations
        .iter()
        .map(|Registration { node, record }| {
            let mut row = SlaRow {
                job_id: job.to_owned(),
                node: node.map(str::to_owned),
                is_silent: is_too_old(record.nominal, now, limit),
                record: record.clone(),
                state: SlaState::NEW,
                due: None,
            };
            row.set_due(false);
            row
        })
        .collect()
}

#[cfg(test)]
pub mod testing {
    //! Data for tests of service levels.

    use hpdlc_core::sla::SlaRecord;

    /// A record with nominal time 0 and no contacts, with the expected start and end and the expected duration, all in milliseconds.
    pub const fn record(start: i64, end: i64, duration: i64) -> SlaRecord {
        SlaRecord {
            nominal: 0,
            expected_start: Some(start),
            expected_end: end,
            expected_duration: Some(duration),
            alert_events: None,
            alert_contact: None,
            notification_message: None,
            upstream_apps: None,
        }
    }
}
