//! Statements: each becomes nodes, and leads to the one after it.

use syn::{Attribute, Block, Expr, ExprAwait, ExprBlock, Local, Pat, Stmt, spanned::Spanned};

use crate::rust::{
    document::{Node, NodeKind, Target, Text},
    flow::{Flow, OnError},
    place::Place,
    reader::Reader,
    recognize::{awaited, is_action, is_call, is_comparison, is_value},
    scope::Binding,
    tokens::{ident_of, is_named, is_named_path, without_raw},
};

impl Reader {
    /// The statements of a block, in a scope of their own. `is_result` says that its last expression is the result of the
    /// function, or of the branch of a fork, around it.
    pub(super) fn block(&mut self, block: &Block, next: Target, is_result: bool) -> Flow {
        self.scopes.enter();
        let flow = self.statements(&block.stmts, next, is_result);
        self.scopes.leave();
        flow
    }

    fn statements(&mut self, statements: &[Stmt], next: Target, is_result: bool) -> Flow {
        let mut entry: Option<Target> = None;
        // Leads to the next statement.
        let mut open: Option<Target> = None;
        let mut value = Some(Binding::Unit);
        for (n, statement) in statements.iter().enumerate() {
            self.fork_attributes = attributes_of_fork(statement);
            if let Some(name) = name_of_no_control(statement) {
                let message = "only a decision or a fork is named so: an action is named by `.named(\"…\")` behind its call";
                self.mistake(Place::of(name), message);
            }
            let is_last = n + 1 == statements.len();
            let after = if is_last { next } else { self.new_label() };
            let flow = match statement {
                Stmt::Local(local) => self.local(local, after),
                Stmt::Expr(expr, None) if is_last => self.tail(expr, after, is_result),
                Stmt::Expr(expr, _) => {
                    let flow = self.expression(expr, after);
                    Flow {
                        value: flow.value.map(|_| Binding::Unit),
                        ..flow
                    }
                }
                Stmt::Item(item) => {
                    self.mistake(
                        Place::of(item),
                        "an item has no place inside a workflow: write it beside the function",
                    );
                    Flow::through(after)
                }
                Stmt::Macro(call) => {
                    let message = if is_named_path(&call.mac.path, "fork") {
                        "nothing runs this: `.await?` is missing"
                    } else {
                        "a macro runs nothing in a workflow: only `fork!(…).await?` has a meaning in a statement"
                    };
                    self.mistake(Place::of(&call.mac.path), message);
                    Flow::through(after)
                }
            };
            if let Some(open) = open.take() {
                self.bind_label(open, flow.entry);
            }
            entry.get_or_insert(flow.entry);
            value = flow.value;
            if value.is_none() {
                break;
            }
            if !is_last {
                open = Some(after);
            }
        }
        Flow {
            entry: entry.unwrap_or(next),
            value,
        }
    }

    fn local(&mut self, local: &Local, next: Target) -> Flow {
        let Some(init) = &local.init else {
            self.mistake(
                Place::of(local),
                "a name of a workflow gets its value where it is made: join both with `let … = …;`",
            );
            return Flow::through(next);
        };
        if let Some((_, otherwise)) = &init.diverge {
            return self.let_else(local, &init.expr, otherwise, next);
        }
        if let (Pat::Wild(_), Some((call, _))) = (&local.pat, awaited(&init.expr)) {
            // Whatever becomes of it.
            if is_action(call) {
                return self.action(call, next, &OnError::Continue).0;
            }
        }
        let is_typed = matches!(local.pat, Pat::Type(_));
        if is_value(&init.expr) || is_typed && is_call(&init.expr) {
            let name = name_of(&local.pat);
            if let Some(name) = &name {
                self.outlines.naming.clone_from(name);
            }
            let native = self.native(&local.pat, &init.expr);
            let value = self.value_of_let(&init.expr);
            self.bind_pattern(&local.pat, &value);
            if let Some(name) = name {
                self.scopes.set_native(&name, native);
            }
            return Flow::through(next);
        }
        let flow = self.expression(&init.expr, next);
        match &flow.value {
            Some(value) => self.bind_pattern(&local.pat, &value.clone()),
            None => self.bind_pattern(&local.pat, &Binding::Unknown),
        }
        flow
    }

    /// The value of `let x = y;`, which runs nothing.
    fn value_of_let(&mut self, expr: &Expr) -> Binding {
        if let Some(name) = ident_of(expr) {
            return self.binding(name).unwrap_or(Binding::Unknown);
        }
        self.value(expr).map_or(Binding::Unknown, Binding::Value)
    }

