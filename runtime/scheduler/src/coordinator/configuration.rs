//! The properties of the workflow of an action.

use std::collections::BTreeMap;

use hpdlc_core::{
    coordinator::machine::{self, ActionFault, ActionRecord},
    el::text::Text,
};
use hpdlc_engine::job::submission;
use hpdlc_executors::sub_workflow::RESERVED;

use crate::coordinator::submission::{Revision, printed};

/// The property with the nominal time, in milliseconds since 1970 (`OozieClient.COORD_ACTION_NOMINAL_TIME`).
const NOMINAL_TIME: &str = "oozie.coord.action.nominal_time";

impl Revision {
    /// The properties of an action's workflow (`CoordActionStartXCommand`); `id` is that of the action.
    ///
    /// # Errors
    ///
    /// Why the action fails: its instances cannot be determined, or a property has no value.
    pub fn workflow_properties(
        &self,
        record: &ActionRecord,
        id: String,
    ) -> Result<BTreeMap<String, String>, ActionFault> {
        let coordinator = &self.coordinator;
        let facts = machine::facts(coordinator, record, id).map_err(|(event, error)| {
            fault(
                error.oozie_code(),
                format!("the instances of `{event}`: {error}"),
            )
        })?;
        let mut conf = self.conf.clone();
        let known = self.lost();
        let mut lost = known.clone();
        let sources = self.texts.configuration.iter();
        for ((name_source, source), (name, value)) in sources.zip(&self.configuration) {
            let evaluate = |text: &Text, source: &str| {
                let value = coordinator.job.evaluate_for_action(text, &facts);
                value.map_err(|error| {
                    let text = printed(source);
                    fault("E1004", format!("property `{text}`: {error}"))
                })
            };
            let name = evaluate(name, name_source)?.trim().to_owned();
            if RESERVED.contains(&name.as_str()) {
                let problem = format!("a workflow may not be given the property {name}");
                return Err(fault("E0808", problem));
            }
            lost.set(&name, self.is_lost(source, &facts, &known));
            let value = evaluate(value, source)?;
            conf.insert(name, value);
        }
        lost.keep(&mut conf);
        conf.insert(
            submission::APP_PATH_PROPERTY.to_owned(),
            self.app_path.clone(),
        );
        let nominal = record.nominal.timestamp_millis();
        conf.insert(NOMINAL_TIME.to_owned(), nominal.to_string());
        Ok(conf)
    }

    /// Whether its workflow is in the folder of the application.
    pub fn has_own_workflow(&self) -> bool {
        !self.app_path.starts_with('/') && !self.app_path.contains(':')
    }
}

fn fault(code: &str, message: String) -> ActionFault {
    ActionFault {
        code: code.to_owned(),
        message,
    }
}
