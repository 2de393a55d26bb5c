//! The `email` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, Part, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::{Email, HadoopSettings},
};

impl ActionStatic for Email {
    const TABLE: &'static [&'static str] = &["Email"];
    const PART: Option<Part> = Some(Part::Mail);

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Email {
            to,
            cc,
            bcc,
            subject,
            body,
            content_type,
            attachment,
        } = self;
        let mut fields = Fields::of("Email");
        let elements: Elements<'_> = &[
            ("to", slice::from_ref(to)),
            ("cc", cc.as_slice()),
            ("bcc", bcc.as_slice()),
            ("subject", slice::from_ref(subject)),
            ("body", body.as_slice()),
            ("content_type", content_type.as_slice()),
            ("attachment", attachment.as_slice()),
        ];
        push_settings(&mut fields, cx, owner, &HadoopSettings::default(), elements);
        let email = fields.expr();
        quote!(Body::Email(#email))
    }
}
