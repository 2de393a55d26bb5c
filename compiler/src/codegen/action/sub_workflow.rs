//! The `sub-workflow` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::SubWorkflow,
};

impl ActionStatic for SubWorkflow {
    const TABLE: &'static [&'static str] = &["SubWorkflow"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let SubWorkflow {
            settings,
            app_path,
            propagate_configuration,
        } = self;
        let mut fields = Fields::of("SubWorkflow");
        let elements: Elements<'_> = &[("app-path", slice::from_ref(app_path))];
        push_settings(&mut fields, cx, owner, settings, elements);
        fields.flag("propagate_configuration", *propagate_configuration);
        let sub_workflow = fields.expr();
        quote!(Body::SubWorkflow(#sub_workflow))
    }
}
