//! The `git` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::Git,
};

impl ActionStatic for Git {
    const TABLE: &'static [&'static str] = &["Git"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Git {
            settings,
            prepare,
            git_uri,
            branch,
            key_path,
            destination_uri,
        } = self;
        let mut fields = Fields::of("Git");
        let elements: Elements<'_> = &[
            ("git-uri", slice::from_ref(git_uri)),
            ("branch", branch.as_slice()),
            ("key-path", key_path.as_slice()),
            ("destination-uri", slice::from_ref(destination_uri)),
        ];
        push_settings(&mut fields, cx, owner, settings, elements);
        push_prepare(&mut fields, cx, owner, prepare);
        let git = fields.expr();
        quote!(Body::Git(#git))
    }
}
