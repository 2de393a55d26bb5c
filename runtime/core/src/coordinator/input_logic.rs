//! The `input-logic` of a coordinator: which of the inputs of an action have to be there
//! (`CoordInputLogicEvaluator`).
//!
//! One rule is our own: where `combine` finds the instance of one place in several of the other datasets, it takes the first
//! of them. Oozie takes all, and then counts them for places that nobody has.

use std::collections::BTreeMap;

use crate::{
    coordinator::{SubmissionProblem, functions::JobValues},
    el::ast::Template,
};

/// An element of the section, its texts parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicText {
    pub kind: LogicTextKind,
    pub name: Option<Template>,
    pub min: Option<Template>,
    pub wait: Option<Template>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LogicTextKind {
    And(Vec<LogicText>),
    Or(Vec<LogicText>),
    /// Of elements that name inputs.
    Combine(Vec<LogicText>),
    /// The name of an input.
    Input(Template),
}

/// An element with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logic {
    pub kind: LogicKind,
    /// What `coord:dataIn` knows it by.
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicKind {
    And(Vec<Logic>),
    Or(Vec<Logic>),
    /// The numbers of the inputs; where the first one lacks an instance, the others stand in.
    Combine(Vec<usize>, Enough),
    /// The number of the input.
    Input(usize, Enough),
}

/// How much of an input is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enough {
    /// So many instances; all, where there is none.
    pub min: Option<i64>,
    /// So many minutes more are waited for; 0 for none.
    pub wait: i64,
}

/// What is known of the instances of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputState {
    /// The URIs of its fixed instances, and whether each is there.
    pub fixed: Vec<(String, bool)>,
    pub searched: Searched,
}

/// How far `latest` and `future` of an input are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Searched {
    /// The input has none.
    #[default]
    None,
    /// Nobody has looked.
    Open,
    Found(Vec<String>),
    TooFew,
}

/// What the logic says of the inputs of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// They are there: the URIs of every element that has a name and is part of the reason.
    Ready(BTreeMap<String, Vec<String>>),
    /// More may come, or time has to pass.
    NotReady,
    /// It depends on the searches of these inputs, by number.
    Search(Vec<usize>),
}

enum Outcome {
    True(Vec<String>),
    False,
    /// For `wait` to pass. Decides an `or`: what comes first in the document is preferred.
    Waiting,
    Open(Vec<usize>),
}

impl LogicText {
    /// Evaluates the texts. `inputs` are the names of the input events, in order.
    ///
    /// # Errors
    ///
    /// A text without a value, a name that no input has, an attribute that is no number.
    pub(super) fn resolve(
        &self,
        job: &JobValues,
        inputs: &[&str],
    ) -> Result<Logic, SubmissionProblem> {
        self.resolve_below(job, inputs, None, None)
    }

    /// `min` goes down to all elements, `wait` from an element to the inputs directly in it.
    fn resolve_below(
        &self,
        job: &JobValues,
        inputs: &[&str],
        outer_min: Option<i64>,
        outer_wait: Option<i64>,
    ) -> Result<Logic, SubmissionProblem> {
        let own_min = number(job, "min", self.min.as_ref())?;
        let own_wait = number(job, "wait", self.wait.as_ref())?;
        let min = own_min.or(outer_min);
        let below = |texts: &[LogicText]| -> Result<Vec<Logic>, SubmissionProblem> {
            texts
                .iter()
                .map(|text| text.resolve_below(job, inputs, min, own_wait))
                .collect()
        };
        let kind = match &self.kind {
            LogicTextKind::And(texts) => LogicKind::And(below(texts)?),
            LogicTextKind::Or(texts) => LogicKind::Or(below(texts)?),
            LogicTextKind::Combine(texts) => {
                let numbers = texts
                    .iter()
                    .filter_map(|text| match &text.kind {
                        LogicTextKind::Input(name) => Some(number_of(job, name, inputs)),
                        LogicTextKind::And(_)
                        | LogicTextKind::Or(_)
                        | LogicTextKind::Combine(_) => None,
                    })
                    .collect::<Result<_, _>>()?;
                let enough = Enough {
                    min,
                    wait: own_wait.unwrap_or(0),
                };
                LogicKind::Combine(numbers, enough)
            }
            LogicTextKind::Input(name) => {
                let enough = Enough {
                    min,
                    wait: own_wait.or(outer_wait).unwrap_or(0),
                };
                LogicKind::Input(number_of(job, name, inputs)?, enough)
            }
        };
        let name = match &self.name {
            Some(name) => Some(
                job.evaluate_at_submission(name)
                    .map_err(SubmissionProblem::El)?,
            ),
            None => None,
        };
        Ok(Logic { kind, name })
    }
}

