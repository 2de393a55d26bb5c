//! The expansion of `#[function]`: a function that expressions can call, as an entry for the runtime beside the function itself.
//!
//! The function stays what it is, except that a `String` can be given as a reference too. Beside it is a module of its name with
//! `FUNCTION`, which reads the arguments of a call in an expression, calls it, and gives its value.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Attribute, FnArg, Ident, ItemFn, LitStr, Pat, ReturnType, Safety, Type,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    spanned::Spanned,
};

use crate::{item, kind, mistakes::Mistakes, paths, summary};

/// What is written in the parentheses of the attribute.
#[derive(Default)]
struct Options {
    prefix: Option<LitStr>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Options> {
        let problem = "`#[function]` has one option, `#[function(prefix = \"acme\")]`: expressions call it `acme:name`";
        let mut options = Options::default();
        while !input.is_empty() {
            let name: Ident = input.call(Ident::parse_any)?;
            if name != "prefix" || options.prefix.is_some() {
                return Err(syn::Error::new(name.span(), problem));
            }
            input
                .parse::<syn::Token![=]>()
                .map_err(|error| syn::Error::new(error.span(), problem))?;
            let prefix: LitStr = input
                .parse()
                .map_err(|error| syn::Error::new(error.span(), problem))?;
            if !hpdlc::rust::is_own_prefix(&prefix.value()) {
                let problem = "a prefix is a name of letters, digits and `_`, and none of those that Oozie has";
                return Err(syn::Error::new(prefix.span(), problem));
            }
            options.prefix = Some(prefix);
            input.parse::<Option<syn::Token![,]>>()?;
        }
        Ok(options)
    }
}

/// A parameter: its name, its type, and how it takes what was read.
struct Parameter<'f> {
    name: &'f Ident,
    r#type: &'f Type,
    /// The type that is read.
    read: TokenStream,
    /// Whether the function takes a reference.
    is_reference: bool,
    /// Whether it is a `String`.
    is_text: bool,
}

/// Expands to the function and its module, or to the mistakes; then the function is left as it is, so that rustc still knows it.
/// `package` is the prefix of a function that chooses none.
pub(crate) fn expand(options: TokenStream, item: TokenStream, package: &str) -> TokenStream {
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let problem = "`#[function]` belongs above a function";
            return item::other(&item, error.span(), problem);
        }
    };
    let options = Parser::parse2(Options::parse, options);
    match (options, parameters(&function)) {
        (Ok(options), Ok(parameters)) => {
            let prefix = options.prefix.map(|prefix| prefix.value());
            let prefix = prefix.unwrap_or_else(|| hpdlc::rust::own_prefix(package));
            items(&prefix, &parameters, &function)
        }
        (options, parameters) => {
            let mistakes = [options.err(), parameters.err()].into_iter().flatten();
            let mistakes = mistakes.map(syn::Error::into_compile_error);
            quote!(#function #(#mistakes)*)
        }
    }
}

/// What the function takes.
///
/// # Errors
///
/// All reasons why expressions cannot call it, each at its token.
fn parameters(function: &ItemFn) -> syn::Result<Vec<Parameter<'_>>> {
    let signature = &function.sig;
    let mut mistakes = Mistakes::default();
    if let Some(word) = &signature.asyncness {
        let problem = "an expression does not wait: what waits is an action";
        mistakes.add(word, problem);
    }
    if let Safety::Unsafe(word) = &signature.safety {
        mistakes.add(word, "an expression calls it: it cannot be `unsafe`");
    }
    if let Some(abi) = &signature.abi {
        mistakes.add(abi, "an expression calls it: it cannot be `extern`");
    }
    if !signature.generics.params.is_empty() {
        let problem = "a function of expressions has no type parameters and no lifetimes: its arguments are read, each by one type";
        mistakes.add(&signature.generics, problem);
    }
    if let Some(variadic) = &signature.variadic {
        mistakes.add(variadic, "it has a fixed number of arguments");
    }
    if let ReturnType::Default = signature.output {
        let problem =
            "a function of expressions gives a value: what only does something is an action";
        mistakes.add(&signature.ident, problem);
    }
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        let input = match input {
            FnArg::Receiver(receiver) => {
                mistakes.add(
                    receiver,
                    "it is a function, not a method: there is no value that it could be called on",
                );
                continue;
            }
            FnArg::Typed(input) => input,
        };
        match (&*input.pat, read_type(&input.ty)) {
            (_, Err(problem)) => mistakes.add(&input.ty, problem),
            (Pat::Ident(name), Ok((read, is_reference))) if name.subpat.is_none() && name.by_ref.is_none() => {
                let is_text = !is_reference && is_string(&input.ty);
                parameters.push(Parameter { name: &name.ident, r#type: &input.ty, read, is_reference, is_text });
            }
            (pattern, Ok(_)) => mistakes.add(
                pattern,
                "a parameter of a function of expressions has a name, which messages about its value use",
            ),
        }
    }
    mistakes.none_or(parameters)
}

