//! The grid of the overview: applications down, their last runs across.

use std::collections::BTreeMap;

use hpdlc_host::clock::format_duration;
use hpdlc_store::overview::RunRow;
use serde::Serialize;

use crate::serve::console::{links, marks::Mark};

/// Runs of an application in the grid.
pub(crate) const RUNS: usize = 20;
/// Applications on a page.
pub(crate) const MOST_APPS: usize = 50;
/// The height of the bar of the longest run of an application, in the units of its picture.
const BAR: i64 = 20;

/// An application in the grid.
#[derive(Debug, Serialize)]
pub(crate) struct GridRow {
    pub(crate) app: String,
    pub(crate) href: String,
    /// The oldest first.
    pub(crate) runs: Vec<GridCell>,
    pub(crate) last: Mark,
    pub(crate) last_href: String,
    pub(crate) took: String,
    /// The time that most runs that SUCCEEDED took; empty without any.
    pub(crate) usual: String,
    pub(crate) when: i64,
}

/// A run in the grid.
#[derive(Debug, Serialize)]
pub(crate) struct GridCell {
    pub(crate) href: String,
    pub(crate) look: &'static str,
    /// What a screen reader says, and what is shown at the pointer.
    pub(crate) label: String,
    /// Of its bar, from the top.
    pub(crate) top: i64,
    pub(crate) height: i64,
}

/// What a cell stands for.
pub(crate) struct Bar<'a> {
    pub(crate) href: String,
    pub(crate) status: &'a str,
    /// In milliseconds, until now if it has not ended.
    pub(crate) took: Option<i64>,
    /// The id of the job.
    pub(crate) job: &'a str,
}

/// The cells of a row: the longest of them has a bar of the whole height.
pub(crate) fn cells(bars: &[Bar<'_>]) -> Vec<GridCell> {
    let longest = bars.iter().filter_map(|bar| bar.took).max();
    let longest = longest.unwrap_or_default().max(1);
    bars.iter()
        .map(|bar| {
            let share = bar.took.unwrap_or_default().max(0) * BAR / longest;
            let height = share.max(2);
            GridCell {
                href: bar.href.clone(),
                look: Mark::of(bar.status).look,
                label: format!("{}, {}, job {}", bar.status, words(bar.took), bar.job),
                top: BAR - height,
                height,
            }
        })
        .collect()
}

/// A duration as text.
pub(crate) fn words(took: Option<i64>) -> String {
    took.map_or_else(|| "–".to_owned(), format_duration)
}

/// The runs by application, the one whose last run is newest first; each has its newest run first.
pub(crate) fn by_app(runs: &[RunRow]) -> Vec<(&str, Vec<&RunRow>)> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut apps: Vec<(&str, Vec<&RunRow>)> = Vec::new();
    for run in runs {
        let place = *places.entry(&run.app).or_insert_with(|| {
            apps.push((&run.app, Vec::new()));
            apps.len() - 1
        });
        apps[place].1.push(run);
    }
    apps
}

/// The median of what the runs that SUCCEEDED took, in milliseconds, if there are at least three.
pub(crate) fn usual(runs: &[&RunRow]) -> Option<i64> {
    let succeeded = runs.iter().filter(|run| run.status == "SUCCEEDED");
    let took = succeeded.filter_map(|run| run.took(0)).take(RUNS);
    median(took.collect())
}

/// `None` of fewer than three.
pub(crate) fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    (values.len() >= 3).then(|| values[values.len() / 2])
}

/// A row of the grid; `None` without runs. `mask` hides secrets in the name.
pub(crate) fn row(base: &str, app: &str, runs: &[&RunRow], now: i64) -> Option<GridRow> {
    let last = runs.first()?;
    let bars: Vec<Bar<'_>> = runs
        .iter()
        .take(RUNS)
        .rev()
        .map(|run| Bar {
            href: links::job(base, &run.id),
            status: &run.status,
            took: run.took(now),
            job: &run.id,
        })
        .collect();
    Some(GridRow {
        app: app.to_owned(),
        href: links::jobs(base, &[("app", app)]),
        last: Mark::of(&last.status),
        last_href: links::job(base, &last.id),
        took: words(last.took(now)),
        usual: usual(runs).map_or_else(String::new, format_duration),
        when: last.ended.or(last.started).unwrap_or(last.created),
        runs: cells(&bars),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, app: &str, status: &str, took: i64) -> RunRow {
        RunRow {
            id: id.to_owned(),
            app: app.to_owned(),
            status: status.to_owned(),
            created: 0,
            started: Some(0),
            ended: Some(took),
            parent_id: None,
            error_code: None,
            error_message: None,
        }
    }

    #[test]
    fn the_usual_time_is_that_of_runs_that_succeeded() {
        let runs = [
            run("4", "a", "KILLED", 1),
            run("3", "a", "SUCCEEDED", 30),
            run("2", "b", "RUNNING", 5),
            run("1", "a", "SUCCEEDED", 10),
            run("0", "a", "SUCCEEDED", 20),
        ];
        let apps = by_app(&runs);
        assert_eq!((apps[0].0, apps[1].0), ("a", "b"));
        assert_eq!(usual(&apps[0].1), Some(20));
        assert_eq!(usual(&apps[1].1), None);
        let row = row("/oozie", "a", &apps[0].1, 100).unwrap();
        let cells: Vec<(&str, i64)> = row.runs.iter().map(|it| (it.look, it.height)).collect();
        assert_eq!(
            cells,
            [("good", 13), ("good", 6), ("good", 20), ("killed", 2)]
        );
        assert_eq!(row.last.word, "KILLED");
    }
}
