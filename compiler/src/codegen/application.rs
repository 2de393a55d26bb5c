//! The module of one application: its nodes as an enum, their transitions, and the table for the runtime.

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
        names, node, own_functions, params, sla, template,
    },
    model::{NodeKind, WorkflowApp},
    source::SourceMap,
};

/// The module and its submodules.
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
    let rows_item = rows_static(&cx, facts);
    let app_item = app_static(&mut cx, facts, folder);
    let functions = cx.take_functions();
    let mut children = node_modules(&mut cx);
    let inherited = cx.take_inherited();
    children.extend(cx.properties().module());
    children.extend(own_functions::module(&facts.functions));
    let items = quote! {
        /// The file, as it was given to the compiler.
        const SOURCE: &str = #source;

        #app_item
        #functions
        #inherited
        #enum_item
        #rows_item
    };
    let imported = imports::of(&items);
    Module::new(name, quote!(#[doc = #doc]), children, items, imported)
}

/// The variants are in document order, so that a variant's discriminant is the number of its node.
///
/// The enum implements no trait, not even `Copy`: to check an implementation, rustc looks at every implementation of that
/// trait in every library of the runtime, which takes as long as compiling a hundred nodes.
fn node_enum(cx: &AppCx<'_>) -> TokenStream {
    if !cx.has_node_enum() {
        return TokenStream::new();
    }
    let variants = cx.app.nodes.iter().map(|node| {
        let doc = format!(" {}, line {}.", node::described(node), cx.line(node.id));
        let variant = cx.variant_ident(node.id);
        quote!(#[doc = #doc] #variant)
    });
    quote! {
        /// The nodes, in the order of the document.
        enum Node {
            #(#variants,)*
        }

        impl Node {
            /// The number of the node in the engine: its position in the document.
            const fn id(self) -> NodeId {
                NodeId(self as u32)
            }
        }
    }
}

/// One row per node. A row does not contain the node's index in its file, because inserting a node would then change all
/// rows after it.
fn rows_static(cx: &AppCx<'_>, facts: &Facts) -> TokenStream {
    let rows = cx.app.nodes.iter().map(|node| {
        let id = cx.node_id(node.id);
        let file = Literal::usize_unsuffixed(cx.partition.file_of(&node.name.value));
        let next = next_expr(cx, &node.kind, facts.graph.edges_from(node.id));
        quote!(Row(#id, #file, #next))
    });
    let n_nodes = Literal::usize_unsuffixed(cx.app.nodes.len());
    quote! {
        /// The number of each node, the number of its file, and its transitions.
        static ROWS: [Row; #n_nodes] = [#(#rows),*];
    }
}

/// `edges` are in Oozie's order. The default of a decision counts as the case after the last one.
fn next_expr(cx: &AppCx<'_>, kind: &NodeKind, edges: &[Edge]) -> TokenStream {
    let to: Vec<_> = edges.iter().map(|edge| cx.node_id(edge.to)).collect();
    match (kind, to.as_slice()) {
        (NodeKind::Start(_), [ok]) => quote!(Next::Ok(#ok)),
        (NodeKind::Action(_), [ok, error]) => quote!(Next::OkOrError(#ok, #error)),
        (NodeKind::Join(_), [joined]) => quote!(Next::Joined(#joined)),
        (NodeKind::Decision(_), cases) => quote!(Next::Case(&[#(#cases),*])),
        (NodeKind::Fork(_), branches) => quote!(Next::Branch(&[#(#branches),*])),
        // A node lacks transitions only if an error has been reported.
        (
            NodeKind::Start(_)
            | NodeKind::Action(_)
            | NodeKind::Join(_)
            | NodeKind::End(_)
            | NodeKind::Kill(_),
            _,
        ) => quote!(Next::None),
    }
}

/// The table for the runtime.
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
        Some(start) => cx.node_id(start),
        // Only if an error has been reported.
        None => quote!(NodeId(0)),
    };
    let joins = app.nodes.iter().filter_map(|node| {
        let (fork, join) = (
            cx.node_id(node.id),
            cx.node_id(facts.pairing.join_of(node.id)?),
        );
        Some(quote!((#fork, #join)))
    });
    let functions = facts.functions.iter().map(own_functions::path_of);
    let files =
        (0..cx.partition.n_files()).map(|file| names::ident(&cx.partition.module_name(file)));
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
            functions: &[#(#functions),*],
            rows: &ROWS,
            definitions: &definitions(&ROWS, [#(&#files::NODES),*]),
        };
    }
}

/// The modules of nodes, one per file, each with its nodes in document order.
fn node_modules(cx: &mut AppCx<'_>) -> Vec<Module> {
    let app: &WorkflowApp = cx.app;
    let partition = cx.partition;
    let mut files: Vec<NodesFile> = Vec::new();
    files.resize_with(partition.n_files(), NodesFile::default);
    for node in &app.nodes {
        let file = &mut files[partition.file_of(&node.name.value)];
        file.nodes.push(node::node_expr(cx, node));
        file.functions.extend(cx.take_functions());
    }
    (0..)
        .zip(files)
        .map(|(number, NodesFile { nodes, functions })| {
            let n_nodes = Literal::usize_unsuffixed(nodes.len());
            let items = quote! {
                /// In the order of the document.
                pub(super) static NODES: [NodeDef; #n_nodes] = [#(#nodes),*];

                #functions
            };
            let imported = imports::of_nodes(&items);
            let name = partition.module_name(number);
            Module::new(name, TokenStream::new(), Vec::new(), items, imported)
        })
        .collect()
}

#[derive(Default)]
struct NodesFile {
    nodes: Vec<TokenStream>,
    /// The functions that its nodes were the first to need.
    functions: TokenStream,
}
