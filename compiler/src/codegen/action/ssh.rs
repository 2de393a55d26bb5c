//! The `ssh` action.

use std::slice;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, Fields, push_settings},
        context::AppCx,
        functions::Owner,
    },
    model::action::{HadoopSettings, Ssh, ssh::SshArguments},
};

impl ActionStatic for Ssh {
    const TABLE: &'static [&'static str] = &["Ssh"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Ssh {
            host,
            command,
            arguments,
            capture_output,
        } = self;
        let mut fields = Fields::of("Ssh");
        let name = match arguments {
            SshArguments::Flattened(_) => "args",
            SshArguments::Preserved(_) => "arg",
        };
        let elements: Elements<'_> = &[
            ("host", slice::from_ref(host)),
            ("command", slice::from_ref(command)),
            (name, arguments.templates()),
        ];
        push_settings(&mut fields, cx, owner, &HadoopSettings::default(), elements);
        fields.flag("capture_output", *capture_output);
        let ssh = fields.expr();
        quote!(Body::Ssh(#ssh))
    }
}
