//! The planned outcome of every node of a graph, decided before the job runs, and the predicted end of the job.

use std::{collections::BTreeSet, fmt, time::Duration};

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    step::{AttemptFailure, FailureClass, RetryPolicy, RetryRule},
};

use super::{graph::SimulatedGraph, random::Random};

/// The result of one attempt.
#[derive(Clone, Copy, Debug)]
pub enum PlannedAttempt {
    /// The evaluation fails.
    Unprepared(AttemptFailure),
    /// The work fails.
    Failed(AttemptFailure),
    Succeeded,
    Case(u32),
}

/// How a node ends when its retries are used up or one succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlannedEnd {
    Follows(Outcome),
    FailsTheJob,
}

/// The plan of each node.
#[derive(Debug)]
pub struct FatePlan {
    scripts: Vec<(Vec<PlannedAttempt>, PlannedEnd)>,
    /// The failure of an attempt whose end is unknown.
    pub lost: AttemptFailure,
}

/// What every order of events must lead to, commands aside.
#[derive(Debug, Default)]
pub struct Prediction {
    /// Every node that may be entered; all of them are, unless the job ends early.
    pub entered: BTreeSet<NodeId>,
    pub may_be_killed: bool,
    pub may_fail: bool,
}

impl FatePlan {
    pub fn random(random: &mut Random, graph: &SimulatedGraph) -> FatePlan {
        let trouble = random.pick(&[0, 20, 20, 50, 80]);
        let may_fail = random.percent(15);
        let scripts = graph
            .nodes()
            .map(|(node, shape)| match shape {
                Shape::Action => script(random, trouble, may_fail, None),
                Shape::Decision => {
                    let case = u32::try_from(random.below(graph.cases(node)));
                    let case = case.expect("decisions are small");
                    script(random, trouble, may_fail, Some(case))
                }
                Shape::Start
                | Shape::End
                | Shape::Kill
                | Shape::Fail
                | Shape::Fork { .. }
                | Shape::Join => (Vec::new(), PlannedEnd::Follows(Outcome::Ok)),
            })
            .collect();
        let lost = AttemptFailure {
            class: random.pick(&[FailureClass::NonTransient, FailureClass::Transient]),
            transient: rule(random),
            user: None,
        };
        FatePlan { scripts, lost }
    }

    /// The result of the attempt after `n` others, not counting lost ones.
    pub fn trial(&self, node: NodeId, n: usize) -> Option<PlannedAttempt> {
        self.scripts[node.index()].0.get(n).copied()
    }

    pub fn end(&self, node: NodeId) -> PlannedEnd {
        self.scripts[node.index()].1
    }

    pub fn predict(&self, graph: &SimulatedGraph) -> Prediction {
        let mut prediction = Prediction::default();
        let mut reached = vec![graph.start()];
        while let Some(node) = reached.pop() {
            if !prediction.entered.insert(node) {
                continue;
            }
            match graph.shape(node) {
                Shape::End => {}
                Shape::Kill => prediction.may_be_killed = true,
                Shape::Fail => prediction.may_fail = true,
                Shape::Start => reached.extend(graph.next(node, Outcome::Ok)),
                Shape::Join => reached.extend(graph.next(node, Outcome::Joined)),
                Shape::Fork { branches, join } => {
                    let targets = (0..branches).map(Outcome::Branch);
                    reached.extend(targets.filter_map(|branch| graph.next(node, branch)));
                    reached.extend(join);
                }
                Shape::Action | Shape::Decision => match self.end(node) {
                    PlannedEnd::Follows(outcome) => reached.extend(graph.next(node, outcome)),
                    PlannedEnd::FailsTheJob => prediction.may_fail = true,
                },
            }
        }
        prediction
    }
}

impl fmt::Display for FatePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (node, (trials, end)) in self.scripts.iter().enumerate() {
            if !trials.is_empty() {
                writeln!(f, "{node:4} {end:?} after {trials:?}")?;
            }
        }
        writeln!(f, "lost: {:?}", self.lost)
    }
}

fn rule(random: &mut Random) -> RetryRule {
    RetryRule {
        max: u32::try_from(random.below(3)).expect("it is small"),
        interval: Duration::from_secs(1),
        policy: random.pick(&[RetryPolicy::Periodic, RetryPolicy::Exponential]),
    }
}

/// Failures that are retried, then one that is not, or a success; `case` makes it a decision's.
fn script(
    random: &mut Random,
    trouble: usize,
    may_fail: bool,
    case: Option<u32>,
) -> (Vec<PlannedAttempt>, PlannedEnd) {
    let is_decision = case.is_some();
    let mut trials = Vec::new();
    let trial = |random: &mut Random, failure| {
        if is_decision || random.percent(30) {
            PlannedAttempt::Unprepared(failure)
        } else {
            PlannedAttempt::Failed(failure)
        }
    };
    let mut user_retries = 0;
    while trials.len() < 6 && random.percent(trouble) {
        let class = match random.below(4) {
            0 => FailureClass::Transient,
            1 => FailureClass::NonTransient,
            2 if !is_decision => FailureClass::Error,
            _ if may_fail => FailureClass::Failed,
            _ => continue,
        };
        let user = random.percent(70).then(|| rule(random));
        let transient = rule(random);
        let failure = AttemptFailure {
            class,
            transient,
            user,
        };
        trials.push(trial(random, failure));
        let end = match class {
            FailureClass::Transient | FailureClass::NonTransient => continue,
            FailureClass::Error => PlannedEnd::Follows(Outcome::Error),
            FailureClass::Failed => PlannedEnd::FailsTheJob,
        };
        if user.is_some_and(|rule| user_retries < rule.max) {
            user_retries += 1;
        } else {
            return (trials, end);
        }
    }
    if let Some(case) = case {
        trials.push(PlannedAttempt::Case(case));
        return (trials, PlannedEnd::Follows(Outcome::Case(case)));
    }
    if random.percent(25) {
        let failure = AttemptFailure {
            class: FailureClass::Error,
            transient: rule(random),
            user: None,
        };
        trials.push(trial(random, failure));
        return (trials, PlannedEnd::Follows(Outcome::Error));
    }
    trials.push(PlannedAttempt::Succeeded);
    (trials, PlannedEnd::Follows(Outcome::Ok))
}
