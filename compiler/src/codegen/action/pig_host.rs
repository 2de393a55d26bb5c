//! The `pig` action of the dialect of 2009, which runs on another host.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{Elements, Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::{Template, action::Pig},
};

pub(crate) fn body_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    pig: &Pig,
    host: &Template,
) -> TokenStream {
    let Pig {
        settings,
        prepare,
        host: _,
        script,
        params,
        // The dialect has none of these.
        arguments: _,
        files: _,
        archives: _,
    } = pig;
    let mut fields = Fields::of("PigHost");
    let elements: Elements<'_> = &[
        ("pig-host", slice::from_ref(host)),
        ("pig-script", slice::from_ref(script)),
        ("param", params),
    ];
    push_settings(&mut fields, cx, owner, settings, elements);
    push_prepare(&mut fields, cx, owner, prepare);
    let pig = fields.expr();
    quote!(Body::PigHost(#pig))
}