/// The type that an argument is read as, and whether a reference to it is given.
fn read_type(r#type: &Type) -> Result<(TokenStream, bool), String> {
    match r#type {
        Type::Reference(reference) if reference.mutability.is_none() => {
            let referred = &reference.elem;
            let text = quote!(#referred).to_string();
            match text.as_str() {
                "str" => Ok((quote!(::std::string::String), true)),
                "Path" => Ok((quote!(::std::path::PathBuf), true)),
                text => Err(format!(
                    "it owns its arguments, or takes `&str`: write `{}`",
                    text.replace(' ', "")
                )),
            }
        }
        Type::Reference(_) => Err("an expression changes nothing".to_owned()),
        Type::ImplTrait(_) | Type::Infer(_) => Err("it has one type for each argument".to_owned()),
        _ => Ok((quote_spanned!(r#type.span()=> #r#type), false)),
    }
}

fn is_string(r#type: &Type) -> bool {
    match r#type {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|it| it.ident == "String"),
        _ => false,
    }
}

fn items(prefix: &str, parameters: &[Parameter<'_>], function: &ItemFn) -> TokenStream {
    let name = &function.sig.ident;
    let visibility = &function.vis;
    let everywhere: Vec<&Attribute> = function
        .attrs
        .iter()
        .filter(|it| it.path().is_ident("cfg"))
        .collect();
    let own_name = name.unraw().to_string();
    let full_name = format!("{prefix}:{own_name}");
    let documentation = format!(" `{full_name}` in expressions: [`{own_name}()`].");
    let n = parameters.len();
    let variables: Vec<Ident> = parameters
        .iter()
        .map(|it| format_ident!("_{}", it.name.unraw(), span = it.name.span()))
        .collect();
    let reads = parameters
        .iter()
        .zip(&variables)
        .map(|(parameter, variable)| {
            let (text, read) = (
                parameter.name.unraw().to_string(),
                paths::one_module_deeper(parameter.read.clone()),
            );
            // A type that no argument can have is an error of rustc at this place.
            let place = parameter.r#type.span();
            quote_spanned!(place=> let #variable = arguments.take::<#read>(#text)?;)
        });
    let given = parameters
        .iter()
        .zip(&variables)
        .map(|(parameter, variable)| match parameter.is_reference {
            true => quote!(&#variable),
            false => quote!(#variable),
        });
    let call = quote!(super::#name(#(#given),*));
    let returned = match gives_result(&function.sig.output) {
        true => quote!(#call.map_err(::hpdlc_flow::runtime::action::Error::from)?),
        false => call,
    };
    let place = match &function.sig.output {
        ReturnType::Type(_, returned) => kind::inner_of(returned, "Result")
            .unwrap_or(returned)
            .span(),
        ReturnType::Default => name.span(),
    };
    let value = quote_spanned!(place=> ::hpdlc_flow::runtime::function::value(&returned));
    let itself = itself(parameters, function);
    let signature = signature(prefix, parameters, function);
    quote! {
        #itself

        #(#everywhere)*
        #[doc(hidden)]
        #[allow(dead_code)]
        #visibility mod #name {
            #[allow(unused_imports)]
            use super::*;

            /// What an extension lists.
            #[doc(hidden)]
            pub struct Named;

            // That it is no action is one mistake in a workflow that awaits it.
            #[doc(hidden)]
            pub use ::hpdlc_flow::NO_ACTION as ACTION;
            #[doc(hidden)]
            pub const PLACE: &str = "";

            impl ::hpdlc_flow::runtime::function::NamedFunction for Named {
                const ITSELF: (
                    &'static ::hpdlc_flow::runtime::function::Function,
                    &'static ::hpdlc_flow::runtime::function::Signature,
                ) = (&FUNCTION, &SIGNATURE);
            }

            #[doc = #documentation]
            pub static FUNCTION: ::hpdlc_flow::runtime::function::Function =
                ::hpdlc_flow::runtime::function::Function::own(
                    #prefix,
                    #own_name,
                    &[::hpdlc_flow::runtime::function::ANY; #n],
                    run,
                );

            #signature

            #[allow(unused_variables)]
            fn run(
                _: &dyn ::hpdlc_flow::runtime::function::Scope,
                values: &[::hpdlc_flow::runtime::function::ExpressionValue],
            ) -> ::hpdlc_flow::runtime::function::Called {
                ::hpdlc_flow::runtime::function::call(#full_name, values, |arguments| {
                    #(#reads)*
                    let returned = #returned;
                    #value
                })
            }
        }
    }
}

/// What the manifest of an extension says of it.
fn signature(prefix: &str, parameters: &[Parameter<'_>], function: &ItemFn) -> TokenStream {
    let name = function.sig.ident.unraw().to_string();
    let summary = summary::of(&function.attrs);
    let arguments = parameters.iter().map(|parameter| {
        let name = parameter.name.unraw().to_string();
        let r#type = kind::with_occurrence(parameter.r#type);
        quote!(::hpdlc_flow::runtime::function::Parameter { name: #name, r#type: #r#type })
    });
    let result = match &function.sig.output {
        ReturnType::Type(_, returned) => {
            kind::with_occurrence(kind::inner_of(returned, "Result").unwrap_or(returned))
        }
        // Refused before.
        ReturnType::Default => return TokenStream::new(),
    };
    quote! {
        #[doc(hidden)]
        pub static SIGNATURE: ::hpdlc_flow::runtime::function::Signature =
            ::hpdlc_flow::runtime::function::Signature {
                name: #name,
                prefix: #prefix,
                summary: #summary,
                arguments: &[#(#arguments),*],
                result: #result,
            };
    }
}

/// The function, which takes a reference to a text where it owns one.
fn itself(parameters: &[Parameter<'_>], function: &ItemFn) -> TokenStream {
    if parameters.iter().all(|it| !it.is_text) {
        return quote!(#function);
    }
    let mut outer = function.clone();
    let mut inner = function.clone();
    inner.attrs.clear();
    inner.vis = syn::Visibility::Inherited;
    let name = &function.sig.ident;
    let mut given = Vec::new();
    for (parameter, input) in parameters.iter().zip(&mut outer.sig.inputs) {
        let name = parameter.name;
        if let (true, FnArg::Typed(input)) = (parameter.is_text, input) {
            let span = input.ty.span();
            *input = syn::parse_quote_spanned!(span=> #name: impl ::hpdlc_flow::runtime::function::IntoText);
            given.push(quote!(::hpdlc_flow::runtime::function::IntoText::into_text(#name)));
        } else {
            given.push(quote!(#name));
        }
    }
    // Types and patterns of parameters are those of the inner function.
    for input in &mut outer.sig.inputs {
        if let FnArg::Typed(input) = input
            && let Pat::Ident(pattern) = &mut *input.pat
        {
            pattern.mutability = None;
        }
    }
    outer.sig.constness = None;
    outer.block = syn::parse_quote!({
        #inner
        #name(#(#given),*)
    });
    quote!(#outer)
}

/// Whether the function returns a `Result`.
fn gives_result(output: &ReturnType) -> bool {
    let ReturnType::Type(_, r#type) = output else {
        return false;
    };
    match &**r#type {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|it| it.ident == "Result"),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
