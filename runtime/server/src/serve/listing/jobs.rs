//! A page of the jobs of a kind.
//!
//! Where 100,000 jobs match, counting them or passing over them takes longer than all the rest of a request. So counts come from
//! `job_counts` where they can, a page behind the middle is read from the other end, and jobs before the page are passed over in an index
//! that has all that filters look at: only the rows of the page itself are read.

use hpdlc_host::job_id::JobKind;
use hpdlc_store::{
    JobRow,
    sql::{self, Connection, Dialect, ToSql, Value},
};

use crate::serve::{
    filter::Filter,
    listing::{Page, SHOWN, condition::Condition},
    wire::coordinator::frequency_texts,
};

/// What sorting a job costs, beside passing over one.
const SORTING: i64 = 4;

fn letter(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Workflow => "W",
        JobKind::Coordinator => "C",
        JobKind::Bundle => "B",
    }
}

/// Where the state of a job is. Only that of workflows is in `jobs`.
fn state(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Workflow => "status",
        JobKind::Coordinator | JobKind::Bundle => SHOWN,
    }
}

/// Whether a text has only characters of ids such as `0000001-261125093313444-hpdl-W`.
fn may_be_in_id(text: &str) -> bool {
    let is_of_id = |c: char| c.is_ascii_digit() || "-hpdlWCB".contains(c);
    text.chars().all(is_of_id)
}

fn with_text_of_name(condition: &mut Condition, text: &str) {
    let values = std::iter::repeat_n(Value::Text(text.to_owned()), 2);
    condition.and("(instr(app, ?) > 0 OR instr(owner, ?) > 0)", values);
}

fn condition(kind: JobKind, filter: &Filter) -> Condition {
    let mut condition = Condition::default();
    condition.and("jobs.kind = ?", [Value::Text(letter(kind).to_owned())]);
    condition.one_of("owner", &filter.users);
    condition.one_of("app", &filter.names);
    condition.one_of(state(kind), &filter.statuses);
    condition.one_of("id", &filter.ids);
    if let Some(text) = &filter.text {
        match may_be_in_id(text) {
            true => condition.and(
                "(instr(app, ?) > 0 OR instr(owner, ?) > 0 OR instr(id, ?) > 0)",
                std::iter::repeat_n(Value::Text(text.clone()), 3),
            ),
            false => with_text_of_name(&mut condition, text),
        }
    }
    if let Some(from) = filter.created_from {
        condition.and("created >= ?", [Value::Integer(from)]);
    }
    if let Some(to) = filter.created_to {
        condition.and("created <= ?", [Value::Integer(to)]);
    }
    if !filter.frequencies.is_empty() {
        let texts: Vec<String> = filter
            .frequencies
            .iter()
            .flat_map(|n| frequency_texts(*n, filter.unit))
            .collect();
        let of_job = "(SELECT frequency FROM coordinators WHERE job_id = jobs.id)";
        condition.one_of(of_job, &texts);
    }
    condition
}

/// A page of the jobs of a kind, the newest first; `offset` counts from 1, and a negative `len` means all.
pub(crate) fn jobs(
    connection: &Connection,
    kind: JobKind,
    filter: &Filter,
    offset: i64,
    len: i64,
) -> sql::Result<Page<JobRow>> {
    // What is counted is what the page is of.
    let reading = connection.read_transaction()?;
    let condition = condition(kind, filter);
    let counts = Counts::of(&reading, kind, filter)?;
    let total = match &counts {
        Some(counts) => counts.matching,
        None => count(&reading, filter, &condition)?,
    };
    let skipped = offset - 1;
    let left = (total - skipped).max(0);
    let taken = if len < 0 { left } else { len.min(left) };
    let slice = match skipped > total / 2 {
        true => Slice {
            order: "ASC",
            skipped: left - taken,
            taken,
        },
        false => Slice {
            order: "DESC",
            skipped,
            taken,
        },
    };
    let rows = match taken {
        0 => Vec::new(),
        _ => {
            let walk = counts.map_or(Walk::ByTime, |counts| counts.walk(slice));
            slice.read(&reading, kind, filter, condition, walk)?
        }
    };
    Ok(Page {
        rows,
        total: u64::try_from(total).unwrap_or_default(),
    })
}

fn count(connection: &Connection, filter: &Filter, condition: &Condition) -> sql::Result<i64> {
    let index = Walk::ByTime.index(connection, filter);
    let sql = format!("SELECT count(*) FROM jobs {index} WHERE {}", condition.sql);
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row(condition.values().as_slice(), |row| row.get(0))
}