    /// `let Ok(x) = action.await else { … };`
    fn let_else(&mut self, local: &Local, expr: &Expr, otherwise: &Expr, next: Target) -> Flow {
        let Some((call, false)) = awaited(expr).filter(|(call, _)| is_action(call)) else {
            self.mistake(
                Place::of(expr),
                "`let … else` in a workflow is for the result of an action: `let Ok(data) = action().await else { … };`",
            );
            return Flow::through(next);
        };
        let Pat::TupleStruct(pattern) = &local.pat else {
            self.left_to_rustc::<()>();
            return Flow::through(next);
        };
        let error = self.new_label();
        let (flow, node) = self.action(call, next, &OnError::To(error));
        let handler = self.expression(otherwise, next);
        self.bind_label(error, handler.entry);
        if let Some(inner) = pattern.elems.first() {
            let data = node.map_or(Binding::Unknown, |node| Binding::Data { node });
            self.bind_pattern(inner, &data);
        }
        flow
    }

    pub(super) fn bind_pattern(&mut self, pattern: &Pat, value: &Binding) {
        match pattern {
            Pat::Ident(name) => {
                if let Some(mutable) = &name.mutability {
                    self.mistake(
                        Place::at(mutable.span()),
                        "a value of a workflow does not change: it comes from the action that made it",
                    );
                }
                self.scopes.bind(without_raw(&name.ident), value.clone());
            }
            Pat::Wild(_) => {}
            Pat::Type(typed) => self.bind_pattern(&typed.pat, value),
            Pat::Paren(inner) => self.bind_pattern(&inner.pat, value),
            Pat::Tuple(tuple) if tuple.elems.is_empty() => {}
            Pat::Tuple(tuple) => {
                let Binding::Tuple(values) = value else {
                    self.left_to_rustc::<()>();
                    return;
                };
                for (n, pattern) in tuple.elems.iter().enumerate() {
                    let value = values.get(n).unwrap_or(&Binding::Unknown);
                    self.bind_pattern(pattern, value);
                }
            }
            _ => {
                self.mistake(
                    Place::of(pattern),
                    "a workflow names the data of an action as a whole: `let data = …;`, then `data.field`",
                );
            }
        }
    }

