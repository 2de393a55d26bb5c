//! The graphs of definitions that pages have shown.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use hpdlc_runtime::fleet::GraphStructure;

/// Graphs that are kept.
const MOST_KEPT: usize = 128;

/// The graphs of definitions that pages have shown: they never change.
#[derive(Default)]
pub(crate) struct Structures {
    kept: Mutex<BTreeMap<(String, String, i64), Arc<GraphStructure>>>,
}

impl Structures {
    pub(crate) fn get(&self, key: &(String, String, i64)) -> Option<Arc<GraphStructure>> {
        self.kept.lock().ok()?.get(key).cloned()
    }

    pub(crate) fn keep(&self, key: (String, String, i64), structure: Arc<GraphStructure>) {
        if let Ok(mut kept) = self.kept.lock() {
            if kept.len() >= MOST_KEPT {
                kept.pop_first();
            }
            kept.insert(key, structure);
        }
    }
}
