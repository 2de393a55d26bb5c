//! Speculative execution: actions that the launcher starts by itself when the one before has succeeded.
//!
//! While short commands follow each other in one strand, the intent to start the next few is recorded with the intent to start the first,
//! and sent to the launcher: it starts the next one when one ends with exit code 0, without waiting for a commit. Only if nothing but that
//! code decides, nothing in between can stop the job, and no value depends on what has not happened yet. `ahead` in the row of the
//! *leader*, the action that runs, is how many *followers* may have been started.
//!
//! Commands and signals are carried out once the launcher has withdrawn the followers, so that everything it started is known. A new owner
//! looks for followers that an earlier launcher may have started: these are *suspects*.

use std::collections::{BTreeMap, VecDeque};

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome},
    status::ActionStatus,
    step::{Effect, Event},
};
use hpdlc_executors::{self as executors, AttemptPlace, Work};
use hpdlc_host::exit::RunError;
use hpdlc_launcher::{AttemptState, LauncherRequest, StartRequest};
use hpdlc_program::table::NodeKind;
use hpdlc_store::hosts;

use crate::engine::{AttemptKey, Engine, evaluation::evaluate_body, secrets};

/// How many may follow. After a crash of the machine it is unknown which of them had started.
const MAX_FOLLOWERS: usize = 8;

/// The boot id assumed for an attempt that no owner has seen: an earlier boot.
const EARLIER_BOOT: &str = "";

#[derive(Debug, Default)]
pub(super) struct Speculation {
    leader: Option<AttemptKey>,
    /// In the order in which they are to start.
    followers: VecDeque<HeldFollower>,
    /// The launcher was asked to withdraw the followers, and has not answered.
    pub(super) is_withdrawing: bool,
    suspects: BTreeMap<(String, NodeId), Suspect>,
    /// There are commands, which are carried out when nothing can start by itself any more.
    pub(super) has_commands: bool,
    pub(super) has_kill: bool,
}

#[derive(Debug)]
struct HeldFollower {
    key: AttemptKey,
    work: Work,
    /// `None` once the launcher has been asked to prepare it.
    request: Option<StartRequest>,
    path: String,
    /// The launcher has been told what it follows.
    is_told: bool,
}

/// A node whose first attempt may have been started by a launcher that no longer reports.
#[derive(Debug)]
struct Suspect {
    leader: (String, NodeId),
    /// Otherwise it is lost if no trace of it is found.
    is_same_boot: bool,
    /// How many follow it.
    n_left: i64,
}

impl Engine {
    /// Extends what the launcher may start by itself, with the next commit.
    pub(super) fn look_ahead(&mut self) {
        self.forget_followers_of_failed();
        let Some(leader) = self.leader() else {
            return;
        };
        let mut last = self
            .ahead
            .followers
            .back()
            .map_or_else(|| leader.clone(), |follower| follower.key.clone());
        while self.ahead.followers.len() < MAX_FOLLOWERS
            && let Some(follower) = self.follower_of(&last)
        {
            last = follower.key.clone();
            self.ahead.followers.push_back(follower);
        }
        self.mark_ahead(&leader, self.ahead.followers.len(), true);
        self.ahead.leader = Some(leader);
    }

    /// The one attempt that runs, if everything else waits for its end.
    fn leader(&self) -> Option<AttemptKey> {
        let is_calm = self.slot_use.is_quick
            && self.slot_use.elsewhere.is_empty()
            && !self.ahead.is_withdrawing
            && !self.ahead.has_commands
            && !self.ahead.has_kill
            && self.signals_seen == 0
            && !self.is_draining()
            && self.ahead.suspects.is_empty()
            && self.waiting.is_empty()
            && self.timers.running().next().is_none();
        if !is_calm {
            return None;
        }
        let mut leader = None;
        for (id, effect) in &self.external {
            let Effect::Launch { node, attempt } = effect else {
                return None;
            };
            if leader.replace((id.clone(), *node, *attempt)).is_some() {
                return None;
            }
        }
        for key in &self.in_flight {
            if leader.get_or_insert_with(|| key.clone()) != key {
                return None;
            }
        }
        let leader = leader.filter(|(id, node, attempt)| {
            self.is_to_run(id, *node, *attempt) && self.is_running_job(id)
        })?;
        (self.is_running_job(&self.root) && self.ends_by_its_code(&leader.0, leader.1))
            .then_some(leader)
    }

