//! The context for generating one application: its model, the assigned names, and the functions generated so far.

use std::{collections::BTreeMap, fmt};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{
        document::DocumentCx,
        functions::{Functions, Gives, Home, Owner},
        names::{Name, Namer},
        partition::Partition,
        property_names::PropertyNames,
    },
    model::{NodeId, Property, WorkflowApp},
    source::{FileId, Position, SourceMap, Span},
};

pub(crate) struct AppCx<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) app: &'a WorkflowApp,
    /// Indexed by node.
    names: Vec<Name>,
    pub(crate) partition: Partition,
    functions: Functions,
    /// The functions generated since the last [`AppCx::take_functions`]; they are placed below the item that needs them.
    written: Vec<TokenStream>,
    /// Names of statics in the module of the application.
    namer: Namer,
    /// The statics of inherited texts, by the span of the text.
    inherited: BTreeMap<Span, Ident>,
    inherited_items: TokenStream,
    /// Properties that the current action gets from its credentials.
    pub(crate) credentials: Vec<&'a Property>,
    properties: PropertyNames,
}

/// How many variants an enum of nodes has at most.
const MOST_VARIANTS: usize = 2_000;

/// The position of a text, for the table.
pub(crate) enum TextPosition {
    /// Within its node; `line` is relative to the first line of the node.
    Below { line: u32, column: u32 },
    /// Outside all nodes.
    Outside,
    /// Outside the node that it belongs to.
    Inherited,
}

impl<'a> AppCx<'a> {
    pub(crate) fn new(sources: &'a SourceMap, app: &'a WorkflowApp) -> AppCx<'a> {
        let mut namer = Namer::default();
        AppCx {
            sources,
            app,
            names: app
                .nodes
                .iter()
                .map(|node| namer.claim(&node.name.value, "node"))
                .collect(),
            partition: Partition::new(app.nodes.len()),
            functions: Functions::default(),
            written: Vec::new(),
            namer: Namer::with_reserved(&["source", "app", "rows"]),
            inherited: BTreeMap::new(),
            inherited_items: TokenStream::new(),
            credentials: Vec::new(),
            properties: PropertyNames::default(),
        }
    }

    pub(crate) fn name(&self, node: NodeId) -> &Name {
        &self.names[node.index()]
    }

    /// Whether nodes are the variants of an enum. rustc looks through all variants for each one that it reads, which takes
    /// most of a build of 50,000 nodes.
    pub(crate) fn has_node_enum(&self) -> bool {
        self.app.nodes.len() <= MOST_VARIANTS
    }

    /// The number of a node: `Node::CountLines.id()`, or `NodeId(7)` if there is no enum of nodes.
    pub(crate) fn node_id(&self, node: NodeId) -> TokenStream {
        if self.has_node_enum() {
            let variant = self.variant_ident(node);
            quote!(Node::#variant.id())
        } else {
            let number = Literal::usize_unsuffixed(node.index());
            quote!(NodeId(#number))
        }
    }

    pub(crate) fn variant_ident(&self, node: NodeId) -> Ident {
        self.name(node).camel_ident()
    }

    /// The module that a node is generated into.
    pub(crate) fn home_of(&self, node: NodeId) -> Home {
        Home::Nodes(self.partition.file_of(&self.app.node(node).name.value))
    }

    /// The path to the function of an equal expression; if there is none yet, `write` generates it.
    pub(crate) fn function(
        &mut self,
        source: &str,
        gives: Gives,
        owner: Owner<'_>,
        path: fmt::Arguments<'_>,
        write: impl FnOnce(&Ident) -> TokenStream,
    ) -> TokenStream {
        let function = match self.functions.find(source, gives) {
            Some(function) => function.clone(),
            None => {
                let function = self.functions.add(source, gives, owner, &path.to_string());
                self.written.push(write(function.ident()));
                function
            }
        };
        let partition = self.partition;
        function.path_from(owner.home, |file| partition.module_name(file))
    }

    /// See [`PropertyNames::constant`].
    pub(crate) fn property(&mut self, name: &str) -> TokenStream {
        self.properties.constant(name)
    }

    pub(crate) fn properties(&self) -> &PropertyNames {
        &self.properties
    }

    /// Takes the functions generated since the last call.
    pub(crate) fn take_functions(&mut self) -> TokenStream {
        self.written.drain(..).collect()
    }

    /// The first line of a node.
    pub(crate) fn line(&self, node: NodeId) -> u32 {
        self.position(self.app.node(node).tag_span).line
    }

    pub(crate) fn position(&self, span: Span) -> Position {
        self.sources.start(span)
    }

    /// The position of a text of `owner`.
    pub(crate) fn place(&self, span: Span, owner: Owner<'_>) -> TextPosition {
        match owner.node {
            None => TextPosition::Outside,
            Some(node) if self.is_within(span, node) => {
                let position = self.position(span);
                match position.line.checked_sub(self.line(node)) {
                    Some(line) => TextPosition::Below {
                        line,
                        column: position.column,
                    },
                    // In a derived document a text may come from before its node.
                    None => TextPosition::Inherited,
                }
            }
            Some(_) => TextPosition::Inherited,
        }
    }

    /// A node extends to the start of the next one: between nodes there is nothing that they could inherit.
    fn is_within(&self, span: Span, node: NodeId) -> bool {
        let begins = self.app.node(node).tag_span.start;
        let ends = self
            .app
            .nodes
            .get(node.index() + 1)
            .map_or(u32::MAX, |next| next.tag_span.start);
        span.file == self.app.file && (begins..ends).contains(&span.start)
    }

    /// The static of an inherited text, if an earlier node has needed it.
    pub(crate) fn inherited(&self, span: Span) -> Option<Ident> {
        self.inherited.get(&span).cloned()
    }

    /// Adds a static for an inherited text to the module of the application, with the functions that it needs.
    pub(crate) fn inherit(
        &mut self,
        span: Span,
        path: fmt::Arguments<'_>,
        outside: impl FnOnce(&mut AppCx<'a>, Owner<'_>) -> TokenStream,
    ) -> Ident {
        let of_node = std::mem::take(&mut self.written);
        let owner = Owner {
            home: Home::App,
            name: "global",
            node: None,
        };
        let outside = outside(self, owner);
        let functions = std::mem::replace(&mut self.written, of_node);
        let ident = self
            .namer
            .claim(&format!("global {path}"), "text")
            .screaming_ident();
        let doc = format!(" From `{}`.", self.file_and_line(span));
        self.inherited_items.extend(quote! {
            #[doc = #doc]
            pub(super) static #ident: Outside = #outside;
            #(#functions)*
        });
        self.inherited.insert(span, ident.clone());
        ident
    }

    /// Takes the statics that [`AppCx::inherit`] has added.
    pub(crate) fn take_inherited(&mut self) -> TokenStream {
        std::mem::take(&mut self.inherited_items)
    }

    /// The path of a file, for the table.
    pub(crate) fn file_expr(&self, file: FileId) -> TokenStream {
        self.document().file_expr(file)
    }

    pub(crate) fn document(&self) -> DocumentCx<'a> {
        DocumentCx::new(self.sources, self.app.file)
    }

    /// `access-logs/workflow.xml:12`, for documentation.
    pub(crate) fn file_and_line(&self, span: Span) -> String {
        format!(
            "{}:{}",
            self.sources.path(span.file),
            self.position(span).line
        )
    }
}
