//! The `distcp` action.

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{ActionStatic, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Distcp,
};

impl ActionStatic for Distcp {
    const TABLE: &'static [&'static str] = tool::TABLE;

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Distcp {
            settings,
            prepare,
            java_opts,
            args,
        } = self;
        tool::body_expr(
            cx,
            owner,
            "Distcp",
            (settings, prepare),
            &[("java-opts", java_opts.as_slice()), ("arg", args)],
        )
    }
}
