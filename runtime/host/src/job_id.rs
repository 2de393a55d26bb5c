//! Job ids, in Oozie's form.

use chrono::{DateTime, Utc};

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    Workflow,
    Coordinator,
    Bundle,
}

impl JobKind {
    /// The kind of the job with this id, from its last letter.
    pub fn of(id: &str) -> JobKind {
        match id.as_bytes().last() {
            Some(b'C') => JobKind::Coordinator,
            Some(b'B') => JobKind::Bundle,
            _ => JobKind::Workflow,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            JobKind::Workflow => "job",
            JobKind::Coordinator => "coordinator",
            JobKind::Bundle => "bundle",
        }
    }
}

/// `0000001-261120093000123-hpdl-W`: a number, the time of creation to the millisecond, the system id, the kind.
pub fn workflow_job(number: i64, created: DateTime<Utc>) -> String {
    job(number, created, JobKind::Workflow)
}

/// The id of a job of any kind.
pub fn job(number: i64, created: DateTime<Utc>, kind: JobKind) -> String {
    let letter = match kind {
        JobKind::Workflow => 'W',
        JobKind::Coordinator => 'C',
        JobKind::Bundle => 'B',
    };
    format!(
        "{number:07}-{}-hpdl-{letter}",
        created.format("%y%m%d%H%M%S%3f")
    )
}

/// The number given in place of a job's id: `17`, or `0000017`.
pub fn number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// The two parts of `COORDINATOR@3`, however the coordinator is named.
pub fn action(text: &str) -> Option<(&str, u64)> {
    let (coordinator, action) = text.rsplit_once('@')?;
    let number = number(action).filter(|_| !coordinator.is_empty())?;
    Some((coordinator, number))
}

/// The coordinator and the action number in `0000001-261120093000123-hpdl-C@3`, or `1@3`.
pub fn coordinator_action(id: &str) -> Option<(&str, u64)> {
    let (job, action) = id.split_once('@')?;
    let action = action.parse().ok()?;
    let is_coordinator = JobKind::of(job) == JobKind::Coordinator || number(job).is_some();
    is_coordinator.then_some((job, action))
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    #[test]
    fn an_id_shows_number_and_time() {
        let time = Utc.with_ymd_and_hms(2026, 11, 20, 9, 30, 0).unwrap();
        let time = time + chrono::TimeDelta::milliseconds(123);
        assert_eq!(workflow_job(1, time), "0000001-261120093000123-hpdl-W");
        assert_eq!(
            workflow_job(12_345_678, time),
            "12345678-261120093000123-hpdl-W"
        );
    }

    #[test]
    fn people_may_give_a_number() {
        assert_eq!(number("17"), Some(17));
        assert_eq!(number("0000017"), Some(17));
        for text in ["", "-1", "+1", "1-W", "99999999999999999999"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn an_action_is_named_by_whatever_names_its_coordinator() {
        for (text, expected) in [
            ("8@3", Some(("8", 3))),
            ("last@12", Some(("last", 12))),
            ("ingest@home@3", Some(("ingest@home", 3))),
            ("ingest@", None),
            ("@3", None),
            ("ingest@three", None),
            ("ingest", None),
        ] {
            assert_eq!(action(text), expected, "{text}");
        }
    }

    #[test]
    fn an_action_is_named_by_its_coordinator() {
        let id = "0000001-261120093000123-hpdl-C";
        assert_eq!(coordinator_action(&format!("{id}@3")), Some((id, 3)));
        assert_eq!(coordinator_action("1@3"), Some(("1", 3)));
        for text in ["1", "1@", "0000001-261120093000123-hpdl-W@3", "@3"] {
            assert_eq!(coordinator_action(text), None, "{text}");
        }
    }
}
