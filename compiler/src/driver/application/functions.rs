//! The Rust functions that an application calls, and the programs that have none.

use super::{CompiledApplication, Session};
use crate::driver::{mistakes::unlinked_functions::UnlinkedFunction, rust_file};

impl Session {
    /// Reports every action that calls a Rust function: the program is to consist of `application` alone, where no function can be.
    pub fn refuse_functions(&mut self, application: &CompiledApplication) {
        for checked in &application.apps {
            let is_in_rust = rust_file::parts(&checked.location.document).is_some();
            for (node, action) in checked.app.actions() {
                let Some(function) = action.kind.called_function(action.body_span) else {
                    continue;
                };
                self.sink.emit(UnlinkedFunction {
                    action: node.name.value.clone(),
                    is_in_rust,
                    function,
                });
            }
        }
    }
}
