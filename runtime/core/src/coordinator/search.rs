//! `latest` and `future`: the n-th instance that is there.

use chrono::{DateTime, Utc};

use crate::coordinator::Dataset;

/// Instances that are looked for among those that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// `coord:latest(n)`, `coord:latestRange(start, end)`: 0 is the newest, -1 the one before; `start <= end <= 0`.
    Latest { start: i64, end: i64 },
    /// `coord:future(n, limit)`, `coord:futureRange(start, end, limit)`: `0 <= start <= end`. `limit` instances after the
    /// current one are looked at.
    Future { start: i64, end: i64, limit: i64 },
}

/// Answers whether data is there.
pub trait Availability {
    /// What went wrong while looking.
    type Error;

    /// Whether something is at `uri`, which is the done flag's where there is one.
    ///
    /// # Errors
    ///
    /// It could not be found out.
    fn is_there(&mut self, uri: &str) -> Result<bool, Self::Error>;
}

/// A search on its way: it names one instance after the other, and is told whether that is there. Who looks may so wait for
/// the answer as he likes.
#[derive(Clone, Debug)]
pub struct SearchState {
    search: Search,
    /// The number of the instance to look at.
    at: Option<i64>,
    /// For `future`: the last one to look at.
    last: i64,
    n_found: i64,
    found: Vec<DateTime<Utc>>,
}

impl Search {
    /// Starts for an action. `latest` counts from the newest instance at `actual`, when the action was made; `future` from
    /// that at `nominal`.
    pub fn start(
        self,
        dataset: &Dataset,
        nominal: DateTime<Utc>,
        actual: DateTime<Utc>,
    ) -> SearchState {
        let (at, last) = match self {
            Search::Latest { .. } => (dataset.current(actual), 0),
            Search::Future { limit, .. } => {
                let at = dataset.current(nominal);
                (at, at.unwrap_or(0).saturating_add(limit))
            }
        };
        SearchState {
            search: self,
            at,
            last,
            n_found: 0,
            found: Vec::new(),
        }
    }

    /// How many instances must be passed over, and how many are wanted after that.
    fn wanted(self) -> (i64, i64) {
        match self {
            Search::Latest { start, end } => (-end, end - start + 1),
            Search::Future { start, end, .. } => (start, end - start + 1),
        }
    }
}

impl SearchState {
    /// The instance to look at next. Nothing when the search is over.
    pub fn candidate(&self, dataset: &Dataset) -> Option<DateTime<Utc>> {
        if self.is_complete() {
            return None;
        }
        let at = self.at?;
        match self.search {
            Search::Latest { .. } => dataset.instance(at),
            Search::Future { .. } if at > self.last => None,
            Search::Future { .. } => dataset.instance(at),
        }
    }

    /// Takes the answer for the candidate at `time` and goes on.
    pub fn answer(&mut self, time: DateTime<Utc>, is_there: bool) {
        if is_there {
            let (passed_over, _) = self.search.wanted();
            if self.n_found >= passed_over {
                self.found.push(time);
            }
            self.n_found += 1;
        }
        self.at = self.at.and_then(|at| match self.search {
            Search::Latest { .. } => at.checked_sub(1),
            Search::Future { .. } => at.checked_add(1),
        });
    }

    /// What was found: the newest first for `latest`, the oldest first for `future`. Nothing where it is not all there.
    pub fn result(self) -> Option<Vec<DateTime<Utc>>> {
        self.is_complete().then_some(self.found)
    }

    fn is_complete(&self) -> bool {
        let (_, wanted) = self.search.wanted();
        i64::try_from(self.found.len()).is_ok_and(|found| found >= wanted)
    }
}
