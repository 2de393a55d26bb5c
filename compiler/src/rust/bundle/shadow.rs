//! The function of a bundle as rustc checks it: the types of its values, and the parameters of its coordinators.

use proc_macro2::TokenStream;
use syn::{
    Expr, ExprMethodCall, FnArg, Ident, ItemFn, Stmt,
    parse::Parser,
    parse_quote,
    visit_mut::{self, VisitMut},
};

use crate::rust::{
    attributes::{self, Arguments},
    bundle::{BundledCoordinator, module_of},
    coordinator::shadow::{check, given_fields},
    params::{import_of_params, params_at},
    shadow::{Rewrite, Shadow, used_by_expressions},
};

/// The item that is checked, below `#[bundle(arguments)]`.
pub(super) fn shadow(
    arguments: TokenStream,
    item: &ItemFn,
    coordinators: &[BundledCoordinator],
    is_sound: bool,
) -> Shadow {
    let mut item = item.clone();
    let used = used_by_expressions(&item, arguments.clone());
    item.attrs.clear();
    item.vis = syn::Visibility::Inherited;
    item.sig.asyncness = None;
    for input in &mut item.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.clear();
        }
    }
    let settings = Arguments::parse_terminated.parse2(arguments);
    let settings: Vec<Expr> = settings.into_iter().flatten().collect();
    let values = settings.iter().filter_map(attributes::field);
    let checks: Vec<TokenStream> = values.map(|(_, value)| check("value", value)).collect();
    let checks = (!checks.is_empty()).then(|| -> Stmt {
        parse_quote! {
            if false {
                #(#checks)*
                ::core::unreachable!();
            }
        }
    });
    let own = item.sig.ident.clone();
    let importer = is_sound.then(|| own.clone());
    Started { importer }.visit_block_mut(&mut item.block);
    let imports = coordinators.iter().filter(|_| is_sound);
    let imports = imports.map(|it| import_of_params(&it.path, &own)).collect();
    item.block
        .stmts
        .splice(0..0, checks.into_iter().chain(used));
    Shadow {
        item,
        is_sound,
        imports,
    }
}

/// Rewrites the values of what is started.
struct Started {
    /// The function that imports the parameters, if it does.
    importer: Option<Ident>,
}

impl VisitMut for Started {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        visit_mut::visit_expr_mut(self, &mut call.receiver);
        for argument in &mut call.args {
            match argument {
                Expr::Struct(literal) => {
                    given_fields(literal);
                    if let (Some(own), Some(path)) = (&self.importer, module_of(literal)) {
                        literal.path = params_at(&literal.path, &path, own);
                    }
                }
                other => Rewrite::default().visit_expr_mut(other),
            }
        }
    }
}
