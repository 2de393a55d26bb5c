//! Suggestions of similar names, in bounded time.

use crate::diagnostics::nearest;

/// How many searches one pass makes. Each compares a name with those of perhaps ten thousand nodes, and whoever has more
/// mistakes than this of one kind has made one that no suggestion mends.
const MOST_SEARCHES: usize = 50;

/// The searches that a pass may still make.
pub(crate) struct SimilarNames {
    n_left: usize,
}

impl Default for SimilarNames {
    fn default() -> SimilarNames {
        SimilarNames {
            n_left: MOST_SEARCHES,
        }
    }
}

impl SimilarNames {
    /// The candidate most like `name`, if one is alike enough and the pass has not asked too often.
    pub(crate) fn nearest<'a>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        self.n_left = self.n_left.checked_sub(1)?;
        nearest(name, candidates).map(str::to_owned)
    }
}
