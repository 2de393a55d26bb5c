//! The running nodes as a tree: jobs of sub-workflows below the action that runs them.

use std::collections::BTreeMap;

use hpdlc_host::{clock::format_duration, job_id::JobKind};

use super::facts::ShownFacts;
use crate::progress::{Labels, ProgressEvent, style};

/// Running and waiting nodes, by job and node.
#[derive(Default)]
pub(super) struct JobTree {
    jobs: BTreeMap<String, RunningJob>,
    /// The job at the top.
    top: Option<String>,
    /// Counts actions of the job at the top.
    n_done: usize,
    n_failed: usize,
    frame: usize,
    /// How many actions the job at the top has, if known.
    total: Option<usize>,
}

struct RunningJob {
    app: String,
    /// Milliseconds since 1970.
    begun: i64,
    depth: usize,
    /// By node, in the order of their names.
    nodes: BTreeMap<String, ShownNode>,
}

struct ShownNode {
    state: NodeActivity,
    /// Milliseconds since 1970.
    since: i64,
    attempt: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeActivity {
    /// Entered, but not started.
    Queued,
    Running,
    /// Waits for its next attempt.
    Retrying,
    /// Waits for the user.
    Stuck,
}

/// Estimates of less than this, in milliseconds, are not shown.
const LEAST_USUAL: i64 = 1_000;

const FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

impl JobTree {
    /// `total` is the number of actions of the workflow.
    pub(super) fn new(total: Option<usize>) -> JobTree {
        JobTree {
            total,
            ..JobTree::default()
        }
    }

    /// Whether the job at the top is a coordinator or a bundle, whose workflows are jobs of their own.
    fn is_scheduled(&self) -> bool {
        let top = self.top.as_deref();
        top.is_some_and(|top| JobKind::of(top) != JobKind::Workflow)
    }

    pub(super) fn take(&mut self, event: &ProgressEvent, depth: usize) {
        let Some(status) = event.status.as_deref() else {
            return;
        };
        let job = self
            .jobs
            .entry(event.id.clone())
            .or_insert_with(|| RunningJob {
                app: String::new(),
                begun: event.time,
                depth,
                nodes: BTreeMap::new(),
            });
        if depth == 0 && self.top.is_none() {
            self.top = Some(event.id.clone());
        }
        let is_top = self.top.as_deref() == Some(&event.id);
        let Some(name) = &event.node else {
            match status {
                "RUNNING" => {
                    job.app = event.message.clone().unwrap_or_default();
                    job.begun = event.time;
                }
                "SUCCEEDED" | "KILLED" | "FAILED" if !is_top => {
                    self.jobs.remove(&event.id);
                }
                _ => {}
            }
            return;
        };
        if JobKind::of(&event.id) != JobKind::Workflow {
            // The workflows of its actions are jobs of their own; the status line counts them.
            return;
        }
        let state = match status {
            "PREP" => NodeActivity::Queued,
            "RUNNING" => NodeActivity::Running,
            "START_RETRY" | "USER_RETRY" => NodeActivity::Retrying,
            "START_MANUAL" => NodeActivity::Stuck,
            over => {
                let was_work = job.nodes.remove(name).is_some();
                self.n_done += usize::from(is_top && was_work && over == "OK");
                self.n_failed +=
                    usize::from(is_top && was_work && matches!(over, "ERROR" | "FAILED"));
                return;
            }
        };
        let attempt = job.nodes.get(name).map_or(0, |node| node.attempt);
        let attempt = attempt + i64::from(state == NodeActivity::Running);
        job.nodes.insert(
            name.clone(),
            ShownNode {
                state,
                since: event.time,
                attempt,
            },
        );
    }

