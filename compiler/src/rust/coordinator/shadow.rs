//! The function of a coordinator as rustc checks it: the types of its attributes' values, and the parameters of the workflow.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{
    Attribute, Expr, ExprStruct, FnArg, ItemFn, Lit, Pat, Path, Stmt, parse::Parser, parse_quote,
    spanned::Spanned, visit_mut::VisitMut,
};

use crate::rust::{
    attributes::{self, Arguments},
    coordinator::events,
    params::{import_of_params, imported_params, params_at},
    shadow::{Rewrite, Shadow, checks_of, given_params, used_by_expressions},
    tokens::is_macro,
};

/// The item that is checked, below `#[coordinator(arguments)]`.
pub(super) fn shadow(
    arguments: TokenStream,
    item: &ItemFn,
    workflow: Option<&Path>,
    is_sound: bool,
) -> Shadow {
    let mut item = item.clone();
    let used = used_by_expressions(&item, arguments.clone());
    let own = std::mem::take(&mut item.attrs);
    item.vis = syn::Visibility::Inherited;
    item.sig.asyncness = None;
    let (mut checks, mut later): (Vec<TokenStream>, Vec<Stmt>) = (Vec::new(), Vec::new());
    let settings = Arguments::parse_terminated.parse2(arguments);
    for argument in settings.into_iter().flatten() {
        checks.extend(setting(&argument));
    }
    for attribute in &own {
        checks.extend(of_attribute(attribute));
    }
    for input in &mut item.sig.inputs {
        let is_event = events::is_of_action(input);
        let FnArg::Typed(typed) = input else { continue };
        if let (true, Pat::Ident(name)) = (is_event, &*typed.pat) {
            let (name, of) = (&name.ident, &typed.ty);
            // The values of attributes do not know it: it may be called `hours`. What an action only waits for is used by that.
            later.push(parse_quote!(let #name: #of = ::hpdlc_flow::argument();));
            later.push(parse_quote!(let _ = &#name;));
            typed.pat = parse_quote!(_);
        }
        for attribute in typed.attrs.drain(..) {
            checks.extend(of_argument(&attribute));
        }
    }
    let workflow = workflow.filter(|_| is_sound);
    let function = item.sig.ident.clone();
    if let [Stmt::Expr(Expr::Struct(literal), None)] = &mut item.block.stmts[..] {
        given_fields(literal);
        if let Some(workflow) = workflow {
            literal.path = params_at(&literal.path, workflow, &function);
        }
    }
    if let Some(workflow) = workflow {
        let params = imported_params(workflow, &function);
        item.sig.output = parse_quote!(-> #params);
    }
    let imports = workflow.map(|path| import_of_params(path, &function));
    let imports = imports.into_iter().collect();
    let checks = (!checks.is_empty()).then(|| -> Stmt {
        parse_quote! {
            if false {
                #(#checks)*
                ::core::unreachable!();
            }
        }
    });
    let checks = checks_of(&own, &[], &mut Rewrite::default())
        .into_iter()
        .chain(checks);
    item.block
        .stmts
        .splice(0..0, checks.chain(later).chain(used));
    Shadow {
        item,
        is_sound,
        imports,
    }
}

/// The parameters of what is started, as rustc checks them.
pub(in crate::rust) fn given_fields(literal: &mut ExprStruct) {
    for field in &mut literal.fields {
        Rewrite::default().visit_expr_mut(&mut field.expr);
    }
    given_params(literal);
}

/// `name = value` of the coordinator or of a dataset.
fn setting(argument: &Expr) -> Option<TokenStream> {
    let (name, value) = attributes::field(argument)?;
    let function = match (name.to_string().as_str(), value) {
        // A static names it.
        ("workflow", _) => return None,
        // Refused already, unless it is a text.
        ("frequency", Expr::Lit(literal)) if !matches!(literal.lit, Lit::Str(_)) => return None,
        ("frequency", _) => "frequency",
        ("timeout", Expr::Call(_)) => "duration",
        _ => "value",
    };
    Some(check(function, value))
}

/// A call that demands a type of a value.
pub(in crate::rust) fn check(function: &str, value: &Expr) -> TokenStream {
    let mut value = value.clone();
    Rewrite::default().visit_expr_mut(&mut value);
    let span = value.span();
    let function = syn::Ident::new(function, span);
    quote_spanned!(span=> ::hpdlc_flow::#function(&(#value));)
}

fn of_attribute(attribute: &Attribute) -> Vec<TokenStream> {
    let Ok(arguments) = attributes::arguments(attribute) else {
        return Vec::new();
    };
    let path = attribute.path();
    if path.is_ident("dataset") {
        arguments.iter().filter_map(setting).collect()
    } else if path.is_ident("datasets") {
        arguments.iter().map(|it| check("value", it)).collect()
    } else if path.is_ident("input_logic") {
        let mut checks = Vec::new();
        arguments.iter().for_each(|it| add_logic(it, &mut checks));
        checks
    } else {
        Vec::new()
    }
}

/// The values in the logic of inputs.
fn add_logic(given: &Expr, checks: &mut Vec<TokenStream>) {
    match given {
        Expr::Call(call) => call.args.iter().for_each(|it| add_logic(it, checks)),
        Expr::MethodCall(call) => {
            add_logic(&call.receiver, checks);
            let function = match call.method == "wait" {
                true => "duration",
                false => "value",
            };
            checks.extend(call.args.iter().map(|it| check(function, it)));
        }
        _ => {}
    }
}

/// The values in the attributes of an argument.
fn of_argument(attribute: &Attribute) -> Vec<TokenStream> {
    let path = attribute.path();
    let Ok(arguments) = attributes::arguments(attribute) else {
        return Vec::new();
    };
    if path.is_ident("default") {
        let el = arguments.iter().filter(|it| is_macro(it, "el"));
        return el.map(|it| check("value", it)).collect();
    }
    if !path.is_ident("input") && !path.is_ident("output") {
        return Vec::new();
    }
    let mut checks = Vec::new();
    for given in arguments.iter().skip(1) {
        let ends = match given {
            Expr::Range(range) => [range.start.as_deref(), range.end.as_deref()],
            one => [Some(one), None],
        };
        for end in ends.into_iter().flatten() {
            match end {
                Expr::Call(call) => checks.extend(call.args.iter().map(|it| check("value", it))),
                Expr::Path(path) if path.path.is_ident("nocleanup") => {}
                other => checks.push(check("value", other)),
            }
        }
    }
    checks
}
