//! Search for `latest` and `future`: the n-th instance that is available.

use chrono::{DateTime, Utc};

use crate::coordinator::Dataset;

/// Instances that are searched for among those that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// `coord:latest(n)`, `coord:latestRange(start, end)`: 0 is the newest, -1 the one before; `start <= end <= 0`.
    Latest { start: i64, end: i64 },
    /// `coord:future(n, limit)`, `coord:futureRange(start, end, limit)`: `0 <= start <= end`. `limit` instances after the current
    /// one are checked.
    Future { start: i64, end: i64, limit: i64 },
}

/// Answers whether data is available.
pub trait DataAvailability {
    /// The error of a failed check.
    type Error;

    /// Whether `uri` exists; for a dataset with a done flag it is that of the flag.
    ///
    /// # Errors
    ///
    /// If it could not be determined.
    fn is_there(&mut self, uri: &str) -> Result<bool, Self::Error>;
}

/// A search in progress: it yields one candidate instance after the other, and is told whether it is available. So the caller may
/// obtain the answer synchronously or asynchronously.
#[derive(Clone, Debug)]
pub struct SearchState {
    search: Search,
    /// The number of the instance to check.
    at: Option<i64>,
    /// For `future`: the last one to check.
    last: i64,
    n_found: i64,
    found: Vec<DateTime<Utc>>,
}

impl Search {
    /// Starts the search for an action. `latest` counts from the newest instance at `actual`, when the action was materialized;
    /// `future` from that at `nominal`.
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

    /// How many instances to skip, and how many to find after that.
    fn wanted(self) -> (i64, i64) {
        match self {
            Search::Latest { start, end } => (-end, end - start + 1),
            Search::Future { start, end, .. } => (start, end - start + 1),
        }
    }
}

impl SearchState {
    /// The instance to check next. `None` when the search has ended.
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

    /// Takes the answer for the candidate at `time` and advances.
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

    /// The instances found: the newest first for `latest`, the oldest first for `future`. `None` if there are not enough.
    pub fn result(self) -> Option<Vec<DateTime<Utc>>> {
        self.is_complete().then_some(self.found)
    }

    fn is_complete(&self) -> bool {
        let (_, wanted) = self.search.wanted();
        i64::try_from(self.found.len()).is_ok_and(|found| found >= wanted)
    }
}
