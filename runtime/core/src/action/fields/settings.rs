//! The settings that Hadoop-style actions share.

use crate::action::{
    Empty, Form,
    fields::{ElementTexts, of_fields},
};

body! {
    /// The settings that Hadoop-style actions share. `global` has been merged in: name-node, resource-manager and job-xml as in
    /// `LiteWorkflowAppParser`; configuration is kept in layers.
    Settings {
        name_node: Option<F::Text> = optional "name-node",
        resource_manager: Option<F::Text> = optional "resource-manager",
        /// Global ones first, without those that the action repeats verbatim.
        job_xml: F::List<F::Text> = list "job-xml",
        /// The action's own; the layers below it (`config-default.xml`, `global`) belong to the application.
        configuration: F::Configuration = configuration,
    }
}

impl<F: Form> Settings<F> {
    /// The elements that hold a text.
    pub fn elements(&self) -> Vec<ElementTexts<'_, F>> {
        let mut elements = Vec::new();
        of_fields(self, &mut elements);
        elements
    }
}

impl<F: Form> Empty for Settings<F> {
    const EMPTY: Settings<F> = Settings {
        name_node: None,
        resource_manager: None,
        job_xml: <F::List<F::Text> as Empty>::EMPTY,
        configuration: <F::Configuration as Empty>::EMPTY,
    };
}
