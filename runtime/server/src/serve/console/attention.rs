//! What needs somebody: failed, suspended and lost jobs, and what takes longer than it usually does.

use std::collections::BTreeSet;

use hpdlc_core::coded_message::coded;
use hpdlc_host::{clock::format_duration, job_id::JobKind};
use hpdlc_store::{
    overview::{self, OpenJob, RunRow},
    query,
    sql::Connection,
};
use serde::Serialize;

use crate::serve::{
    call::Call,
    console::{grid, links, marks::Mark},
    failure::Failure,
};

const DAY: i64 = 24 * 60 * 60 * 1_000;
/// How long a failure needs somebody, unless a later run has succeeded.
pub(crate) const FAILURES: i64 = 7 * DAY;
/// Running for less than this is never late, in milliseconds.
const LEAST_LATE: i64 = 60_000;
/// Waiting for less than this is never late.
const LEAST_WAIT: i64 = 15 * 60_000;
/// Jobs whose process is looked for.
const MOST_LOOKED: usize = 500;
/// Past waits of a coordinator that say what is usual.
const WAITS: u32 = 20;

/// Something that needs somebody.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Item {
    pub(crate) mark: Mark,
    pub(crate) app: String,
    pub(crate) href: String,
    /// What is the matter, in a few words.
    pub(crate) what: String,
    /// The error, or the reason.
    pub(crate) why: String,
    /// Since when, in milliseconds since 1970.
    pub(crate) since: Option<i64>,
    /// The id of the job.
    pub(crate) job: String,
    /// The urgency: smaller is more urgent.
    #[serde(skip)]
    rank: u8,
}

/// The most urgent of it, at most `most`, and how many there are. `runs` are the newest runs of all applications.
pub(crate) fn all(
    call: &Call,
    connection: &Connection,
    runs: &[RunRow],
    now: i64,
    most: usize,
) -> Result<(Vec<Item>, usize), Failure> {
    let failed = |error| call.server.failed(error);
    let base = &call.server.base;
    let mut items = Vec::new();
    let mut told = BTreeSet::new();
    for stuck in overview::stuck(connection).map_err(failed)? {
        told.insert(stuck.job_id.clone());
        let code = stuck.error_code.as_deref().unwrap_or_default();
        let message = stuck.error_message.as_deref().unwrap_or_default();
        let why = coded(code, message).into_owned();
        items.push(Item {
            mark: Mark {
                look: "stuck",
                word: "WAITS FOR YOU".to_owned(),
            },
            app: stuck.app,
            href: links::node(base, &stuck.job_id, &stuck.node),
            what: match stuck.error_code.as_deref() {
                Some("HPDL_LOST") => format!("{} was lost: was its work done?", stuck.node),
                _ => format!("{} could not run", stuck.node),
            },
            why,
            since: stuck.since,
            job: stuck.job_id,
            rank: 0,
        });
    }
    let open = overview::open_jobs(connection).map_err(failed)?;
    for (number, job) in open.iter().enumerate() {
        let OpenJob {
            id,
            app,
            status,
            started,
            root,
        } = job;
        let is_suspended = status.contains("SUSPENDED") || status.contains("PAUSED");
        let is_lost = !is_suspended
            && number < MOST_LOOKED
            && JobKind::of(id) == JobKind::Workflow
            && id == root
            && !call.server.session.has_owner(root);
        let (rank, what, why) = match (is_lost, is_suspended) {
            (true, _) => (
                0,
                "no process drives it".to_owned(),
                format!("hpdl recover {id} takes it up"),
            ),
            (false, true) if !told.contains(id) => (
                2,
                "suspended".to_owned(),
                "nothing new starts until it is resumed".to_owned(),
            ),
            (false, _) => continue,
        };
        items.push(Item {
            mark: match is_lost {
                true => Mark {
                    look: "bad",
                    word: "NO OWNER".to_owned(),
                },
                false => Mark::of(status),
            },
            app: app.clone(),
            href: links::job(base, id),
            what,
            why,
            since: *started,
            job: id.clone(),
            rank,
        });
    }
    for (_, of_app) in grid::by_app(runs) {
        items.extend(failed_run(base, &of_app, now));
        items.extend(late_runs(base, &of_app, now));
    }
    for of in overview::failed_actions(connection, now - FAILURES).map_err(failed)? {
        let numbers = match of.first == of.last {
            true => format!("action {}", of.first),
            false => format!("{} actions between {} and {}", of.count, of.first, of.last),
        };
        items.push(Item {
            mark: Mark::of("FAILED"),
            app: of.app,
            href: links::job(base, &of.job_id),
            what: format!("{numbers} failed"),
            why: "rerun them, or ignore them".to_owned(),
            since: Some(of.nominal),
            job: of.job_id,
            rank: 1,
        });
    }
    items.extend(late_waits(call, connection, now)?);
    items.sort_by_key(|item| (item.rank, std::cmp::Reverse(item.since)));
    let n_items = items.len();
    items.truncate(most);
    Ok((without_secrets(call, connection, items)?, n_items))
}

/// Names and error messages may quote what a job was given.
pub(crate) fn without_secrets(
    call: &Call,
    connection: &Connection,
    items: Vec<Item>,
) -> Result<Vec<Item>, Failure> {
    let mut masked = Vec::with_capacity(items.len());
    for item in items {
        let job = query::job(connection, &item.job).map_err(|error| call.server.failed(error))?;
        // It was purged meanwhile.
        let Some(job) = job else { continue };
        let mask = call.server.mask(connection, &job)?;
        masked.push(Item {
            app: mask.text(&item.app),
            what: mask.text(&item.what),
            why: mask.text(&item.why),
            ..item
        });
    }
    Ok(masked)
}