    /// Whether the exit code alone tells the launcher that the action has succeeded.
    fn ends_by_its_code(&self, id: &str, node: NodeId) -> bool {
        self.jobs.get(id).is_some_and(|job| {
            matches!(
                &job.def(node).kind,
                NodeKind::Action(action) if action.body.def().ends_by_its_code()
            )
        })
    }

    fn follower_of(&mut self, (id, before, _): &AttemptKey) -> Option<HeldFollower> {
        if !self.ends_by_its_code(id, *before) {
            return None;
        }
        let job = self.jobs.get(id)?;
        let node = job.app.next(*before, Outcome::Ok)?;
        let NodeKind::Action(action) = &job.def(node).kind else {
            return None;
        };
        let is_foreseen = !job.state.nodes.contains_key(&node)
            && !job.state.skips.contains_key(&node)
            && !job.state.suspend_points.contains(node)
            && self.can_queue(id, node)
            && !executors::is_blocking(job.app, &action.body, &job.view.conf)
            && executors::is_constant(job.app, &action.body);
        if !is_foreseen {
            return None;
        }
        let snapshot = self.snapshot(id, node)?;
        let work = evaluate_body(&snapshot, &action.body).ok()?;
        // One with secrets is evaluated when it is its turn.
        if !matches!(secrets::with_secrets(&work, self.settings(id)?), Ok(None)) {
            return None;
        }
        let job = self.jobs.get_mut(id)?;
        let files = job.attempt(&self.home, node, 1);
        let place = AttemptPlace {
            job_id: id,
            node: job.def(node).name,
            attempt: &files,
            app_folder: &job.app_folder.clone(),
            app_path: &job.row.app_path.clone(),
            home: self.home.root(),
            is_canceled: &job.cancellation(node),
        };
        let request = work.executor().hold(&place)?;
        Some(HeldFollower {
            key: (id.clone(), node, 1),
            work,
            path: request.attempt.clone(),
            request: Some(request),
            is_told: false,
        })
    }

    /// Has the launcher prepare the followers while the intent is being written.
    pub(super) fn hold_followers(&mut self) {
        let followers = self.ahead.followers.iter_mut();
        let requests: Vec<_> = followers
            .filter_map(|follower| Some((follower.key.clone(), follower.request.take()?)))
            .collect();
        for (key, request) in requests {
            if self.request(&LauncherRequest::Hold(request)) {
                self.held.insert(key);
            }
        }
    }

    /// Tells the launcher which followers it may start by itself, now that this is on disk.
    pub(super) fn tell_followers(&mut self) {
        let mut before = self.ahead.leader.as_ref().and_then(|key| self.path_of(key));
        for place in 0..self.ahead.followers.len() {
            let follower = &mut self.ahead.followers[place];
            let attempt = follower.path.clone();
            let is_news = !std::mem::replace(&mut follower.is_told, true);
            let after = before.replace(attempt.clone());
            if is_news && let Some(after) = after {
                self.environment
                    .request(&LauncherRequest::Follow { attempt, after });
            }
        }
    }

    fn path_of(&self, (id, node, attempt): &AttemptKey) -> Option<String> {
        let job = self.jobs.get(id)?;
        let files = job.attempt(&self.home, *node, *attempt);
        Some(files.folder().display().to_string())
    }

    /// The values of an attempt that is to be prepared, if it is the first follower: it becomes the leader.
    pub(super) fn take_follower(&mut self, key: &AttemptKey) -> Option<Work> {
        let follower = self
            .ahead
            .followers
            .pop_front_if(|follower| follower.key == *key)?;
        self.ahead.leader = Some(key.clone());
        let n_left = self.ahead.followers.len();
        self.mark_ahead(key, n_left, true);
        // Its report may be the next event.
        self.launched.insert(follower.path, key.clone());
        Some(follower.work)
    }

