//! The `pig` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, pig_host, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Pig,
};

impl ActionStatic for Pig {
    const TABLE: &'static [&'static str] = &["PigHost", "Tool", "ToolKind"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        if let Some(host) = &self.host {
            return pig_host::body_expr(cx, owner, self, host);
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
        } = self;
        let elements: Elements<'_> = &[
            ("script", slice::from_ref(script)),
            ("param", params),
            ("argument", arguments),
            ("file", files),
            ("archive", archives),
        ];
        tool::body_expr(cx, owner, "Pig", (settings, prepare), elements)
    }
}
