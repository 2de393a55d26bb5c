//! Actions of types that extensions define: each runs as a `rust` action does, by the name that the extension has for its type.

use std::collections::BTreeMap;

use hpdlc_program::{failure::ActionError, table};

use crate::{Evaluate, Evaluation, Work, process_end::MAX_OUTPUT_DATA, rust::Rust, time_limit};

impl Evaluate for table::Custom {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        if self.function.is_empty() {
            let problem = format!(
                "this executable has no executor for the type {}",
                self.type_name
            );
            return Err(ActionError::failed("E0723", problem));
        }
        let mut arguments = Vec::new();
        for element in self.elements {
            for text in cx.texts(element.texts)? {
                arguments.push(format!("{}={text}", element.name));
            }
        }
        // It has no configuration of its own.
        let configuration = BTreeMap::new();
        let setting = |name: &str| cx.action_setting(&configuration, name);
        let max_output = setting(MAX_OUTPUT_DATA).and_then(|limit| limit.trim().parse().ok());
        Ok(Work::Rust(Rust {
            function: self.function.to_owned(),
            arguments,
            hash: cx.program.hash.to_owned(),
            max_output: max_output.unwrap_or_else(|| cx.max_output()),
            limit: time_limit::time_limit(&setting)?,
            lost: None,
        }))
    }
}
