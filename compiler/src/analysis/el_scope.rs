//! Which functions a text may call: those of its phase, with the expected number of arguments.
//!
//! Afterwards every call in a workflow without errors is of a function in `hpdlc_core`'s table, with the right number of
//! arguments.

use std::collections::BTreeSet;

use hpdlc_core::el::{
    ast::{ExprKind, Literal},
    functions::{self, Dialect, Function, proposal},
    phase::Phase as ElPhase,
};

use crate::{
    analysis::{
        el_calls::{WrittenCall, calls},
        similar_names::SimilarNames,
        templates::{TemplatePhase, TemplateUse},
        text_passes::TextPass,
        transitions::{NodeIndex, is_node_name},
    },
    diagnostics::{Code, Sink},
    lints::undefined_node_references::UndefinedNodeReference,
    model::{OwnFunction, WorkflowApp},
    source::Span,
};

mod function_at_submission;
mod undefined_function;
mod wrong_argument_count;

use self::{
    function_at_submission::FunctionAtSubmission, undefined_function::UndefinedFunction,
    wrong_argument_count::WrongArgumentCount,
};

pub static CODES: &[&Code] = &[
    &undefined_function::CODE,
    &wrong_argument_count::CODE,
    &function_at_submission::CODE,
];

/// Checks every call.
pub(crate) struct ElScope<'a> {
    app: &'a WorkflowApp,
    index: &'a NodeIndex<'a>,
    similar_names: SimilarNames,
    /// The names that transitions lead to, collected on first use.
    targets: Option<BTreeSet<String>>,
    /// The functions of the program that are called, by their places in the list of all.
    called: BTreeSet<usize>,
}

impl TextPass for ElScope<'_> {
    fn check(&mut self, template_use: &TemplateUse<'_>, sink: &mut Sink) {
        for expr in template_use.template.ast.expressions() {
            calls(expr, &mut |call| self.check_call(template_use, call, sink));
        }
    }
}

impl<'a> ElScope<'a> {
    pub(crate) fn new(app: &'a WorkflowApp, index: &'a NodeIndex<'a>) -> ElScope<'a> {
        ElScope {
            app,
            index,
            similar_names: SimilarNames::default(),
            targets: None,
            called: BTreeSet::new(),
        }
    }

    /// The functions of the program that the texts so far call.
    pub(crate) fn called_functions(&self) -> Vec<OwnFunction> {
        let called = self.called.iter();
        called.map(|at| self.app.functions[*at].clone()).collect()
    }

    /// The names that transitions lead to: one without a node is reported there.
    fn targets(&mut self) -> &BTreeSet<String> {
        let app = self.app;
        self.targets.get_or_insert_with(|| {
            app.nodes
                .iter()
                .flat_map(|node| node.targets())
                .map(|(_, target)| target.value.clone())
                .collect()
        })
    }

    fn check_call(
        &mut self,
        template_use: &TemplateUse<'_>,
        call: &WrittenCall<'_>,
        sink: &mut Sink,
    ) {
        let text = &template_use.template.text;
        let place = text.span_of(call.range.clone());
        let known = functions::find(call.prefix, call.name)
            .filter(|function| function.is_of(self.app.dialect));
        let own = self.app.own_function(call.prefix, call.name);
        let n_parameters = match (known, own) {
            (Some(function), _) => function.params.len(),
            (None, Some(own)) => own.n_arguments,
            (None, None) => {
                // An extension whose manifest is not there may have it.
                if self.app.has_all_extensions || !has_own_prefix(call) {
                    let undefined = self.undefined(call, place);
                    sink.emit(undefined);
                }
                return;
            }
        };
        match template_use.phase {
            TemplatePhase::Workflow => {}
            phase
            @ (TemplatePhase::JobSubmit | TemplatePhase::Sla | TemplatePhase::Credentials) => {
                sink.emit(FunctionAtSubmission {
                    name: call.written_name(),
                    place,
                    is_of_credential: phase == TemplatePhase::Credentials,
                });
                return;
            }
        }
        if call.args.len() != n_parameters {
            sink.emit(WrongArgumentCount {
                name: call.full_name(),
                place,
                expected: n_parameters,
                found: call.args.len(),
            });
            return;
        }
        let Some(function) = known else {
            let mut functions = self.app.functions.iter();
            let at = functions.position(|function| Some(function) == own);
            self.called.extend(at);
            return;
        };
        if let (true, [argument, ..]) = (takes_node(function), call.args)
            && let ExprKind::Literal(Literal::Text(node)) = &argument.kind
            && self.index.get(node).is_none()
            && !self.targets().contains(node.as_str())
        {
            let similar = self.similar_names.nearest(node, self.app.node_names());
            // If not, the name of that node is itself invalid, which has been reported.
            if similar.as_deref().is_none_or(is_node_name) {
                sink.emit(UndefinedNodeReference {
                    function: call.full_name(),
                    name: node.clone(),
                    place: text.span_of(argument.range.start..argument.range.end),
                    similar,
                });
            }
        }
    }

    fn undefined(&mut self, call: &WrittenCall<'_>, place: Span) -> UndefinedFunction {
        let name = call.full_name();
        let dialect = self.app.dialect;
        let known: Vec<String> = functions::all()
            .filter(|function| function.is_of(dialect))
            .filter(|function| function.prefix != Some(proposal::RENAMED))
            .map(Function::full_name)
            .chain(self.app.functions.iter().map(OwnFunction::full_name))
            .collect();
        let counterpart = match dialect {
            Dialect::Oozie => proposal::later_name(&name),
            Dialect::Proposal => proposal::earlier_name(&name),
        };
        let counterpart = counterpart.map(|counterpart| {
            let (prefix, name) = match counterpart.split_once(':') {
                Some((prefix, name)) => (Some(prefix), name),
                None => (None, counterpart),
            };
            let found = functions::find(prefix, name);
            let is_like = found.is_none_or(|it| it.params.len() == call.args.len());
            (counterpart, is_like)
        });
        let similar = self
            .similar_names
            .nearest(&name, known.iter().map(String::as_str));
        UndefinedFunction {
            is_of_coordinator: call.prefix == Some("coord"),
            dialect,
            is_of_other_dialect: functions::find(call.prefix, call.name)
                .is_some_and(|function| function.phases.has(ElPhase::Workflow)),
            has_own_prefix: has_own_prefix(call),
            counterpart,
            // A function without its prefix is a common slip, which a similar name does not cover.
            similar: similar.or_else(|| {
                let mut known = known.iter();
                known
                    .find(|known| known.rsplit(':').next() == Some(call.name))
                    .cloned()
            }),
            name,
            place,
        }
    }
}

/// Whether it has a prefix that functions of programs and extensions can have.
fn has_own_prefix(call: &WrittenCall<'_>) -> bool {
    let is_oozies = |prefix| functions::all().any(|function| function.prefix == Some(prefix));
    call.prefix.is_some_and(|prefix| !is_oozies(prefix))
}

/// Whether the first argument of the function names a node of the workflow (`DagELFunctions`, and section 4.2 of the proposal
/// of 2009).
fn takes_node(function: &Function) -> bool {
    matches!(
        (function.prefix, function.name),
        (
            Some("wf"),
            "transition"
                | "errorCode"
                | "errorMessage"
                | "actionData"
                | "actionExternalId"
                | "actionTrackerUri"
                | "actionExternalStatus"
                | "exitState"
                | "nodeStatus"
        ) | (
            Some("hadoop"),
            "counters" | "jobCounters" | "jobId" | "jobTracker" | "jobStatus"
        ) | (Some("action"), "output")
    )
}

#[cfg(test)]
mod tests;
