//! The statements of the function: blocks, choices and forks for the structure of the graph.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span as RustSpan, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::{FORK, Refusal, body, graph::Graph, names::Names, texts::Texts};
use crate::{
    model::{Action, Decision, Fork, Node, NodeKind, WorkflowApp},
    syntax::xml::Element,
};

/// How deep blocks may lie within each other. Those who read them, rustc among them, use a stack.
const MAX_DEPTH: usize = 64;

/// The number of branches that `fork!` can have.
const MAX_BRANCHES: usize = 16;

pub(super) struct Structure<'s> {
    app: &'s WorkflowApp,
    graph: &'s Graph<'s>,
    texts: &'s Texts,
    names: &'s mut Names,
    /// The elements of nodes, by where their names begin.
    elements: BTreeMap<u32, Element<'s>>,
    /// The labels of the blocks around, by the nodes behind them.
    labels: BTreeMap<usize, Lifetime>,
    /// The labels that a `break` has used.
    broken: BTreeSet<usize>,
    /// The join of the fork around.
    join: Option<usize>,
    depth: usize,
    /// The functions of action types that are called.
    pub(super) used: BTreeSet<&'static str>,
}

/// How one goes to a node.
enum Way {
    /// The node is written here.
    Here(usize),
    /// It is what follows anyway.
    Through,
    /// By a statement.
    Jump(TokenStream),
}

/// A block, and whether its end is reached.
struct Body {
    statements: Vec<TokenStream>,
    goes_on: bool,
}

