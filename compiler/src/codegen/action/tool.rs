//! What the types have in common that a tool of Hadoop runs: each is a list of texts.

use hpdlc_core::el::functions::Dialect;
use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{Elements, Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
        names,
    },
    model::action::{HadoopSettings, Prepare},
};

/// As [`ActionStatic::TABLE`](super::ActionStatic::TABLE).
pub(super) const TABLE: &[&str] = &["Tool", "ToolKind"];

/// The `Body::Tool(...)` of the table. `kind` is the variant of `ToolKind`; an element that is in another has both names,
/// with a slash.
pub(super) fn body_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    kind: &str,
    (settings, prepare): (&HadoopSettings, &Prepare),
    elements: Elements<'_>,
) -> TokenStream {
    let kind = names::ident(kind);
    let is_proposal = cx.app.dialect == Dialect::Proposal;
    let mut fields = Fields::of("Tool");
    fields.push("kind", &quote!(ToolKind::#kind));
    push_settings(&mut fields, cx, owner, settings, elements);
    push_prepare(&mut fields, cx, owner, prepare);
    fields.flag("of_proposal", is_proposal);
    let tool = fields.expr();
    quote!(Body::Tool(#tool))
}
