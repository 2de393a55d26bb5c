//! The action type of tests: what it takes to add one.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::{HadoopSettings, probe::Probe},
};

impl ActionStatic for Probe {
    const TABLE: &'static [&'static str] = &["Probe"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Probe { text } = self;
        let mut fields = Fields::of("Probe");
        let elements: Elements<'_> = &[("text", slice::from_ref(text))];
        push_settings(&mut fields, cx, owner, &HadoopSettings::default(), elements);
        let probe = fields.expr();
        quote!(Body::Probe(#probe))
    }
}
