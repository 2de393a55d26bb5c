//! The `http` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, Part, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::{
        Template,
        action::{HadoopSettings, Http},
    },
};

impl ActionStatic for Http {
    const TABLE: &'static [&'static str] = &["Http"];
    const PART: Option<Part> = Some(Part::Requests);

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Http {
            url,
            post,
            waits_for_callback,
            mode,
            capture_output,
        } = self;
        let mut fields = Fields::of("Http");
        let (content_type, body): (&[Template], &[Template]) = match post {
            Some(post) => (
                slice::from_ref(&post.content_type),
                slice::from_ref(&post.body),
            ),
            None => (&[], &[]),
        };
        let elements: Elements<'_> = &[
            ("url", slice::from_ref(url)),
            ("content-type", content_type),
            ("post", body),
            ("mode", mode.as_slice()),
        ];
        push_settings(&mut fields, cx, owner, &HadoopSettings::default(), elements);
        fields.flag("waits_for_callback", *waits_for_callback);
        fields.flag("capture_output", *capture_output);
        let http = fields.expr();
        quote!(Body::Http(#http))
    }
}
