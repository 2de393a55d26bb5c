//! The SLA blocks of an application: that of the workflow, then those of its actions.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{
        context::AppCx,
        functions::{Home, Owner},
        names, template,
    },
    model::{NodeId, Sla, WorkflowApp},
};

/// `&[Sla { ... }]`. They are stored apart from the nodes: few actions have one, and starting a job reads all of them.
pub(crate) fn slas_expr(cx: &mut AppCx<'_>) -> TokenStream {
    let app: &WorkflowApp = cx.app;
    let of_workflow = app.sla.as_deref().map(|sla| block_expr(cx, None, sla));
    let mut blocks: Vec<TokenStream> = of_workflow.into_iter().collect();
    for (node, action) in app.actions() {
        if let Some(sla) = action.sla.as_deref() {
            blocks.push(block_expr(cx, Some(node.id), sla));
        }
    }
    quote!(&[#(#blocks),*])
}

fn block_expr(cx: &mut AppCx<'_>, node: Option<NodeId>, sla: &Sla) -> TokenStream {
    let name = match node {
        Some(node) => format!("{} sla", cx.name(node).snake),
        None => "sla".to_owned(),
    };
    let owner = Owner {
        home: Home::App,
        name: &name,
        node,
    };
    let texts = sla.texts.elements().map(|(element, text)| {
        let words = element.replace('-', " ");
        (
            element,
            template::expr(cx, owner, format_args!("{words}"), text),
        )
    });
    let texts = texts_expr(&quote!(SlaTexts), texts);
    let node = match node {
        Some(node) => {
            let id = cx.node_id(node);
            quote!(Some(#id))
        }
        None => quote!(None),
    };
    quote!(Sla { node: #node, texts: #texts })
}

/// `SlaTexts { should_end: Some(Template::Text(...)), ..SlaTexts::EMPTY }`, from the names of elements and their templates.
pub(crate) fn texts_expr<'e>(
    texts: &TokenStream,
    elements: impl Iterator<Item = (&'e str, TokenStream)>,
) -> TokenStream {
    let fields = elements.map(|(element, template)| {
        let field = names::ident(&element.replace('-', "_"));
        quote!(#field: Some(#template))
    });
    quote!(#texts { #(#fields,)* ..#texts::EMPTY })
}
