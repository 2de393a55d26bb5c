//! Random graphs with fixed seeds.

use std::{collections::BTreeSet, fmt::Write as _};

use super::{super::oracle, analysed, rules};
use crate::analysis::JobProperties;

/// Knuth's linear congruential generator: the same numbers on every platform.
struct Random(u64);

impl Random {
    /// From 0 to `end`, exclusive.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn is_one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A node with the names that follow it.
struct Node {
    /// `fork`, `join`, `?`, or empty for an action.
    kind: &'static str,
    name: String,
    targets: Vec<String>,
}

/// Builds blocks from the end of the workflow to its start, so that targets are known.
struct Builder {
    random: Random,
    nodes: Vec<Node>,
}

impl Builder {
    fn add(&mut self, kind: &'static str, targets: Vec<String>) -> String {
        let name = format!("n{}", self.nodes.len());
        self.nodes.push(Node {
            kind,
            name: name.clone(),
            targets,
        });
        name
    }

    /// A block that leads to `next`; returns its first node.
    fn block(&mut self, next: &str, depth: usize) -> String {
        let choice = if depth == 0 { 0 } else { self.random.below(5) };
        match choice {
            1 | 2 => {
                let join = self.add("join", vec![next.to_owned()]);
                let n_branches = 2 + self.random.below(2);
                let branches = (0..n_branches)
                    .map(|_| self.block(&join, depth - 1))
                    .collect();
                self.add("fork", branches)
            }
            3 => {
                let n_cases = 2 + self.random.below(2);
                let cases = (0..n_cases)
                    .map(|_| match self.random.below(4) {
                        0 => next.to_owned(),
                        1 => "k".to_owned(),
                        _ => self.block(next, depth - 1),
                    })
                    .collect();
                self.add("?", cases)
            }
            4 => {
                let second = self.block(next, depth - 1);
                self.block(&second, depth - 1)
            }
            _ => self.add("", vec![next.to_owned(), "k".to_owned()]),
        }
    }

    /// Redirects some transitions to a later node, so that there is no cycle.
    fn mutate(&mut self) {
        for _ in 0..self.random.below(4) {
            let at = self.random.below(self.nodes.len());
            let targets = self.nodes[at].targets.len();
            // Error transitions more often, as in real workflows.
            let which = match self.random.is_one_in(2) {
                true => targets - 1,
                false => self.random.below(targets),
            };
            let to = match self.random.below(6) {
                0 => "end".to_owned(),
                1 => "k".to_owned(),
                _ if at > 0 => self.nodes[self.random.below(at)].name.clone(),
                _ => "end".to_owned(),
            };
            self.nodes[at].targets[which] = to;
        }
    }

    /// In shorthand, the first node first; `start` leads to it.
    fn graph(&self) -> String {
        let mut text = String::new();
        for node in self.nodes.iter().rev() {
            writeln!(
                text,
                "{} {} {}",
                node.kind,
                node.name,
                node.targets.join(" ")
            )
            .unwrap();
        }
        text
    }
}

fn random_graph(seed: u64) -> Builder {
    let mut builder = Builder {
        random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        nodes: Vec::new(),
    };
    builder.block("end", 3);
    builder.mutate();
    builder
}

#[test]
fn verdicts_are_those_of_the_plain_checks() {
    let mut n_accepted = 0;
    let mut oozies = BTreeSet::new();
    for seed in 0..1_500 {
        let graph = random_graph(seed).graph();
        let (app, diagnostics) = analysed(&graph, &JobProperties::default());
        let ours = rules(&diagnostics);
        let paths = oracle::paths(&app);
        let oozie = oracle::oozie(&app);
        oozies.extend(oozie);
        // What cannot run is rejected, and what Oozie rejects is rejected: 5.2.1 overlooks none of these graphs.
        assert!(!paths.is_broken || oozie.is_some(), "seed {seed}\n{graph}");
        let is_refused = paths.is_broken || oozie.is_some();
        assert_eq!(
            !ours.is_empty(),
            is_refused,
            "seed {seed}: Oozie {oozie:?}, {paths:?}, reported:\n{diagnostics}\n{graph}"
        );
        if !paths.is_broken && !paths.has_unclosed_fork {
            let expected: &[&str] = match oozie {
                None => &[],
                Some("E0743") => &["H0311"],
                Some("E0744") => &["H0310"],
                Some(other) => panic!("seed {seed}: {other} on a graph that pairs\n{graph}"),
            };
            assert!(
                expected.iter().all(|rule| ours.contains(rule)),
                "seed {seed}: expected {expected:?}, found {ours:?}\n{graph}"
            );
        }
        n_accepted += usize::from(ours.is_empty());
    }
    // The test is only meaningful if there are graphs of all kinds.
    assert!(n_accepted > 250, "{n_accepted} accepted");
    // Without E0733, which requires as many superfluous joins as forks without a join.
    let all = [
        "E0730", "E0737", "E0742", "E0743", "E0744", "E0757", "E0758",
    ];
    let missing: Vec<&&str> = all.iter().filter(|code| !oozies.contains(*code)).collect();
    assert!(missing.is_empty(), "no graph with {missing:?}");
}

#[test]
fn order_of_a_forks_paths_does_not_decide_about_the_pairing() {
    for seed in 0..500 {
        let mut builder = random_graph(seed);
        let before = analysed(&builder.graph(), &JobProperties::default()).1;
        for node in &mut builder.nodes {
            if node.kind == "fork" {
                node.targets.reverse();
            }
        }
        let graph = builder.graph();
        let after = analysed(&graph, &JobProperties::default()).1;
        // Oozie's own walk decides about branches that converge, and thereby explains other faults.
        let is_walk = |text: &str| text.contains("H0311");
        if !is_walk(&before) && !is_walk(&after) {
            assert_eq!(rules(&before), rules(&after), "seed {seed}\n{graph}");
        }
        // Converging branches are reported in either order, as an error or as a lint.
        let is_told = |text: &str| text.contains("H0311") || text.contains("shared_branch_nodes");
        let has_faults = |text: &str| rules(text).iter().any(|rule| *rule != "H0311");
        if !has_faults(&before) && !has_faults(&after) {
            assert_eq!(is_told(&before), is_told(&after), "seed {seed}\n{graph}");
        }
    }
}
