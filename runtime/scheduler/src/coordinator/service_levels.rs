//! Commands on the service levels of a coordinator's actions: whether they are alerted, and when actions should start and end
//! (`CoordSLAAlertsXCommand`, `CoordSLAChangeXCommand`).
//!
//! One for particular actions changes these; one for the whole coordinator also the actions to come, by a revision of its properties or of
//! its SLA block.

use std::collections::BTreeMap;

use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus,
        machine::{self, ActionRecord},
    },
    el::parser,
    sla,
};
use hpdlc_engine::control::coordinator_request::{
    CoordinatorUpdate, Selection, SlaOrder, SlaRequest,
};
use hpdlc_store::{SlaRow, slas as sla_rows};

use crate::coordinator::{KnownCoordinator, command_check::Refused};

/// What a command changes.
#[derive(Debug)]
pub struct SlaChanges {
    pub edits: Vec<SlaEdit>,
    /// For the actions to come.
    pub update: Option<CoordinatorUpdate>,
}

/// What changes in the service level of one action. Times in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlaEdit {
    pub number: u64,
    is_silent: Option<bool>,
    nominal: Option<i64>,
    /// After the nominal time.
    start: Option<i64>,
    /// After the nominal time.
    end: Option<i64>,
    duration: Option<i64>,
}

impl SlaEdit {
    pub fn apply(&self, row: &mut SlaRow) {
        let record = &mut row.record;
        row.is_silent = self.is_silent.unwrap_or(row.is_silent);
        record.nominal = self.nominal.unwrap_or(record.nominal);
        // What is not changed keeps its time, even if the nominal time changes (`SLACalculatorMemory.updateParams`).
        if let Some(start) = self.start {
            record.expected_start = Some(record.nominal.saturating_add(start));
        }
        if let Some(end) = self.end {
            record.expected_end = record.nominal.saturating_add(end);
        }
        if let Some(duration) = self.duration {
            record.expected_duration = Some(duration).filter(|millis| *millis > 0);
        }
    }
}

/// The elements that `sla-change` may change (`RestConstants`), and those of the block.
const CHANGEABLE: [(&str, &str); 4] = [
    ("sla-nominal-time", "nominal-time"),
    ("sla-should-start", "should-start"),
    ("sla-should-end", "should-end"),
    ("sla-max-duration", "max-duration"),
];

const ENABLED: &str = "oozie.sla.enable.alerts";
const DISABLED: &str = "oozie.sla.disable.alerts";

fn no_record() -> Refused {
    "SLA alert update command failed: No record found (E1026)".to_owned()
}

fn change_failed(why: &str) -> Refused {
    format!("SLA change command failed. {why} (E1027)")
}

/// The texts by the elements of the block.
fn changed_texts(value: &str) -> Result<BTreeMap<&'static str, String>, Refused> {
    let mut texts = BTreeMap::new();
    for part in value.split(';').filter(|part| !part.trim().is_empty()) {
        let Some((name, text)) = part.split_once('=') else {
            return Err(change_failed(&format!(
                "{part} is not of the form name=value"
            )));
        };
        let element = CHANGEABLE.iter().find(|(known, _)| *known == name.trim());
        let Some((_, element)) = element else {
            return Err(change_failed(&format!("Unsupported parameter {name}")));
        };
        texts.insert(*element, text.trim().to_owned());
    }
    if texts.is_empty() {
        return Err(change_failed("nothing is to be changed"));
    }
    Ok(texts)
}

/// Whether `sla-change` leaves an action in this state alone.
fn is_over(status: CoordinatorActionStatus) -> bool {
    use CoordinatorActionStatus as A;
    matches!(
        status,
        A::Failed | A::Killed | A::Succeeded | A::TimedOut | A::Ignored
    )
}

