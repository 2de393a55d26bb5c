//! `hpdlc references`: what the documents of an application start or include. A server that compiles applications of other file systems
//! asks it which further folders to fetch.

use crate::{
    cli::{ReferencesArguments, output::CommandOutput},
    driver::application::{self, Session},
};

/// A JSON object a line: `{"kind":"workflow","uri":"hdfs://nn/apps/load","found":false}`. The exit code is that of success, also where
/// the documents have mistakes.
pub(super) fn run(arguments: ReferencesArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let mut session = Session::new(&input);
    let mut text = String::new();
    for reference in application::references(&arguments.path, &mut session) {
        // A struct of texts is always JSON.
        text.push_str(&serde_json::to_string(&reference).unwrap_or_default());
        text.push('\n');
    }
    output.answer(&text)
}
