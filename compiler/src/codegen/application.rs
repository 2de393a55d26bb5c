//! The module of one application: its nodes as an enum, the two matches over them, and the table that the runtime gets.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{
    analysis::{Edge, Facts},
    codegen::{
        CompiledApp,
        context::AppCx,
        functions::{Home, Owner},
        imports,
        module::Module,
        names, node, params, template,
    },
    model::{Node, NodeKind, TransitionKind, WorkflowApp},
    source::SourceMap,
};

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
    let children = node_modules(&mut cx, facts);
    let inherited = cx.take_inherited();
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
            next(Node::of(id), outcome).map(Node::id)
        }
    };
    let imported = imports::of(&items);
    Module::new(name, quote!(#[doc = #doc]), children, items, imported)
}

/// The variants are in document order, so that a variant's number is the node's.
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
        #[derive(Clone, Copy)]
        enum Node {
            #(#variants,)*
        }

        impl Node {
            const ALL: [Node; #n_nodes] = [#(#all),*];

            /// The number by which the engine knows the node: its place in [`Node::ALL`].
            const fn id(self) -> NodeId {
                NodeId(self as u32)
            }

            fn of(id: NodeId) -> Node {
                Node::ALL[id.index()]
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
        fn def(node: Node) -> &'static NodeDef {
            match node {
                #(#arms,)*
            }
        }
    }
}

fn next_fn(cx: &AppCx<'_>, facts: &Facts) -> TokenStream {
    let arms = cx.app.nodes.iter().map(|node| {
        let from = cx.variant(node.id);
        let ways = facts.graph.edges_from(node.id).iter().map(|edge: &Edge| {
            let outcome = outcome_pattern(node, edge.kind);
            let to = cx.variant(edge.to);
            quote!((#from, #outcome) => Some(#to),)
        });
        quote! {
            #(#ways)*
            (#from, _) => None,
        }
    });
    quote! {
        /// Where a node leads.
        fn next(node: Node, outcome: Outcome) -> Option<Node> {
            match (node, outcome) {
                #(#arms)*
            }
        }
    }
}

/// The default of a decision counts as the case after the last one.
fn outcome_pattern(node: &Node, kind: TransitionKind) -> TokenStream {
    match kind {
        TransitionKind::Start | TransitionKind::Ok => quote!(Outcome::Ok),
        TransitionKind::Error => quote!(Outcome::Error),
        TransitionKind::Case(number) => {
            let number = Literal::u32_unsuffixed(number);
            quote!(Outcome::Case(#number))
        }
        TransitionKind::Default => {
            let n_cases = match &node.kind {
                NodeKind::Decision(decision) => decision.cases.len(),
                NodeKind::Start(_)
                | NodeKind::End(_)
                | NodeKind::Kill(_)
                | NodeKind::Fork(_)
                | NodeKind::Join(_)
                | NodeKind::Action(_) => 0,
            };
            let number = Literal::usize_unsuffixed(n_cases);
            quote!(Outcome::Case(#number))
        }
        TransitionKind::Branch(number) => {
            let number = Literal::u32_unsuffixed(number);
            quote!(Outcome::Branch(#number))
        }
        TransitionKind::Joined => quote!(Outcome::Joined),
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
    let parameters = params::parameters_expr(cx, facts);
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
    quote! {
        /// The application, for the runtime.
        pub(super) static APP: App = App {
            name: #name,
            source: SOURCE,
            folder: #folder,
            parameters: #parameters,
            config_default: #config_default,
            global: #global,
            lines: &[#(#lines),*],
            start: #start,
            def: def_of,
            next: next_of,
        };
    }
}

/// The files of nodes: in each, the nodes in document order.
fn node_modules(cx: &mut AppCx<'_>, facts: &Facts) -> Vec<Module> {
    let app: &WorkflowApp = cx.app;
    let partition = cx.partition;
    let mut files: Vec<TokenStream> = vec![TokenStream::new(); partition.n_files()];
    for node in &app.nodes {
        let tokens = node::node_static(cx, node, facts.pairing.join_of(node.id));
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
