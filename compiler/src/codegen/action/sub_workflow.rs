//! The `sub-workflow` action.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{Fields, push_settings},
        context::AppCx,
        functions::Owner,
        template,
    },
    model::action::SubWorkflow,
};

pub(crate) fn body_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    sub_workflow: &SubWorkflow,
) -> TokenStream {
    let SubWorkflow {
        settings,
        app_path,
        propagate_configuration,
    } = sub_workflow;
    let mut fields = Fields::of("SubWorkflow");
    push_settings(&mut fields, cx, owner, settings);
    let app_path = template::expr(cx, owner, format_args!("app path"), app_path);
    fields.push("app_path", &app_path);
    fields.flag("propagate_configuration", *propagate_configuration);
    let sub_workflow = fields.expr();
    quote!(Body::SubWorkflow(#sub_workflow))
}
