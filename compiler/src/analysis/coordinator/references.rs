//! Functions that refer to an event by name, and date patterns.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{
        coordinator::{CoordinatorPhase, PhaseText},
        el_calls::{WrittenCall, calls},
        event_functions::{Asks, asks},
        similar_names::SimilarNames,
    },
    diagnostics::Sink,
    lints::{misread_date_patterns::MisreadDatePattern, week_year_patterns::WeekYearPattern},
    model::{CoordinatorApp, Template, coordinator::LogicNode},
    source::{Span, Spanned},
};

pub(super) mod undefined_event;

use self::undefined_event::UndefinedEvent;

/// The names that functions may use.
struct EventNames {
    inputs: BTreeMap<String, Span>,
    /// Elements of the input logic, which `coord:dataIn` accepts too.
    groups: BTreeSet<String>,
    /// The input logic has a name that is unknown at compile time.
    has_open_group: bool,
    outputs: BTreeMap<String, Span>,
    /// The first event of each dataset, by the dataset's name.
    input_of_dataset: BTreeMap<String, String>,
    output_of_dataset: BTreeMap<String, String>,
}

/// Checks the arguments of calls in `texts`.
pub(super) fn check(app: &CoordinatorApp, texts: &[PhaseText<'_>], sink: &mut Sink) {
    let mut names = EventNames {
        inputs: by_name(app.input_events.iter().map(|event| &event.name)),
        groups: BTreeSet::new(),
        has_open_group: false,
        outputs: by_name(app.output_events.iter().map(|event| &event.name)),
        input_of_dataset: by_dataset(
            app.input_events
                .iter()
                .map(|event| (&event.dataset, &event.name)),
        ),
        output_of_dataset: by_dataset(
            app.output_events
                .iter()
                .map(|event| (&event.dataset, &event.name)),
        ),
    };
    if let Some(logic) = &app.input_logic {
        names.add_groups(&logic.nodes);
    }
    let mut similar_names = SimilarNames::default();
    for text in texts {
        if text.phase != CoordinatorPhase::Configuration && text.phase != CoordinatorPhase::Sla {
            continue;
        }
        for expr in text.template.ast.expressions() {
            calls(expr, &mut |call| {
                check_event(text.template, call, &names, &mut similar_names, sink);
                check_pattern(text.template, call, sink);
            });
        }
    }
}

impl EventNames {
    fn add_groups(&mut self, nodes: &[LogicNode]) {
        for node in nodes {
            match node.name.as_ref().map(Template::literal) {
                Some(Some(name)) => {
                    self.groups.insert(name.to_owned());
                }
                Some(None) => self.has_open_group = true,
                None => {}
            }
            self.add_groups(&node.nodes);
        }
    }
}

fn by_name<'a>(names: impl Iterator<Item = &'a Spanned<String>>) -> BTreeMap<String, Span> {
    names.map(|name| (name.value.clone(), name.span)).collect()
}

/// The first event of each dataset whose name is literal.
pub(super) fn by_dataset<'a>(
    events: impl Iterator<Item = (&'a Template, &'a Spanned<String>)>,
) -> BTreeMap<String, String> {
    let mut first = BTreeMap::new();
    for (dataset, event) in events.filter(|(_, event)| !event.value.is_empty()) {
        if let Some(dataset) = dataset.literal() {
            first
                .entry(dataset.to_owned())
                .or_insert_with(|| event.value.clone());
        }
    }
    first
}

