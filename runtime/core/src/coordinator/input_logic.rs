//! The `input-logic` of a coordinator: which of the inputs of an action must be available (`CoordInputLogicEvaluator`).
//!
//! One rule is our own: if `combine` finds the instance at one position in several of the other datasets, it takes the first of
//! them. Oozie takes all, and then counts the surplus for positions that no dataset has.

use std::collections::BTreeMap;

/// An element with its evaluated attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logic {
    pub kind: LogicKind,
    /// The name by which `coord:dataIn` refers to it.
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicKind {
    And(Vec<Logic>),
    Or(Vec<Logic>),
    /// The numbers of the inputs; an instance that the first one lacks is taken from the others.
    Combine(Vec<usize>, InputThreshold),
    /// The number of the input.
    Input(usize, InputThreshold),
}

/// When an input is sufficient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputThreshold {
    /// Minimum number of instances; `None` means all.
    pub min: Option<i64>,
    /// Minutes to wait for more instances; 0 for none.
    pub wait: i64,
}

/// The known state of an input's instances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputState {
    /// The URIs of its fixed instances, and whether each is available.
    pub fixed: Vec<(String, bool)>,
    pub searched: Searched,
}

/// The state of an input's `latest` and `future` searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Searched {
    /// The input has none.
    #[default]
    None,
    /// Not searched yet.
    Open,
    Found(Vec<String>),
    TooFew,
}

/// The result of the logic for the inputs of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicDecision {
    /// Satisfied: the URIs of every named element that contributes to the result.
    Ready(BTreeMap<String, Vec<String>>),
    /// More data may arrive, or time has to pass.
    NotReady,
    /// Depends on the searches of these inputs, by number.
    Search(Vec<usize>),
}

enum LogicOutcome {
    True(Vec<String>),
    False,
    /// Waiting for `wait` to pass. Decides an `or`: an earlier element in the document is preferred.
    Waiting,
    Open(Vec<usize>),
}

impl Logic {
    /// Evaluates the inputs of an action, indexed by number, after it has waited for `minutes`.
    pub fn decide(&self, inputs: &[InputState], minutes: i64) -> LogicDecision {
        let mut names = BTreeMap::new();
        match self.outcome(inputs, minutes, &mut names) {
            LogicOutcome::True(_) => LogicDecision::Ready(names),
            LogicOutcome::False | LogicOutcome::Waiting => LogicDecision::NotReady,
            LogicOutcome::Open(numbers) => LogicDecision::Search(numbers),
        }
    }

    fn outcome(
        &self,
        inputs: &[InputState],
        minutes: i64,
        names: &mut BTreeMap<String, Vec<String>>,
    ) -> LogicOutcome {
        let outcome = match &self.kind {
            LogicKind::And(nodes) => all_of(nodes, inputs, minutes, names),
            LogicKind::Or(nodes) => one_of(nodes, inputs, minutes, names),
            LogicKind::Combine(numbers, enough) => combined(numbers, *enough, inputs, minutes),
            LogicKind::Input(number, enough) => of_input(*number, *enough, inputs, minutes),
        };
        if let (Some(name), LogicOutcome::True(uris)) = (&self.name, &outcome) {
            names.insert(name.clone(), uris.clone());
        }
        outcome
    }
}

/// The URIs of the last element come first, as in Oozie.
fn all_of(
    nodes: &[Logic],
    inputs: &[InputState],
    minutes: i64,
    names: &mut BTreeMap<String, Vec<String>>,
) -> LogicOutcome {
    let mut all = Vec::new();
    let mut open = Vec::new();
    let mut is_waiting = false;
    for node in nodes {
        match node.outcome(inputs, minutes, names) {
            LogicOutcome::True(mut uris) => {
                uris.append(&mut all);
                all = uris;
            }
            LogicOutcome::False => return LogicOutcome::False,
            LogicOutcome::Waiting => is_waiting = true,
            LogicOutcome::Open(numbers) => open.extend(numbers),
        }
    }
    match (is_waiting, open.is_empty()) {
        (true, _) => LogicOutcome::Waiting,
        (false, false) => LogicOutcome::Open(open),
        (false, true) => LogicOutcome::True(all),
    }
}

fn one_of(
    nodes: &[Logic],
    inputs: &[InputState],
    minutes: i64,
    names: &mut BTreeMap<String, Vec<String>>,
) -> LogicOutcome {
    for node in nodes {
        match node.outcome(inputs, minutes, names) {
            LogicOutcome::False => {}
            decided @ (LogicOutcome::True(_) | LogicOutcome::Waiting | LogicOutcome::Open(_)) => {
                return decided;
            }
        }
    }
    LogicOutcome::False
}

fn of_input(
    number: usize,
    enough: InputThreshold,
    inputs: &[InputState],
    minutes: i64,
) -> LogicOutcome {
    let Some(input) = inputs.get(number) else {
        return LogicOutcome::False;
    };
    let (mut uris, has_searched) = match &input.searched {
        Searched::None => (Vec::new(), true),
        Searched::Found(uris) => (uris.clone(), true),
        Searched::TooFew => (Vec::new(), false),
        Searched::Open => return LogicOutcome::Open(vec![number]),
    };
    uris.extend(there(&input.fixed));
    let has_all = has_searched && input.fixed.iter().all(|(_, is_there)| *is_there);
    enough.judge(uris, has_all, minutes)
}

fn there(fixed: &[(String, bool)]) -> impl Iterator<Item = String> {
    fixed
        .iter()
        .filter(|(_, is_there)| *is_there)
        .map(|(uri, _)| uri.clone())
}

fn combined(
    numbers: &[usize],
    enough: InputThreshold,
    inputs: &[InputState],
    minutes: i64,
) -> LogicOutcome {
    let sets: Option<Vec<&InputState>> = numbers.iter().map(|number| inputs.get(*number)).collect();
    let Some(sets) = sets else {
        return LogicOutcome::False;
    };
    let Some(first) = sets.first() else {
        return LogicOutcome::False;
    };
    // The compiler refuses this if it is known at compile time; Oozie waits forever.
    let fits =
        |set: &&InputState| set.searched == Searched::None && set.fixed.len() == first.fixed.len();
    if !sets.iter().all(fits) {
        return LogicOutcome::False;
    }
    let of_place = |place: usize| {
        let mut found = sets.iter().filter_map(|set| set.fixed.get(place));
        found.find(|(_, is_there)| *is_there)
    };
    let uris: Vec<String> = (0..first.fixed.len())
        .filter_map(|place| of_place(place).map(|(uri, _)| uri.clone()))
        .collect();
    let has_all = uris.len() == first.fixed.len();
    enough.judge(uris, has_all, minutes)
}

impl InputThreshold {
    /// Even if there are enough instances, waits for more until the time has passed.
    fn judge(self, uris: Vec<String>, has_all: bool, minutes: i64) -> LogicOutcome {
        if has_all {
            return LogicOutcome::True(uris);
        }
        if minutes < self.wait {
            return LogicOutcome::Waiting;
        }
        let n_found = i64::try_from(uris.len()).unwrap_or(i64::MAX);
        match self.min {
            Some(min @ 0..) if n_found >= min => LogicOutcome::True(uris),
            Some(_) | None => LogicOutcome::False,
        }
    }
}
