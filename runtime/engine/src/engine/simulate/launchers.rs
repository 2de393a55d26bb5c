//! Simulated launchers and the processes that they start, which outlive the owner that requested them.
//!
//! Requests, reports and the files of an attempt are the shipped ones; no real process runs.

use std::collections::{BTreeMap, VecDeque};

use hpdlc_launcher::{
    Attempt, ExitRecord, LauncherReport, LauncherRequest, ReportEvent, StartRequest, claim::Claim,
};

/// A launcher that an owner has started.
#[derive(Default)]
pub struct SimulatedLauncher {
    /// The host where it runs; the first one with a store in a file.
    pub host: usize,
    /// Requests that its owner has not flushed yet: lost when the owner dies.
    pub unsent: Vec<LauncherRequest>,
    pub inbox: VecDeque<LauncherRequest>,
    held: BTreeMap<String, StartRequest>,
    followers: BTreeMap<String, String>,
    queue: VecDeque<StartRequest>,
    at_most: Option<usize>,
    processes: Vec<Process>,
    /// Successful ends, in the order of their numbers; `None` if the attempt's folder is not reused.
    ended: VecDeque<Option<String>>,
    n_recorded: u64,
    /// Reports that its owner has not received yet.
    pub outbox: VecDeque<LauncherReport>,
    pub is_dead: bool,
    /// Its owner knows that it is dead.
    pub is_end_told: bool,
}

/// A process of an attempt.
pub struct Process {
    pub attempt: String,
    pid: u32,
    claim: Claim,
}

/// An action of a launcher.
#[derive(Debug, PartialEq, Eq)]
pub enum Did {
    Started(String),
    FoundClaimed(String),
}

impl SimulatedLauncher {
    pub fn on(host: usize) -> SimulatedLauncher {
        SimulatedLauncher {
            host,
            ..SimulatedLauncher::default()
        }
    }

    /// Handles one request, and starts what may be started; returns what it did.
    pub fn take_request(&mut self, n_pids: &mut u32) -> Result<Vec<Did>, String> {
        match self.inbox.pop_front() {
            Some(LauncherRequest::Start(request)) => self.queue.push_back(request),
            Some(LauncherRequest::Hold(request)) => {
                self.held.insert(request.attempt.clone(), request);
            }
            Some(LauncherRequest::Go { attempt }) => self.queue.extend(self.held.remove(&attempt)),
            Some(LauncherRequest::Follow { attempt, after }) => {
                let is_queued = self.queue.iter().any(|it| it.attempt == after);
                if is_queued
                    || self.held.contains_key(&after)
                    || self.processes().any(|it| it == after)
                {
                    self.followers.insert(after, attempt);
                }
            }
            Some(LauncherRequest::Withdraw) => {
                self.followers.clear();
                self.outbox.push_back(LauncherReport {
                    attempt: String::new(),
                    event: ReportEvent::Withdrawn,
                });
            }
            Some(LauncherRequest::Forget { attempt }) => {
                self.held.remove(&attempt);
            }
            Some(LauncherRequest::Recorded { ends }) => self.use_again(ends)?,
            Some(LauncherRequest::AtMost { processes }) => self.at_most = Some(processes),
            None => {}
        }
        self.start_queued(n_pids)
    }

    /// A successful attempt releases its folder for reuse once its end is on disk: its files can no longer be found.
    fn use_again(&mut self, ends: u64) -> Result<(), String> {
        while self.n_recorded < ends {
            self.n_recorded += 1;
            let Some(ended) = self.ended.pop_front() else {
                return Err(format!(
                    "end {} is on disk and was never told",
                    self.n_recorded
                ));
            };
            let Some(attempt) = ended.map(Attempt::new) else {
                continue;
            };
            let node = attempt.folder().parent().expect("an attempt is of a node");
            std::fs::remove_dir_all(node)
                .map_err(|error| format!("{}: {error}", node.display()))?;
        }
        Ok(())
    }

