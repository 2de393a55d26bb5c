//! The `fs` action.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        action::{ActionStatic, Fields, push_settings},
        context::AppCx,
        functions::Owner,
        template,
    },
    model::action::{Fs, FsOperation, fs::FsOperationKind},
};

impl ActionStatic for Fs {
    const TABLE: &'static [&'static str] = &["Fs", "FsOperation"];

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let mut fields = Fields::of("Fs");
        push_settings(&mut fields, cx, owner, &self.settings, &[]);
        let operations: Vec<_> = (1..)
            .zip(&self.operations)
            .map(|(number, operation)| operation_expr(cx, owner, number, operation))
            .collect();
        fields.push_unless(
            operations.is_empty(),
            "operations",
            || quote!(&[#(#operations),*]),
        );
        fields.flag("of_proposal", self.of_proposal);
        let fs = fields.expr();
        quote!(Body::Fs(#fs))
    }
}

fn operation_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    number: usize,
    operation: &FsOperation,
) -> TokenStream {
    match &operation.kind {
        FsOperationKind::Delete { path, skip_trash } => {
            let path = template::expr(cx, owner, format_args!("delete {number}"), path);
            let skip_trash = template::optional(cx, owner, "skip trash", skip_trash.as_ref());
            quote!(FsOperation::Delete { path: #path, skip_trash: #skip_trash })
        }
        FsOperationKind::Mkdir { path } => {
            let path = template::expr(cx, owner, format_args!("mkdir {number}"), path);
            quote!(FsOperation::Mkdir { path: #path })
        }
        FsOperationKind::Move { source, target } => {
            let source = template::expr(cx, owner, format_args!("move source {number}"), source);
            let target = template::expr(cx, owner, format_args!("move target {number}"), target);
            quote!(FsOperation::Move { source: #source, target: #target })
        }
        FsOperationKind::Chmod {
            path,
            permissions,
            dir_files,
            recursive,
        } => {
            let path = template::expr(cx, owner, format_args!("chmod {number}"), path);
            let permissions =
                template::expr(cx, owner, format_args!("permissions {number}"), permissions);
            let dir_files = template::optional(cx, owner, "dir files", dir_files.as_ref());
            quote! {
                FsOperation::Chmod {
                    path: #path,
                    permissions: #permissions,
                    dir_files: #dir_files,
                    recursive: #recursive,
                }
            }
        }
        FsOperationKind::Chgrp {
            path,
            group,
            dir_files,
            recursive,
        } => {
            let path = template::expr(cx, owner, format_args!("chgrp {number}"), path);
            let group = template::expr(cx, owner, format_args!("group {number}"), group);
            let dir_files = template::optional(cx, owner, "dir files", dir_files.as_ref());
            quote! {
                FsOperation::Chgrp {
                    path: #path,
                    group: #group,
                    dir_files: #dir_files,
                    recursive: #recursive,
                }
            }
        }
        FsOperationKind::Touchz { path } => {
            let path = template::expr(cx, owner, format_args!("touchz {number}"), path);
            quote!(FsOperation::Touchz { path: #path })
        }
        FsOperationKind::Setrep { path, factor } => {
            let path = template::expr(cx, owner, format_args!("setrep {number}"), path);
            let factor = template::expr(cx, owner, format_args!("factor {number}"), factor);
            quote!(FsOperation::Setrep { path: #path, factor: #factor })
        }
    }
}
