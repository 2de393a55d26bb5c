//! The shadow: the function as plain Rust that is checked by rustc and never runs. Types, names, moves and the exhaustiveness
//! of a `match` are rustc's to check. It is not `async`, because rustc analyses coroutines in quadratic time.

mod texts;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Attribute, BinOp, Expr, ExprBinary, ExprCall, ExprStruct, FnArg, ItemFn, LitStr, Member, Pat,
    Stmt, parse_quote, parse_quote_spanned,
    punctuated::Punctuated,
    spanned::Spanned,
    token::Paren,
    visit_mut::{self, VisitMut},
};

use self::texts::LeftOut;
use crate::rust::{
    attributes, child,
    fork::Branches,
    outlines::Outlined,
    own_type::{self, Given},
    params::{ChildWorkflow, import_of_params, imported_params, optional, params_at},
    tokens::{is_macro, without_raw},
};

/// The item that is checked, below `#[workflow(arguments)]`.
pub(super) fn shadow(
    arguments: TokenStream,
    item: &ItemFn,
    is_sound: bool,
    outlined: Outlined,
    children: &[ChildWorkflow],
) -> Shadow {
    let mut item = item.clone();
    item.sig.asyncness = None;
    let used = used_by_expressions(&item, arguments);
    let attributes = std::mem::take(&mut item.attrs);
    item.vis = syn::Visibility::Inherited;
    let mut defaults = Vec::new();
    for input in &mut item.sig.inputs {
        if let FnArg::Typed(typed) = input {
            defaults.extend(typed.attrs.drain(..).filter_map(|it| expression_of(&it)));
        }
    }
    let mut rewrite = Rewrite {
        outlined,
        left_out: (is_sound && has_places(&item.sig.ident)).then(LeftOut::default),
        importer: is_sound.then(|| item.sig.ident.clone()),
    };
    rewrite.visit_block_mut(&mut item.block);
    let checks = checks_of(&attributes, &defaults, &mut rewrite);
    let macros = rewrite.left_out.unwrap_or_default().macros;
    let used_macros = macros.iter().map(|path| parse_quote!(let _ = #path!("");));
    let head = used.into_iter().chain(used_macros).chain(checks);
    item.block.stmts.splice(0..0, head);
    let own = &item.sig.ident;
    let imports = children.iter().map(|it| import_of_params(&it.path, own));
    let imports = imports.filter(|_| is_sound).collect();
    Shadow {
        item,
        is_sound,
        imports,
    }
}

/// Whether tokens have places. In rust-analyzer they have none, and every call is kept: authors ask about them.
fn has_places(name: &syn::Ident) -> bool {
    name.span().start() != name.span().end()
}

/// A function that rustc checks and nothing calls.
pub struct Shadow {
    pub(super) item: ItemFn,
    /// Where it has mistakes, what it does not use is no further one.
    pub(super) is_sound: bool,
    /// Beside the item.
    pub(super) imports: Vec<TokenStream>,
}

impl Shadow {
    /// What it imports, as items beside it.
    pub fn imports(&self) -> TokenStream {
        let imports = &self.imports;
        quote!(#(#imports)*)
    }

    /// As an item of its own.
    pub fn item(&self) -> TokenStream {
        let (item, attributes) = (&self.item, self.attributes());
        quote! {
            #attributes
            const _: () = {
                #item
            };
        }
    }

    /// As a statement. A mistake in an expression that another closure of the same item has too is reported once: rustc takes spans
    /// of different items for different places.
    pub fn statement(&self) -> TokenStream {
        let attributes = self.attributes();
        let ItemFn { sig, block, .. } = &self.item;
        let (inputs, output) = (&sig.inputs, &sig.output);
        quote! {
            #attributes
            let _ = |#inputs| #output #block;
        }
    }

    fn attributes(&self) -> TokenStream {
        let unused = (!self.is_sound).then(|| quote!(#[allow(unused)]));
        quote! {
            #unused
            #[allow(
                clippy::all, clippy::pedantic, dead_code, unreachable_code, unused_must_use, unused_mut, while_true
            )]
        }
    }
}

/// Rewrites what only a workflow means to what rustc can check.
#[derive(Default)]
pub(super) struct Rewrite {
    /// Expressions that mean what Rust says.
    outlined: Outlined,
    /// What is left out, if anything may be.
    left_out: Option<LeftOut>,
    /// The function that imports the parameters of what it starts, if it does.
    pub(super) importer: Option<syn::Ident>,
}

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.outlined.has(expr) {
            return;
        }
        if let (Some(left_out), Expr::MethodCall(_)) = (&mut self.left_out, &*expr) {
            left_out.of(expr);
        }
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Await(waiting) => {
                pend(&mut waiting.base);
                let base =
                    std::mem::replace(&mut *waiting.base, Expr::Verbatim(TokenStream::new()));
                let span = waiting.await_token.span;
                let ran = parse_quote_spanned!(span=> ::hpdlc_flow::ran);
                *expr = called(ran, base, span);
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
                let branches: Vec<Expr> = branches.into_iter().map(|it| self.branch(it)).collect();
                // The macro stays, so that its import is used.
                call.mac.tokens = quote!(#(#branches),*);
            }
            Expr::Call(call) => called_child(call, self.importer.as_ref()),
            Expr::Binary(binary) => checked_operands(binary),
            Expr::MethodCall(call)
                if call.method == "is_empty"
                    && call.args.is_empty()
                    && is_field(&call.receiver) =>
            {
                checked_receiver(call);
            }
            Expr::MethodCall(call) if call.method == "sla" => {
                if let Some(Expr::Struct(sla)) = call.args.first_mut() {
                    for field in &mut sla.fields {
                        field.colon_token.get_or_insert_default();
                        field.expr = given(&field.expr);
                    }
                }
            }
            Expr::If(branch) => {
                branch.attrs.retain(|it| !is_of_node(it));
                if is_el(&branch.cond) {
                    let span = branch.if_token.span;
                    let condition = &branch.cond;
                    let function = quote_spanned!(span=> ::hpdlc_flow::condition);
                    branch.cond = parse_quote!(#function(#condition));
                }
            }
            Expr::Match(choice) => choice.attrs.retain(|it| !is_of_node(it)),
            Expr::Try(attempt) => attempt.attrs.retain(|it| !is_of_node(it)),
            _ => {}
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        local.attrs.retain(|it| !is_of_node(it));
    }

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {
        // Only a branch of a fork may be one, and that is rewritten with the fork.
    }
}

impl Rewrite {
    /// A branch of a fork, as a value that is pending.
    fn branch(&mut self, mut branch: Expr) -> Expr {
        if let Expr::Async(block) = &mut branch {
            let span = block.async_token.span;
            self.visit_block_mut(&mut block.block);
            let body = &block.block;
            let function = quote_spanned!(span=> ::hpdlc_flow::branch);
            return parse_quote!(#function(|| #body));
        }
        self.visit_expr_mut(&mut branch);
        pend(&mut branch);
        branch
    }
}

/// A call of a function, which rustc finds at this place. Its argument is moved there: to make its tokens and parse them again would
/// take most of the time.
fn called(function: Expr, argument: Expr, place: Span) -> Expr {
    Expr::Call(ExprCall {
        attrs: Vec::new(),
        func: Box::new(function),
        paren_token: Paren(place),
        args: Punctuated::from_iter([argument]),
    })
}

/// A value that becomes what its place expects.
pub(super) fn given(value: &Expr) -> Expr {
    let span = value.span();
    let function = quote_spanned!(span=> ::hpdlc_flow::given);
    parse_quote_spanned!(span=> #function(#value))
}

/// Makes the struct of an own type, which methods may follow, an action that is pending: its fields become what their types expect.
fn pend(action: &mut Expr) {
    match action {
        Expr::MethodCall(call) => pend(&mut call.receiver),
        Expr::Paren(inner) => pend(&mut inner.expr),
        Expr::Group(inner) => pend(&mut inner.expr),
        Expr::Struct(literal) => {
            for field in &mut literal.fields {
                field.colon_token.get_or_insert_default();
                let value = &field.expr;
                let span = value.span();
                field.expr = match own_type::given_by(value) {
                    Ok(Given::Absent) => continue,
                    Ok(Given::Some(inner)) => {
                        let inner = given(inner);
                        parse_quote_spanned!(span=> ::core::option::Option::Some(#inner))
                    }
                    Ok(Given::One(value)) => given(value),
                    Ok(Given::Many(values)) => {
                        let values = values.iter().map(given);
                        parse_quote_spanned!(span=> ::std::vec![#(#values),*])
                    }
                    // It is said already.
                    Err(_) => parse_quote!(::core::unreachable!()),
                };
            }
            let span = literal.path.span();
            let pending = quote_spanned!(span=> ::hpdlc_flow::pending);
            *action = parse_quote_spanned!(span=> #pending(#literal));
        }
        _ => {}
    }
}

/// A call of a workflow of the program: its module is no value, its program is; its parameters become what their types expect.
fn called_child(call: &mut ExprCall, importer: Option<&syn::Ident>) {
    let Some((Some(path), Some(_))) = child::arguments(call) else {
        return;
    };
    let span = path.span();
    let path = path.clone();
    let params: syn::Path = match importer {
        Some(own) => imported_params(&path, own).into(),
        None => parse_quote!(#path::Params),
    };
    call.args[0] = parse_quote_spanned!(span=> <#params as ::hpdlc_flow::Started>::PROGRAM);
    if let Expr::Struct(given) = &mut call.args[1] {
        if let Some(own) = importer {
            given.path = params_at(&given.path, &path, own);
        }
        given_params(given);
    }
}

/// Makes the values of parameters what their types expect.
pub(super) fn given_params(params: &mut ExprStruct) {
    for field in &mut params.fields {
        field.attrs.clear();
        if let Member::Unnamed(_) = field.member {
            continue;
        }
        field.colon_token.get_or_insert_default();
        let span = field.expr.span();
        field.expr = match optional(&field.expr) {
            Some(None) => continue,
            Some(Some(inner)) => {
                let inner = given(inner);
                parse_quote_spanned!(span=> ::core::option::Option::Some(#inner))
            }
            None => given(&field.expr),
        };
    }
}

/// A use of each argument that an expression of Oozie names, since rustc does not read those.
pub(super) fn used_by_expressions(item: &ItemFn, arguments: TokenStream) -> Vec<Stmt> {
    if item.sig.inputs.is_empty() {
        return Vec::new();
    }
    let mut texts = Vec::new();
    add_expressions(arguments, &mut texts);
    add_expressions(item.to_token_stream(), &mut texts);
    let mut uses = Vec::new();
    for input in &item.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Pat::Ident(name) = &*typed.pat else {
            continue;
        };
        let name = &name.ident;
        let mut renamed = typed
            .attrs
            .iter()
            .filter(|it| it.path().is_ident("property"));
        let property = renamed.find_map(|it| it.parse_args::<LitStr>().ok());
        let property = property.map_or_else(|| without_raw(name), |it| it.value());
        if texts.iter().any(|text| has_word(text, &property)) {
            uses.push(parse_quote!(let _ = &#name;));
        }
    }
    uses
}

/// The strings with expressions.
fn add_expressions(tokens: TokenStream, texts: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_expressions(group.stream(), texts),
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                // A `\` may stand for one of the characters.
                if !literal.contains("${") && !literal.contains('\\') {
                    continue;
                }
                let text = syn::parse_str::<LitStr>(&literal);
                texts.extend(
                    text.ok()
                        .map(|it| it.value())
                        .filter(|it| it.contains("${")),
                );
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let (before, behind) = (&text[..at], &text[at + word.len()..]);
            !before.ends_with(is_in_word) && !behind.starts_with(is_in_word)
        })
}

/// The `el!` of `#[default(el!("…"))]`, whose import rustc should see used.
fn expression_of(attribute: &Attribute) -> Option<Expr> {
    let is_default = attribute.path().is_ident("default");
    let value: Expr = attribute.parse_args().ok().filter(|_| is_default)?;
    is_el(&value).then_some(value)
}

/// The values in the attributes of the function. They are not moved, since nothing goes on behind them.
pub(super) fn checks_of(
    attributes: &[Attribute],
    defaults: &[Expr],
    rewrite: &mut Rewrite,
) -> Option<Stmt> {
    let mut checks: Vec<TokenStream> = defaults
        .iter()
        .map(|default| quote!(::hpdlc_flow::value(&(#default));))
        .collect();
    for attribute in attributes {
        let Ok(mut arguments) = attributes::arguments(attribute) else {
            continue;
        };
        for argument in &mut arguments {
            rewrite.visit_expr_mut(argument);
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

/// Whether an attribute names a node.
fn is_of_node(attribute: &Attribute) -> bool {
    attribute.path().is_ident("node") || attribute.path().is_ident("join")
}

/// Whether an expression is `el!`, whose type rustc does not know.
fn is_el(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_el(&inner.expr),
        _ => is_macro(expr, "el"),
    }
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

/// Oozie asks whether a text is empty, and the data of an action that is no text has one that is not.
fn checked_receiver(call: &mut syn::ExprMethodCall) {
    let span = call.receiver.span();
    let function = quote_spanned!(span=> ::hpdlc_flow::string);
    let inner = &call.receiver;
    let checked: Expr = parse_quote_spanned!(span=> #function(&(#inner)));
    *call.receiver = checked;
}

fn is_field(expr: &Expr) -> bool {
    match expr {
        Expr::Field(_) => true,
        Expr::Paren(inner) => is_field(&inner.expr),
        Expr::Reference(inner) => is_field(&inner.expr),
        _ => false,
    }
}
