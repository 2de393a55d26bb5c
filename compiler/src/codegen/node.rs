//! The definition of a node.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{action, context::AppCx, functions::Owner, template},
    model::{Decision, Node, NodeKind},
};

/// The element for a node in the array of its file, with a comment that says what it is.
pub(crate) fn node_expr(cx: &mut AppCx<'_>, node: &Node) -> TokenStream {
    let name = cx.name(node.id).clone();
    let owner = Owner {
        home: cx.home_of(node.id),
        name: &name.snake,
        node: Some(node.id),
    };
    let kind = kind_expr(cx, owner, node);
    let doc = format!(" {}.", described(node));
    let node_name = &node.name.value;
    quote! {
        #[doc = #doc]
        NodeDef {
            name: #node_name,
            kind: #kind,
        }
    }
}

/// The node in words: "The shell action `count`".
pub(crate) fn described(node: &Node) -> String {
    let name = &node.name.value;
    match &node.kind {
        NodeKind::Start(_) => "The start node".to_owned(),
        NodeKind::Action(action) => format!("The {} action `{name}`", action.kind.name()),
        NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_) => format!("The {} node `{name}`", node.kind.element()),
    }
}

fn kind_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, node: &Node) -> TokenStream {
    match &node.kind {
        NodeKind::Start(_) => quote!(NodeKind::Start),
        NodeKind::End(_) => quote!(NodeKind::End),
        NodeKind::Kill(kill) => {
            let message = template::expr(cx, owner, format_args!("message"), &kill.message);
            if kill.fails_job {
                quote!(NodeKind::Fail { message: #message })
            } else {
                quote!(NodeKind::Kill { message: #message })
            }
        }
        NodeKind::Decision(decision) => decision_expr(cx, owner, decision),
        NodeKind::Fork(fork) => {
            let branches = Literal::usize_unsuffixed(fork.paths.len());
            quote!(NodeKind::Fork { branches: #branches })
        }
        NodeKind::Join(_) => quote!(NodeKind::Join),
        NodeKind::Action(action) => {
            let action = action::action_expr(cx, owner, action);
            quote!(NodeKind::Action(#action))
        }
    }
}

/// Cases keep the order of the document, which is the order in which they are tried.
fn decision_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, decision: &Decision) -> TokenStream {
    let cases: Vec<_> = (1..)
        .zip(&decision.cases)
        .map(|(number, case)| {
            template::case_expr(cx, owner, format_args!("case {number}"), &case.predicate)
        })
        .collect();
    quote!(NodeKind::Decision { cases: &[#(#cases),*] })
}
