//! The picture of a coordinator: its schedule and input data, what they start, and the output data.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{el::ast::Part, secrets::Secrets};

use crate::{
    analysis::{Included, Values},
    model::{
        CoordinatorApp, Template,
        coordinator::{Dataset, Instances, LogicKind, LogicNode},
    },
};
use hpdlc_graph::{Arrow, ArrowKind, Picture, PictureNode, Shape, one_line};

/// The data and the schedule of `app`, even if it has errors. `values` are the known properties, and `workflow` is the
/// name of the workflow that it starts, if found. No text in the picture contains one of the secrets.
pub fn of_coordinator(
    app: &CoordinatorApp,
    included: &Included,
    values: &Values,
    workflow: Option<&str>,
    secrets: &Secrets,
) -> Picture {
    let mut drawing = Drawing {
        picture: Picture {
            title: secrets.masked(app.name.text.as_str()),
            ..Picture::default()
        },
        secrets,
    };
    let schedule = drawing.node(PictureNode {
        subtitle: Some(drawing.masked(&format!(
            "{} – {}",
            call(app.start.text.as_str()),
            call(app.end.text.as_str())
        ))),
        ..shown(
            "schedule",
            Shape::Schedule,
            &drawing.masked(&period(&app.frequency)),
        )
    });
    let datasets = datasets_of(app, included);
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let used = uses(app, values);
    for (name, dataset) in &datasets {
        let node = PictureNode {
            subtitle: Some(drawing.masked(&period(&dataset.frequency))),
            target: Some(drawing.masked(&one_line(dataset.uri_template.text.as_str()))),
            is_reached: used.contains(*name),
            ..shown(&format!("dataset {name}"), Shape::Dataset, name)
        };
        places.insert((*name).to_owned(), drawing.node(node));
    }
    let mut events: BTreeMap<&str, usize> = BTreeMap::new();
    let needed = app.input_logic.as_ref().map(|logic| needed(&logic.nodes));
    for event in &app.input_events {
        let dataset = drawing.dataset(&with_values(&event.dataset, values), &mut places);
        let is_needed = needed
            .as_ref()
            .is_none_or(|needed| needed.contains(event.name.value.as_str()));
        let node = PictureNode {
            subtitle: Some(drawing.masked(&instances(&event.instances))),
            is_reached: is_needed,
            ..shown(
                &format!("input {}", event.name.value),
                Shape::Event,
                &event.name.value,
            )
        };
        let place = drawing.node(node);
        drawing.arrow(dataset, place);
        events.insert(&event.name.value, place);
    }
    let title = match (workflow, &app.workflow) {
        (Some(name), _) if !name.is_empty() => name.to_owned(),
        (_, Some(workflow)) => last_part(workflow.app_path.text.as_str()),
        (_, None) => "action".to_owned(),
    };
    let action = drawing.node(PictureNode {
        subtitle: Some("workflow".to_owned()),
        target: app
            .workflow
            .as_ref()
            .map(|workflow| drawing.masked(&one_line(workflow.app_path.text.as_str()))),
        ..shown("action", Shape::Application, &drawing.masked(&title))
    });
    drawing.arrow(schedule, action);
    match &app.input_logic {
        Some(logic) => {
            for node in &logic.nodes {
                drawing.logic(node, action, &events);
            }
        }
        None => {
            for place in events.values() {
                drawing.arrow(*place, action);
            }
        }
    }
    for event in &app.output_events {
        let instances: Vec<String> = event
            .instances
            .iter()
            .map(|instance| call(instance.text.as_str()))
            .collect();
        let place = drawing.node(PictureNode {
            subtitle: Some(drawing.masked(&instances.join(", "))),
            ..shown(
                &format!("output {}", event.name.value),
                Shape::Event,
                &event.name.value,
            )
        });
        drawing.arrow(action, place);
        let dataset = drawing.dataset(&with_values(&event.dataset, values), &mut places);
        drawing.arrow(place, dataset);
    }
    drawing.finish()
}

/// The datasets by name, in order. Those of the document take precedence over those of included files.
pub(super) fn datasets_of<'a>(
    app: &'a CoordinatorApp,
    included: &'a Included,
) -> Vec<(&'a str, &'a Dataset)> {
    let mut found: Vec<(&str, &Dataset)> = Vec::new();
    let of_files = included.files.iter().flat_map(|file| &file.datasets);
    for dataset in app.datasets.iter().chain(of_files) {
        let name = dataset.name.value.as_str();
        if !found.iter().any(|(known, _)| *known == name) {
            found.push((name, dataset));
        }
    }
    found
}

/// The names of the datasets that the events use.
fn uses(app: &CoordinatorApp, values: &Values) -> BTreeSet<String> {
    let inputs = app.input_events.iter().map(|event| &event.dataset);
    let outputs = app.output_events.iter().map(|event| &event.dataset);
    inputs
        .chain(outputs)
        .map(|dataset| with_values(dataset, values))
        .collect()
}

/// The events that the input logic refers to.
fn needed(nodes: &[LogicNode]) -> BTreeSet<&str> {
    nodes
        .iter()
        .flat_map(|node| match &node.kind {
            LogicKind::DataIn(event) => BTreeSet::from([event.text.as_str()]),
            LogicKind::And | LogicKind::Or | LogicKind::Combine => needed(&node.nodes),
        })
        .collect()
}

