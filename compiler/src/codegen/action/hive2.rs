//! The `hive2` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{Elements, hive::source_elements, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Hive2,
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, hive2: &Hive2) -> TokenStream {
    let Hive2 {
        settings,
        prepare,
        jdbc_url,
        password,
        source,
        params,
        arguments,
        files,
        archives,
    } = hive2;
    let [script, query] = source_elements(source);
    let elements: Elements<'_> = &[
        ("jdbc-url", slice::from_ref(jdbc_url)),
        ("password", password.as_slice()),
        script,
        query,
        ("param", params),
        ("argument", arguments),
        ("file", files),
        ("archive", archives),
    ];
    tool::body_expr(cx, owner, "Hive2", (settings, prepare), elements)
}