impl KnownCoordinator<'_> {
    /// What a command on service levels would change.
    ///
    /// # Errors
    ///
    /// No action with a service level is meant (E0604, E1026), or a value is wrong (E1027).
    pub fn sla_changes(&self, request: &SlaRequest) -> Result<SlaChanges, Refused> {
        let texts = match &request.order {
            SlaOrder::Change(value) => Some(changed_texts(value)?),
            SlaOrder::Enable | SlaOrder::Disable => None,
        };
        let is_whole = request.actions.is_none() && request.dates.is_none();
        let failed = |error: hpdlc_store::sql::Error| format!("the store: {error}");
        let rows = sla_rows::of_job(self.connection, &self.row.id).map_err(failed)?;
        let with_sla: Vec<u64> = rows
            .iter()
            .filter_map(|row| row.node.as_ref()?.parse().ok())
            .collect();
        let records = if is_whole {
            self.records(&with_sla)?
        } else {
            self.meant(request, &with_sla, texts.is_some())?
        };
        let mut edits = Vec::new();
        for record in records {
            match &texts {
                None => edits.push(SlaEdit {
                    number: record.number,
                    is_silent: Some(request.order == SlaOrder::Disable),
                    ..SlaEdit::default()
                }),
                Some(texts) if !is_over(record.status) => edits.push(self.edit(&record, texts)?),
                Some(_) => {}
            }
        }
        if edits.is_empty() && !is_whole {
            return Err(no_record());
        }
        Ok(SlaChanges {
            edits,
            update: self.update_for(request, texts.as_ref()),
        })
    }

    /// The rows of actions.
    fn records(&self, numbers: &[u64]) -> Result<Vec<ActionRecord>, Refused> {
        let mut records = Vec::new();
        for number in numbers {
            let row = hpdlc_store::coordinators::action(self.connection, &self.row.id, *number);
            let row = row.map_err(|error| format!("the store: {error}"))?;
            records.extend(row.map(|row| row.record));
        }
        Ok(records)
    }

    /// The actions that are named. All of them must have a service level, unless only those that are not over count.
    fn meant(
        &self,
        request: &SlaRequest,
        with_sla: &[u64],
        only_active: bool,
    ) -> Result<Vec<ActionRecord>, Refused> {
        let mut records: Vec<ActionRecord> = Vec::new();
        if let Some(dates) = &request.dates {
            let rows = self.select(&Selection::Dates(dates.clone()))?;
            records.extend(rows.into_iter().map(|row| row.record));
        }
        if let Some(actions) = &request.actions {
            let rows = self.select(&Selection::Actions(actions.clone()))?;
            if rows.is_empty() && !only_active {
                return Err(format!(
                    "Job does not exist [{}@{actions}] (E0604)",
                    self.row.id
                ));
            }
            let others = rows.into_iter().map(|row| row.record);
            for record in others {
                if records.iter().all(|known| known.number != record.number) {
                    records.push(record);
                }
            }
        }
        if only_active {
            records.retain(|record| !is_over(record.status));
        }
        match records
            .iter()
            .find(|record| !with_sla.contains(&record.number))
        {
            Some(record) => Err(format!(
                "Job does not exist [{}@{}] (E0604)",
                self.row.id, record.number
            )),
            None => Ok(records),
        }
    }

    /// The changed expectations of an action, whose texts may have expressions.
    fn edit(
        &self,
        record: &ActionRecord,
        texts: &BTreeMap<&'static str, String>,
    ) -> Result<SlaEdit, Refused> {
        let coordinator = self.definitions.of(record.revision);
        let id = format!("{}@{}", self.row.id, record.number);
        let facts = machine::facts(coordinator, record, id)
            .map_err(|(_, error)| change_failed(&error.to_string()))?;
        let mut edit = SlaEdit {
            number: record.number,
            ..SlaEdit::default()
        };
        for (element, text) in texts {
            let wrong = |why: String| change_failed(&format!("{element} is `{text}`: {why}"));
            let parsed = parser::parse_template(text).map_err(|error| wrong(error.to_string()))?;
            let value = coordinator.job.evaluate_for_sla(&parsed, &facts);
            let value = value.map_err(|error| wrong(error.to_string()))?;
            let after_nominal = || match sla::minutes(&value) {
                Ok(..0) => Err(sla::SlaFault::Negative),
                read => read,
            };
            let wrong_time = |fault: sla::SlaFault| wrong(fault.to_string());
            match *element {
                "nominal-time" => {
                    edit.nominal = Some(sla::nominal_time(&value).map_err(wrong_time)?);
                }
                "should-start" => edit.start = Some(after_nominal().map_err(wrong_time)?),
                "should-end" => edit.end = Some(after_nominal().map_err(wrong_time)?),
                _ => edit.duration = Some(sla::minutes(&value).map_err(wrong_time)?),
            }
        }
        Ok(edit)
    }

    /// The revision that the actions to come get. A coordinator that is over gets none.
    fn update_for(
        &self,
        request: &SlaRequest,
        texts: Option<&BTreeMap<&'static str, String>>,
    ) -> Option<CoordinatorUpdate> {
        let job = self.state.job();
        if job.status.is_terminal() {
            return None;
        }
        let revision = self.revisions.get(&job.revision)?;
        let mut update = CoordinatorUpdate {
            hash: self.row.hash.clone(),
            app: self.row.app.clone(),
            conf: revision.conf.clone(),
            texts: revision.texts.clone(),
        };
        let named = [&request.dates, &request.actions];
        let named: Vec<&str> = named.into_iter().flatten().map(String::as_str).collect();
        let named = named.join(",");
        match (&request.order, texts) {
            (SlaOrder::Enable, _) if named.is_empty() => {
                update.conf.insert(DISABLED.to_owned(), String::new());
            }
            (SlaOrder::Enable, _) => {
                update.conf.insert(ENABLED.to_owned(), named);
            }
            (SlaOrder::Disable, _) if named.is_empty() => {
                update.conf.insert(DISABLED.to_owned(), "ALL".to_owned());
            }
            (SlaOrder::Disable, _) => {
                update.conf.insert(DISABLED.to_owned(), named);
            }
            (SlaOrder::Change(_), Some(texts)) if named.is_empty() => {
                for (element, text) in &mut update.texts.sla {
                    if let Some(changed) = texts.get(element.as_str()) {
                        text.clone_from(changed);
                    }
                }
            }
            (SlaOrder::Change(_), _) => return None,
        }
        let is_other = update.conf != revision.conf || update.texts != revision.texts;
        is_other.then_some(update)
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::sla::{SlaRecord, SlaState};

    use super::*;

    #[test]
    fn only_four_expectations_can_be_changed() {
        let texts =
            changed_texts("sla-max-duration=20;sla-nominal-time=2009-01-01T00:00Z;").unwrap();
        assert_eq!(texts["max-duration"], "20");
        assert_eq!(texts["nominal-time"], "2009-01-01T00:00Z");
        for (wrong, words) in [
            ("foo=20", "Unsupported parameter foo (E1027)"),
            ("sla-max-duration", "name=value"),
            ("", "nothing"),
        ] {
            let refused = changed_texts(wrong).unwrap_err();
            assert!(refused.contains(words), "{wrong}: {refused}");
        }
    }

    #[test]
    fn changed_times_count_from_the_changed_nominal_time() {
        let record = SlaRecord {
            nominal: 1_000,
            expected_start: Some(1_010),
            expected_end: 1_030,
            expected_duration: Some(15),
            alert_events: None,
            alert_contact: None,
            notification_message: None,
            upstream_apps: None,
        };
        let mut row = SlaRow {
            job_id: "1".to_owned(),
            node: Some("1".to_owned()),
            record,
            is_silent: false,
            state: SlaState::NEW,
            due: None,
        };
        let edit = SlaEdit {
            number: 1,
            is_silent: Some(true),
            nominal: Some(2_000),
            end: Some(50),
            duration: Some(0),
            ..SlaEdit::default()
        };
        edit.apply(&mut row);
        let record = &row.record;
        assert_eq!(
            (record.expected_start, record.expected_end),
            (Some(1_010), 2_050)
        );
        assert_eq!(record.expected_duration, None);
        assert!(row.is_silent);
    }
}
