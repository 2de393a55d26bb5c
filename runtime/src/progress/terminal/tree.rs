//! What runs, as a tree: jobs of sub-workflows below the action that runs them.

use std::{collections::BTreeMap, time::Instant};

use super::facts::Facts;
use crate::progress::{ProgressEvent, format_duration, style};

/// What runs and what waits, by job and node.
#[derive(Default)]
pub(super) struct Tree {
    jobs: BTreeMap<String, Job>,
    /// The job at the top.
    top: Option<String>,
    n_done: usize,
    n_failed: usize,
    frame: usize,
}

struct Job {
    app: String,
    begun: Instant,
    depth: usize,
    /// By node, in the order of their names.
    nodes: BTreeMap<String, Node>,
}

struct Node {
    state: State,
    since: Instant,
    attempt: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Entered, and nothing has begun.
    Queued,
    Running,
    /// For its next attempt.
    Retrying,
    /// For a person.
    Stuck,
}

const FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

impl Tree {
    pub(super) fn take(&mut self, event: &ProgressEvent, depth: usize) {
        let Some(status) = event.status.as_deref() else {
            return;
        };
        let job = self.jobs.entry(event.id.clone()).or_insert_with(|| Job {
            app: String::new(),
            begun: Instant::now(),
            depth,
            nodes: BTreeMap::new(),
        });
        if depth == 0 && self.top.is_none() {
            self.top = Some(event.id.clone());
        }
        let Some(name) = &event.node else {
            match status {
                "RUNNING" => job.app = event.message.clone().unwrap_or_default(),
                "SUCCEEDED" | "KILLED" | "FAILED" if depth > 0 => {
                    self.jobs.remove(&event.id);
                }
                _ => {}
            }
            return;
        };
        let state = match status {
            "PREP" => State::Queued,
            "RUNNING" => State::Running,
            "START_RETRY" | "USER_RETRY" => State::Retrying,
            "START_MANUAL" => State::Stuck,
            over => {
                let was_work = job.nodes.remove(name).is_some();
                self.n_done += usize::from(was_work && over == "OK");
                self.n_failed += usize::from(was_work && matches!(over, "ERROR" | "FAILED"));
                return;
            }
        };
        let attempt = job.nodes.get(name).map_or(0, |node| node.attempt);
        let attempt = attempt + i64::from(state == State::Running);
        job.nodes.insert(
            name.clone(),
            Node {
                state,
                since: Instant::now(),
                attempt,
            },
        );
    }

    /// The lines to show, at most `room` of them.
    pub(super) fn lines(&mut self, facts: &mut Facts, room: usize) -> Vec<String> {
        self.frame = (self.frame + 1) % FRAMES.len();
        let Some(top) = self.top.clone() else {
            return Vec::new();
        };
        let mut lines = vec![self.summary(&top)];
        let mut rows: Vec<(usize, String, String)> = Vec::new();
        self.collect(&top, facts, &mut rows);
        let n_rows = rows.len();
        let n_shown = if n_rows < room {
            n_rows
        } else {
            room.saturating_sub(2)
        };
        for (depth, id, name) in rows.into_iter().take(n_shown) {
            if let Some(line) = self.line(depth, &id, &name, facts) {
                lines.push(line);
            }
        }
        if n_shown < n_rows {
            lines.push(dim(&format!("  ... and {} more", n_rows - n_shown)));
        }
        lines
    }

    /// `access-logs 12s: 14 done, 3 running, 20 waiting`.
    fn summary(&self, top: &str) -> String {
        let Some(job) = self.jobs.get(top) else {
            return String::new();
        };
        let count = |state: State| {
            let nodes = self.jobs.values().flat_map(|job| job.nodes.values());
            nodes.filter(|node| node.state == state).count()
        };
        let parts = [
            (self.n_done, "done"),
            (self.n_failed, "failed"),
            (count(State::Running), "running"),
            (count(State::Queued) + count(State::Retrying), "waiting"),
            (count(State::Stuck), "need attention"),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(n, word)| *n > 0 || *word == "done")
            .map(|(n, word)| format!("{n} {word}"))
            .collect();
        format!(
            "{} {}: {}",
            bold(&job.app),
            format_duration(millis(job.begun)),
            parts.join(", ")
        )
    }

