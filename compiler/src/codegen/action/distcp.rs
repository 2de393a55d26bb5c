//! The `distcp` action.

use proc_macro2::TokenStream;

use crate::{
    codegen::{action::tool, context::AppCx, functions::Owner},
    model::action::Distcp,
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, distcp: &Distcp) -> TokenStream {
    let Distcp {
        settings,
        prepare,
        java_opts,
        args,
    } = distcp;
    tool::body_expr(
        cx,
        owner,
        "Distcp",
        (settings, prepare),
        &[("java-opts", java_opts.as_slice()), ("arg", args)],
    )
}
