//! Coordinators and bundles as pictures: schedules, data, what they start, and the data that this produces.

use std::collections::BTreeMap;

use hpdlc_graph::{Arrow, ArrowKind, Picture, PictureNode, Shape, one_line};
use hpdlc_program::{
    coordinator_texts::{CoordinatorTexts, EventTexts, LogicTexts},
    table::{Bundle, Coordinator},
};

/// The schedule and the data of a coordinator.
pub fn of_coordinator(table: &Coordinator) -> Picture {
    let texts = CoordinatorTexts::of(table);
    let mut drawing = SchedulePicture::new(&texts.name);
    let schedule = drawing.node(PictureNode {
        subtitle: Some(format!("{} – {}", texts.start, texts.end)),
        ..shown("schedule", Shape::Schedule, &texts.frequency)
    });
    let included = table.includes.iter().flat_map(|include| include.datasets);
    for (name, frequency, uri) in table.datasets.iter().chain(included).map(|dataset| {
        let uri = dataset.uri_template.source();
        (dataset.name, dataset.frequency.source(), uri)
    }) {
        let node = PictureNode {
            subtitle: Some(one_line(&frequency)),
            target: Some(one_line(&uri)),
            ..shown(&format!("dataset {name}"), Shape::Dataset, name)
        };
        let place = drawing.node(node);
        drawing.datasets.entry(name.to_owned()).or_insert(place);
    }
    let mut events: BTreeMap<&str, usize> = BTreeMap::new();
    for event in &texts.inputs {
        let dataset = drawing.dataset(&event.dataset);
        let place = drawing.node(of_event("input", event));
        drawing.arrow(dataset, place);
        events.insert(&event.name, place);
    }
    let action = drawing.node(PictureNode {
        subtitle: Some("workflow".to_owned()),
        target: Some(one_line(&texts.app_path)),
        ..shown("action", Shape::Application, last_part(&texts.app_path))
    });
    drawing.arrow(schedule, action);
    match &texts.input_logic {
        Some(logic) => drawing.logic(logic, action, &events),
        None => {
            for place in events.values() {
                drawing.arrow(*place, action);
            }
        }
    }
    for event in &texts.outputs {
        let place = drawing.node(of_event("output", event));
        drawing.arrow(action, place);
        let dataset = drawing.dataset(&event.dataset);
        drawing.arrow(place, dataset);
    }
    drawing.picture
}

/// The coordinators of a bundle.
pub fn of_bundle(bundle: &Bundle) -> Picture {
    let mut drawing = SchedulePicture::new(&bundle.name.source());
    for coordinator in bundle.coordinators {
        let name = coordinator.name.source();
        let enabled = coordinator.enabled.as_ref().map(|enabled| enabled.source());
        drawing.node(PictureNode {
            subtitle: Some("coordinator".to_owned()),
            target: Some(one_line(&coordinator.app_path.source())),
            is_reached: enabled.is_none_or(|enabled| {
                enabled.eq_ignore_ascii_case("true") || enabled.contains("${")
            }),
            ..shown(&name, Shape::Application, &name)
        });
    }
    drawing.picture
}

struct SchedulePicture {
    picture: Picture,
    datasets: BTreeMap<String, usize>,
}

impl SchedulePicture {
    fn new(title: &str) -> SchedulePicture {
        SchedulePicture {
            picture: Picture {
                title: title.to_owned(),
                ..Picture::default()
            },
            datasets: BTreeMap::new(),
        }
    }

    fn node(&mut self, shown: PictureNode) -> usize {
        self.picture.nodes.push(shown);
        self.picture.nodes.len() - 1
    }

    fn arrow(&mut self, from: usize, to: usize) {
        self.picture.arrows.push(Arrow {
            from,
            to,
            kind: ArrowKind::Flow,
            label: None,
            is_taken: false,
        });
    }

    /// A dataset without a definition is drawn, too.
    fn dataset(&mut self, name: &str) -> usize {
        if let Some(place) = self.datasets.get(name) {
            return *place;
        }
        let place = self.node(shown(&format!("dataset {name}"), Shape::Dataset, name));
        self.datasets.insert(name.to_owned(), place);
        place
    }

    fn logic(&mut self, logic: &LogicTexts, to: usize, events: &BTreeMap<&str, usize>) {
        if let Some(input) = &logic.input {
            if let Some(place) = events.get(input.as_str()) {
                self.arrow(*place, to);
            }
            return;
        }
        let attributes = [("min", &logic.min), ("wait", &logic.wait)];
        let subtitle: Vec<String> = attributes
            .into_iter()
            .filter_map(|(name, text)| Some(format!("{name} {}", text.as_ref()?)))
            .collect();
        let name = format!("{} {}", logic.element, self.picture.nodes.len());
        let place = self.node(PictureNode {
            subtitle: (!subtitle.is_empty()).then(|| subtitle.join(", ")),
            ..shown(&name, Shape::Logic, &logic.element)
        });
        self.arrow(place, to);
        for node in &logic.nodes {
            self.logic(node, place, events);
        }
    }
}

fn of_event(what: &str, event: &EventTexts) -> PictureNode {
    let between = if event.is_range { " – " } else { ", " };
    PictureNode {
        subtitle: Some(one_line(&event.instances.join(between))),
        ..shown(&format!("{what} {}", event.name), Shape::Event, &event.name)
    }
}

fn shown(name: &str, shape: Shape, title: &str) -> PictureNode {
    PictureNode {
        name: name.to_owned(),
        shape,
        title: title.to_owned(),
        subtitle: None,
        target: None,
        pair: None,
        is_reached: true,
        is_supported: true,
        state: None,
    }
}

fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}