fn check_event(
    template: &Template,
    call: &WrittenCall<'_>,
    names: &EventNames,
    similar_names: &mut SimilarNames,
    sink: &mut Sink,
) {
    let Some(asks) = call.coord_name().and_then(asks) else {
        return;
    };
    let Some((name, place)) = call
        .args
        .first()
        .and_then(|argument| literal(template, argument))
    else {
        return;
    };
    let (own, other, of_dataset, element) = match asks {
        Asks::Inputs => (
            &names.inputs,
            &names.outputs,
            &names.input_of_dataset,
            "data-in",
        ),
        Asks::Outputs => (
            &names.outputs,
            &names.inputs,
            &names.output_of_dataset,
            "data-out",
        ),
    };
    let in_other = other.get(name).copied();
    let is_group = asks == Asks::Inputs && (names.has_open_group || names.groups.contains(name));
    // An output with the same name hides an input.
    let is_hidden = asks == Asks::Inputs && in_other.is_some();
    if is_group || (own.contains_key(name) && !is_hidden) {
        return;
    }
    let candidates = own.keys().map(String::as_str);
    let groups = names.groups.iter().map(String::as_str);
    sink.emit(UndefinedEvent {
        place,
        function: call.full_name(),
        name: name.to_owned(),
        element,
        other: in_other,
        of_dataset: of_dataset.get(name).cloned(),
        similar: similar_names.nearest(
            name,
            candidates.chain(groups.filter(|_| asks == Asks::Inputs)),
        ),
    });
}

/// A literal text and its place, with the quotes.
fn literal<'a>(
    template: &Template,
    argument: &'a hpdlc_core::el::ast::Expr,
) -> Option<(&'a str, Span)> {
    let text = argument.as_text()?;
    let range = argument.range.start..argument.range.end;
    Some((text, template.text.span_of(range)))
}

fn check_pattern(template: &Template, call: &WrittenCall<'_>, sink: &mut Sink) {
    if call.coord_name() != Some("formatTime") {
        return;
    }
    let Some((pattern, place)) = call
        .args
        .get(1)
        .and_then(|argument| literal(template, argument))
    else {
        return;
    };
    // Together with the week of the year, the week year is correct.
    if has_letter(pattern, 'Y') && !has_letter(pattern, 'w') && !has_letter(pattern, 'u') {
        sink.emit(WeekYearPattern {
            place,
            fixed: format!("'{}'", pattern.replace('Y', "y")),
        });
    }
    if let Some(found) = misread(pattern, place) {
        sink.emit(found);
    }
}

/// Letters that mean something else than they seem to, by the letters beside them.
fn misread(pattern: &str, place: Span) -> Option<MisreadDatePattern> {
    const MONTHS: [(&str, &str); 8] = [
        ("yyyymm", "yyyyMM"),
        ("yyyy-mm", "yyyy-MM"),
        ("yyyy/mm", "yyyy/MM"),
        ("yyyy_mm", "yyyy_MM"),
        ("yyyy.mm", "yyyy.MM"),
        ("dd-mm-", "dd-MM-"),
        ("dd/mm/", "dd/MM/"),
        ("dd.mm.", "dd.MM."),
    ];
    const DAYS: [&str; 5] = ["MMDD", "MM-DD", "MM/DD", "MM_DD", "MM.DD"];
    // What is quoted in it could not be quoted in what is suggested.
    if pattern.contains('\'') {
        return None;
    }
    let found = |letters, meaning, meant, fixed: String| {
        Some(MisreadDatePattern {
            place,
            letters,
            meaning,
            meant,
            fixed: format!("'{fixed}'"),
        })
    };
    if let Some((wrong, right)) = MONTHS.iter().find(|(wrong, _)| pattern.contains(wrong)) {
        let fixed = pattern.replacen(wrong, right, 1);
        return found("mm", "the minute", "the month", fixed);
    }
    if DAYS.iter().any(|wrong| pattern.contains(wrong)) {
        let fixed = pattern.replace("DD", "dd");
        return found("DD", "the day of the year", "the day of the month", fixed);
    }
    let has = |letter| has_letter(pattern, letter);
    if has('h') && !has('a') && !has('K') {
        let (meaning, meant) = ("the hour from 1 to 12", "the hour from 0 to 23");
        return found("hh", meaning, meant, pattern.replace('h', "H"));
    }
    None
}

/// Whether a Java date pattern has a letter outside of its quotes.
fn has_letter(pattern: &str, letter: char) -> bool {
    let mut is_quoted = false;
    pattern.chars().any(|char| {
        is_quoted ^= char == '\'';
        char == letter && !is_quoted
    })
}
