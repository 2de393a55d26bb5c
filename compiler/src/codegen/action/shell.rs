//! The `shell` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::Shell,
};

impl ActionStatic for Shell {
    const TABLE: &'static [&'static str] = &["Shell"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Shell {
            settings,
            prepare,
            exec,
            arguments,
            env_vars,
            files,
            archives,
            capture_output,
        } = self;
        let mut fields = Fields::of("Shell");
        let elements: Elements<'_> = &[
            ("exec", slice::from_ref(exec)),
            ("argument", arguments),
            ("env-var", env_vars),
            ("file", files),
            ("archive", archives),
        ];
        push_settings(&mut fields, cx, owner, settings, elements);
        push_prepare(&mut fields, cx, owner, prepare);
        fields.flag("capture_output", *capture_output);
        let shell = fields.expr();
        quote!(Body::Shell(#shell))
    }
}
