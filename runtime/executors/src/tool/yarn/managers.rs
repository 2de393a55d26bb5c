//! The resource managers, of which one is active: the one that has answered is asked first from then on, so that one whose machine
//! does not answer at all is not waited for with every request.

use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug, Default)]
pub(super) struct Managers {
    /// Such as `http://host:8088`.
    all: Vec<String>,
    /// The number of the one that has answered last.
    last: AtomicUsize,
}

impl Managers {
    pub(super) fn of(all: Vec<String>) -> Managers {
        Managers {
            all,
            last: AtomicUsize::new(0),
        }
    }

    pub(super) fn all(&self) -> &[String] {
        &self.all
    }

    /// The one that has answered last; the first, if none has.
    pub(super) fn last(&self) -> Option<&str> {
        let last = self.last.load(Ordering::Relaxed);
        self.all.get(last).map(String::as_str)
    }

    /// Each with its number, in the order in which they are asked.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = (usize, &str)> {
        let (n, last) = (self.all.len(), self.last.load(Ordering::Relaxed));
        (0..n).map(move |i| {
            let number = (last + i) % n;
            (number, self.all[number].as_str())
        })
    }

    pub(super) fn answered(&self, number: usize) {
        self.last.store(number, Ordering::Relaxed);
    }
}

impl Clone for Managers {
    fn clone(&self) -> Managers {
        Managers {
            all: self.all.clone(),
            last: AtomicUsize::new(self.last.load(Ordering::Relaxed)),
        }
    }
}

/// Whichever has answered.
impl PartialEq for Managers {
    fn eq(&self, other: &Managers) -> bool {
        self.all == other.all
    }
}

impl Eq for Managers {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_has_answered_is_asked_first() {
        let all = ["a", "b", "c"].map(str::to_owned).to_vec();
        let managers = Managers::of(all);
        let in_turn = |managers: &Managers| -> Vec<String> {
            managers.in_turn().map(|(_, it)| it.to_owned()).collect()
        };
        assert_eq!(in_turn(&managers), ["a", "b", "c"]);
        assert_eq!(managers.last(), Some("a"));
        managers.answered(1);
        assert_eq!(in_turn(&managers.clone()), ["b", "c", "a"]);
        assert_eq!(managers.last(), Some("b"));
        assert!(Managers::default().in_turn().next().is_none());
    }
}
