//! The action type of tests: what it takes to add one.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{Elements, Fields, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::{HadoopSettings, probe::Probe},
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, probe: &Probe) -> TokenStream {
    let Probe { text } = probe;
    let mut fields = Fields::of("Probe");
    let elements: Elements<'_> = &[("text", slice::from_ref(text))];
    push_settings(&mut fields, cx, owner, &HadoopSettings::default(), elements);
    let probe = fields.expr();
    quote!(Body::Probe(#probe))
}
