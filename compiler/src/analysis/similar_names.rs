//! Suggestions of similar names, in bounded time.

use crate::diagnostics::{nearest, nearest_in_words};

/// The maximum number of searches per pass. Each compares a name with those of perhaps ten thousand nodes, and more mistakes
/// of one kind than this have a common cause that no suggestion fixes.
const MOST_SEARCHES: usize = 50;

/// The remaining searches of a pass.
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
    /// The candidate most similar to `name`, if one is similar enough and the limit is not reached.
    pub(crate) fn nearest<'a>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        self.n_left = self.n_left.checked_sub(1)?;
        nearest(name, candidates).map(str::to_owned)
    }

    /// As [`SimilarNames::nearest`], with a similar word for each word: for names of properties, of which those that differ in a
    /// whole word are other properties.
    pub(crate) fn nearest_in_words<'a>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        self.n_left = self.n_left.checked_sub(1)?;
        nearest_in_words(name, candidates).map(str::to_owned)
    }
}