/// How many jobs there are of a kind.
struct Counts {
    all: i64,
    /// How many match all of the filter.
    matching: i64,
    /// How many match one part of it, the index that has these jobs together, and whether in their order.
    parts: Vec<(i64, &'static str, bool)>,
}

impl Counts {
    /// `None` if the filter asks for more than is counted.
    fn of(connection: &Connection, kind: JobKind, filter: &Filter) -> sql::Result<Option<Counts>> {
        let is_counted = filter.ids.is_empty()
            && !filter.text.as_deref().is_some_and(may_be_in_id)
            && filter.created_from.is_none()
            && filter.created_to.is_none()
            && filter.frequencies.is_empty()
            && (kind == JobKind::Workflow || filter.statuses.is_empty());
        if !is_counted {
            return Ok(None);
        }
        let parts = [
            ("status", &filter.statuses, "jobs_by_state"),
            ("app", &filter.names, "jobs_by_app"),
            ("owner", &filter.users, "jobs_by_owner"),
        ];
        let parts: Vec<_> = parts
            .into_iter()
            .filter(|(_, texts, _)| !texts.is_empty())
            .collect();
        let mut sums = Condition::default();
        let mut all = Condition::default();
        let mut sql = "SELECT coalesce(sum(n), 0)".to_owned();
        for (column, texts, _) in &parts {
            let mut part = Condition::default();
            part.one_of(column, texts);
            sql += &format!(", coalesce(sum(CASE WHEN {} THEN n END), 0)", part.sql);
            sums.values.extend(part.values);
            all.one_of(column, texts);
        }
        if let Some(text) = &filter.text {
            with_text_of_name(&mut all, text);
        }
        let matching = match all.sql.is_empty() {
            true => 0,
            false => parts.len() + 1,
        };
        if matching > 0 {
            sql += &format!(", coalesce(sum(CASE WHEN {} THEN n END), 0)", all.sql);
        }
        sql += " FROM job_counts WHERE kind = ?";
        sums.values.extend(all.values);
        sums.values.push(Value::Text(letter(kind).to_owned()));
        let mut statement = connection.prepare_cached(&sql)?;
        let counts = statement.query_row(sums.values().as_slice(), |row| {
            let parts = parts.iter().enumerate().map(|(index, (_, texts, name))| {
                Ok((row.get(index + 1)?, *name, texts.len() == 1))
            });
            Ok(Counts {
                all: row.get(0)?,
                parts: parts.collect::<sql::Result<_>>()?,
                matching: row.get(matching)?,
            })
        })?;
        Ok(Some(counts))
    }

