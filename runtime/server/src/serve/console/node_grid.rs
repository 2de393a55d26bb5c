//! The last runs of an application by node: nodes down, runs across, so that it is seen which node fails, and since when one is slow.

use std::collections::{BTreeMap, HashSet};

use hpdlc_core::status::ActionStatus;
use hpdlc_host::clock::{self, format_duration};
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{
    ActionRow,
    overview::{self, RunRow},
    query,
    sql::Connection,
};
use serde::Serialize;

use crate::serve::{
    call::Call,
    console::{
        grid::{self, Bar, GridCell},
        links,
        marks::Mark,
    },
    failure::Failure,
};

/// Nodes that are shown: those that the runs came to first.
const MOST_NODES: usize = 100;
/// Fewer runs are looked at where they have many nodes.
const MOST_READ: usize = 5_000;

#[derive(Debug, Serialize)]
pub(crate) struct NodeGrid {
    rows: Vec<NodeRow>,
    /// Nodes that are not shown.
    n_more: usize,
    n_runs: usize,
}

#[derive(Debug, Serialize)]
struct NodeRow {
    name: String,
    /// One for each run, the oldest first.
    cells: Vec<NodeCell>,
    /// Such as `2 of 20`; empty if it never failed.
    failed: String,
    /// The time that most runs took in which it ended OK; empty of fewer than three.
    usual: String,
    last: Mark,
    last_href: String,
}

/// What a run did with a node.
#[derive(Debug, Serialize)]
struct NodeCell {
    /// `None` if it did not come to it.
    #[serde(flatten)]
    cell: Option<GridCell>,
    job: String,
}

/// A run with its nodes, without control nodes.
struct Run {
    job: String,
    nodes: BTreeMap<String, ActionRow>,
}

/// `None` unless there were at least two runs.
pub(crate) fn of(
    call: &Call,
    connection: &Connection,
    app: &str,
) -> Result<Option<NodeGrid>, Failure> {
    let failed = |error| call.server.failed(error);
    let most = u32::try_from(grid::RUNS).unwrap_or(u32::MAX);
    let newest = overview::runs_of(connection, app, most).map_err(failed)?;
    // Names of nodes are the same in all of them.
    let last = match newest.first() {
        Some(last) if newest.len() > 1 => query::job(connection, &last.id).map_err(failed)?,
        Some(_) | None => None,
    };
    let Some(last) = last else {
        return Ok(None);
    };
    let masks = call.server.mask(connection, &last)?;
    let mut runs = Vec::new();
    let mut n_read = 0;
    for RunRow { id, .. } in newest {
        if n_read > MOST_READ {
            break;
        }
        let rows = query::actions(connection, &id).map_err(failed)?;
        n_read += rows.len();
        let rows = rows.into_iter().filter(is_shown);
        runs.push(Run {
            nodes: rows.map(|row| (row.name.clone(), row)).collect(),
            job: id,
        });
    }
    runs.reverse();
    let now = clock::now_millis();
    Ok(Some(grid(&call.server.base, &runs, &masks, now)))
}

fn is_shown(row: &ActionRow) -> bool {
    !row.type_name.starts_with(':') && row.type_name != "switch" && row.started.is_some()
}

fn grid(base: &str, runs: &[Run], masks: &Masks, now: i64) -> NodeGrid {
    // In the order in which the newest run with a node came to it.
    let mut names: Vec<&str> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for run in runs.iter().rev() {
        let mut rows: Vec<&ActionRow> = run.nodes.values().collect();
        rows.sort_by_key(|row| row.started);
        let fresh = rows.into_iter().map(|row| row.name.as_str());
        names.extend(fresh.filter(|name| known.insert(name)));
    }
    let shown = names.iter().take(MOST_NODES);
    NodeGrid {
        rows: shown
            .filter_map(|name| row(base, name, runs, masks, now))
            .collect(),
        n_more: names.len().saturating_sub(MOST_NODES),
        n_runs: runs.len(),
    }
}

fn row(base: &str, name: &str, runs: &[Run], masks: &Masks, now: i64) -> Option<NodeRow> {
    let rows: Vec<(&str, &ActionRow)> = runs
        .iter()
        .filter_map(|run| Some((run.job.as_str(), run.nodes.get(name)?)))
        .collect();
    let (last_job, last) = *rows.last()?;
    let took = |row: &ActionRow| Some(row.ended.unwrap_or(now) - row.started?);
    let bars: Vec<Bar<'_>> = rows
        .iter()
        .map(|(job, row)| Bar {
            href: links::node(base, job, name),
            status: row.shown_status().name(),
            took: took(row),
            job,
        })
        .collect();
    let mut cells = grid::cells(&bars).into_iter();
    let cells = runs.iter().map(|run| NodeCell {
        cell: run.nodes.get(name).and_then(|_| cells.next()),
        job: run.job.clone(),
    });
    let has_failed = |row: &&(&str, &ActionRow)| {
        matches!(
            row.1.status,
            ActionStatus::Error | ActionStatus::Failed | ActionStatus::StartManual
        )
    };
    let is_good = |row: &&(&str, &ActionRow)| row.1.status == ActionStatus::Ok;
    let good = rows.iter().filter(is_good);
    let usual = grid::median(good.filter_map(|(_, row)| took(row)).collect());
    Some(NodeRow {
        name: masks.text(name),
        cells: cells.collect(),
        failed: match rows.iter().filter(has_failed).count() {
            0 => String::new(),
            n => format!("{n} of {}", rows.len()),
        },
        usual: usual.map_or_else(String::new, format_duration),
        last: Mark::of(last.shown_status().name()),
        last_href: links::node(base, last_job, name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(job: &str, nodes: &[(&str, ActionStatus, i64, i64)]) -> Run {
        let row = |(name, status, started, ended): &(&str, ActionStatus, i64, i64)| {
            let row = ActionRow {
                status: *status,
                started: Some(*started),
                ended: Some(*ended),
                ..ActionRow::new(job, name, "shell")
            };
            ((*name).to_owned(), row)
        };
        Run {
            job: job.to_owned(),
            nodes: nodes.iter().map(row).collect(),
        }
    }

    #[test]
    fn each_node_has_a_cell_for_each_run() {
        let ok = ActionStatus::Ok;
        let runs = [
            run("1-W", &[("load", ok, 0, 10), ("sum", ok, 10, 20)]),
            run("2-W", &[("load", ok, 0, 20), ("old", ok, 20, 30)]),
            run(
                "3-W",
                &[("load", ok, 0, 40), ("sum", ActionStatus::Error, 40, 50)],
            ),
        ];
        let grid = grid("/oozie", &runs, &Masks::default(), 100);
        let shown: Vec<String> = grid
            .rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().map(|cell| {
                    let cell = cell.cell.as_ref();
                    cell.map_or("-".to_owned(), |it| format!("{}{}", it.look, it.height))
                });
                let cells: Vec<String> = cells.collect();
                format!(
                    "{}: {}; {}; {}",
                    row.name,
                    cells.join(" "),
                    row.failed,
                    row.usual
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "load: good5 good10 good20; ; 0.0s",
                "sum: good20 - bad20; 1 of 2; ",
                "old: - good20 -; ; "
            ]
        );
        assert!(grid.rows[1].last_href.ends_with("/3-W/node/sum"));
        assert_eq!((grid.n_more, grid.n_runs), (0, 3));
    }
}