    /// What is shown of a job, and of the jobs below each of its nodes: what runs before what waits.
    fn collect(&self, id: &str, facts: &mut Facts, rows: &mut Vec<(usize, String, String)>) {
        let Some(job) = self.jobs.get(id) else {
            return;
        };
        let mut names: Vec<(&String, &Node)> = job
            .nodes
            .iter()
            .filter(|(_, node)| node.state != State::Queued)
            .collect();
        names.sort_by_key(|(_, node)| node.since);
        for (name, _) in names {
            rows.push((job.depth, id.to_owned(), name.clone()));
            let children: Vec<String> = self
                .jobs
                .iter()
                .filter(|(_, child)| child.depth == job.depth + 1)
                .map(|(child, _)| child.clone())
                .collect();
            for child in children {
                let is_below = facts
                    .parent(&child)
                    .is_some_and(|(parent, node)| parent == id && &node == name);
                if is_below {
                    self.collect(&child, facts, rows);
                }
            }
        }
    }

    fn line(&self, depth: usize, id: &str, name: &str, facts: &mut Facts) -> Option<String> {
        let node = self.jobs.get(id)?.nodes.get(name)?;
        let indent = "  ".repeat(depth + 1);
        let time = format_duration(millis(node.since));
        let sign = match node.state {
            State::Running => FRAMES[self.frame],
            State::Queued | State::Retrying => "…",
            State::Stuck => "!",
        };
        let mut line = format!("{indent}{sign} {name:<20} {time:>6}");
        match node.state {
            State::Running => {
                if node.attempt > 1 {
                    line.push_str(&format!("  attempt {}", node.attempt));
                }
                if let Some(said) = facts.last_line(id, name, node.attempt) {
                    line.push_str(&dim(&format!("  {said}")));
                }
            }
            State::Queued => line.push_str("  waiting"),
            State::Retrying => line.push_str("  waiting for its next attempt"),
            State::Stuck => line.push_str("  needs attention"),
        }
        Some(line)
    }
}

fn millis(since: Instant) -> i64 {
    i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX)
}

fn painted(text: &str, code: &str) -> String {
    if style::stderr() {
        style::paint(text, code)
    } else {
        text.to_owned()
    }
}

fn dim(text: &str) -> String {
    painted(text, "2")
}

fn bold(text: &str) -> String {
    painted(text, "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(node: Option<&str>, status: &str) -> ProgressEvent {
        ProgressEvent {
            time: 0,
            id: "1".to_owned(),
            node: node.map(str::to_owned),
            event: status.to_owned(),
            status: Some(status.to_owned()),
            message: node.is_none().then(|| "night".to_owned()),
        }
    }

    fn plain(line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            text.push_str(before);
            rest = after.split_once('m').map_or("", |(_, after)| after);
        }
        text + rest
    }

    #[test]
    fn the_tree_has_what_runs_and_counts_the_rest() {
        let mut tree = Tree::default();
        let mut facts = Facts::new(None);
        tree.take(&event(None, "RUNNING"), 0);
        for number in 0..200 {
            let name = format!("a{number}");
            tree.take(&event(Some(&name), "PREP"), 0);
            if number < 64 {
                tree.take(&event(Some(&name), "RUNNING"), 0);
            }
        }
        tree.take(&event(Some("a0"), "OK"), 0);
        tree.take(&event(Some("a1"), "ERROR"), 0);
        tree.take(&event(Some("a2"), "USER_RETRY"), 0);
        let lines: Vec<String> = tree
            .lines(&mut facts, 6)
            .iter()
            .map(|line| plain(line))
            .collect();
        assert_eq!(lines.len(), 6);
        assert!(lines[0].starts_with("night 0."), "{lines:?}");
        assert!(
            lines[0].ends_with(": 1 done, 1 failed, 61 running, 137 waiting"),
            "{lines:?}"
        );
        assert_eq!(lines[5], "  ... and 58 more");
        let all = tree.lines(&mut facts, 100);
        assert_eq!(all.len(), 63);
    }

    #[test]
    fn a_second_attempt_says_so() {
        let mut tree = Tree::default();
        let mut facts = Facts::new(None);
        tree.take(&event(None, "RUNNING"), 0);
        for status in ["PREP", "RUNNING", "USER_RETRY", "PREP", "RUNNING"] {
            tree.take(&event(Some("a"), status), 0);
        }
        let lines = tree.lines(&mut facts, 9);
        assert!(lines[1].contains("attempt 2"), "{lines:?}");
    }
}