impl<'s> Structure<'s> {
    pub(super) fn new(
        app: &'s WorkflowApp,
        root: &Element<'s>,
        graph: &'s Graph<'s>,
        texts: &'s Texts,
        names: &'s mut Names,
    ) -> Structure<'s> {
        let elements = root.elements().map(|it| (it.name_span.start, it)).collect();
        Structure {
            app,
            graph,
            texts,
            names,
            elements,
            labels: BTreeMap::new(),
            broken: BTreeSet::new(),
            join: None,
            depth: 0,
            used: BTreeSet::new(),
        }
    }

    /// The statements of the function.
    pub(super) fn function(&mut self) -> Result<Vec<TokenStream>, Refusal> {
        let end = self
            .app
            .nodes
            .iter()
            .position(|it| matches!(it.kind, NodeKind::End(_)));
        let body = self.body(Way::Here(self.graph.start()), end)?;
        let mut statements = body.statements;
        if body.goes_on {
            statements.push(quote!(Ok(())));
        }
        Ok(statements)
    }

    fn node(&self, node: usize) -> &'s Node {
        &self.app.nodes[node]
    }

    fn refusal(&self, node: usize, cause: &str) -> Refusal {
        let node = self.node(node);
        let place = format!("{} `{}`", node.kind.element(), node.name.value);
        Refusal::new(node.tag_span, cause, &place)
    }

    /// What lies on a way, in a block of its own. `next` is what follows the block.
    fn body(&mut self, way: Way, next: Option<usize>) -> Result<Body, Refusal> {
        let mut statements = Vec::new();
        let goes_on = match way {
            Way::Here(node) => {
                if self.depth == MAX_DEPTH {
                    return Err(self.refusal(node, "blocks lie too deep within each other"));
                }
                self.depth += 1;
                let goes_on = self.sequence(node, next, &mut statements)?;
                self.depth -= 1;
                goes_on
            }
            Way::Through => true,
            Way::Jump(statement) => {
                statements.push(statement);
                false
            }
        };
        Ok(Body {
            statements,
            goes_on,
        })
    }

    /// A node and all that it dominates. Returns whether its end is reached.
    fn sequence(
        &mut self,
        first: usize,
        next: Option<usize>,
        out: &mut Vec<TokenStream>,
    ) -> Result<bool, Refusal> {
        let graph = self.graph;
        let mut node = first;
        loop {
            let begin = out.len();
            let merges = graph.merges(node);
            let behind = merges.first().copied().or(next);
            for merge in merges {
                let label = self.names.label(&self.node(*merge).name.value);
                self.labels.insert(*merge, label);
            }
            let way = self.statements(node, behind, out)?;
            let Some((last, others)) = merges.split_last() else {
                match way {
                    Way::Here(inner) => {
                        node = inner;
                        continue;
                    }
                    Way::Through => return Ok(true),
                    Way::Jump(statement) => {
                        out.push(statement);
                        return Ok(false);
                    }
                }
            };
            let inner = self.body(way, behind)?;
            out.extend(inner.statements);
            for (n, merge) in others.iter().enumerate() {
                self.close(*merge, begin, out);
                let inner = self.body(Way::Here(*merge), merges.get(n + 1).copied())?;
                out.extend(inner.statements);
            }
            self.close(*last, begin, out);
            node = *last;
        }
    }

    /// Puts a label around the statements before a node, if something breaks out of them.
    fn close(&mut self, merge: usize, begin: usize, out: &mut Vec<TokenStream>) {
        let label = self.labels.remove(&merge);
        if self.broken.remove(&merge) {
            let inner = out.split_off(begin);
            out.push(quote!(#label: { #(#inner)* }));
        }
    }

    /// How one goes to `target` where `next` follows.
    fn way(&mut self, from: usize, target: &str, next: Option<usize>) -> Result<Way, Refusal> {
        let to = self.graph.target(target);
        if Some(to) == next {
            return Ok(Way::Through);
        }
        match &self.node(to).kind {
            NodeKind::Kill(kill) => {
                let message = self.texts.value(kill.message.text.as_str());
                let name = &self.node(to).name.value;
                Ok(Way::Jump(quote!(return Err(kill(#message).named(#name));)))
            }
            NodeKind::End(_) if self.join.is_none() => Ok(Way::Jump(quote!(return Ok(());))),
            NodeKind::Join(_) if self.join == Some(to) => Ok(Way::Jump(quote!(return Ok(());))),
            NodeKind::End(_) | NodeKind::Join(_) => Err(self.refusal(
                from,
                "this leads out of a fork by another way than its join",
            )),
            _ if !self.graph.is_merge(to) => Ok(Way::Here(to)),
            _ => {
                let Some(label) = self.labels.get(&to) else {
                    return Err(self.refusal(
                        from,
                        "this leads out of a fork by another way than its join",
                    ));
                };
                self.broken.insert(to);
                Ok(Way::Jump(quote!(break #label;)))
            }
        }
    }

    /// The statements of one node, and how it goes on.
    fn statements(
        &mut self,
        node: usize,
        next: Option<usize>,
        out: &mut Vec<TokenStream>,
    ) -> Result<Way, Refusal> {
        match &self.node(node).kind {
            NodeKind::Start(start) => self.way(node, &start.to.value, next),
            NodeKind::Join(join) => self.way(node, &join.to.value, next),
            NodeKind::Action(action) => self.action(node, action, next, out),
            NodeKind::Decision(decision) => self.decision(node, decision, next, out),
            NodeKind::Fork(fork) => self.fork(node, fork, next, out),
            // They are written where something leads to them.
            NodeKind::End(_) | NodeKind::Kill(_) => Ok(Way::Through),
        }
    }

    fn call(&mut self, node: usize) -> Result<TokenStream, Refusal> {
        let Some(element) = self.elements.get(&self.node(node).tag_span.start) else {
            return Err(self.refusal(node, "its element is not in the document"));
        };
        let (call, function) = body::call(element, &self.node(node).name.value, self.texts)?;
        self.used.extend(function);
        Ok(call)
    }

    fn is_fail(&self, target: &str) -> bool {
        self.graph.fail == Some(self.graph.target(target))
    }

    fn action(
        &mut self,
        node: usize,
        action: &Action,
        next: Option<usize>,
        out: &mut Vec<TokenStream>,
    ) -> Result<Way, Refusal> {
        let call = self.call(node)?;
        let (ok, error) = (&action.ok.value, &action.error.value);
        if ok == error {
            out.push(quote!(let _ = #call.await;));
            return self.way(node, ok, next);
        }
        if self.is_fail(error) {
            out.push(quote!(#call.await?;));
            return self.way(node, ok, next);
        }
        let on_ok = self.way(node, ok, next)?;
        let on_error = self.way(node, error, next)?;
        if matches!(on_error, Way::Through) {
            let Body { statements, .. } = self.body(on_ok, next)?;
            out.push(quote!(if let Ok(_) = #call.await { #(#statements)* }));
            return Ok(Way::Through);
        }
        let failed = self.body(on_error, next)?;
        let handler = failed.statements;
        if !failed.goes_on || matches!(on_ok, Way::Through) {
            out.push(quote!(if let Err(_) = #call.await { #(#handler)* }));
            return Ok(on_ok);
        }
        let Body { statements, .. } = self.body(on_ok, next)?;
        out.push(quote! {
            match #call.await {
                Ok(_) => { #(#statements)* }
                Err(_) => { #(#handler)* }
            }
        });
        Ok(Way::Through)
    }

    fn decision(
        &mut self,
        node: usize,
        decision: &Decision,
        next: Option<usize>,
        out: &mut Vec<TokenStream>,
    ) -> Result<Way, Refusal> {
        let Some(default) = &decision.default else {
            return Err(self.refusal(node, "a decision without a default is a mistake"));
        };
        let name = &self.node(node).name.value;
        let mut chain = quote!(#[node = #name]);
        let mut goes_on = false;
        for (n, case) in decision.cases.iter().enumerate() {
            let way = self.way(node, &case.to.value, next)?;
            let body = self.body(way, next)?;
            goes_on |= body.goes_on;
            let statements = body.statements;
            let text = case.predicate.text.as_str();
            let otherwise = (n > 0).then(|| quote!(else));
            chain.extend(quote!(#otherwise if el!(#text) { #(#statements)* }));
        }
        let way = self.way(node, &default.value, next)?;
        if !goes_on || matches!(way, Way::Through) {
            out.push(chain);
            return Ok(way);
        }
        let Body { statements, .. } = self.body(way, next)?;
        out.push(quote!(#chain else { #(#statements)* }));
        Ok(Way::Through)
    }

    fn fork(
        &mut self,
        node: usize,
        fork: &Fork,
        next: Option<usize>,
        out: &mut Vec<TokenStream>,
    ) -> Result<Way, Refusal> {
        let graph = self.graph;
        let join = match graph.merges(node) {
            [join] if matches!(self.node(*join).kind, NodeKind::Join(_)) => *join,
            [] => return Err(self.refusal(node, "no branch of this fork reaches a join")),
            _ => return Err(self.refusal(node, "branches of this fork meet before its join")),
        };
        debug_assert_eq!(Some(join), next);
        if !(2..=MAX_BRANCHES).contains(&fork.paths.len()) {
            let cause = format!("a fork has 2 to {MAX_BRANCHES} branches in Rust");
            return Err(self.refusal(node, &cause));
        }
        let labels = std::mem::take(&mut self.labels);
        let outer = self.join.replace(join);
        let mut branches = Vec::new();
        for path in &fork.paths {
            branches.push(self.branch(node, &path.start.value, join)?);
        }
        self.labels = labels;
        self.join = outer;
        let (name, join) = (&self.node(node).name.value, &self.node(join).name.value);
        let function = Ident::new(FORK, RustSpan::call_site());
        out.push(quote! {
            #[node = #name]
            #[join = #join]
            #function(#(#branches),*).await?;
        });
        Ok(Way::Through)
    }

    fn branch(&mut self, fork: usize, start: &str, join: usize) -> Result<TokenStream, Refusal> {
        let way = self.way(fork, start, Some(join))?;
        if let Way::Here(node) = way
            && let NodeKind::Action(action) = &self.node(node).kind
            && self.graph.target(&action.ok.value) == join
            && self.is_fail(&action.error.value)
        {
            return self.call(node);
        }
        if matches!(way, Way::Through) {
            return Err(self.refusal(fork, "a branch of this fork runs nothing"));
        }
        let Body { statements, .. } = self.body(way, Some(join))?;
        Ok(quote!(async { #(#statements)* Ok(()) }))
    }
}
