//! The `hive2` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, hive::source_elements, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Hive2,
};

impl ActionStatic for Hive2 {
    const TABLE: &'static [&'static str] = tool::TABLE;

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
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
        } = self;
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
}
