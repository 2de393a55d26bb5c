//! What survives the owner of a job: the started processes, and how they ended.

use std::collections::BTreeMap;

use hpdlc_core::definition::NodeId;

/// One attempt of an action.
pub type Attempt = (NodeId, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Runs,
    Exited,
    /// Canceled: it no longer runs, or never will.
    Stopped,
    /// Unknown how it ended, or whether it started.
    Lost,
}

#[derive(Clone, Copy, Debug)]
struct Claim {
    fate: Fate,
    /// The evaluated values that it was started with.
    values: u64,
}

/// Every attempt that was ever claimed.
#[derive(Debug, Default)]
pub struct LauncherClaims {
    claims: BTreeMap<Attempt, Claim>,
}

impl LauncherClaims {
    pub fn fate(&self, attempt: Attempt) -> Option<Fate> {
        self.claims.get(&attempt).map(|claim| claim.fate)
    }

    /// Starts an attempt; no other attempt of the node may be running.
    pub fn start(&mut self, attempt: Attempt, values: u64) -> Result<(), String> {
        if let Some(other) = self.running().find(|other| other.0 == attempt.0) {
            return Err(format!(
                "attempt {} of node {} still runs",
                other.1, other.0.0
            ));
        }
        let fate = Fate::Runs;
        match self.claims.insert(attempt, Claim { fate, values }) {
            None => Ok(()),
            Some(_) => Err(format!("attempt {attempt:?} ran twice")),
        }
    }

    /// Attaches to an attempt that was started before, which must have been with the same values.
    pub fn attach(&self, attempt: Attempt, values: u64) -> Result<(), String> {
        match self.claims.get(&attempt) {
            Some(claim) if claim.values == values || claim.fate == Fate::Lost => Ok(()),
            claim => Err(format!(
                "attempt {attempt:?} is {claim:?}, its values are {values}"
            )),
        }
    }

    pub fn lose(&mut self, attempt: Attempt) {
        let fate = Fate::Lost;
        self.claims.insert(attempt, Claim { fate, values: 0 });
    }

    pub fn exit(&mut self, attempt: Attempt) {
        self.end(attempt, Fate::Exited);
    }

    /// Stops an attempt; if it has not started, prevents its start.
    pub fn stop(&mut self, attempt: Attempt) {
        let fate = Fate::Stopped;
        self.claims
            .entry(attempt)
            .or_insert(Claim { fate, values: 0 });
        self.end(attempt, fate);
    }

    /// Stops everything that runs, as a power cut does.
    pub fn power_off(&mut self) {
        for attempt in self.running().collect::<Vec<_>>() {
            self.end(attempt, Fate::Lost);
        }
    }

    pub fn running(&self) -> impl Iterator<Item = Attempt> {
        let runs = |claim: &Claim| claim.fate == Fate::Runs;
        self.claims
            .iter()
            .filter(move |(_, claim)| runs(claim))
            .map(|(&attempt, _)| attempt)
    }

    /// How many attempts of the node before this one were lost.
    pub fn lost_before(&self, (node, attempt): Attempt) -> usize {
        let attempts = self.claims.range((node, 0)..(node, attempt));
        attempts
            .filter(|(_, claim)| claim.fate == Fate::Lost)
            .count()
    }

    fn end(&mut self, attempt: Attempt, fate: Fate) {
        if let Some(claim) = self.claims.get_mut(&attempt)
            && claim.fate == Fate::Runs
        {
            claim.fate = fate;
        }
    }
}
