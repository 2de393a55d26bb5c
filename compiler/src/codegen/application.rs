//! The module of one application: its nodes as an enum, the two matches over them, and the table that the runtime gets.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::{
    analysis::{Edge, Facts},
    codegen::{
        CompiledApp,
        context::{AppCx, PROPERTIES},
        functions::{Home, Owner},
        imports,
        module::Module,
        names, node, params, sla, template,
    },
    model::{NodeKind, WorkflowApp},
    source::SourceMap,
};

/// The executable's code is not optimised: it would make a list anew each time that it is asked for one of its entries. Longer
/// ones are made by rustc; each takes it a moment.
const WIDE: usize = 16;

/// The module and everything below it.
pub(crate) fn module(sources: &SourceMap, compiled: &CompiledApp<'_>, name: String) -> Module {
    let CompiledApp {
        app,
        facts,
        source,
        folder,
    } = *compiled;
    let mut cx = AppCx::new(sources, app);
    let doc = format!(" The application of `{source}`.");

    let enum_item = node_enum(&cx);
    let def_item = def_fn(&cx);
    let next_item = next_fn(&cx, facts);
    let app_item = app_static(&mut cx, facts, folder);
    let functions = cx.take_functions();
    let mut children = node_modules(&mut cx);
    let inherited = cx.take_inherited();
    children.extend(properties_module(&cx));
    let items = quote! {
        /// The file, as it was given to the compiler.
        const SOURCE: &str = #source;

        #app_item
        #functions
        #inherited
        #enum_item
        #def_item
        #next_item

        fn def_of(id: NodeId) -> &'static NodeDef {
            def(Node::of(id))
        }

        fn next_of(id: NodeId, outcome: Outcome) -> Option<NodeId> {
            next(Node::of(id), outcome)
        }
    };
    let imported = imports::of(&items);
    Module::new(name, quote!(#[doc = #doc]), children, items, imported)
}

/// The names of the properties that texts read.
fn properties_module(cx: &AppCx<'_>) -> Option<Module> {
    let constants = cx.properties();
    if constants.is_empty() {
        return None;
    }
    let prefix = quote! {
        /// The names of the properties that the texts read.
        #[allow(non_upper_case_globals)]
    };
    let imported = imports::of(&constants);
    let name = PROPERTIES.to_owned();
    Some(Module::new(name, prefix, Vec::new(), constants, imported))
}

/// The variants are in document order, so that a variant's number is the node's.
///
/// The enum implements no trait, not even `Copy`: to check an implementation, rustc looks at every implementation of that trait
/// in every library of the runtime, which takes it as long as a hundred nodes.
fn node_enum(cx: &AppCx<'_>) -> TokenStream {
    let variants = cx.app.nodes.iter().map(|node| {
        let doc = format!(" {}, line {}.", node::described(node), cx.line(node.id));
        let variant = cx.variant_ident(node.id);
        quote!(#[doc = #doc] #variant)
    });
    let all = cx.app.nodes.iter().map(|node| cx.variant(node.id));
    let n_nodes = Literal::usize_unsuffixed(cx.app.nodes.len());
    quote! {
        /// The nodes, in the order of the document.
        enum Node {
            #(#variants,)*
        }

        impl Node {
            const ALL: &'static [Node; #n_nodes] = &[#(#all),*];

            /// The number by which the engine knows the node: its place in [`Node::ALL`].
            const fn id(self) -> NodeId {
                NodeId(self as u32)
            }

            fn of(id: NodeId) -> &'static Node {
                &Node::ALL[id.index()]
            }
        }
    }
}

fn def_fn(cx: &AppCx<'_>) -> TokenStream {
    let arms = cx.app.nodes.iter().map(|node| {
        let variant = cx.variant(node.id);
        let module = names::ident(
            &cx.partition
                .module_name(cx.partition.file_of(&node.name.value)),
        );
        let ident = cx.name(node.id).screaming_ident();
        quote!(#variant => &#module::#ident)
    });
    quote! {
        /// What a node is.
        fn def(node: &Node) -> &'static NodeDef {
            match node {
                #(#arms,)*
            }
        }
    }
}

/// An arm a node, which names what a transition depends on by a function: several arms a node cost rustc twice the time.
fn next_fn(cx: &AppCx<'_>, facts: &Facts) -> TokenStream {
    let mut used = BTreeSet::new();
    let arms: Vec<TokenStream> = cx
        .app
        .nodes
        .iter()
        .map(|node| {
            let from = cx.variant(node.id);
            let edges = facts.graph.edges_from(node.id);
            let to: Vec<_> = edges.iter().map(|edge| cx.variant(edge.to)).collect();
            match way(&node.kind, edges) {
                Some(way) => {
                    used.insert(way);
                    let name = way.ident();
                    match way {
                        NextBy::Case | NextBy::Branch if to.len() > WIDE => {
                            quote!(#from => #name(outcome, const { &[#(#to.id()),*] }))
                        }
                        NextBy::Case | NextBy::Branch => {
                            quote!(#from => #name(outcome, &[#(#to.id()),*]))
                        }
                        NextBy::Ok | NextBy::OkOrError | NextBy::Joined => {
                            quote!(#from => #name(outcome, #(#to),*))
                        }
                    }
                }
                None => quote!(#from => None),
            }
        })
        .collect();
    let ways = used.into_iter().map(NextBy::function);
    quote! {
        /// Where a node leads.
        fn next(node: &Node, outcome: Outcome) -> Option<NodeId> {
            match node {
                #(#arms,)*
            }
        }

        #(#ways)*
    }
}

/// What decides where a node leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NextBy {
    Ok,
    OkOrError,
    Case,
    Branch,
    Joined,
}

/// `edges` are in the order of what decides. The default of a decision counts as the case after the last one.
fn way(kind: &NodeKind, edges: &[Edge]) -> Option<NextBy> {
    match kind {
        NodeKind::Start(_) if edges.len() == 1 => Some(NextBy::Ok),
        NodeKind::Action(_) if edges.len() == 2 => Some(NextBy::OkOrError),
        NodeKind::Join(_) if edges.len() == 1 => Some(NextBy::Joined),
        NodeKind::Decision(_) => Some(NextBy::Case),
        NodeKind::Fork(_) => Some(NextBy::Branch),
        // Without all of its transitions only where an error has been reported.
        NodeKind::Start(_)
        | NodeKind::Action(_)
        | NodeKind::Join(_)
        | NodeKind::End(_)
        | NodeKind::Kill(_) => None,
    }
}

impl NextBy {
    fn ident(self) -> Ident {
        names::ident(match self {
            NextBy::Ok => "if_ok",
            NextBy::OkOrError => "if_ok_or_error",
            NextBy::Case => "if_case",
            NextBy::Branch => "if_branch",
            NextBy::Joined => "if_joined",
        })
    }

    fn function(self) -> TokenStream {
        let name = self.ident();
        match self {
            NextBy::Ok => quote! {
                fn #name(outcome: Outcome, ok: Node) -> Option<NodeId> {
                    match outcome {
                        Outcome::Ok => Some(ok.id()),
                        _ => None,
                    }
                }
            },
            NextBy::OkOrError => quote! {
                fn #name(outcome: Outcome, ok: Node, error: Node) -> Option<NodeId> {
                    match outcome {
                        Outcome::Ok => Some(ok.id()),
                        Outcome::Error => Some(error.id()),
                        _ => None,
                    }
                }
            },
            NextBy::Case => quote! {
                /// The last one is the default.
                fn #name(outcome: Outcome, cases: &[NodeId]) -> Option<NodeId> {
                    match outcome {
                        Outcome::Case(number) => cases.get(number as usize).copied(),
                        _ => None,
                    }
                }
            },
            NextBy::Branch => quote! {
                fn #name(outcome: Outcome, branches: &[NodeId]) -> Option<NodeId> {
                    match outcome {
                        Outcome::Branch(number) => branches.get(number as usize).copied(),
                        _ => None,
                    }
                }
            },
            NextBy::Joined => quote! {
                fn #name(outcome: Outcome, joined: Node) -> Option<NodeId> {
                    match outcome {
                        Outcome::Joined => Some(joined.id()),
                        _ => None,
                    }
                }
            },
        }
    }
}

