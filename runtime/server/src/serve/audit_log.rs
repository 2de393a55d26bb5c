//! `show=auditlog`: the commands that a job was given, by servers and by command lines, in lines like those of Oozie's `oozieaudit`.

use hpdlc_store::{
    JobRow,
    audit::{self, AuditRow},
};

use crate::serve::{
    call::Call,
    found,
    listing::{self, GivenCommand},
    logs::{since_version_2, stamp},
    reply::{self, Reply, TEXT},
    wire::workflow::{owner, property},
};

/// A command, wherever it came from.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    time: i64,
    address: Option<String>,
    user: String,
    operation: String,
    parameter: Option<String>,
    /// Whether it was carried out; `None` if nobody knows: the server died meanwhile.
    done: Option<bool>,
    status: Option<u16>,
    code: Option<String>,
    message: Option<String>,
}

pub(crate) fn audit_log(call: &Call) -> Reply {
    since_version_2(call)?;
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let job = found::expect_job(call, &connection, &call.rest)?;
    let mask = call.server.mask(&connection, &job)?;
    let given = listing::commands(&connection, &job.id).map_err(failed)?;
    let served = audit::of_job(&connection, &job.id).map_err(failed)?;
    let mut text = String::new();
    for entry in entries(&served, given, &owner(&job)) {
        text.push_str(&mask.text(&line(&entry, &job)));
        text.push('\n');
    }
    reply::text(TEXT, text)
}

/// What servers were asked, and what command lines were told. A command of a server is in the audit and is one of the job's commands, too:
/// each is listed once.
fn entries(served: &[AuditRow], mut given: Vec<GivenCommand>, owner: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for row in served {
        let is_it = |command: &GivenCommand| {
            let within = row.time..=row.ended.unwrap_or(i64::MAX);
            within.contains(&command.time) && is_same(&row.operation, &command.verb)
        };
        if let Some(at) = given.iter().position(is_it) {
            given.remove(at);
        }
        let user = row.user.clone().unwrap_or_else(|| owner.to_owned());
        entries.push(Entry {
            time: row.time,
            address: row.address.clone(),
            user: match &row.proxy {
                None => user,
                Some(proxy) => format!("{user} by {proxy}"),
            },
            operation: row.operation.clone(),
            parameter: row.parameter.clone(),
            done: row.status.map(|status| status < 400),
            status: row.status,
            code: row.code.clone(),
            message: row.message.clone(),
        });
    }
    entries.extend(given.into_iter().map(|command| {
        let (verb, arguments) = match command.verb.split_once(' ') {
            Some((verb, arguments)) => (verb, Some(arguments.to_owned())),
            None => (command.verb.as_str(), None),
        };
        Entry {
            time: command.time,
            address: None,
            user: owner.to_owned(),
            operation: verb.to_owned(),
            parameter: arguments,
            done: Some(command.refusal.is_none()),
            status: None,
            code: None,
            message: command.refusal,
        }
    }));
    entries.sort_by_key(|entry| entry.time);
    entries
}

/// Whether a request for an operation gives a command: `coord-rerun` gives `rerun`, `kill` with a scope `kill-actions`.
fn is_same(operation: &str, verb: &str) -> bool {
    let bare = operation.trim_start_matches("coord-");
    let bare = bare.trim_start_matches("bundle-");
    let bare = if bare == "submit" { "start" } else { bare };
    let word = verb.split([' ', '-']).next().unwrap_or_default();
    word == bare
}

fn line(entry: &Entry, job: &JobRow) -> String {
    let text = |text: Option<&str>| one_line(text.unwrap_or("null"));
    let status = match entry.done {
        Some(true) => "SUCCESS",
        Some(false) => "FAILED",
        None => "UNKNOWN",
    };
    let http = entry.status.map(|status| status.to_string());
    format!(
        "{}  INFO oozieaudit:0 - IP [{}], USER [{}], GROUP [{}], APP [{}], JOBID [{}], OPERATION [{}], PARAMETER [{}], STATUS [{status}], HTTPCODE [{}], ERRORCODE [{}], ERRORMESSAGE [{}]",
        stamp(entry.time),
        text(entry.address.as_deref()),
        one_line(&entry.user),
        text(property(job, "group.name").as_deref()),
        one_line(&job.app),
        job.id,
        one_line(&entry.operation),
        text(entry.parameter.as_deref()),
        text(http.as_deref()),
        text(entry.code.as_deref()),
        text(entry.message.as_deref()),
    )
}

/// What others sent must not look like a further line.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(operation: &str, time: i64, ended: Option<i64>) -> AuditRow {
        AuditRow {
            time,
            ended,
            status: ended.map(|_| 200),
            user: Some("ada".to_owned()),
            address: Some("10.0.0.1".to_owned()),
            operation: operation.to_owned(),
            ..AuditRow::default()
        }
    }

    fn given(verb: &str, time: i64) -> GivenCommand {
        GivenCommand {
            verb: verb.to_owned(),
            time,
            refusal: None,
        }
    }

    #[test]
    fn every_command_is_listed_once_with_who_gave_it() {
        let served = [
            served("submit", 10, Some(15)),
            served("kill", 30, Some(40)),
            served("coord-rerun", 50, None),
        ];
        let given = vec![
            given("start", 12),
            given("suspend", 35),
            given("kill-actions {}", 36),
            given("kill", 37),
            given("rerun {}", 60),
        ];
        let entries = entries(&served, given, "etl");
        let listed: Vec<(i64, &str, &str)> = entries
            .iter()
            .map(|it| (it.time, it.user.as_str(), it.operation.as_str()))
            .collect();
        let expected = [
            (10, "ada", "submit"),
            (30, "ada", "kill"),
            (35, "etl", "suspend"),
            (37, "etl", "kill"),
            (50, "ada", "coord-rerun"),
        ];
        assert_eq!(listed, expected);
        assert_eq!(entries[4].done, None);
    }

    #[test]
    fn what_a_stranger_sent_is_no_line_of_its_own() {
        let mut row = served("kill", 0, Some(1));
        row.parameter = Some("a\n2026 INFO oozieaudit:0 - USER [root]".to_owned());
        let entries = entries(&[row], Vec::new(), "etl");
        let line = line(&entries[0], &JobRow::new("1-W", 0));
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(line.contains("IP [10.0.0.1], USER [ada]"), "{line}");
    }
}
