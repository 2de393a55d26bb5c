//! What an expression takes from the workflow: each property and each part of data that it names is an argument of its function.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Expr, LitStr};

use super::{
    argument::Argument,
    inert::{self, Checked},
};
use crate::rust::{
    outlines::{Captures, DataType, Native, Refused},
    own_names::property_code,
    place::Place,
    reader::Reader,
    scope::Binding,
    tokens::without_raw,
};

/// How the data of an action is used under one name.
#[derive(Default)]
struct DataUse {
    fields: Vec<Ident>,
    as_whole: bool,
}

impl Reader {
    /// What an expression takes. Its calls of Oozie's functions are replaced by names.
    pub(super) fn captured(
        &mut self,
        expr: &mut Expr,
        replaced: Vec<Argument>,
        may_fail: bool,
    ) -> Result<Captures, Refused> {
        let Checked { declared, replaced } = inert::check(self, expr, replaced, may_fail)?;
        let mut names = Names::default();
        names.of(quote!(#expr));
        let mut captures = Captures::default();
        for name in std::mem::take(&mut names.order) {
            let text = without_raw(&name);
            if let Some(argument) = replaced.iter().find(|it| it.name == name) {
                captures.push(vec![argument.code.clone()], argument.statement.clone());
                continue;
            }
            let Some(binding) = self.known(&name) else {
                if !declared.contains(&text) && self.scopes.was_data(&text) {
                    let _ = self.binding(&name);
                    return Err(Refused::Reported);
                }
                continue;
            };
            let taken = self.capture(&name, binding, &names)?;
            captures.extend(taken, &name)?;
        }
        Ok(captures)
    }

    /// What one name takes.
    fn capture(&mut self, name: &Ident, binding: Binding, names: &Names) -> Native {
        let place = Some(Place::at(name.span()));
        let text = without_raw(name);
        if let Some(native) = self.scopes.native(&text) {
            return native.clone();
        }
        let mut captures = Captures::default();
        match binding {
            Binding::Property { property, .. } => {
                let Some(r#type) = self.outlines.properties.get(&property) else {
                    return Err(Refused::Reported);
                };
                let statement = quote!(let #name: #r#type = hpdl_arguments.written(#text)?;);
                captures.push(vec![vec![(property_code(&property), place)]], statement);
            }
            Binding::Data { node } => return self.capture_data(name, node, names),
            Binding::Failure { node } => {
                let node = &self.nodes[node].name;
                let codes = ["wf:errorCode", "wf:errorMessage"]
                    .map(|function| vec![(format!("{function}('{node}')"), place)]);
                let statement = quote! {
                    let #name = {
                        let code: ::std::string::String = hpdl_arguments.take("code")?;
                        let message: ::std::string::String = hpdl_arguments.take("message")?;
                        ::hpdlc_flow::error(code, message)
                    };
                };
                captures.push(codes.to_vec(), statement);
            }
            Binding::Merged => {
                let _: Option<()> = self.merged_value(name);
                return Err(Refused::Reported);
            }
            // Only workflows have functions, and no such names.
            Binding::Event(_)
            | Binding::Action
            | Binding::Value(_)
            | Binding::Tuple(_)
            | Binding::Unit
            | Binding::Unknown => {
                return Err(Refused::Reported);
            }
        }
        Ok(captures)
    }

    fn capture_data(&mut self, name: &Ident, node: usize, names: &Names) -> Native {
        let place = Place::at(name.span());
        let text = without_raw(name);
        let Some(r#type) = self.outlines.data.get(&node) else {
            let message = format!(
                "the type of `{text}` is not known here: write it where the data is captured, `.capture::<T>()` with a struct `T` of `#[derive(Data)]`"
            );
            return Err(Refused::Mistake(place, message));
        };
        let data = format!("wf:actionData('{}')", self.nodes[node].name);
        let mut captures = Captures::default();
        let Some(found) = names.data.get(&text).filter(|it| !it.as_whole) else {
            let statement = match r#type {
                DataType::Named(r#type) => quote! {
                    let #name: #r#type = hpdl_arguments.data(#text)?;
                },
                DataType::OfAction(action) => {
                    let witness = pending(action);
                    quote!(let #name = ::hpdlc_flow::data_of(hpdl_arguments, #text, #witness)?;)
                }
            };
            captures.push(vec![vec![(data, Some(place))]], statement);
            return Ok(captures);
        };
        let fields = &found.fields;
        let types = (0..fields.len()).map(|n| format_ident!("T{n}"));
        let types: Vec<Ident> = types.collect();
        let keys: Vec<String> = fields.iter().map(without_raw).collect();
        let labels = keys.iter().map(|key| format!("{text}.{key}"));
        let codes = keys
            .iter()
            .map(|key| vec![(format!("{data}['{key}']"), Some(place))]);
        let values = labels.zip(fields).map(|(label, field)| match r#type {
            DataType::Named(r#type) => {
                quote!(hpdl_arguments.field(#label, |data: #r#type| data.#field)?)
            }
            DataType::OfAction(action) => {
                let witness = pending(action);
                quote!(::hpdlc_flow::field_of(hpdl_arguments, #label, #witness, |data| data.#field)?)
            }
        });
        let statement = quote! {
            let #name = {
                struct Fields<#(#types),*> { #(#fields: #types),* }
                Fields { #(#fields: #values,)* }
            };
        };
        captures.push(codes.collect(), statement);
        Ok(captures)
    }

    /// What the value of `let pattern = expr;` is to functions that name it.
    pub(in crate::rust) fn native(&mut self, pattern: &syn::Pat, expr: &Expr) -> Native {
        let mut init = expr.clone();
        let (n_mistakes, is_left) = (self.mistakes.len(), self.is_left_to_rustc);
        let may_fail = matches!(init, Expr::Try(_));
        let captured = self.captured(&mut init, Vec::new(), may_fail);
        // Nothing has to be said of what nobody needs.
        self.mistakes.truncate(n_mistakes);
        self.is_left_to_rustc = is_left;
        let mut captures = captured?;
        captures.push(Vec::new(), quote!(let #pattern = #init;));
        Ok(captures)
    }
}

/// A function from an action of a type to the action that is pending, which has the type of its data.
fn pending(action: &TokenStream) -> TokenStream {
    quote!(|action: #action| ::hpdlc_flow::pending(action))
}

/// The names in tokens that may be those of the workflow, in order, and how those of data are used.
#[derive(Default)]
struct Names {
    order: Vec<Ident>,
    seen: BTreeSet<String>,
    data: BTreeMap<String, DataUse>,
}

impl Names {
    fn of(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: Option<usize>, c: char| {
            let token = at.and_then(|at| tokens.get(at));
            matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
        };
        for (n, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.of(group.stream()),
                TokenTree::Literal(literal) => self.of_text(literal),
                TokenTree::Punct(_) => {}
                TokenTree::Ident(name) => {
                    let before = n.checked_sub(1);
                    // `..name` is a range.
                    let is_member = is(before, '.') && !is(n.checked_sub(2), '.');
                    let is_path = is(before, ':') && is(n.checked_sub(2), ':')
                        || is(Some(n + 1), ':') && is(Some(n + 2), ':');
                    if is_member || is_path || is(Some(n + 1), '!') && !is(Some(n + 2), '=') {
                        continue;
                    }
                    self.add(name);
                    let found = self.data.entry(without_raw(name)).or_default();
                    let is_call = |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                    match tokens.get(n + 2) {
                        Some(TokenTree::Ident(field))
                            if is(Some(n + 1), '.') && !is_call(n + 3) && !is(Some(n + 3), ':') =>
                        {
                            if !found.fields.contains(field) {
                                found.fields.push(field.clone());
                            }
                        }
                        _ => found.as_whole = true,
                    }
                }
            }
        }
    }

    fn add(&mut self, name: &Ident) {
        if self.seen.insert(without_raw(name)) {
            self.order.push(name.clone());
        }
    }

    /// `{name}` in the text of a `format!`.
    fn of_text(&mut self, literal: &proc_macro2::Literal) {
        let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) else {
            return;
        };
        let text = text.value().replace("{{", "").replace("}}", "");
        for part in text.split('{').skip(1) {
            let inside = part.split('}').next().unwrap_or_default();
            let (name, how) = inside.split_once(':').unwrap_or((inside, ""));
            // `{limit:>width$}`
            let widths = how.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            let widths = widths.filter_map(|it| it.strip_suffix('$'));
            for name in widths.chain([name.trim()]) {
                if let Ok(name) = syn::parse_str::<Ident>(name) {
                    let name = Ident::new(&name.to_string(), Span::call_site());
                    self.add(&name);
                    self.data.entry(without_raw(&name)).or_default().as_whole = true;
                }
            }
        }
    }
}
