//! Which functions the texts of coordinators and bundles may call: those of their phases, with the expected number of
//! arguments.

use hpdlc_core::el::{
    functions::{self, Function},
    phase::Phase as ElPhase,
};

use crate::{
    analysis::{
        coordinator::{CoordinatorPhase, PhaseText},
        el_calls::{WrittenCall, calls},
        similar_names::SimilarNames,
    },
    diagnostics::Sink,
};

pub(super) mod coordinator_argument_count;
pub(super) mod function_outside_its_phase;
pub(super) mod undefined_coordinator_function;

use self::{
    coordinator_argument_count::CoordinatorArgumentCount,
    function_outside_its_phase::FunctionOutsideItsPhase,
    undefined_coordinator_function::UndefinedCoordinatorFunction,
};

/// Whether a text in that phase may call it. A function that works in ranges only, and that Oozie accepts in an `instance`
/// at submission, is reported by [`instances`](super::instances).
fn is_available(function: &Function, place: CoordinatorPhase) -> bool {
    let mut phases = place.el_phases().iter();
    phases.all(|phase| function.phases.has(*phase))
}

/// Whether it is available anywhere in a coordinator or bundle.
fn is_of_coordinators(function: &Function) -> bool {
    PLACES
        .into_iter()
        .any(|place| is_available(function, place))
}

/// The phases in which functions can be called.
const PLACES: [CoordinatorPhase; 9] = [
    CoordinatorPhase::Frequency,
    CoordinatorPhase::Plain,
    CoordinatorPhase::InitialInstance,
    CoordinatorPhase::Timeout,
    CoordinatorPhase::Instance,
    CoordinatorPhase::RangeInstance,
    CoordinatorPhase::Configuration,
    CoordinatorPhase::Sla,
    CoordinatorPhase::Bundle,
];

/// Checks every call in `texts`.
pub(in crate::analysis) fn check(texts: &[PhaseText<'_>], sink: &mut Sink) {
    let mut similar_names = SimilarNames::default();
    for text in texts
        .iter()
        .filter(|text| text.phase != CoordinatorPhase::Defaults)
    {
        for expr in text.template.ast.expressions() {
            calls(expr, &mut |call| {
                check_call(text, call, &mut similar_names, sink);
            });
        }
    }
}

fn check_call(
    text: &PhaseText<'_>,
    call: &WrittenCall<'_>,
    similar_names: &mut SimilarNames,
    sink: &mut Sink,
) {
    let place = text.template.text.span_of(call.range.clone());
    let found = functions::find(call.prefix, call.name);
    let Some(function) = found.filter(|function| is_of_coordinators(function)) else {
        let name = call.full_name();
        let known: Vec<String> = functions::all()
            .filter(|function| is_of_coordinators(function))
            .map(Function::full_name)
            .collect();
        let similar = similar_names
            .nearest(&name, known.iter().map(String::as_str))
            // A function without its prefix is a common slip, and takes precedence over a similar name.
            .or_else(|| {
                known
                    .iter()
                    .find(|known| known.ends_with(&format!(":{}", call.name)))
                    .cloned()
            });
        sink.emit(UndefinedCoordinatorFunction {
            place,
            is_of_workflow: found.is_some_and(|function| function.phases.has(ElPhase::Workflow)),
            name,
            similar,
        });
        return;
    };
    if !is_available(function, text.phase) {
        sink.emit(FunctionOutsideItsPhase {
            place,
            name: function.full_name(),
            here: text.phase.place(),
            elsewhere: PLACES
                .into_iter()
                .filter(|place| is_available(function, *place))
                .map(CoordinatorPhase::place)
                .collect(),
        });
    } else if function.params.len() != call.args.len() {
        sink.emit(CoordinatorArgumentCount {
            place,
            name: function.full_name(),
            expected: function.params.len(),
            found: call.args.len(),
        });
    }
}
