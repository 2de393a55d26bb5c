//! The `pig` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{Elements, pig_host, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Pig,
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, pig: &Pig) -> TokenStream {
    if let Some(host) = &pig.host {
        return pig_host::body_expr(cx, owner, pig, host);
    }
    let Pig {
        settings,
        prepare,
        host: _,
        script,
        params,
        arguments,
        files,
        archives,
    } = pig;
    let elements: Elements<'_> = &[
        ("script", slice::from_ref(script)),
        ("param", params),
        ("argument", arguments),
        ("file", files),
        ("archive", archives),
    ];
    tool::body_expr(cx, owner, "Pig", (settings, prepare), elements)
}
