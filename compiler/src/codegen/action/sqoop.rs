//! The `sqoop` action.

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
        action::{Sqoop, sqoop::SqoopCommand},
    },
};

impl ActionStatic for Sqoop {
    const TABLE: &'static [&'static str] = tool::TABLE;

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let Sqoop {
            settings,
            prepare,
            command,
            files,
            archives,
        } = self;
        let (command, args): (&[Template], &[Template]) = match command {
            SqoopCommand::Text(text) => (slice::from_ref(text), &[]),
            SqoopCommand::Args(args) => (&[], args),
        };
        let elements: Elements<'_> = &[
            ("command", command),
            ("arg", args),
            ("file", files),
            ("archive", archives),
        ];
        tool::body_expr(cx, owner, "Sqoop", (settings, prepare), elements)
    }
}
