//! The inputs found for an action: compact, without the URIs, which follow from the nominal time.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The inputs found for an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The fixed instances that are available, numbered across the inputs in document order.
    pub found: FoundSet,
    /// For each input the results of its searches, in order, once all of them have found enough; empty until one has.
    pub searched: Vec<Option<Vec<DateTime<Utc>>>>,
    /// The values of `coord:dataIn` for the names of the input logic.
    pub named: BTreeMap<String, Vec<String>>,
}

/// A set of numbered things that were found. They are checked in order, so it is mostly a prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSet {
    /// All numbers below this one are in the set.
    first: u32,
    /// The numbers after a gap.
    others: BTreeSet<u32>,
}

impl FoundSet {
    pub fn contains(&self, n: u32) -> bool {
        n < self.first || self.others.contains(&n)
    }

    pub(super) fn insert(&mut self, n: u32) {
        if n < self.first {
            return;
        }
        self.others.insert(n);
        while self.others.remove(&self.first) {
            self.first += 1;
        }
    }

    /// The smallest number that is missing.
    pub fn first_missing(&self) -> u32 {
        self.first
    }
}

/// [`Inputs`] as JSON.
#[derive(Serialize, Deserialize)]
struct StoredInputs {
    #[serde(default)]
    found: u32,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    others: BTreeSet<u32>,
    /// Seconds since 1970.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    searched: Vec<Option<Vec<i64>>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    named: BTreeMap<String, Vec<String>>,
}

impl Inputs {
    /// The stored form.
    pub fn to_json(&self) -> String {
        let seconds = |times: &Vec<DateTime<Utc>>| times.iter().map(DateTime::timestamp).collect();
        let stored = StoredInputs {
            found: self.found.first,
            others: self.found.others.clone(),
            searched: self
                .searched
                .iter()
                .map(|found| found.as_ref().map(seconds))
                .collect(),
            named: self.named.clone(),
        };
        // Serializing numbers and strings cannot fail.
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Parses the output of [`Inputs::to_json`]. `None` if it is something else.
    pub fn from_json(text: &str) -> Option<Inputs> {
        let stored: StoredInputs = serde_json::from_str(text).ok()?;
        let times = |seconds: Vec<i64>| -> Option<Vec<DateTime<Utc>>> {
            let times = seconds.into_iter();
            times
                .map(|seconds| DateTime::from_timestamp(seconds, 0))
                .collect()
        };
        let searched = stored
            .searched
            .into_iter()
            .map(|found| match found {
                Some(seconds) => times(seconds).map(Some),
                None => Some(None),
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Inputs {
            found: FoundSet {
                first: stored.found,
                others: stored.others,
            },
            searched,
            named: stored.named,
        })
    }
}