    /// The lines to show at `now`, at most `room` of them; `status` are the status lines of the job at the top.
    pub(super) fn lines(
        &mut self,
        facts: &mut ShownFacts,
        labels: &mut Labels,
        (now, room): (i64, usize),
        status: &[String],
    ) -> Vec<String> {
        self.frame = (self.frame + 1) % FRAMES.len();
        let Some(top) = self.top.clone() else {
            return Vec::new();
        };
        let mut lines = if self.is_scheduled() {
            status.to_vec()
        } else {
            vec![self.summary(&top, facts, now)]
        };
        let room = (room + 1).saturating_sub(lines.len()).max(2);
        let mut rows: Vec<(usize, String, String)> = Vec::new();
        if self.is_scheduled() {
            self.collect_all(&mut rows);
        } else {
            self.collect(&top, facts, &mut rows);
        }
        let n_rows = rows.len();
        let n_shown = if n_rows < room {
            n_rows
        } else {
            room.saturating_sub(2)
        };
        for (depth, id, name) in rows.into_iter().take(n_shown) {
            let shown = if self.is_scheduled() {
                labels.name(&id, &name)
            } else {
                name.clone()
            };
            if let Some(line) = self.line(depth, (&id, &name, &shown), facts, now) {
                lines.push(line);
            }
        }
        if n_shown < n_rows {
            lines.push(dim(&format!("  ... and {} more", n_rows - n_shown)));
        }
        lines
    }

    /// `access-logs 12s: 4 of 9 done, 3 running, 2 waiting, about 3m05s left`.
    fn summary(&self, top: &str, facts: &mut ShownFacts, now: i64) -> String {
        let Some(job) = self.jobs.get(top) else {
            return String::new();
        };
        let count = |state: NodeActivity| {
            let nodes = self.jobs.values().flat_map(|job| job.nodes.values());
            nodes.filter(|node| node.state == state).count()
        };
        let history = facts.history(top);
        // The number of actions in earlier runs is a better estimate than that of the definition.
        let total = history.actions.or(self.total);
        let done = match total.filter(|total| *total >= self.n_done) {
            Some(total) => format!("{} of {total} done", self.n_done),
            None => format!("{} done", self.n_done),
        };
        let parts = [
            (self.n_failed, "failed"),
            (count(NodeActivity::Running), "running"),
            (
                count(NodeActivity::Queued) + count(NodeActivity::Retrying),
                "waiting",
            ),
            (count(NodeActivity::Stuck), "need attention"),
        ];
        let counted = parts
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} {word}"));
        let elapsed = now - job.begun;
        let left = history
            .job
            .filter(|usual| *usual >= LEAST_USUAL)
            .map(|usual| {
                if usual > elapsed {
                    format!("about {} left", format_duration(usual - elapsed))
                } else {
                    format!("usually {}", format_duration(usual))
                }
            });
        let parts: Vec<String> = [done].into_iter().chain(counted).chain(left).collect();
        format!(
            "{} {}: {}",
            bold(&job.app),
            format_duration(elapsed),
            parts.join(", ")
        )
    }

