//! The functions generated from expressions with operators, each once.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::{
    codegen::names::{self, Namer},
    model::NodeId,
};

/// A module of an application that contains templates, and the functions that they were the first to need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The module of the application itself.
    App,
    /// One of the files of nodes, below it.
    Nodes(usize),
}

/// The result type of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gives {
    Value,
    Bool,
}

/// The owner of a text; names of functions are derived from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) home: Home,
    /// The node's name in snake case, or a substitute outside nodes.
    pub(crate) name: &'a str,
    pub(crate) node: Option<NodeId>,
}

/// A function that has been generated.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    home: Home,
    ident: Ident,
}

/// The functions of one application.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    namer: Namer,
    /// By the text of the expression: equal expressions share one function.
    by_source: BTreeMap<(String, Gives), Function>,
}

impl Functions {
    pub(crate) fn find(&self, source: &str, gives: Gives) -> Option<&Function> {
        self.by_source.get(&(source.to_owned(), gives))
    }

    /// Adds a function, with a new name, for an expression that has none yet. `path` tells which text of the owner it is,
    /// such as `argument 2`.
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