    /// Called before a report of the launcher is handled: the effects of a leader's end come before a report of its follower.
    pub(super) fn settle_before(&mut self, path: &str) -> Result<(), RunError> {
        let is_follower = |follower: &HeldFollower| follower.path == path;
        if self.ahead.followers.iter().any(is_follower) {
            self.settle_all()?;
        }
        Ok(())
    }

    /// Drops the followers of a leader that has not succeeded.
    fn forget_followers_of_failed(&mut self) {
        let is_led = |(id, node, attempt): &AttemptKey| self.is_to_run(id, *node, *attempt);
        if !self.ahead.followers.is_empty() && !self.ahead.leader.as_ref().is_some_and(is_led) {
            self.forget_followers();
        }
        let jobs = &self.jobs;
        self.ahead.suspects.retain(|_, suspect| {
            let (id, node) = &suspect.leader;
            let state = jobs.get(id).and_then(|job| job.state.nodes.get(node));
            state.is_some_and(|state| !state.status.is_terminal())
        });
    }

    /// Drops the followers: none has been started, nor will be.
    fn forget_followers(&mut self) {
        for follower in std::mem::take(&mut self.ahead.followers) {
            if self.held.remove(&follower.key) {
                let attempt = follower.path;
                self.environment
                    .request(&LauncherRequest::Forget { attempt });
            }
        }
        if let Some(leader) = self.ahead.leader.take() {
            self.mark_ahead(&leader, 0, true);
        }
    }

    /// Has the number of followers of `key` written, if its row says otherwise. One that has ended leads no longer: its first follower
    /// does.
    fn mark_ahead(&mut self, (id, node, _): &AttemptKey, n: usize, is_same_boot: bool) {
        let n = i64::try_from(n).ok().filter(|&n| n > 0);
        let ahead = n.map(|n| if is_same_boot { n } else { -n });
        if let Some(job) = self.jobs.get_mut(id)
            && let Some(state) = job.state.nodes.get(node)
            && let ahead = ahead.filter(|_| !state.status.is_terminal())
            && job.stored_row(*node).is_some_and(|row| row.ahead != ahead)
        {
            job.row_of(*node).ahead = ahead;
            self.dirty_nodes.insert((id.clone(), *node));
        }
    }

    /// Has the launcher stop starting attempts by itself.
    pub(super) fn withdraw_followers(&mut self) {
        if !self.ahead.followers.is_empty() && !self.ahead.is_withdrawing {
            self.ahead.is_withdrawing = true;
            self.environment.request(&LauncherRequest::Withdraw);
            self.environment.flush();
        }
    }

    /// The launcher starts nothing by itself any more, and has reported all that it started.
    pub(super) fn withdrawn(&mut self) -> Result<(), RunError> {
        self.settle_all()?;
        self.ahead.is_withdrawing = false;
        self.forget_followers();
        self.take_back();
        Ok(())
    }

    /// The attempts that a dead launcher started are found by their files.
    pub(super) fn followers_left(&mut self) {
        self.ahead.is_withdrawing = false;
        self.nothing_to_take_back();
        let followers = std::mem::take(&mut self.ahead.followers);
        if let Some(leader) = self.ahead.leader.take() {
            let nodes = followers.iter().map(|follower| follower.key.1).collect();
            self.suspect(&leader, nodes, true);
        }
    }

    /// Looks for the followers of earlier owners.
    pub(super) fn suspect_followers(&mut self) {
        let mut leaders = Vec::new();
        for job in self.jobs.values() {
            for (&node, state) in &job.state.nodes {
                let row = job.stored_row(node);
                let ahead = row.and_then(|row| row.ahead).unwrap_or_default();
                if ahead == 0 || state.status.is_terminal() {
                    continue;
                }
                let boot_id = row.and_then(|row| row.boot_id.as_deref());
                let is_same_boot = ahead > 0
                    && boot_id
                        .is_some_and(|it| hosts::is_same_boot(it, self.environment.boot_id()));
                let mut nodes = Vec::new();
                let mut last = node;
                for _ in 0..ahead.unsigned_abs() {
                    let Some(next) = job.app.next(last, Outcome::Ok) else {
                        break;
                    };
                    nodes.push(next);
                    last = next;
                }
                let leader = (job.id().to_owned(), node, state.attempt);
                leaders.push((leader, nodes, is_same_boot));
            }
        }
        for (leader, nodes, is_same_boot) in leaders {
            self.suspect(&leader, nodes, is_same_boot);
        }
    }

