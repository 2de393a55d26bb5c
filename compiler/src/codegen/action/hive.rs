//! The `hive` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, tool},
        context::AppCx,
        functions::Owner,
    },
    model::{
        Template,
        action::{Hive, HiveSource},
    },
};

impl ActionStatic for Hive {
    const TABLE: &'static [&'static str] = tool::TABLE;

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Hive {
            settings,
            prepare,
            source,
            params,
            arguments,
            files,
            archives,
        } = self;
        let [script, query] = source_elements(source);
        let elements: Elements<'_> = &[
            script,
            query,
            ("param", params),
            ("argument", arguments),
            ("file", files),
            ("archive", archives),
        ];
        tool::body_expr(cx, owner, "Hive", (settings, prepare), elements)
    }
}

/// The two elements of which an action of Hive has one.
pub(super) fn source_elements(source: &HiveSource) -> [(&'static str, &[Template]); 2] {
    let (script, query): (&[Template], &[Template]) = match source {
        HiveSource::Script(script) => (slice::from_ref(script), &[]),
        HiveSource::Query(query) => (&[], slice::from_ref(query)),
    };
    [("script", script), ("query", query)]
}
