//! What a workflow gives to the sub-workflows that it starts.

use std::collections::BTreeMap;

use crate::{
    analysis::{Facts, Given, GivenProperty, Passed, PropertyUse, known_values::KnownValues},
    model::{Property, WorkflowApp, action::SubWorkflow},
};

impl Passed {
    /// The properties of the job of `child`, which `app` starts (`SubWorkflowActionExecutor`): all of the parent's with
    /// `propagate-configuration`, and without it those of `oozie.`; above them, those of `global` and of the action.
    ///
    /// Without `propagate-configuration` nothing of this depends on what the parent's job is given.
    pub fn to_child(app: &WorkflowApp, child: &SubWorkflow, given: &Given) -> Passed {
        let known = KnownValues::new(app, &given.known());
        let mut properties: BTreeMap<String, GivenProperty> = given
            .properties
            .iter()
            .filter(|(name, _)| child.propagate_configuration || name.starts_with("oozie."))
            .map(|(name, property)| (name.clone(), property.clone()))
            .collect();
        let mut is_complete = true;
        if child.propagate_configuration {
            is_complete = given.is_complete;
            for property in defaults(app) {
                properties.entry(property.0).or_insert(property.1);
            }
        }
        let global = app
            .global
            .iter()
            .flat_map(|global| &global.configuration.properties);
        for Property { name, value } in global.chain(&child.settings.configuration.properties) {
            let Some(name_text) = known.text(name).filter(|text| text.is_certain) else {
                // A name that is not known may be any.
                is_complete = false;
                continue;
            };
            // A value that is not known stands for itself: it is there, and nothing is known of it.
            let value = known
                .text(value)
                .filter(|text| text.is_certain)
                .map_or_else(
                    || value.text.as_str().to_owned(),
                    |text| text.value.into_owned(),
                );
            let property = GivenProperty {
                value,
                span: Some(name.span),
            };
            properties.insert(name_text.value.trim().to_owned(), property);
        }
        Passed {
            given: Given {
                // What stands in a file that is not read may be anything.
                is_complete: is_complete && child.settings.job_xml.is_empty(),
                properties,
            },
        }
    }
}

/// What the parent's job has where it is given nothing else.
fn defaults(app: &WorkflowApp) -> impl Iterator<Item = (String, GivenProperty)> {
    let configured = app.config_default.iter().filter_map(|property| {
        let value = GivenProperty {
            value: property.value.text.as_str().to_owned(),
            span: Some(property.name.span),
        };
        (!property.value.text.is_empty())
            .then_some(property.name.literal()?)
            .map(|name| (name.to_owned(), value))
    });
    let declared = app.parameters.iter().filter_map(|parameter| {
        let default = parameter.default.as_ref()?;
        let value = GivenProperty {
            value: default.value.clone(),
            span: Some(parameter.name.span),
        };
        Some((parameter.name.value.clone(), value))
    });
    configured.chain(declared)
}

/// What a child needs, without what the parent needs too and does not have: that has been reported there.
pub fn needs_of_child(child: &Facts, parent: &Facts, given: &Given) -> Vec<PropertyUse> {
    let is_reported = |need: &PropertyUse| {
        given.is_complete
            && !given.has(&need.name)
            && parent
                .property(&need.name)
                .is_some_and(PropertyUse::is_required)
    };
    child
        .properties
        .iter()
        .filter(|need| !is_reported(need))
        .cloned()
        .collect()
}
