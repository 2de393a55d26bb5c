//! The `input-logic` section.

use std::collections::BTreeMap;

use crate::{
    analysis::{
        coordinator::{instances, references::by_dataset},
        known::KnownJob,
        similar_names::SimilarNames,
    },
    diagnostics::Sink,
    model::{
        CoordinatorApp, Template,
        coordinator::{DataIn, LogicKind, LogicNode},
    },
    source::Span,
};

pub(super) mod invalid_input_logic;

use self::invalid_input_logic::{InvalidInputLogic, LogicProblem};

pub(super) fn check(app: &CoordinatorApp, known: &KnownJob<'_>, sink: &mut Sink) {
    let Some(logic) = &app.input_logic else {
        return;
    };
    if let [first, second, ..] = logic.nodes.as_slice() {
        sink.emit(InvalidInputLogic {
            place: second.tag_span,
            problem: LogicProblem::SecondRoot {
                first: first.tag_span,
            },
        });
    }
    let mut cx = LogicCtx {
        events: app
            .input_events
            .iter()
            .map(|event| (event.name.value.as_str(), event))
            .collect(),
        by_dataset: by_dataset(
            app.input_events
                .iter()
                .map(|event| (&event.dataset, &event.name)),
        ),
        known,
        similar_names: SimilarNames::default(),
        sink,
    };
    cx.nodes(&logic.nodes);
}

struct LogicCtx<'a, 'k> {
    events: BTreeMap<&'a str, &'a DataIn>,
    /// The first event of each dataset.
    by_dataset: BTreeMap<String, String>,
    known: &'a KnownJob<'k>,
    similar_names: SimilarNames,
    sink: &'a mut Sink,
}

impl<'a> LogicCtx<'a, '_> {
    fn nodes(&mut self, nodes: &[LogicNode]) {
        for node in nodes {
            for (attribute, template) in [("min", &node.min), ("wait", &node.wait)] {
                if let Some(template) = template {
                    self.number(attribute, template);
                }
            }
            match &node.kind {
                LogicKind::DataIn(dataset) => {
                    self.event(dataset);
                }
                LogicKind::Combine => self.combine(node),
                LogicKind::And | LogicKind::Or => {}
            }
            self.nodes(&node.nodes);
        }
    }

    fn emit(&mut self, place: Span, problem: LogicProblem) {
        self.sink.emit(InvalidInputLogic { place, problem });
    }

    fn number(&mut self, attribute: &'static str, template: &Template) {
        if let Some(text) = self.known.text(template)
            && text.value.trim().parse::<i32>().is_err()
        {
            let found = text.value;
            self.emit(template.span, LogicProblem::NotANumber { attribute, found });
        }
    }

    /// The input event that a reference names. Reports it if there is none.
    fn event(&mut self, reference: &Template) -> Option<&'a DataIn> {
        let text = self.known.text(reference)?;
        let found = self.find(&text.value);
        if found.is_none() {
            let names = self.events.keys().copied();
            let similar = self.similar_names.nearest(&text.value, names);
            let name = text.value;
            self.emit(
                reference.span,
                LogicProblem::UndefinedEvent {
                    of_dataset: self.by_dataset.get(&name).cloned(),
                    name,
                    similar,
                },
            );
        }
        found
    }

    fn find(&self, name: &str) -> Option<&'a DataIn> {
        self.events.get(name).copied()
    }

    fn combine(&mut self, node: &LogicNode) {
        let mut first: Option<(Span, i64)> = None;
        for member in &node.nodes {
            let LogicKind::DataIn(reference) = &member.kind else {
                continue;
            };
            let event = self
                .known
                .text(reference)
                .and_then(|text| self.find(&text.value));
            let Some(event) = event else {
                continue;
            };
            let (count, searched) = instances::count(&event.instances, self.known);
            if let Some(instance) = searched {
                let event = event.name.value.clone();
                self.emit(
                    reference.span,
                    LogicProblem::CombinedSearch { event, instance },
                );
            } else if let Some(count) = count {
                match first {
                    None => first = Some((reference.span, count)),
                    Some((first, expected)) if expected != count => {
                        self.emit(reference.span, LogicProblem::CombinedCounts { first });
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