/// `every 60 minutes`, or the expression.
pub(super) fn period(frequency: &Template) -> String {
    /// The functions whose argument is a number of units, with the singular of the unit.
    const UNITS: [(&str, &str, &str); 7] = [
        ("minutes", "minute", ""),
        ("hours", "hour", ""),
        ("days", "day", ""),
        ("months", "month", ""),
        ("endOfDays", "day", ", at its end"),
        ("endOfWeeks", "week", ", at its end"),
        ("endOfMonths", "month", ", at its end"),
    ];
    let text = call(frequency.text.as_str());
    let found = UNITS.iter().find_map(|(function, unit, when)| {
        let argument = text.strip_prefix(function)?.strip_prefix('(')?;
        let count: u32 = argument.strip_suffix(')')?.trim().parse().ok()?;
        Some((count, *unit, *when))
    });
    let minutes = || Some((text.parse::<u32>().ok()?, "minute", ""));
    match found.or_else(minutes) {
        Some((1, unit, when)) => format!("every {unit}{when}"),
        Some((count, unit, when)) => format!("every {count} {unit}s{when}"),
        None => text,
    }
}

/// An expression on one line, without `${}` around it and without the prefix of its function.
fn call(text: &str) -> String {
    let line = one_line(text);
    let inside = line
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .filter(|inside| !inside.contains('}'))
        .map(|inside| inside.trim().replace("coord:", ""));
    inside.unwrap_or(line)
}

fn instances(instances: &Instances) -> String {
    match instances {
        Instances::Each(each) => {
            let each: Vec<String> = each.iter().map(|one| call(one.text.as_str())).collect();
            each.join(", ")
        }
        Instances::Range { start, end } => {
            format!(
                "{} … {}",
                call(start.text.as_str()),
                call(end.text.as_str())
            )
        }
    }
}

/// The folder name of an application; the file name of its document is not informative.
pub(super) fn last_part(path: &str) -> String {
    let path = one_line(path);
    let path = path.trim_end_matches('/');
    let folder = ["workflow.xml", "coordinator.xml"]
        .iter()
        .find_map(|name| path.strip_suffix(name)?.strip_suffix('/'))
        .unwrap_or(path);
    call(folder.rsplit('/').next().unwrap_or(folder))
}

/// A text in which known properties are replaced by their values.
pub(super) fn with_values(template: &Template, values: &Values) -> String {
    let text = template.text.as_str();
    if template.is_invalid {
        return text.to_owned();
    }
    let mut written = String::with_capacity(text.len());
    for part in &template.ast.parts {
        match part {
            Part::Text(literal, _) => written.push_str(literal),
            Part::Expr(expr) => {
                let raw = &text[expr.range.start..expr.range.end];
                match values.get(raw.trim()) {
                    Some(value) => written.push_str(value),
                    None => {
                        written.push_str("${");
                        written.push_str(raw.trim());
                        written.push('}');
                    }
                }
            }
        }
    }
    written
}

/// A node that is reached and supported.
pub(super) fn shown(name: &str, shape: Shape, title: &str) -> PictureNode {
    PictureNode {
        name: name.to_owned(),
        shape,
        title: one_line(title),
        subtitle: None,
        target: None,
        pair: None,
        is_reached: true,
        is_supported: true,
        state: None,
    }
}

/// A picture under construction.
pub(super) struct Drawing<'s> {
    pub(super) picture: Picture,
    pub(super) secrets: &'s Secrets,
}

impl Drawing<'_> {
    pub(super) fn masked(&self, text: &str) -> String {
        self.secrets.masked(text)
    }

    pub(super) fn node(&mut self, mut node: PictureNode) -> usize {
        // A missing text has been reported.
        let says_something = |text: &String| text.contains(char::is_alphanumeric);
        node.subtitle = node.subtitle.filter(says_something);
        self.picture.nodes.push(node);
        self.picture.nodes.len() - 1
    }

    pub(super) fn arrow(&mut self, from: usize, to: usize) {
        self.picture.arrows.push(Arrow {
            from,
            to,
            kind: ArrowKind::Flow,
            label: None,
            is_taken: false,
        });
    }

    /// The dataset of an event; an undefined one is drawn with only its name.
    fn dataset(&mut self, name: &str, places: &mut BTreeMap<String, usize>) -> usize {
        if let Some(place) = places.get(name) {
            return *place;
        }
        let place = self.node(shown(&format!("dataset {name}"), Shape::Dataset, name));
        places.insert(name.to_owned(), place);
        place
    }

    /// Documents are at most 256 elements deep, so the recursion is bounded.
    fn logic(&mut self, node: &LogicNode, target: usize, events: &BTreeMap<&str, usize>) {
        let word = match &node.kind {
            LogicKind::DataIn(event) => {
                if let Some(place) = events.get(event.text.as_str()) {
                    self.arrow(*place, target);
                }
                return;
            }
            LogicKind::And => "and",
            LogicKind::Or => "or",
            LogicKind::Combine => "combine",
        };
        let limits = [("at least", &node.min), ("waits", &node.wait)];
        let limits: Vec<String> = limits
            .into_iter()
            .filter_map(|(word, limit)| Some(format!("{word} {}", limit.as_ref()?.text.as_str())))
            .collect();
        let name = format!("logic {}", self.picture.nodes.len());
        let place = self.node(PictureNode {
            subtitle: (!limits.is_empty()).then(|| self.masked(&limits.join(", "))),
            ..shown(&name, Shape::Logic, word)
        });
        self.arrow(place, target);
        for inner in &node.nodes {
            self.logic(inner, place, events);
        }
    }

    /// Sorts the arrows by their sources.
    pub(super) fn finish(mut self) -> Picture {
        self.picture.arrows.sort_by_key(|arrow| arrow.from);
        self.picture
    }
}
