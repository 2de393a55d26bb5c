//! The state of reading one workflow: nodes so far, names, and mistakes.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, Ident};

use crate::rust::{
    document::{JoinOf, Node, NodeKind, Target},
    outlines::Outlines,
    params::ChildWorkflow,
    place::{Mistake, Place},
    scope::{Binding, Scopes},
    tokens::without_raw,
};

/// An own action of the program that the workflow calls.
#[derive(Clone)]
pub struct OwnAction {
    /// The path as it is written, which is its name in the document.
    pub function: String,
    pub path: syn::Path,
}

/// What a function is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Workflow,
    Coordinator,
    Bundle,
}

#[derive(Default)]
pub(super) struct Reader {
    pub(super) nodes: Vec<Node>,
    /// Where each label leads, once that is known.
    labels: Vec<Option<Target>>,
    pub(super) scopes: Scopes,
    /// The labelled blocks around, and what follows each.
    pub(super) blocks: Vec<(String, Target)>,
    /// What follows the function or the branch of a fork that is read, innermost last.
    pub(super) exits: Vec<Target>,
    /// The name that control nodes are named after: that of the last action.
    pub(super) last: String,
    pub(super) own_actions: Vec<OwnAction>,
    /// The workflows that it runs, each once.
    pub(super) children: Vec<ChildWorkflow>,
    pub(super) mistakes: Vec<Mistake>,
    /// The name of the kill node of `?`, and its message, if the author chose them.
    pub(super) fail: Option<(String, String)>,
    /// The attributes of the statement that is a fork.
    pub(super) fork_attributes: Vec<Attribute>,
    /// What is read.
    pub(super) kind: Kind,
    /// The functions made of expressions that only Rust understands.
    pub(super) outlines: Outlines,
    /// The type parameters of the function, which is a mistake that is reported.
    pub(super) type_parameters: Vec<Ident>,
    /// rustc reports why there is no document.
    pub(super) is_left_to_rustc: bool,
}

impl Reader {
    /// What is read, for messages.
    pub(super) fn what(&self) -> &'static str {
        match self.kind {
            Kind::Workflow => "a workflow",
            Kind::Coordinator => "a coordinator",
            Kind::Bundle => "a bundle",
        }
    }

    pub(super) fn mistake(&mut self, place: Place, message: &str) {
        self.add_mistake(place, message, false);
    }

    /// A mistake that rustc finds too, and says less clearly.
    pub(super) fn mistake_of_rustc(&mut self, place: Place, message: &str) {
        self.add_mistake(place, message, true);
    }

    fn add_mistake(&mut self, place: Place, message: &str, rustc_reports_it: bool) {
        self.mistakes.push(Mistake {
            place,
            message: message.to_owned(),
            rustc_reports_it,
        });
    }

    /// There is no document, and rustc says why.
    pub(super) fn left_to_rustc<T>(&mut self) -> Option<T> {
        self.is_left_to_rustc = true;
        None
    }

    pub(super) fn new_label(&mut self) -> Target {
        self.labels.push(None);
        Target::Label(self.labels.len() - 1)
    }

    /// Says where a label leads.
    pub(super) fn bind_label(&mut self, label: Target, to: Target) {
        if let Target::Label(label) = label
            && to != Target::Label(label)
        {
            self.labels[label] = Some(to);
        }
    }

    /// The node, or the end, that a target is.
    pub(super) fn resolved(&self, mut target: Target) -> Target {
        let mut n_left = self.labels.len();
        while let Target::Label(label) = target {
            match self.labels[label] {
                Some(next) if n_left > 0 => target = next,
                Some(_) | None => return Target::End,
            }
            n_left -= 1;
        }
        target
    }

    pub(super) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a control node, named after the action before it, unless the author named it.
    pub(super) fn add_control(
        &mut self,
        named: Option<(String, Place)>,
        what: &str,
        place: Place,
        kind: NodeKind,
    ) -> usize {
        let (name, name_place) = named.unwrap_or_else(|| {
            let stem = if self.last.is_empty() {
                "start"
            } else {
                &self.last
            };
            (format!("{stem}-{what}"), place)
        });
        self.add(Node {
            name,
            name_place,
            place,
            kind,
        })
    }

    /// Refuses names of actions that are none or are taken: the graph would mean something else.
    pub(super) fn check_names(&mut self) {
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let mut mistakes = Vec::new();
        for node in self.nodes.iter().filter(|node| is_action(node)) {
            let name = node.name.as_str();
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if !starts || !name.chars().all(goes_on) {
                let message = "the name of a node has letters, digits, `-` and `_`, and begins with a letter or `_`";
                mistakes.push((node.name_place, message.to_owned()));
            } else if let Some(line) = first.get(name) {
                let message = format!(
                    "another node is called `{name}`, in line {line}: give one of them another name by `.named(\"…\")`"
                );
                mistakes.push((node.name_place, message));
            } else {
                first.insert(name, node.name_place.from.start().line);
            }
        }
        for (place, message) in mistakes {
            self.mistake(place, &message);
        }
    }

    /// Gives control nodes whose names are taken others.
    pub(super) fn make_names_unique(&mut self) {
        let is_own = is_action;
        let mut taken: BTreeSet<String> = self
            .nodes
            .iter()
            .filter(|node| is_own(node))
            .map(|node| node.name.clone())
            .collect();
        for node in 0..self.nodes.len() {
            if is_own(&self.nodes[node]) {
                continue;
            }
            if let NodeKind::Join(
                JoinOf {
                    fork,
                    is_named: false,
                },
                _,
            ) = self.nodes[node].kind
            {
                let fork = &self.nodes[fork].name;
                let stem = fork.strip_suffix("-fork").unwrap_or(fork);
                self.nodes[node].name = match fork.rsplit_once("-fork-") {
                    Some((stem, n)) => format!("{stem}-join-{n}"),
                    None => format!("{stem}-join"),
                };
            }
            let stem = self.nodes[node].name.clone();
            let mut name = stem.clone();
            let mut n = 2;
            while !taken.insert(name.clone()) {
                name = format!("{stem}-{n}");
                n += 1;
            }
            self.nodes[node].name = name;
        }
    }

    /// A name for a node of ours that no other node has.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let is_taken = |name: &str| self.nodes.iter().any(|node| node.name == name);
        let mut name = wanted.to_owned();
        let mut n = 2;
        while is_taken(&name) {
            name = format!("{wanted}-{n}");
            n += 1;
        }
        name
    }

    /// What a name stands for, if it is visible.
    pub(super) fn known(&self, name: &Ident) -> Option<Binding> {
        self.scopes.find(&without_raw(name)).cloned()
    }

    /// What a name stands for. One that is not visible is a mistake, in our words where we know why.
    pub(super) fn binding(&mut self, name: &Ident) -> Option<Binding> {
        if let Some(binding) = self.known(name) {
            return Some(binding);
        }
        if !self.scopes.was_data(&without_raw(name)) {
            return self.left_to_rustc();
        }
        self.mistake_of_rustc(
            Place::at(name.span()),
            &format!(
                "`{name}` is not known here: the action that gives it has not run on every way to this place"
            ),
        );
        None
    }
}

fn is_action(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Action { .. })
}
