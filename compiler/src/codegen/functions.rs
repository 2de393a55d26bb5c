//! The functions that templates with calls or operators become, each once.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::{
    codegen::names::{self, Namer},
    model::NodeId,
};

/// A module of one application that holds templates, and the functions that they were the first to need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The module of the application itself.
    App,
    /// One of the files of nodes, below it.
    Nodes(usize),
}

/// What a function gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gives {
    Text,
    Bool,
}

/// Whose template it is: names are made of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) home: Home,
    /// The node's name in snake case, or what stands for it outside of nodes.
    pub(crate) name: &'a str,
    pub(crate) node: Option<NodeId>,
}

/// A function that has been written.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    home: Home,
    ident: Ident,
}

/// The functions of one application.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    namer: Namer,
    /// By the text of the template: equal templates share one function.
    by_source: BTreeMap<(String, Gives), Function>,
}

impl Functions {
    pub(crate) fn find(&self, source: &str, gives: Gives) -> Option<&Function> {
        self.by_source.get(&(source.to_owned(), gives))
    }

    /// Names the function of a template that has none yet. `path` says which text of the owner it is: `argument 2`.
    pub(crate) fn add(
        &mut self,
        source: &str,
        gives: Gives,
        owner: Owner<'_>,
        path: &str,
    ) -> Function {
        let name = self.namer.claim(&format!("{} {path}", owner.name), "text");
        let function = Function {
            home: owner.home,
            ident: name.snake_ident(),
        };
        self.by_source
            .insert((source.to_owned(), gives), function.clone());
        function
    }
}

impl Function {
    pub(crate) fn ident(&self) -> &Ident {
        &self.ident
    }

    /// The path to the function from a template in `home`.
    pub(crate) fn path_from(
        &self,
        home: Home,
        module_name: impl Fn(usize) -> String,
    ) -> TokenStream {
        let ident = &self.ident;
        match (home, self.home) {
            (Home::Nodes(user), Home::Nodes(file)) if user != file => {
                let module = names::ident(&module_name(file));
                quote!(super::#module::#ident)
            }
            (Home::Nodes(_), Home::App) => quote!(super::#ident),
            (Home::App, Home::Nodes(file)) => {
                let module = names::ident(&module_name(file));
                quote!(self::#module::#ident)
            }
            (Home::App, Home::App) | (Home::Nodes(_), Home::Nodes(_)) => quote!(#ident),
        }
    }
}