    /// Collects the lines of a job, and of the jobs below each of its nodes: running nodes before waiting ones.
    fn collect(&self, id: &str, facts: &mut ShownFacts, rows: &mut Vec<(usize, String, String)>) {
        let Some(job) = self.jobs.get(id) else {
            return;
        };
        let mut names: Vec<(&String, &ShownNode)> = job
            .nodes
            .iter()
            .filter(|(_, node)| node.state != NodeActivity::Queued)
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

    /// Collects all nodes that have started, in the order of their start.
    fn collect_all(&self, rows: &mut Vec<(usize, String, String)>) {
        let mut found: Vec<(i64, &String, &String)> = self
            .jobs
            .iter()
            .flat_map(|(id, job)| job.nodes.iter().map(move |(name, node)| (id, name, node)))
            .filter(|(_, _, node)| node.state != NodeActivity::Queued)
            .map(|(id, name, node)| (node.since, id, name))
            .collect();
        found.sort();
        rows.extend(
            found
                .into_iter()
                .map(|(_, id, name)| (0, id.clone(), name.clone())),
        );
    }

    /// The line of a node, given its job, its name, and its displayed name.
    fn line(
        &self,
        depth: usize,
        (id, name, shown): (&str, &str, &str),
        facts: &mut ShownFacts,
        now: i64,
    ) -> Option<String> {
        let node = self.jobs.get(id)?.nodes.get(name)?;
        let indent = "  ".repeat(depth + 1);
        let time = format_duration(now - node.since);
        let sign = match node.state {
            NodeActivity::Running => FRAMES[self.frame],
            NodeActivity::Queued | NodeActivity::Retrying => "…",
            NodeActivity::Stuck => "!",
        };
        let mut line = format!("{indent}{sign} {shown:<20} {time:>6}");
        match node.state {
            NodeActivity::Running => {
                if node.attempt > 1 {
                    line.push_str(&format!("  attempt {}", node.attempt));
                }
                let usual = facts.history(id).node(name);
                if let Some(usual) = usual.filter(|usual| *usual >= LEAST_USUAL) {
                    line.push_str(&dim(&format!("  usually {}", format_duration(usual))));
                }
                if let Some(said) = facts.last_line(id, name, node.attempt) {
                    line.push_str(&dim(&format!("  {said}")));
                }
            }
            NodeActivity::Queued => line.push_str("  waiting"),
            NodeActivity::Retrying => line.push_str("  waiting for its next attempt"),
            NodeActivity::Stuck => line.push_str("  needs attention"),
        }
        Some(line)
    }
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
        let mut tree = JobTree::new(Some(200));
        let mut facts = ShownFacts::new(None);
        let mut labels = Labels::new(None);
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
            .lines(&mut facts, &mut labels, (1_500, 6), &[])
            .iter()
            .map(|line| plain(line))
            .collect();
        assert_eq!(lines.len(), 6);
        assert!(
            lines[0].starts_with("night 1.5s: 1 of 200 done"),
            "{lines:?}"
        );
        assert!(
            lines[0].ends_with(", 1 failed, 61 running, 137 waiting"),
            "{lines:?}"
        );
        assert_eq!(lines[5], "  ... and 58 more");
        let all = tree.lines(&mut facts, &mut labels, (1_500, 100), &[]);
        assert_eq!(all.len(), 63);
    }

    #[test]
    fn a_second_attempt_says_so() {
        let mut tree = JobTree::default();
        let mut facts = ShownFacts::new(None);
        let mut labels = Labels::new(None);
        tree.take(&event(None, "RUNNING"), 0);
        for status in ["PREP", "RUNNING", "USER_RETRY", "PREP", "RUNNING"] {
            tree.take(&event(Some("a"), status), 0);
        }
        let lines = tree.lines(&mut facts, &mut labels, (0, 9), &[]);
        assert!(lines[1].contains("attempt 2"), "{lines:?}");
    }

    #[test]
    fn of_a_coordinator_the_nodes_of_its_workflows_stand_below_what_it_waits_for() {
        let of = |id: &str, node: Option<&str>, status: &str, time: i64| ProgressEvent {
            id: id.to_owned(),
            time,
            ..event(node, status)
        };
        let mut tree = JobTree::default();
        let mut facts = ShownFacts::new(None);
        let mut labels = Labels::new(None);
        tree.take(&of("1-C", None, "RUNNING", 0), 0);
        tree.take(&of("1-C", Some("@1"), "RUNNING", 0), 0);
        tree.take(&of("2-W", None, "RUNNING", 0), 0);
        tree.take(&of("2-W", Some("clean"), "RUNNING", 500), 0);
        tree.take(&of("3-W", None, "RUNNING", 0), 0);
        tree.take(&of("3-W", Some("load"), "RUNNING", 100), 0);
        let status = ["ingest: 3 of 25 done".to_owned()];
        let mut shown = |tree: &mut JobTree| -> Vec<String> {
            let lines = tree.lines(&mut facts, &mut labels, (2_500, 9), &status);
            lines.iter().map(|line| plain(line)).collect()
        };
        let lines = shown(&mut tree);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[0], status[0]);
        assert!(
            lines[1].contains("load") && lines[1].ends_with("2.4s"),
            "{lines:?}"
        );
        assert!(lines[2].contains("clean"), "{lines:?}");
        // A workflow that has ended is not shown.
        tree.take(&of("3-W", None, "SUCCEEDED", 900), 0);
        assert_eq!(shown(&mut tree).len(), 2);
    }
}
