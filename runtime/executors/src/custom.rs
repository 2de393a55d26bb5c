//! Actions of extensions: no executable has an executor for them yet.

use hpdlc_program::{failure::ActionError, table};

use crate::{Evaluate, Evaluation, Work};

impl Evaluate for table::Custom {
    fn evaluate(&'static self, _: &Evaluation<'_>) -> Result<Work, ActionError> {
        let problem = format!(
            "this executable has no executor for the type {}",
            self.type_name
        );
        Err(ActionError::failed("E0723", problem))
    }
}