/// The table that the runtime gets.
fn app_static(cx: &mut AppCx<'_>, facts: &Facts, folder: &str) -> TokenStream {
    let app: &WorkflowApp = cx.app;
    let owner = Owner {
        home: Home::App,
        name: "app",
        node: None,
    };
    let name = template::expr(cx, owner, format_args!("name"), &app.name);
    let parameters = params::parameters_expr(&cx.document(), &facts.properties);
    let owner = Owner {
        home: Home::App,
        name: "config_default",
        node: None,
    };
    let config_default = template::properties(cx, owner, &app.config_default);
    let owner = Owner {
        home: Home::App,
        name: "global",
        node: None,
    };
    let global = app
        .global
        .as_ref()
        .map_or(&[][..], |global| &global.configuration.properties);
    let global = template::properties(cx, owner, global);
    let slas = sla::slas_expr(cx);
    let lines = app
        .nodes
        .iter()
        .map(|node| Literal::u32_unsuffixed(cx.line(node.id)));
    let start = match facts.graph.start() {
        Some(start) => {
            let start = cx.variant(start);
            quote!(#start.id())
        }
        // Only where an error has been reported.
        None => quote!(NodeId(0)),
    };
    let joins = app.nodes.iter().filter_map(|node| {
        let (fork, join) = (
            cx.variant(node.id),
            cx.variant(facts.pairing.join_of(node.id)?),
        );
        Some(quote!((#fork.id(), #join.id())))
    });
    quote! {
        /// The application, for the runtime.
        pub(super) static APP: App = App {
            name: #name,
            source: SOURCE,
            folder: #folder,
            parameters: #parameters,
            config_default: #config_default,
            global: #global,
            slas: #slas,
            lines: &[#(#lines),*],
            start: #start,
            joins: &[#(#joins),*],
            def: def_of,
            next: next_of,
        };
    }
}

/// The files of nodes: in each, the nodes in document order.
fn node_modules(cx: &mut AppCx<'_>) -> Vec<Module> {
    let app: &WorkflowApp = cx.app;
    let partition = cx.partition;
    let mut files: Vec<TokenStream> = vec![TokenStream::new(); partition.n_files()];
    for node in &app.nodes {
        let tokens = node::node_static(cx, node);
        files[partition.file_of(&node.name.value)].extend(tokens);
    }
    (0..)
        .zip(files)
        // A hash leaves a file empty only by a rare chance; then there is none.
        .filter(|(_, items)| !items.is_empty())
        .map(|(file, items)| {
            let imported = imports::of_nodes(&items);
            let name = partition.module_name(file);
            Module::new(name, TokenStream::new(), Vec::new(), items, imported)
        })
        .collect()
}
