use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0720", invalid_input_logic, ["E1028", "E0803"]);

/// What is wrong with an element of the input logic.
pub(super) enum LogicProblem {
    /// There is a second root element.
    SecondRoot { first: Span },
    UndefinedEvent {
        name: String,
        /// The event of the dataset with this name.
        of_dataset: Option<String>,
        similar: Option<String>,
    },
    /// `coord:latest` or `coord:future` in a combination.
    CombinedSearch { event: String, instance: Span },
    /// The members of a combination have different numbers of instances.
    CombinedCounts { first: Span },
    NotANumber {
        attribute: &'static str,
        found: String,
    },
}

/// A mistake in `input-logic`.
pub(super) struct InvalidInputLogic {
    pub(super) place: Span,
    pub(super) problem: LogicProblem,
}

message!(InvalidInputLogic, |place, problem| {
    match problem {
        LogicProblem::SecondRoot { first } => {
            Diagnostic::new(&CODE, place, "the input logic has more than one element")
                .label(place, "Oozie cannot read the two together")
                .label(first, "the first one")
                .help("put both into an `and` or an `or`")
        }
        LogicProblem::UndefinedEvent {
            name,
            of_dataset,
            similar,
        } => {
            let diagnostic =
                Diagnostic::new(&CODE, place, format!("undefined input event `{name}`"))
                    .label(place, "no `data-in` of the input events has this name");
            if let Some(event) = of_dataset {
                return diagnostic.suggest(
                    place,
                    format!("`{name}` is a dataset, and its event is `{event}`"),
                    event,
                    Applicability::MaybeIncorrect,
                );
            }
            match similar {
                Some(similar) => diagnostic.suggest(
                    place,
                    "there is a `data-in` with a similar name",
                    similar,
                    Applicability::MaybeIncorrect,
                ),
                None => diagnostic.note("`dataset` is the name of an input event here"),
            }
        }
        LogicProblem::CombinedSearch { event, instance } => Diagnostic::new(
            &CODE,
            place,
            format!("input event `{event}` cannot be combined"),
        )
        .label(place, "combined here")
        .label(
            instance,
            "instances that are looked for have no fixed times to combine by",
        ),
        LogicProblem::CombinedCounts { first } => Diagnostic::new(
            &CODE,
            place,
            "combined input events have different numbers of instances",
        )
        .label(place, "its instances are fewer or more")
        .label(first, "than of this one"),
        LogicProblem::NotANumber { attribute, found } => {
            Diagnostic::new(&CODE, place, format!("invalid `{attribute}`"))
                .label(place, format!("expected a whole number, found `{found}`"))
        }
    }
});