    /// An expression in the place of a statement.
    pub(super) fn expression(&mut self, expr: &Expr, next: Target) -> Flow {
        match expr {
            Expr::Try(attempt) => match &*attempt.expr {
                Expr::Await(waiting) => self.awaited(expr, waiting, next),
                other if is_action(other) => {
                    self.mistake_of_rustc(
                        Place::of(other),
                        "nothing runs this: `.await` is missing before `?`",
                    );
                    Flow::unknown(next)
                }
                _ => self.no_statement(expr, next),
            },
            Expr::Await(waiting) if is_action(&waiting.base) => {
                self.mistake(
                    Place::at(waiting.await_token.span),
                    "what happens if this fails is not said: write `.await?`, `match ….await { Ok(…) => …, Err(…) => … }`, or `let _ = ….await;` to go on in any case",
                );
                Flow::unknown(next)
            }
            Expr::Await(waiting) => self.awaited(expr, waiting, next),
            Expr::If(branch) => self.branch(branch, next, false),
            Expr::Match(choice) => self.choice(choice, next, false),
            Expr::Block(block) => self.labelled(block, next, false),
            Expr::Paren(inner) => self.expression(&inner.expr, next),
            Expr::Group(inner) => self.expression(&inner.expr, next),
            Expr::Return(returned) => match &returned.expr {
                Some(value) => {
                    let exit = self.exits.last().copied().unwrap_or(Target::End);
                    Flow::leaves(self.result(value, exit).entry)
                }
                None => {
                    self.left_to_rustc::<()>();
                    Flow::through(next)
                }
            },
            Expr::Break(leaving) => {
                if let Some(value) = &leaving.expr {
                    self.mistake(
                        Place::of(value),
                        "a block of a workflow is left without a value: give the data its name before the block",
                    );
                }
                let label = leaving.label.as_ref().map(|label| label.ident.to_string());
                match self
                    .blocks
                    .iter()
                    .rev()
                    .find(|(name, _)| Some(name) == label.as_ref())
                {
                    Some((_, after)) => Flow::leaves(*after),
                    None => {
                        self.left_to_rustc::<()>();
                        Flow::through(next)
                    }
                }
            }
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Flow::through(next),
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.mistake(
                    Place::of(expr),
                    "a workflow has no loops: its graph is complete before it runs; loop inside an action",
                );
                Flow::unknown(next)
            }
            Expr::Path(_) => {
                let value = self.value_of_let(expr);
                Flow {
                    entry: next,
                    value: Some(value),
                }
            }
            other if is_action(other) => {
                self.mistake(Place::of(other), "nothing runs this: `.await?` is missing");
                Flow::unknown(next)
            }
            other => self.no_statement(other, next),
        }
    }

    fn no_statement(&mut self, expr: &Expr, next: Target) -> Flow {
        let message = match expr {
            Expr::MethodCall(call) if matches!(&*call.receiver, Expr::Await(_)) => {
                "the result of an action is taken by `?`, `match`, `if let` or `let … else`: each says what happens on an error"
            }
            Expr::Assign(_) => {
                "a value of a workflow does not change: it comes from the action that made it"
            }
            Expr::Binary(binary) if !is_comparison(&binary.op) => {
                "a workflow does not calculate: calculate in an action, and use the data that it gives"
            }
            Expr::Macro(call) if is_named_path(&call.mac.path, "fork") => {
                "nothing runs this: `.await?` is missing"
            }
            Expr::Macro(_) => {
                "a macro runs nothing in a workflow: only `fork!(…).await?` has a meaning in a statement"
            }
            Expr::Call(call) if is_named(&call.func, "Ok") || is_named(&call.func, "Err") => {
                "this is the end of a workflow: `return` it, or write it last and without `;`"
            }
            Expr::Lit(_) | Expr::Field(_) | Expr::Binary(_) => {
                "this runs nothing: a statement of a workflow is an action, a choice or a fork"
            }
            _ => {
                "this has no meaning in a workflow: it consists of actions, `if`, `match`, `fork!` and `return`; do the rest in an action"
            }
        };
        self.mistake_of_rustc(Place::of(expr), message);
        Flow::unknown(next)
    }

    /// `….await?`, with an action or a fork in front of it.
    fn awaited(&mut self, whole: &Expr, waiting: &ExprAwait, next: Target) -> Flow {
        let call = &*waiting.base;
        if let Expr::Macro(fork) = call
            && fork
                .mac
                .path
                .segments
                .last()
                .is_some_and(|it| it.ident == "fork")
        {
            if !matches!(whole, Expr::Try(_)) {
                self.mistake_of_rustc(
                    Place::at(waiting.await_token.span),
                    "what happens if a branch fails is not said: write `.await?`",
                );
            }
            return self.fork(fork, next);
        }
        if is_action(call) {
            return self.action(call, next, &OnError::Fail).0;
        }
        if let Some(name) = ident_of(call)
            && let Some(Binding::Unknown) = self.known(name)
        {
            // What it should have been has its mistake already.
            return Flow::unknown(next);
        }
        self.mistake(
            Place::of(call),
            "a workflow waits for actions and for `fork!`, and for nothing else",
        );
        Flow::unknown(next)
    }

    /// `'label: { … }`
    fn labelled(&mut self, block: &ExprBlock, next: Target, is_result: bool) -> Flow {
        let Some(label) = &block.label else {
            return self.block(&block.block, next, is_result);
        };
        self.blocks.push((label.name.ident.to_string(), next));
        let flow = self.block(&block.block, next, is_result);
        self.blocks.pop();
        // A `break` may lead behind it, even if its end does not.
        Flow {
            value: Some(Binding::Unit),
            ..flow
        }
    }

    /// The last expression of a block, or the body of an arm.
    pub(super) fn tail(&mut self, expr: &Expr, next: Target, is_result: bool) -> Flow {
        if is_result {
            self.result(expr, next)
        } else {
            self.expression(expr, next)
        }
    }

    /// An expression whose value is the result of the function or branch around it.
    pub(super) fn result(&mut self, expr: &Expr, next: Target) -> Flow {
        match expr {
            Expr::Call(call) if is_named(&call.func, "Ok") && call.args.len() == 1 => {
                match &call.args[0] {
                    Expr::Tuple(unit) if unit.elems.is_empty() => Flow::through(next),
                    value => {
                        let value = self.value_of_let(value);
                        Flow {
                            entry: next,
                            value: Some(value),
                        }
                    }
                }
            }
            Expr::Call(call) if is_named(&call.func, "Err") && call.args.len() == 1 => {
                self.killed(&call.args[0])
            }
            Expr::Await(waiting) if is_action(&waiting.base) => {
                self.action(&waiting.base, next, &OnError::Fail).0
            }
            Expr::If(branch) => self.branch(branch, next, true),
            Expr::Match(choice) => self.choice(choice, next, true),
            Expr::Block(block) => self.labelled(block, next, true),
            Expr::Paren(inner) => self.result(&inner.expr, next),
            Expr::Return(_) => self.expression(expr, next),
            _ => self.expression(expr, next),
        }
    }

    /// `Err(…)`: the job is killed.
    fn killed(&mut self, error: &Expr) -> Flow {
        if let Some(name) = ident_of(error) {
            let Some(binding) = self.binding(name) else {
                return Flow::leaves(Target::Fail);
            };
            if let Binding::Failure { node } = binding {
                let place = Place::of(error);
                let code = format!("wf:errorMessage('{}')", self.nodes[node].name);
                let message = Text::expression(vec![(code, Some(place))]);
                let node = self.add_control(None, "kill", place, NodeKind::Kill(message));
                return Flow::leaves(Target::Node(node));
            }
        }
        let (call, named) = match error {
            Expr::MethodCall(method) if method.method == "named" && method.args.len() == 1 => {
                (&*method.receiver, self.node_name(&method.args[0]))
            }
            other => (other, None),
        };
        let Expr::Call(kill) = call else {
            self.no_kill(error);
            return Flow::leaves(Target::Fail);
        };
        if !is_named(&kill.func, "kill") || kill.args.len() != 1 {
            self.no_kill(error);
            return Flow::leaves(Target::Fail);
        }
        self.outlines.naming = match &named {
            Some((name, _)) => name.clone(),
            None => format!("{}_kill", self.last),
        };
        let message = self.value(&kill.args[0]);
        let message = message.map_or_else(Text::default, |value| value.into_text());
        if let Some((name, _)) = &named {
            // One node may be left to by several ways.
            if self.fail == Some((name.clone(), message.spelled())) {
                return Flow::leaves(Target::Fail);
            }
            let is_same = |node: &Node| match &node.kind {
                NodeKind::Kill(other) => node.name == *name && other.spelled() == message.spelled(),
                _ => false,
            };
            if let Some(node) = self.nodes.iter().position(is_same) {
                return Flow::leaves(Target::Node(node));
            }
        }
        let node = self.add_control(named, "kill", Place::of(error), NodeKind::Kill(message));
        Flow::leaves(Target::Node(node))
    }

    fn no_kill(&mut self, error: &Expr) {
        self.mistake_of_rustc(
            Place::of(error),
            "a workflow ends in an error by `Err(kill(\"why\"))`, or by `Err(failure)` with the failure of an action",
        );
    }

    /// `#[node = "name"]` on a statement.
    pub(super) fn node_attribute(&mut self, attributes: &[Attribute]) -> Option<(String, Place)> {
        self.name_attribute(attributes, "node")
    }

    /// The name in an attribute such as `#[join = "name"]`.
    pub(super) fn name_attribute(
        &mut self,
        attributes: &[Attribute],
        what: &str,
    ) -> Option<(String, Place)> {
        let attribute = attributes.iter().find(|it| it.path().is_ident(what))?;
        match &attribute.meta {
            syn::Meta::NameValue(pair) => self.node_name(&pair.value),
            _ => {
                self.mistake(
                    Place::of(attribute),
                    &format!("a node is named by `#[{what} = \"name\"]`"),
                );
                None
            }
        }
    }
}