fn number(
    job: &JobValues,
    attribute: &'static str,
    template: Option<&Template>,
) -> Result<Option<i64>, SubmissionProblem> {
    let Some(template) = template else {
        return Ok(None);
    };
    let text = job
        .evaluate_at_submission(template)
        .map_err(SubmissionProblem::El)?;
    match text.parse::<i32>() {
        Ok(n) => Ok(Some(i64::from(n))),
        Err(_) => Err(SubmissionProblem::LogicNumber { attribute, text }),
    }
}

fn number_of(
    job: &JobValues,
    name: &Template,
    inputs: &[&str],
) -> Result<usize, SubmissionProblem> {
    let name = job
        .evaluate_at_submission(name)
        .map_err(SubmissionProblem::El)?;
    inputs
        .iter()
        .position(|input| *input == name)
        .ok_or(SubmissionProblem::UndefinedInput(name))
}

impl Logic {
    /// Looks at the inputs of an action, by their numbers, after it has waited for `minutes`.
    pub fn decide(&self, inputs: &[InputState], minutes: i64) -> Decision {
        let mut names = BTreeMap::new();
        match self.outcome(inputs, minutes, &mut names) {
            Outcome::True(_) => Decision::Ready(names),
            Outcome::False | Outcome::Waiting => Decision::NotReady,
            Outcome::Open(numbers) => Decision::Search(numbers),
        }
    }

    fn outcome(
        &self,
        inputs: &[InputState],
        minutes: i64,
        names: &mut BTreeMap<String, Vec<String>>,
    ) -> Outcome {
        let outcome = match &self.kind {
            LogicKind::And(nodes) => all_of(nodes, inputs, minutes, names),
            LogicKind::Or(nodes) => one_of(nodes, inputs, minutes, names),
            LogicKind::Combine(numbers, enough) => combined(numbers, *enough, inputs, minutes),
            LogicKind::Input(number, enough) => of_input(*number, *enough, inputs, minutes),
        };
        if let (Some(name), Outcome::True(uris)) = (&self.name, &outcome) {
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
) -> Outcome {
    let mut all = Vec::new();
    let mut open = Vec::new();
    let mut is_waiting = false;
    for node in nodes {
        match node.outcome(inputs, minutes, names) {
            Outcome::True(mut uris) => {
                uris.append(&mut all);
                all = uris;
            }
            Outcome::False => return Outcome::False,
            Outcome::Waiting => is_waiting = true,
            Outcome::Open(numbers) => open.extend(numbers),
        }
    }
    match (is_waiting, open.is_empty()) {
        (true, _) => Outcome::Waiting,
        (false, false) => Outcome::Open(open),
        (false, true) => Outcome::True(all),
    }
}

fn one_of(
    nodes: &[Logic],
    inputs: &[InputState],
    minutes: i64,
    names: &mut BTreeMap<String, Vec<String>>,
) -> Outcome {
    for node in nodes {
        match node.outcome(inputs, minutes, names) {
            Outcome::False => {}
            decided @ (Outcome::True(_) | Outcome::Waiting | Outcome::Open(_)) => return decided,
        }
    }
    Outcome::False
}

fn of_input(number: usize, enough: Enough, inputs: &[InputState], minutes: i64) -> Outcome {
    let Some(input) = inputs.get(number) else {
        return Outcome::False;
    };
    let (mut uris, has_searched) = match &input.searched {
        Searched::None => (Vec::new(), true),
        Searched::Found(uris) => (uris.clone(), true),
        Searched::TooFew => (Vec::new(), false),
        Searched::Open => return Outcome::Open(vec![number]),
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

fn combined(numbers: &[usize], enough: Enough, inputs: &[InputState], minutes: i64) -> Outcome {
    let sets: Option<Vec<&InputState>> = numbers.iter().map(|number| inputs.get(*number)).collect();
    let Some(sets) = sets else {
        return Outcome::False;
    };
    let Some(first) = sets.first() else {
        return Outcome::False;
    };
    // What the compiler refuses where it can be known; Oozie waits for ever.
    let fits =
        |set: &&InputState| set.searched == Searched::None && set.fixed.len() == first.fixed.len();
    if !sets.iter().all(fits) {
        return Outcome::False;
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

impl Enough {
    /// Also what is enough already waits for more until its time has passed.
    fn judge(self, uris: Vec<String>, has_all: bool, minutes: i64) -> Outcome {
        if has_all {
            return Outcome::True(uris);
        }
        if minutes < self.wait {
            return Outcome::Waiting;
        }
        let n_found = i64::try_from(uris.len()).unwrap_or(i64::MAX);
        match self.min {
            Some(min @ 0..) if n_found >= min => Outcome::True(uris),
            Some(_) | None => Outcome::False,
        }
    }
}