    /// The index in which the fewest jobs have to be looked at.
    fn walk(&self, slice: Slice) -> Walk {
        let passed = slice.skipped.saturating_add(slice.taken);
        // Those that match are taken to be everywhere alike.
        let among = |n: i64| passed.saturating_mul(n) / self.matching.max(1);
        let by_time = (among(self.all), Walk::ByTime);
        let others = self.parts.iter().map(|(n, index, is_ordered)| {
            let cost = match is_ordered {
                true => among(*n),
                false => n.saturating_mul(SORTING),
            };
            (cost, Walk::Of(index))
        });
        let best = std::iter::once(by_time).chain(others);
        best.min_by_key(|(cost, _)| *cost)
            .map_or(Walk::ByTime, |(_, walk)| walk)
    }
}

/// In which order jobs are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk {
    ByTime,
    /// An index that has the jobs of one part of the filter together.
    Of(&'static str),
}

impl Walk {
    /// The clause that names the index.
    fn index(self, connection: &Connection, filter: &Filter) -> String {
        match self {
            // Jobs are found by their ids.
            _ if !filter.ids.is_empty() => String::new(),
            Walk::ByTime => connection.indexed_by("jobs_listed"),
            Walk::Of(index) => connection.indexed_by(index),
        }
    }
}

/// The part of a list that is asked for, perhaps from its end.
#[derive(Clone, Copy, Debug)]
struct Slice {
    order: &'static str,
    skipped: i64,
    taken: i64,
}

impl Slice {
    fn read(
        self,
        connection: &Connection,
        kind: JobKind,
        filter: &Filter,
        mut condition: Condition,
        walk: Walk,
    ) -> sql::Result<Vec<JobRow>> {
        let Slice { order, .. } = self;
        let place = match (filter.by_last_change, *filter == unfiltered(filter)) {
            (false, _) => format!(
                "SELECT id AS of_page, created AS sorted FROM jobs {} WHERE {} ORDER BY created {order}, id {order}",
                walk.index(connection, filter),
                condition.sql
            ),
            (true, true) => {
                condition.values = vec![Value::Text(letter(kind).to_owned())];
                format!(
                    "SELECT job_id AS of_page, second AS sorted FROM changes WHERE kind = ? ORDER BY second {order}, job_id {order}"
                )
            }
            (true, false) => format!(
                "SELECT id AS of_page, second AS sorted FROM jobs {} {} changes ON job_id = id
                 WHERE {} ORDER BY second {order}, id {order}",
                walk.index(connection, filter),
                // The order in which SQLite goes through tables is that of a cross join.
                match connection.dialect() {
                    Dialect::Sqlite => "CROSS JOIN",
                    Dialect::Postgres => "JOIN",
                },
                condition.sql
            ),
        };
        // Only the page itself is read whole.
        let sql = format!(
            "SELECT {} FROM ({place} LIMIT ? OFFSET ?) AS page JOIN jobs ON id = of_page ORDER BY sorted DESC, id DESC",
            JobRow::COLUMNS
        );
        condition
            .values
            .extend([Value::Integer(self.taken), Value::Integer(self.skipped)]);
        let values: Vec<&dyn ToSql> = condition.values();
        let mut statement = connection.prepare_cached(&sql)?;
        statement
            .query_map(values.as_slice(), JobRow::read)?
            .collect()
    }
}

/// All jobs in the order of a filter.
fn unfiltered(filter: &Filter) -> Filter {
    Filter {
        by_last_change: filter.by_last_change,
        // Jobs have no group here.
        groups: filter.groups.clone(),
        ..Filter::default()
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::status::JobStatus;
    use hpdlc_store::{LogRow, query};

    use super::*;
    use crate::serve::tests::TestServer;

    const N: i64 = 60;

    /// Jobs of two kinds; some were created at the same time, and some have changed since.
    fn write(connection: &Connection) -> Vec<(JobRow, i64)> {
        let statuses = [
            JobStatus::Succeeded,
            JobStatus::Succeeded,
            JobStatus::Killed,
            JobStatus::Succeeded,
            JobStatus::Running,
        ];
        let rows = (0..N).map(|n| {
            let index = usize::try_from(n).unwrap();
            let job = JobRow {
                app: format!("app-{}", n % 3),
                user: "root".to_owned(),
                status: statuses[index % statuses.len()],
                conf: match n % 4 {
                    0 => "{}".to_owned(),
                    1 => r#"{"a":"b","user.name":"ada"}"#.to_owned(),
                    _ => r#"{"user.name":"bob","z":"1"}"#.to_owned(),
                },
                ..JobRow::new(&format!("{n:07}-W"), 1_000_000 + n / 2 * 1000)
            };
            query::insert_job(connection, &job).unwrap();
            let mut second = job.created / 1000;
            if n % 7 == 0 {
                second += 5 * (n % 5);
                let line = LogRow {
                    job_id: job.id.clone(),
                    time: second * 1000 + n,
                    node: None,
                    event: "RUNNING".to_owned(),
                    message: None,
                };
                line.write(connection).unwrap();
            }
            (job, second)
        });
        let rows = rows.collect();
        query::insert_job(connection, &JobRow::new("0000099-B", 0)).unwrap();
        rows
    }

    fn owner(n: i64) -> &'static str {
        match n % 4 {
            0 => "root",
            1 => "ada",
            _ => "bob",
        }
    }

    fn expected(all: &[(JobRow, i64)], filter: &Filter) -> Vec<String> {
        let is_one =
            |texts: &[String], text: &str| texts.is_empty() || texts.iter().any(|it| it == text);
        let mut found: Vec<(i64, &str)> = (0..)
            .zip(all)
            .filter(|(n, (job, _))| {
                is_one(&filter.statuses, job.status.name())
                    && is_one(&filter.names, &job.app)
                    && is_one(&filter.users, owner(*n))
                    && is_one(&filter.ids, &job.id)
                    && filter.created_from.is_none_or(|from| job.created >= from)
                    && filter.text.as_ref().is_none_or(|text| {
                        job.app.contains(text) || owner(*n).contains(text) || job.id.contains(text)
                    })
            })
            .map(|(_, (job, second))| match filter.by_last_change {
                true => (*second, job.id.as_str()),
                false => (job.created, job.id.as_str()),
            })
            .collect();
        found.sort_unstable();
        found.reverse();
        found.into_iter().map(|(_, id)| id.to_owned()).collect()
    }

    #[test]
    fn a_page_is_the_same_from_whichever_end_and_index_it_is_read() {
        let server = TestServer::new();
        let connection = server.session.store().unwrap();
        let all = write(&connection);
        let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let mut filters = Vec::new();
        for statuses in [
            texts(&[]),
            texts(&["KILLED"]),
            texts(&["KILLED", "RUNNING"]),
        ] {
            for names in [
                texts(&[]),
                texts(&["app-1"]),
                texts(&["app-1", "app-2", "x"]),
            ] {
                for users in [texts(&[]), texts(&["ada"]), texts(&["root", "bob"])] {
                    filters.push(Filter {
                        statuses: statuses.clone(),
                        names: names.clone(),
                        users,
                        ..Filter::default()
                    });
                }
            }
        }
        for text in ["-1", "app-1", "ad", "oo", "pd", "no"] {
            filters.push(Filter {
                text: Some(text.to_owned()),
                ..Filter::default()
            });
            filters.push(Filter {
                text: Some(text.to_owned()),
                statuses: texts(&["KILLED"]),
                ..Filter::default()
            });
        }
        filters.push(Filter {
            ids: texts(&["0000003-W", "0000009-W"]),
            ..Filter::default()
        });
        filters.push(Filter {
            created_from: Some(1_010_000),
            ..Filter::default()
        });
        for filter in filters {
            for by_last_change in [false, true] {
                let filter = Filter {
                    by_last_change,
                    ..filter.clone()
                };
                let ids = expected(&all, &filter);
                for (offset, len) in [
                    (1, 50),
                    (1, 5),
                    (4, 3),
                    (16, 7),
                    (31, 9),
                    (58, 50),
                    (99, 5),
                    (1, -1),
                    (3, -1),
                ] {
                    let page = jobs(&connection, JobKind::Workflow, &filter, offset, len).unwrap();
                    let found: Vec<String> = page.rows.iter().map(|job| job.id.clone()).collect();
                    let skipped = usize::try_from(offset - 1).unwrap();
                    let taken = usize::try_from(len).unwrap_or(usize::MAX);
                    let expected: Vec<String> =
                        ids.iter().skip(skipped).take(taken).cloned().collect();
                    assert_eq!(found, expected, "{offset} {len} {filter:?}");
                    assert_eq!(page.total, ids.len() as u64, "{filter:?}");
                }
                for walk in [
                    Walk::ByTime,
                    Walk::Of("jobs_by_state"),
                    Walk::Of("jobs_by_app"),
                    Walk::Of("jobs_by_owner"),
                ] {
                    let slice = Slice {
                        order: "ASC",
                        skipped: 2,
                        taken: 9,
                    };
                    let condition = condition(JobKind::Workflow, &filter);
                    let read = slice
                        .read(&connection, JobKind::Workflow, &filter, condition, walk)
                        .unwrap();
                    let read: Vec<String> = read.into_iter().map(|job| job.id).collect();
                    let mut oldest: Vec<String> =
                        ids.iter().rev().skip(2).take(9).cloned().collect();
                    oldest.reverse();
                    assert_eq!(read, oldest, "{walk:?} {filter:?}");
                }
            }
        }
    }

    #[test]
    fn the_index_with_the_fewest_jobs_is_walked() {
        let counts = Counts {
            all: 100_000,
            matching: 100,
            parts: vec![
                (9_000, "jobs_by_state", true),
                (40_000, "jobs_by_app", false),
            ],
        };
        let slice = |skipped| Slice {
            order: "DESC",
            skipped,
            taken: 50,
        };
        assert_eq!(counts.walk(slice(0)), Walk::Of("jobs_by_state"));
        let common = Counts {
            all: 100_000,
            matching: 90_000,
            parts: vec![(90_000, "jobs_by_state", false)],
        };
        assert_eq!(common.walk(slice(0)), Walk::ByTime);
        let rare = Counts {
            all: 100_000,
            matching: 20,
            parts: vec![(20, "jobs_by_state", false)],
        };
        assert_eq!(rare.walk(slice(0)), Walk::Of("jobs_by_state"));
    }
}