    fn start_queued(&mut self, n_pids: &mut u32) -> Result<Vec<Did>, String> {
        let mut did = Vec::new();
        while self.processes.len() < self.at_most.unwrap_or(usize::MAX)
            && let Some(request) = self.queue.pop_front()
        {
            let attempt = Attempt::new(&request.attempt);
            let failed = |error: std::io::Error| format!("{}: {error}", request.attempt);
            std::fs::create_dir_all(attempt.folder()).map_err(failed)?;
            match attempt.claim().map_err(failed)? {
                Some(claim) => {
                    *n_pids += 1;
                    did.push(Did::Started(request.attempt.clone()));
                    self.processes.push(Process {
                        attempt: request.attempt,
                        pid: *n_pids,
                        claim,
                    });
                }
                None => {
                    self.followers.remove(&request.attempt);
                    did.push(Did::FoundClaimed(request.attempt.clone()));
                    self.outbox.push_back(LauncherReport {
                        attempt: request.attempt,
                        event: ReportEvent::ClaimedBefore,
                    });
                }
            }
        }
        Ok(did)
    }

    /// The owner is gone: all sent requests are carried out, held and waiting attempts are dropped.
    pub fn close(&mut self, n_pids: &mut u32) -> Result<Vec<Did>, String> {
        let mut did = Vec::new();
        self.unsent.clear();
        while !self.inbox.is_empty() {
            did.extend(self.take_request(n_pids)?);
        }
        self.held.clear();
        self.followers.clear();
        self.queue.clear();
        self.outbox.clear();
        Ok(did)
    }

    /// Whether there is a report for its owner.
    pub fn has_report(&self) -> bool {
        !self.outbox.is_empty() || (self.is_dead && !self.is_end_told)
    }

    pub fn processes(&self) -> impl Iterator<Item = &str> {
        self.processes
            .iter()
            .map(|process| process.attempt.as_str())
    }

    /// Reports that the process has been running for a while.
    pub fn tell_of(&mut self, attempt: &str) {
        if let Some(process) = self.processes.iter().find(|it| it.attempt == attempt) {
            self.outbox.push_back(LauncherReport {
                attempt: attempt.to_owned(),
                event: ReportEvent::Started { pid: process.pid },
            });
        }
    }

    /// A process ends: the owner is notified, then the end is recorded, then the claim is released.
    ///
    /// `is_recorded` is whether the launcher lives long enough to record it.
    pub fn end(
        &mut self,
        attempt: &str,
        record: ExitRecord,
        is_recorded: bool,
        n_pids: &mut u32,
    ) -> Result<Vec<Did>, String> {
        let Some(place) = self.processes.iter().position(|it| it.attempt == attempt) else {
            return Ok(Vec::new());
        };
        let mut process = self.processes.remove(place);
        self.outbox.push_back(LauncherReport {
            attempt: attempt.to_owned(),
            event: ReportEvent::Exited {
                pid: Some(process.pid),
                record: record.clone(),
            },
        });
        // Files of other attempts, and of executors, are beside those of a later attempt.
        let is_first = attempt.ends_with("/1") && record.code == Some(0) && is_recorded;
        self.ended.push_back(is_first.then(|| attempt.to_owned()));
        if is_recorded {
            process
                .claim
                .record_exit(&Attempt::new(attempt), &record)
                .map_err(|error| format!("{attempt}: {error}"))?;
        }
        let follower = self.followers.remove(attempt);
        if is_recorded && record.code == Some(0) {
            let held = follower.and_then(|follower| self.held.remove(&follower));
            held.into_iter()
                .for_each(|held| self.queue.push_front(held));
        }
        drop(process.claim);
        self.start_queued(n_pids)
    }

    /// The launcher dies with all that it has started. Reports sent before still arrive.
    pub fn die(&mut self) {
        self.is_dead = true;
        self.unsent.clear();
        self.inbox.clear();
        self.held.clear();
        self.followers.clear();
        self.queue.clear();
        self.processes.clear();
    }
}