    /// No launcher will start any of `nodes` by itself any more: in the same boot of the machine only the claimed ones are suspects.
    fn suspect(&mut self, leader: &AttemptKey, mut nodes: Vec<NodeId>, is_same_boot: bool) {
        let id = &leader.0;
        let Some(job) = self.jobs.get(id) else { return };
        if is_same_boot {
            let is_claimed = |node: &NodeId| {
                let found = job.attempt(&self.home, *node, 1).inspect();
                !matches!(found, Ok(AttemptState::Unclaimed))
            };
            let n_claimed = nodes.iter().take_while(|node| is_claimed(node)).count();
            nodes.truncate(n_claimed);
        }
        self.mark_ahead(leader, nodes.len(), is_same_boot);
        for (node, n_left) in nodes.iter().rev().zip(0..) {
            let suspect = Suspect {
                leader: (id.clone(), leader.1),
                is_same_boot,
                n_left,
            };
            self.ahead.suspects.insert((id.clone(), *node), suspect);
        }
    }

    /// Called when a first attempt has its values: if it is a suspect it may have been started, and leads the remaining ones.
    pub(super) fn question(&mut self, key: &AttemptKey) {
        let (id, node, attempt) = key;
        let place = (id.clone(), *node);
        let Some(suspect) = self.ahead.suspects.remove(&place) else {
            return;
        };
        for other in self.ahead.suspects.values_mut() {
            if other.leader == suspect.leader {
                other.leader = place.clone();
            }
        }
        if *attempt != 1 {
            return;
        }
        self.inherited.insert(key.clone());
        let n_left = usize::try_from(suspect.n_left).unwrap_or_default();
        self.mark_ahead(key, n_left, suspect.is_same_boot);
        if !suspect.is_same_boot
            && let Some(job) = self.jobs.get_mut(id)
        {
            job.row_of(*node).boot_id = Some(EARLIER_BOOT.to_owned());
        }
    }

    /// An attempt may have been started that this owner does not know of yet: it will very soon.
    pub(super) fn is_uncertain(&self) -> bool {
        let is_due = |suspect: &Suspect| {
            let (id, node) = &suspect.leader;
            let state = self.jobs.get(id).and_then(|job| job.state.nodes.get(node));
            suspect.is_same_boot
                && self.is_running_job(id)
                && state.is_some_and(|state| state.status == ActionStatus::Running)
        };
        !self.ahead.followers.is_empty() || self.ahead.suspects.values().any(is_due)
    }

    /// Carries out what was deferred.
    pub(super) fn obey_late(&mut self) -> Result<(), RunError> {
        if self.is_uncertain() {
            return Ok(());
        }
        if std::mem::take(&mut self.ahead.has_kill) {
            let root = self.root.clone();
            self.apply(&root, Event::Kill);
            self.settle_all()?;
        }
        if std::mem::take(&mut self.ahead.has_commands) {
            self.take_commands()?;
            self.settle_all()?;
        }
        Ok(())
    }

    /// An attempt may have been started that was not reported to an earlier owner.
    #[cfg(test)]
    pub(super) fn has_suspects(&self) -> bool {
        !self.ahead.suspects.is_empty()
    }

    /// Whether a launcher may start the attempt by itself, or has.
    #[cfg(test)]
    pub(super) fn is_foreseen(&self, id: &str, node: NodeId) -> bool {
        let is_it = |follower: &HeldFollower| follower.key.0 == id && follower.key.1 == node;
        let place = (id.to_owned(), node);
        self.ahead.followers.iter().any(is_it) || self.ahead.suspects.contains_key(&place)
    }
}
