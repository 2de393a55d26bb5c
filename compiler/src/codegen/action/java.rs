//! The `java` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::{
        Template,
        action::{Java, java::JavaOpts},
    },
};

impl ActionStatic for Java {
    const TABLE: &'static [&'static str] = &["Java"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Java {
            settings,
            prepare,
            main_class,
            java_opts,
            args,
            files,
            archives,
            capture_output,
        } = self;
        let mut fields = Fields::of("Java");
        let (java_opts, java_opt): (&[Template], &[Template]) = match java_opts {
            JavaOpts::None => (&[], &[]),
            JavaOpts::Text(text) => (slice::from_ref(text), &[]),
            JavaOpts::List(options) => (&[], options),
        };
        let elements: Elements<'_> = &[
            ("main-class", slice::from_ref(main_class)),
            ("java-opts", java_opts),
            ("java-opt", java_opt),
            ("arg", args),
            ("file", files),
            ("archive", archives),
        ];
        push_settings(&mut fields, cx, owner, settings, elements);
        push_prepare(&mut fields, cx, owner, prepare);
        fields.flag("capture_output", *capture_output);
        let java = fields.expr();
        quote!(Body::Java(#java))
    }
}
