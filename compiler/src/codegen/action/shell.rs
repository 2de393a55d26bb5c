//! The `shell` action.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{Fields, push_prepare, push_settings},
        context::AppCx,
        functions::Owner,
        template,
    },
    model::action::Shell,
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, shell: &Shell) -> TokenStream {
    let Shell {
        settings,
        prepare,
        exec,
        arguments,
        env_vars,
        files,
        archives,
        capture_output,
    } = shell;
    let mut fields = Fields::of("Shell");
    push_settings(&mut fields, cx, owner, settings);
    push_prepare(&mut fields, cx, owner, prepare);
    let exec = template::expr(cx, owner, format_args!("exec"), exec);
    fields.push("exec", &exec);
    fields.list(cx, owner, "argument", "arguments", arguments);
    fields.list(cx, owner, "env var", "env_vars", env_vars);
    fields.list(cx, owner, "file", "files", files);
    fields.list(cx, owner, "archive", "archives", archives);
    fields.flag("capture_output", *capture_output);
    let shell = fields.expr();
    quote!(Body::Shell(#shell))
}
