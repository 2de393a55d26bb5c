//! Chooses the alternatives of one way, where all ways are visited.

use std::collections::BTreeMap;

/// The choices of one way: those given first, and then the first alternative of each.
#[derive(Debug, Default)]
pub(crate) struct Explorer {
    given: Vec<u32>,
    taken: Vec<Taken>,
    /// How the actions end; an action that is tried again ends the same way.
    ends: BTreeMap<String, bool>,
}

/// One choice that was made.
#[derive(Debug)]
struct Taken {
    place: String,
    choice: Choice,
    number: u32,
    n_choices: u32,
}

/// An alternative of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The action succeeded.
    Ok,
    /// The action ended in ERROR.
    Error,
    /// The decision took this case, counted from 1.
    Case(u32),
    /// The decision took its default.
    Default,
}

impl Explorer {
    /// The way that begins with these choices.
    pub(crate) fn new(given: Vec<u32>) -> Explorer {
        Explorer {
            given,
            ..Explorer::default()
        }
    }

    fn choose(&mut self, place: &str, n_choices: u32, name: impl Fn(u32) -> Choice) -> u32 {
        let number = self.given.get(self.taken.len()).copied().unwrap_or(0);
        self.taken.push(Taken {
            place: place.to_owned(),
            choice: name(number),
            number,
            n_choices,
        });
        number
    }

    /// Whether an action succeeds.
    pub(crate) fn is_ok(&mut self, place: &str) -> bool {
        if let Some(is_ok) = self.ends.get(place) {
            return *is_ok;
        }
        let name = |number| {
            if number == 0 {
                Choice::Ok
            } else {
                Choice::Error
            }
        };
        let is_ok = self.choose(place, 2, name) == 0;
        self.ends.insert(place.to_owned(), is_ok);
        is_ok
    }

    /// The case of a decision with so many, the default included; counted from 0.
    pub(crate) fn case(&mut self, place: &str, n_cases: u32) -> u32 {
        self.choose(place, n_cases, |number| {
            if number + 1 == n_cases {
                Choice::Default
            } else {
                Choice::Case(number + 1)
            }
        })
    }

    /// The choices that the next way begins with; `None` if this was the last.
    pub(crate) fn next(&self) -> Option<Vec<u32>> {
        let open = self
            .taken
            .iter()
            .rposition(|taken| taken.number + 1 < taken.n_choices)?;
        let mut given: Vec<u32> = self.taken[..=open]
            .iter()
            .map(|taken| taken.number)
            .collect();
        given[open] += 1;
        Some(given)
    }

    /// The choices, with the places of their nodes.
    pub(crate) fn into_choices(self) -> Vec<(String, Choice)> {
        let taken = self.taken.into_iter();
        taken.map(|taken| (taken.place, taken.choice)).collect()
    }
}
