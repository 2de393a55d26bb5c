//! The shadow: the function as plain Rust that is checked by rustc and never runs. Types, names, moves and the exhaustiveness
//! of a `match` are rustc's to check. It is not `async`, because rustc analyses coroutines in quadratic time.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Attribute, BinOp, Expr, ExprBinary, FnArg, ItemFn, Stmt, parse_quote, parse_quote_spanned,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

use crate::rust::{attributes, fork::Branches};

/// The item that is checked. Where the workflow has mistakes, what it does not use is no further one.
pub(super) fn shadow(item: &ItemFn, is_sound: bool) -> TokenStream {
    let mut item = item.clone();
    item.sig.asyncness = None;
    let attributes = std::mem::take(&mut item.attrs);
    item.vis = syn::Visibility::Inherited;
    for input in &mut item.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.clear();
        }
    }
    Rewrite.visit_block_mut(&mut item.block);
    let checks = checks_of(&attributes);
    item.block.stmts.splice(0..0, checks);
    let unused = (!is_sound).then(|| quote!(#[allow(unused)]));
    quote! {
        #unused
        #[allow(clippy::all, clippy::pedantic, dead_code, unreachable_code, unused_must_use, unused_mut)]
        const _: () = {
            #item
        };
    }
}

/// Rewrites what only a workflow means to what rustc can check.
struct Rewrite;

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Await(waiting) => {
                let base = &waiting.base;
                let span = waiting.await_token.span;
                let ran = quote_spanned!(span=> ::hpdlc_flow::ran);
                *expr = parse_quote!(#ran(#base));
            }
            Expr::Macro(call)
                if call
                    .mac
                    .path
                    .segments
                    .last()
                    .is_some_and(|it| it.ident == "fork") =>
            {
                let Ok(branches) = call.mac.parse_body_with(Branches::parse_terminated) else {
                    return;
                };
                let branches: Vec<Expr> = branches.into_iter().map(branch).collect();
                // The macro stays, so that its import is used.
                call.mac.tokens = quote!(#(#branches),*);
            }
            Expr::Binary(binary) => checked_operands(binary),
            Expr::MethodCall(call) if call.method == "sla" => {
                if let Some(Expr::Struct(sla)) = call.args.first_mut() {
                    for field in &mut sla.fields {
                        field.colon_token.get_or_insert_default();
                        field.expr = given(&field.expr);
                    }
                }
            }
            Expr::If(branch) => branch.attrs.retain(|it| !it.path().is_ident("node")),
            Expr::Match(choice) => choice.attrs.retain(|it| !it.path().is_ident("node")),
            _ => {}
        }
    }

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {
        // Only a branch of a fork may be one, and that is rewritten with the fork.
    }
}

/// A value that becomes what its place expects.
fn given(value: &Expr) -> Expr {
    let span = value.span();
    let function = quote_spanned!(span=> ::hpdlc_flow::given);
    parse_quote_spanned!(span=> #function(#value))
}

/// The values in the attributes of the function. They are not moved, since nothing goes on behind them.
fn checks_of(attributes: &[Attribute]) -> Option<Stmt> {
    let mut checks = Vec::new();
    for attribute in attributes {
        let Ok(mut arguments) = attributes::arguments(attribute) else {
            continue;
        };
        for argument in &mut arguments {
            Rewrite.visit_expr_mut(argument);
        }
        if attribute.path().is_ident("sla") {
            let fields = arguments.iter().filter_map(attributes::field);
            let fields = fields.map(|(name, value)| {
                let value = given(value);
                quote!(#name: #value)
            });
            checks.push(quote! {
                let _ = ::hpdlc_flow::Sla { #(#fields,)* ..::core::default::Default::default() };
            });
        } else if attribute.path().is_ident("credential") {
            let values = arguments.iter().flat_map(|argument| match argument {
                Expr::Assign(pair) => vec![&*pair.right],
                Expr::Call(call) => call.args.iter().collect(),
                _ => Vec::new(),
            });
            checks.extend(values.map(|value| {
                let span = value.span();
                quote_spanned!(span=> ::hpdlc_flow::value(&(#value));)
            }));
        }
    }
    (!checks.is_empty()).then(|| {
        parse_quote! {
            if false {
                #(#checks)*
                ::core::unreachable!();
            }
        }
    })
}

/// A branch of a fork, as a value that is pending.
fn branch(mut branch: Expr) -> Expr {
    if let Expr::Async(block) = &mut branch {
        let span = block.async_token.span;
        Rewrite.visit_block_mut(&mut block.block);
        let body = &block.block;
        let function = quote_spanned!(span=> ::hpdlc_flow::branch);
        return parse_quote!(#function(|| #body));
    }
    Rewrite.visit_expr_mut(&mut branch);
    branch
}

/// Comparisons whose meaning in Oozie is that of Rust only for some types demand these.
fn checked_operands(binary: &mut ExprBinary) {
    let function = match binary.op {
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => "number",
        BinOp::Eq(_) | BinOp::Ne(_) if is_field(&binary.left) && is_field(&binary.right) => "text",
        _ => return,
    };
    // rustc itself demands that both sides have one type.
    let side = match *binary.left {
        Expr::Lit(_) => &mut binary.right,
        _ => &mut binary.left,
    };
    let span = side.span();
    let function = syn::Ident::new(function, span);
    let inner = side.to_token_stream();
    **side = parse_quote_spanned!(span=> *::hpdlc_flow::#function(&(#inner)));
}

fn is_field(expr: &Expr) -> bool {
    match expr {
        Expr::Field(_) => true,
        Expr::Paren(inner) => is_field(&inner.expr),
        Expr::Reference(inner) => is_field(&inner.expr),
        _ => false,
    }
}