/// The last run that has ended, if it failed. The actions of coordinators are counted by coordinator, so that none of them is forgotten
/// when the next one succeeds.
fn failed_run(base: &str, runs: &[&RunRow], now: i64) -> Option<Item> {
    let last = runs.iter().find(|run| run.ended.is_some())?;
    let ended = last.ended.filter(|ended| now - ended < FAILURES)?;
    if last.status == "SUCCEEDED" || last.parent_id.is_some() {
        return None;
    }
    let n_before = runs
        .iter()
        .skip_while(|run| run.ended.is_none())
        .take_while(|run| run.status != "SUCCEEDED")
        .count();
    Some(Item {
        mark: Mark::of(&last.status),
        app: last.app.clone(),
        href: links::job(base, &last.id),
        what: match n_before {
            0 | 1 => "the last run failed".to_owned(),
            more => format!("the last {more} runs failed"),
        },
        why: last.error_message.clone().unwrap_or_default(),
        since: Some(ended),
        job: last.id.clone(),
        rank: 1,
    })
}

/// Runs that take more than twice the time that is usual.
pub(crate) fn late_runs(base: &str, runs: &[&RunRow], now: i64) -> Vec<Item> {
    let Some(usual) = grid::usual(runs) else {
        return Vec::new();
    };
    let running = runs.iter().filter(|run| run.status == "RUNNING");
    let late = running.filter(|run| {
        let took = run.took(now).unwrap_or_default();
        took > usual.saturating_mul(2) && took > usual + LEAST_LATE
    });
    late.map(|run| Item {
        mark: Mark {
            look: "running",
            word: "LATE".to_owned(),
        },
        app: run.app.clone(),
        href: links::job(base, &run.id),
        what: format!(
            "runs for {}, usually {}",
            format_duration(run.took(now).unwrap_or_default()),
            format_duration(usual)
        ),
        why: String::new(),
        since: run.started,
        job: run.id.clone(),
        rank: 3,
    })
    .collect()
}

/// Coordinators whose actions wait for longer than they usually did.
pub(crate) fn late_waits(
    call: &Call,
    connection: &Connection,
    now: i64,
) -> Result<Vec<Item>, Failure> {
    let failed = |error| call.server.failed(error);
    let mut items = Vec::new();
    for due in overview::due(connection, 1_000).map_err(failed)? {
        let Some(since) = due.waits_since.filter(|since| now - since > LEAST_WAIT) else {
            continue;
        };
        let past = overview::waits(connection, &due.job_id, WAITS).map_err(failed)?;
        let usual = grid::median(past);
        if usual.is_some_and(|usual| now - since <= usual.saturating_mul(2)) {
            continue;
        }
        let than = usual.map_or_else(String::new, |usual| {
            format!(", usually {}", format_duration(usual))
        });
        items.push(Item {
            mark: Mark {
                look: "waiting",
                word: "WAITS".to_owned(),
            },
            app: due.app,
            href: links::job(&call.server.base, &due.job_id),
            what: match due.waiting {
                1 => format!("an action waits for {}{than}", format_duration(now - since)),
                more => format!(
                    "{more} actions wait, the first for {}{than}",
                    format_duration(now - since)
                ),
            },
            why: String::new(),
            since: Some(since),
            job: due.job_id,
            rank: 3,
        });
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, status: &str, started: i64, ended: Option<i64>) -> RunRow {
        RunRow {
            id: id.to_owned(),
            app: "load".to_owned(),
            status: status.to_owned(),
            created: started,
            started: Some(started),
            ended,
            parent_id: None,
            error_code: None,
            error_message: Some("disk full".to_owned()),
        }
    }

    #[test]
    fn the_last_run_counts_and_says_how_many_failed_before() {
        let bad = [
            run("4", "RUNNING", 90, None),
            run("3", "KILLED", 80, Some(85)),
            run("2", "FAILED", 70, Some(75)),
            run("1", "SUCCEEDED", 60, Some(65)),
        ];
        let all: Vec<&RunRow> = bad.iter().collect();
        let item = failed_run("", &all, 100).unwrap();
        assert_eq!(
            (item.job.as_str(), item.what.as_str()),
            ("3", "the last 2 runs failed")
        );
        assert_eq!(item.why, "disk full");
        assert!(failed_run("", &all, 85 + FAILURES).is_none());
        assert!(failed_run("", &all[3..], 100).is_none());
    }

    #[test]
    fn late_is_more_than_twice_the_usual_time() {
        let minute = 60_000;
        let runs = [
            run("9", "RUNNING", 0, None),
            run("1", "SUCCEEDED", 0, Some(5 * minute)),
            run("2", "SUCCEEDED", 0, Some(5 * minute)),
            run("3", "SUCCEEDED", 0, Some(5 * minute)),
        ];
        let all: Vec<&RunRow> = runs.iter().collect();
        assert!(late_runs("", &all, 10 * minute).is_empty());
        let late = late_runs("", &all, 10 * minute + 1);
        assert_eq!(late[0].what, "runs for 10m00s, usually 5m00s");
        // What usually takes a second is not late after three.
        let short = [
            run("9", "RUNNING", 0, None),
            run("1", "SUCCEEDED", 0, Some(1)),
            run("2", "SUCCEEDED", 0, Some(1)),
            run("3", "SUCCEEDED", 0, Some(1)),
        ];
        let all: Vec<&RunRow> = short.iter().collect();
        assert!(late_runs("", &all, minute).is_empty());
    }
}
