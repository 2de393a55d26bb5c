//! A generated Rust module, and its two forms: separate files, or nested inline modules.
//!
//! The tokens are the same in both. Therefore a module refers to its surroundings only by `super::` and `self::`, and has
//! outer attributes on its `mod` item instead of inner ones.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::{fingerprint, imports::Imported, krate::GeneratedFile, names};

pub(crate) struct Module {
    /// Also the name of its file.
    pub(crate) name: String,
    /// The tokens before `mod name`: documentation, lint levels, visibility.
    pub(crate) prefix: TokenStream,
    uses: TokenStream,
    children: Vec<Module>,
    items: TokenStream,
    /// Of the items only; they determine the `use` items.
    fingerprint: u64,
}

impl Module {
    pub(crate) fn new(
        name: String,
        prefix: TokenStream,
        children: Vec<Module>,
        items: TokenStream,
        imported: Imported,
    ) -> Module {
        let Imported { uses, fingerprint } = imported;
        Module {
            name,
            prefix,
            uses,
            children,
            items,
            fingerprint,
        }
    }

    /// `mod name { ... }`, including its submodules.
    pub(crate) fn inline(&self) -> TokenStream {
        let Module {
            name,
            prefix,
            uses,
            children,
            items,
            fingerprint: _,
        } = self;
        let name = names::ident(name);
        let children = children.iter().map(Module::inline);
        quote! {
            #prefix mod #name {
                #uses
                #(#children)*
                #items
            }
        }
    }

    /// `mod name;`
    pub(crate) fn declaration(&self) -> TokenStream {
        let (prefix, name) = (&self.prefix, names::ident(&self.name));
        quote! { #prefix mod #name; }
    }

    /// Adds this module and its submodules as files of `folder`, which ends with `/`. `header` is the comment at the
    /// beginning of each file.
    pub(crate) fn into_files(
        self,
        folder: &str,
        header: &str,
        files: &mut BTreeMap<String, GeneratedFile>,
    ) {
        let Module {
            name,
            prefix: _,
            uses,
            children,
            items,
            fingerprint,
        } = self;
        let declarations: TokenStream = children.iter().map(Module::declaration).collect();
        let fingerprint = fingerprint::with_text(fingerprint, header);
        let fingerprint = fingerprint::with_text(fingerprint, &declarations.to_string());
        let tokens = quote! { #uses #declarations #items };
        let file = GeneratedFile::new(header.to_owned(), tokens, fingerprint);
        files.insert(format!("{folder}{name}.rs"), file);
        let folder = format!("{folder}{name}/");
        for child in children {
            child.into_files(&folder, header, files);
        }
    }
}
