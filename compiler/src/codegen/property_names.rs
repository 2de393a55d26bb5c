//! The module of a document with constants for the names of the properties that its texts read, so that rustc rejects an
//! unknown name.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::{imports, module::Module, names};

/// The names that have constants.
#[derive(Debug, Default)]
pub(crate) struct PropertyNames(BTreeSet<String>);

impl PropertyNames {
    /// `p::queue`; a string literal if the name is not a possible identifier in Rust.
    pub(crate) fn constant(&mut self, name: &str) -> TokenStream {
        let Some(constant) = names::same_ident(name) else {
            return quote!(#name);
        };
        self.0.insert(name.to_owned());
        let module = names::ident(imports::PROPERTIES);
        quote!(#module::#constant)
    }

    /// The module, with the constants in alphabetical order; `None` without any.
    pub(crate) fn module(&self) -> Option<Module> {
        let constants = self.0.iter().filter_map(|name| {
            let constant = names::same_ident(name)?;
            Some(quote!(pub(super) const #constant: &str = #name;))
        });
        let constants: TokenStream = constants.collect();
        if constants.is_empty() {
            return None;
        }
        let prefix = quote! {
            /// The names of the properties that the texts read.
            #[allow(non_upper_case_globals)]
        };
        let imported = imports::of(&constants);
        let name = imports::PROPERTIES.to_owned();
        Some(Module::new(name, prefix, Vec::new(), constants, imported))
    }
}
