//! Which functions coordinators and bundles have, and in which texts each of them can be called.

use hpdlc_core::el::functions as workflow_functions;

use crate::{
    analysis::{
        coordinator::{Phase, PhaseText},
        el_calls::{Call, calls},
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

/// A function, and the texts that have it: those in which Oozie knows it at submission and still when the text is used.
struct Function {
    prefix: &'static str,
    name: &'static str,
    n_arguments: usize,
    phases: &'static [Phase],
}

const fn coord(name: &'static str, n_arguments: usize, phases: &'static [Phase]) -> Function {
    Function {
        prefix: "coord",
        name,
        n_arguments,
        phases,
    }
}

const LENGTH: &[Phase] = &[Phase::Frequency, Phase::Timeout];
/// The functions of both forms: for frequencies, and for the start of a range. That they do not work in an `instance`,
/// where Oozie takes them at submission, is said by [`instances`](super::instances).
const END: &[Phase] = &[Phase::Frequency, Phase::Instance, Phase::RangeInstance];
const INSTANCE: &[Phase] = &[Phase::Instance, Phase::RangeInstance];
const DATE: &[Phase] = &[
    Phase::InitialInstance,
    Phase::RangeInstance,
    Phase::Configuration,
    Phase::Sla,
];
const FORMAT: &[Phase] = &[
    Phase::Instance,
    Phase::RangeInstance,
    Phase::Configuration,
    Phase::Sla,
];
const ACTION: &[Phase] = &[Phase::Configuration, Phase::Sla];
const DATA: &[Phase] = &[Phase::Configuration];
const EVERYWHERE: &[Phase] = &[
    Phase::Frequency,
    Phase::Plain,
    Phase::InitialInstance,
    Phase::Instance,
    Phase::RangeInstance,
    Phase::Configuration,
    Phase::Sla,
];
const WITH_TIMEOUT: &[Phase] = &[
    Phase::Frequency,
    Phase::Plain,
    Phase::InitialInstance,
    Phase::Timeout,
    Phase::Instance,
    Phase::RangeInstance,
    Phase::Configuration,
    Phase::Sla,
];

const FUNCTIONS: &[Function] = &[
    coord("minutes", 1, LENGTH),
    coord("hours", 1, LENGTH),
    coord("days", 1, LENGTH),
    coord("months", 1, LENGTH),
    coord("endOfDays", 1, END),
    coord("endOfWeeks", 1, END),
    coord("endOfMonths", 1, END),
    coord("conf", 1, EVERYWHERE),
    coord("user", 0, EVERYWHERE),
    Function {
        prefix: "hadoop",
        name: "conf",
        n_arguments: 2,
        phases: WITH_TIMEOUT,
    },
    coord("current", 1, INSTANCE),
    coord("currentRange", 2, INSTANCE),
    coord("offset", 2, INSTANCE),
    coord("latest", 1, INSTANCE),
    coord("latestRange", 2, INSTANCE),
    coord("future", 2, INSTANCE),
    coord("futureRange", 3, INSTANCE),
    coord("absolute", 1, INSTANCE),
    coord("hoursInDay", 1, INSTANCE),
    coord("daysInMonth", 1, INSTANCE),
    coord("tzOffset", 0, INSTANCE),
    coord("dateOffset", 3, DATE),
    coord("dateTzOffset", 2, DATE),
    coord("formatTime", 2, FORMAT),
    coord("epochTime", 2, FORMAT),
    coord("nominalTime", 0, ACTION),
    coord("actualTime", 0, ACTION),
    coord("actionId", 0, ACTION),
    coord("name", 0, ACTION),
    coord("dataIn", 1, DATA),
    coord("dataOut", 1, ACTION),
    coord("databaseIn", 1, DATA),
    coord("tableIn", 1, DATA),
    coord("dataInPartitionFilter", 2, DATA),
    coord("dataInPartitionMin", 2, DATA),
    coord("dataInPartitionMax", 2, DATA),
    coord("dataInPartitions", 2, DATA),
    coord("databaseOut", 1, ACTION),
    coord("tableOut", 1, ACTION),
    coord("dataOutPartitions", 1, ACTION),
    coord("dataOutPartitionValue", 2, ACTION),
    Function {
        prefix: "bundle",
        name: "conf",
        n_arguments: 1,
        phases: &[Phase::Bundle],
    },
];

impl Function {
    fn full_name(&self) -> String {
        format!("{}:{}", self.prefix, self.name)
    }
}

/// Whether coordinators or bundles have a function of this name, which is with its prefix.
pub fn is_coordinator_function(full_name: &str) -> bool {
    FUNCTIONS
        .iter()
        .any(|function| full_name.split_once(':') == Some((function.prefix, function.name)))
}

/// Checks every call in `texts`.
pub(in crate::analysis) fn check(texts: &[PhaseText<'_>], sink: &mut Sink) {
    let mut similar_names = SimilarNames::default();
    for text in texts.iter().filter(|text| text.phase != Phase::Defaults) {
        for expr in text.template.ast.expressions() {
            calls(expr, &mut |call| {
                check_call(text, call, &mut similar_names, sink);
            });
        }
    }
}

fn check_call(
    text: &PhaseText<'_>,
    call: &Call<'_>,
    similar_names: &mut SimilarNames,
    sink: &mut Sink,
) {
    let place = text.template.text.span_of(call.range.clone());
    let function = FUNCTIONS
        .iter()
        .find(|function| Some(function.prefix) == call.prefix && function.name == call.name);
    let Some(function) = function else {
        let name = call.full_name();
        let known: Vec<String> = FUNCTIONS.iter().map(Function::full_name).collect();
        let similar = similar_names
            .nearest(&name, known.iter().map(String::as_str))
            // A function without its prefix is a common slip, and not a similar name.
            .or_else(|| {
                known
                    .iter()
                    .find(|known| known.ends_with(&format!(":{}", call.name)))
                    .cloned()
            });
        sink.emit(UndefinedCoordinatorFunction {
            place,
            is_of_workflow: workflow_functions::find(call.prefix, call.name).is_some(),
            name,
            similar,
        });
        return;
    };
    if !function.phases.contains(&text.phase) {
        sink.emit(FunctionOutsideItsPhase {
            place,
            name: function.full_name(),
            here: text.phase.place(),
            elsewhere: function.phases.iter().map(|phase| phase.place()).collect(),
        });
    } else if function.n_arguments != call.args.len() {
        sink.emit(CoordinatorArgumentCount {
            place,
            name: function.full_name(),
            expected: function.n_arguments,
            found: call.args.len(),
        });
    }
}
