//! The `java` action.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
        template,
    },
    model::action::{Java, java::JavaOpts},
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, java: &Java) -> TokenStream {
    let Java {
        settings,
        prepare,
        main_class,
        java_opts,
        args,
        files,
        archives,
        capture_output,
    } = java;
    let mut fields = Fields::of("Java");
    push_settings(&mut fields, cx, owner, settings);
    push_prepare(&mut fields, cx, owner, prepare);
    let main_class = template::expr(cx, owner, format_args!("main class"), main_class);
    fields.push("main_class", &main_class);
    let is_without_options = matches!(java_opts, JavaOpts::None);
    fields.push_unless(is_without_options, "java_opts", || match java_opts {
        JavaOpts::None => quote!(JavaOpts::None),
        JavaOpts::Text(text) => {
            let text = template::expr(cx, owner, format_args!("java opts"), text);
            quote!(JavaOpts::Text(#text))
        }
        JavaOpts::List(options) => {
            let options = template::list(cx, owner, "java opt", options);
            quote!(JavaOpts::List(#options))
        }
    });
    fields.list(cx, owner, "arg", "args", args);
    fields.list(cx, owner, "file", "files", files);
    fields.list(cx, owner, "archive", "archives", archives);
    fields.flag("capture_output", *capture_output);
    let java = fields.expr();
    quote!(Body::Java(#java))
}
