//! The `rust` action: a call of a Rust function of the program itself.

use std::{borrow::Cow, collections::BTreeSet};

use hpdlc_core::action;

use crate::table::{
    Compiled, NodeKind, Program,
    action::{ActionDef, Body},
};

pub type Rust = action::Rust<Compiled>;

impl ActionDef for Rust {
    fn retries_every_error(&self) -> bool {
        true
    }
}

/// The names of the functions that the actions of a program call, and of what runs those of extensions.
pub fn called_functions(program: &Program) -> BTreeSet<Cow<'static, str>> {
    let apps = program.apps.iter();
    apps.flat_map(|app| app.nodes())
        .filter_map(|(_, def)| match &def.kind {
            NodeKind::Action(action) => Some(&action.body),
            _ => None,
        })
        .filter_map(|body| match body {
            // The schema allows no expression in it.
            Body::Rust(rust) => Some(rust.function.source()),
            Body::Custom(custom) if custom.is_process() => Some(Cow::Borrowed(custom.function)),
            _ => None,
        })
        .collect()
}