/// The name in the pattern of a `let`.
fn name_of(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(name) => Some(without_raw(&name.ident)),
        Pat::Type(typed) => name_of(&typed.pat),
        Pat::Paren(inner) => name_of(&inner.pat),
        _ => None,
    }
}

/// The name of a decision or a fork before a statement that awaits an action.
fn name_of_no_control(statement: &Stmt) -> Option<&Attribute> {
    let (attributes, expr) = match statement {
        Stmt::Local(local) => (&local.attrs, &*local.init.as_ref()?.expr),
        Stmt::Expr(expr @ Expr::Try(attempt), _) => (&attempt.attrs, expr),
        Stmt::Expr(expr @ Expr::Await(waiting), _) => (&waiting.attrs, expr),
        _ => return None,
    };
    let (call, _) = awaited(expr)?;
    let mut attributes = attributes.iter();
    attributes
        .find(|it| is_action(call) && (it.path().is_ident("node") || it.path().is_ident("join")))
}

/// The attributes of a statement that waits for a fork. They are before the statement, since `fork!` is inside it.
fn attributes_of_fork(statement: &Stmt) -> Vec<Attribute> {
    let (attributes, expr) = match statement {
        Stmt::Local(local) => match &local.init {
            Some(init) => (&local.attrs, &*init.expr),
            None => return Vec::new(),
        },
        Stmt::Expr(expr @ Expr::Try(attempt), _) => (&attempt.attrs, expr),
        _ => return Vec::new(),
    };
    let is_fork = match awaited(expr) {
        Some((call, _)) => matches!(call, Expr::Macro(_)),
        None => false,
    };
    if is_fork {
        attributes.clone()
    } else {
        Vec::new()
    }
}
