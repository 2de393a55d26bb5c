//! What the actions of a child inherit from the `global` of its parent with `propagate-configuration`
//! (`LiteWorkflowAppParser`, `SubWorkflowActionExecutor`).
//!
//! It is passed on as unevaluated texts, which are evaluated in the child. The child's own `global` takes precedence over
//! it, and it over `config-default.xml` of the child.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use hpdlc_core::el::error::ElErrorKind;
use hpdlc_program::{
    failure::ActionError,
    table::{Property, Settings, Template},
};
use serde::{Deserialize, Serialize};

use crate::Evaluation;

/// The job property that holds it; Oozie has one too, in another format.
pub const PROPERTY: &str = "hpdl.wf.global";

/// The `global` of a parent, merged with those of the parents above it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InheritedGlobal {
    name_node: Option<String>,
    resource_manager: Option<String>,
    job_xml: Vec<String>,
    /// Names and values, in order; each name once.
    configuration: Vec<(String, String)>,
}

impl InheritedGlobal {
    /// What a job has inherited; empty if it has no such property.
    pub fn of(conf: &BTreeMap<String, String>) -> InheritedGlobal {
        conf.get(PROPERTY)
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    /// What a child inherits: `settings` are those of the `sub-workflow` action, with those of `global` merged in by the compiler.
    pub fn for_child(
        mut self,
        global: &'static [Property],
        settings: &Settings,
    ) -> InheritedGlobal {
        let source = |text: &Template| text.source().into_owned();
        let name_node = settings.name_node.as_ref().map(source);
        let resource_manager = settings.resource_manager.as_ref().map(source);
        self.name_node = name_node.or(self.name_node);
        self.resource_manager = resource_manager.or(self.resource_manager);
        for text in settings.job_xml {
            let path = text.source();
            if !self.job_xml.iter().any(|other| *other == path) {
                self.job_xml.push(path.into_owned());
            }
        }
        for (name, value) in written(global) {
            self.configuration.retain(|(other, _)| *other != name);
            self.configuration
                .push((name.into_owned(), value.into_owned()));
        }
        self
    }

    /// As the value of [`PROPERTY`]; `None` where there is nothing.
    pub fn to_property(&self) -> Option<String> {
        if *self == InheritedGlobal::default() {
            return None;
        }
        serde_json::to_string(self).ok()
    }

    /// Inherited `job-xml` files that `settings` does not name itself.
    pub fn job_xml(&self, settings: &Settings) -> Vec<&str> {
        let is_own = |path: &str| settings.job_xml.iter().any(|own| own.source() == path);
        self.job_xml
            .iter()
            .map(String::as_str)
            .filter(|path| !is_own(path))
            .collect()
    }

    /// The properties that `layers` do not have.
    pub fn configuration(&self, layers: &[&'static [Property]]) -> Vec<(&str, &str)> {
        let own: BTreeSet<Cow<'_, str>> = layers
            .iter()
            .flat_map(|layer| written(layer))
            .map(|(name, _)| name)
            .collect();
        self.configuration
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(|(name, _)| !own.contains(*name))
            .collect()
    }
}

/// Properties as they are written; one without a value is none.
fn written(
    layer: &'static [Property],
) -> impl Iterator<Item = (Cow<'static, str>, Cow<'static, str>)> {
    layer
        .iter()
        .map(|property| (property.name(), property.value().source()))
        .filter(|(_, value)| !value.is_empty())
}

impl Evaluation<'_> {
    /// The `name-node` of an action, else the one that its job has inherited.
    pub fn name_node(&self, settings: &Settings) -> Result<Option<String>, ActionError> {
        match &settings.name_node {
            Some(text) => Ok(Some(text.evaluate(self.scope)?)),
            None => self.inherited_text(InheritedGlobal::of(self.conf).name_node),
        }
    }

    /// The `resource-manager` of an action, likewise.
    pub fn resource_manager(&self, settings: &Settings) -> Result<Option<String>, ActionError> {
        match &settings.resource_manager {
            Some(text) => Ok(Some(text.evaluate(self.scope)?)),
            None => self.inherited_text(InheritedGlobal::of(self.conf).resource_manager),
        }
    }

    fn inherited_text(&self, text: Option<String>) -> Result<Option<String>, ActionError> {
        text.map(|text| self.evaluated(&text)).transpose()
    }

    /// Evaluates a text of a parent's `global`.
    ///
    /// # Errors
    ///
    /// As for a text of the document: `EL_EVAL_ERROR` is retried, `EL_ERROR` fails the job.
    pub fn evaluated(&self, text: &str) -> Result<String, ActionError> {
        hpdlc_program::evaluate::evaluate_text(self.scope, text).map_err(|error| {
            let problem = format!(
                "{} in `{text}`, which is in `global` of a parent",
                error.message
            );
            match error.kind {
                ElErrorKind::Io => ActionError::transient("EL_EVAL_ERROR", problem),
                _ => ActionError::failed("EL_ERROR", problem),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GLOBAL: [Property; 3] = [
        Property::Text("queue", 7, "fast"),
        Property::Text("empty", 8, ""),
        Property::Text("both", 9, "of the parent"),
    ];
    static SETTINGS: Settings = Settings {
        name_node: Some(Template::Property(1, 1, "nn")),
        job_xml: &[Template::Text(1, "a.xml")],
        ..Settings::EMPTY
    };
    static OWN: [Property; 1] = [Property::Text("queue", 3, "slow")];

    #[test]
    fn a_child_gets_texts_and_its_own_count() {
        let above = InheritedGlobal {
            resource_manager: Some("rm:1".to_owned()),
            job_xml: vec!["a.xml".to_owned(), "b.xml".to_owned()],
            configuration: vec![("both".to_owned(), "from above".to_owned())],
            ..InheritedGlobal::default()
        };
        let text = above.for_child(&GLOBAL, &SETTINGS).to_property().unwrap();
        let conf = [(PROPERTY.to_owned(), text)].into();
        let found = InheritedGlobal::of(&conf);
        assert_eq!(found.name_node.as_deref(), Some("${nn}"));
        assert_eq!(found.resource_manager.as_deref(), Some("rm:1"));
        assert_eq!(found.job_xml(&Settings::EMPTY), ["a.xml", "b.xml"]);
        assert_eq!(found.job_xml(&SETTINGS), ["b.xml"]);
        let all = [("queue", "fast"), ("both", "of the parent")];
        assert_eq!(found.configuration(&[]), all);
        assert_eq!(found.configuration(&[&OWN]), all[1..]);
    }

    #[test]
    fn nothing_is_no_property() {
        let nothing = InheritedGlobal::default().for_child(&[], &Settings::EMPTY);
        assert_eq!(nothing.to_property(), None);
        let foreign = [(PROPERTY.to_owned(), "H4sIAAAA".to_owned())].into();
        assert_eq!(InheritedGlobal::of(&foreign), InheritedGlobal::default());
    }
}
