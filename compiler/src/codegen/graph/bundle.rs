//! The picture of a bundle: its coordinators, and the datasets that connect them.

use std::collections::BTreeMap;

use hpdlc_core::secrets::Secrets;
use hpdlc_graph::{Picture, PictureNode, Shape, one_line};

use super::coordinator::{Drawing, datasets_of, last_part, period, shown, with_values};
use crate::{
    analysis::{Included, Values},
    model::{BundleApp, CoordinatorApp, Template},
};

/// A coordinator that a bundle starts, if it was found.
#[derive(Clone, Copy, Debug)]
pub struct StartedCoordinator<'a> {
    pub app: &'a CoordinatorApp,
    pub included: &'a Included,
    /// The known values of the properties that it gets.
    pub values: &'a Values,
}

/// The coordinators of `app`, each with its definition if it was found, and their datasets: datasets with equal URIs are
/// merged. No text in the picture contains one of the secrets.
pub fn of_bundle(
    app: &BundleApp,
    started: &[Option<StartedCoordinator<'_>>],
    secrets: &Secrets,
) -> Picture {
    let mut drawing = Drawing {
        picture: Picture {
            title: secrets.masked(app.name.text.as_str()),
            ..Picture::default()
        },
        secrets,
    };
    for (coordinator, found) in app.coordinators.iter().zip(started) {
        let name = coordinator.name.text.as_str();
        let title = if name.is_empty() {
            last_part(coordinator.app_path.text.as_str())
        } else {
            name.to_owned()
        };
        let enabled = coordinator.enabled.as_ref().and_then(Template::literal);
        drawing.node(PictureNode {
            subtitle: Some(match found {
                Some(found) => drawing.masked(&period(&found.app.frequency)),
                None => "coordinator".to_owned(),
            }),
            target: Some(drawing.masked(&one_line(coordinator.app_path.text.as_str()))),
            is_reached: enabled.is_none_or(|enabled| enabled.eq_ignore_ascii_case("true")),
            ..shown(
                &drawing.masked(name),
                Shape::Application,
                &drawing.masked(&title),
            )
        });
    }
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (number, found) in started.iter().enumerate().take(app.coordinators.len()) {
        let Some(found) = found else { continue };
        let datasets = datasets_of(found.app, found.included);
        let mut place_of = |name: &Template, drawing: &mut Drawing<'_>| {
            let name = with_values(name, found.values);
            let (_, dataset) = datasets.iter().find(|(known, _)| *known == name)?;
            let uri = one_line(&with_values(&dataset.uri_template, found.values));
            Some(*places.entry(uri.clone()).or_insert_with(|| {
                let uri = drawing.masked(&uri);
                drawing.node(PictureNode {
                    target: Some(uri.clone()),
                    ..shown(&format!("dataset {uri}"), Shape::Dataset, &name)
                })
            }))
        };
        for event in &found.app.input_events {
            if let Some(place) = place_of(&event.dataset, &mut drawing) {
                drawing.arrow(place, number);
            }
        }
        for event in &found.app.output_events {
            if let Some(place) = place_of(&event.dataset, &mut drawing) {
                drawing.arrow(number, place);
            }
        }
    }
    drawing
        .picture
        .arrows
        .sort_by_key(|arrow| (arrow.from, arrow.to));
    drawing.picture.arrows.dedup();
    drawing.finish()
}
