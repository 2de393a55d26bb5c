//! The picture of each document that a check processes.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use hpdlc_core::secrets::Secrets;

use crate::{
    analysis::{Needs, PropertyUse},
    codegen::graph::{self, Picture, StartedCoordinator},
    driver::application::{CheckStep, CheckedBundle, CheckedCoordinator, Session, identity},
    model::{Parameter, Property, Template},
};

/// A document as a page shows it.
#[derive(Clone, Debug)]
pub struct Pictured {
    /// The identity of the document.
    pub document: PathBuf,
    pub picture: Picture,
    /// Every property that it declares or reads, and whether a job needs it.
    pub properties: BTreeMap<String, bool>,
    /// What must not be shown in any of its texts.
    pub secrets: Secrets,
    pub needs: Needs,
    /// The identities of the documents that it starts, as far as they were found.
    pub starts: BTreeSet<PathBuf>,
}

/// The data to show for `seen`.
pub fn pictured(session: &Session, seen: CheckStep<'_>) -> Pictured {
    match seen {
        CheckStep::Workflow(own) => {
            let secrets = session.secrets(&own.app);
            Pictured {
                document: identity(&own.location.document),
                picture: graph::of_workflow(&own.app, &own.facts, &secrets),
                properties: properties(&own.facts.properties),
                secrets,
                needs: session.needs(own),
                starts: own.children.clone(),
            }
        }
        CheckStep::Coordinator(own) => {
            let CheckedCoordinator { app, included, .. } = own;
            let passed = app.workflow.as_ref();
            let configuration = passed.map(|workflow| &workflow.configuration.properties);
            let secrets = secrets(
                session,
                &app.parameters,
                app.config_default
                    .iter()
                    .chain(configuration.into_iter().flatten()),
            );
            let workflow = own.workflow.get().map(String::as_str);
            Pictured {
                document: identity(&own.location.document),
                picture: graph::of_coordinator(app, included, &own.values, workflow, &secrets),
                properties: properties(&own.facts.properties),
                secrets,
                needs: session.needs_of_coordinator(own),
                starts: own.workflow_document().into_iter().collect(),
            }
        }
        CheckStep::Bundle(own) => {
            let CheckedBundle { app, started, .. } = own;
            let configurations = app.coordinators.iter();
            let configurations =
                configurations.flat_map(|coordinator| &coordinator.configuration.properties);
            let secrets = secrets(
                session,
                &app.parameters,
                app.config_default.iter().chain(configurations),
            );
            let started: Vec<Option<StartedCoordinator<'_>>> = started
                .iter()
                .map(|found| {
                    let (coordinator, values) = found.as_ref()?;
                    Some(StartedCoordinator {
                        app: &coordinator.app,
                        included: &coordinator.included,
                        values,
                    })
                })
                .collect();
            Pictured {
                document: identity(&own.location.document),
                picture: graph::of_bundle(app, &started, &secrets),
                properties: properties(&own.facts.properties),
                secrets,
                needs: Needs::default(),
                starts: own
                    .started
                    .iter()
                    .flatten()
                    .map(|(coordinator, _)| identity(&coordinator.location.document))
                    .collect(),
            }
        }
    }
}

fn properties(uses: &[PropertyUse]) -> BTreeMap<String, bool> {
    uses.iter()
        .map(|property| (property.name.clone(), property.is_required()))
        .collect()
}

/// The secrets among the given properties and those of a document itself.
fn secrets<'p>(
    session: &Session,
    parameters: &[Parameter],
    configuration: impl Iterator<Item = &'p Property>,
) -> Secrets {
    let defaults = parameters.iter().filter_map(|parameter| {
        let default = parameter.default.as_ref()?;
        Some((parameter.name.value.as_str(), default.value.as_str()))
    });
    let literal = configuration.filter_map(|property| {
        Some((
            property.name.literal()?,
            Template::literal(&property.value)?,
        ))
    });
    let own: Vec<(&str, &str)> = defaults.chain(literal).collect();
    session.secrets_among(own.into_iter())
}
