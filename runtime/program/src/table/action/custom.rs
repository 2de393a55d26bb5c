//! An action of a type that has no struct.

use hpdlc_core::action::{Field, Fields, TypedBody};

use crate::table::{Compiled, action::ActionDef};

#[derive(Debug)]
pub struct Custom {
    pub type_name: &'static str,
}

impl Fields<Compiled> for Custom {
    fn name(&self) -> &'static str {
        "Custom"
    }

    fn fields(&self) -> Vec<Field<'_, Compiled>> {
        Vec::new()
    }
}

impl TypedBody<Compiled> for Custom {
    fn type_name(&self) -> &'static str {
        self.type_name
    }
}

impl ActionDef for Custom {
    fn is_process(&self) -> bool {
        false
    }
}
