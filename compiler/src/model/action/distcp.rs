//! The `distcp` action: a copy between file systems as a Hadoop job.

use hpdlc_core::action;

use crate::model::{
    Template,
    action::{ActionBody, Parsed},
};

pub type Distcp = action::Distcp<Parsed>;

impl ActionBody for Distcp {
    /// The last one before the target.
    fn source(&self) -> Option<&Template> {
        match self.args.as_slice() {
            [.., source, _] => Some(source),
            _ => None,
        }
    }
}
