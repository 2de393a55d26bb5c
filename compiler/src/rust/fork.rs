//! `fork!`: branches that run at the same time, and a join behind them.

use syn::{Expr, ExprMacro, Token, punctuated::Punctuated};

use crate::rust::{
    document::{JoinOf, NodeKind, Target},
    flow::{Flow, OnError},
    place::Place,
    reader::Reader,
    recognize::is_action,
    scope::Binding,
};

/// The branches of a fork, as they are written.
pub(super) type Branches = Punctuated<Expr, Token![,]>;

impl Reader {
    pub(super) fn fork(&mut self, fork: &ExprMacro, next: Target) -> Flow {
        let place = Place::of(&fork.mac.path);
        let Ok(branches) = fork.mac.parse_body_with(Branches::parse_terminated) else {
            return {
                self.mistake(
                    place,
                    "`fork!` takes branches with commas between them: actions without `.await`, or `async { … }`",
                );
                Flow::unknown(next)
            };
        };
        if branches.len() < 2 {
            self.mistake(place, "a fork has at least two branches");
            return Flow::unknown(next);
        }
        let mut attributes = std::mem::take(&mut self.fork_attributes);
        attributes.extend(fork.attrs.iter().cloned());
        let named = self.node_attribute(&attributes);
        let join_named = self.name_attribute(&attributes, "join");
        let node = self.add_control(named, "fork", place, NodeKind::Fork(Vec::new()));
        let before = self.last.clone();
        let join = self.new_label();
        let mut paths = Vec::new();
        let mut values = Vec::new();
        for branch in &branches {
            self.last.clone_from(&before);
            let n_mistakes = self.mistakes.len();
            let flow = self.fork_branch(branch, join);
            if flow.entry == join && self.mistakes.len() == n_mistakes {
                self.mistake(
                    Place::of(branch),
                    "this branch runs nothing: a branch of a fork begins with an action",
                );
            }
            paths.push((flow.entry, Place::of(branch)));
            values.push(flow.value.unwrap_or(Binding::Unknown));
        }
        self.nodes[node].kind = NodeKind::Fork(paths);
        self.last = before;
        let join_of = JoinOf {
            fork: node,
            is_named: join_named.is_some(),
        };
        let joined = self.add_control(join_named, "join", place, NodeKind::Join(join_of, next));
        self.bind_label(join, Target::Node(joined));
        Flow {
            entry: Target::Node(node),
            value: Some(Binding::Tuple(values)),
        }
    }

    fn fork_branch(&mut self, branch: &Expr, join: Target) -> Flow {
        match branch {
            Expr::Async(block) => {
                self.exits.push(join);
                // Labels outside cannot be reached from here: rustc says so.
                let blocks = std::mem::take(&mut self.blocks);
                let flow = self.block(&block.block, join, true);
                self.blocks = blocks;
                self.exits.pop();
                flow
            }
            Expr::Await(_) | Expr::Try(_) => {
                self.mistake(
                    Place::of(branch),
                    "`fork!` waits for its branches: leave `.await` and `?` out here, or write `async { … }`",
                );
                Flow::unknown(join)
            }
            call if is_action(call) => self.action(call, join, &OnError::Fail).0,
            other => {
                self.mistake(
                    Place::of(other),
                    "a branch of a fork is an action without `.await`, or `async { … }`",
                );
                Flow::unknown(join)
            }
        }
    }
}
