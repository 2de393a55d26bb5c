//! What `#[action]` needs of a function, and which functions cannot be actions.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    FnArg, GenericArgument, ItemFn, Pat, PathArguments, ReturnType, Safety, Type, spanned::Spanned,
};

use crate::mistakes::Mistakes;

/// A function that can be an action.
pub(super) struct Signature<'f> {
    pub(super) name: &'f Ident,
    /// Whether the first parameter is the `Context`; it is not in `parameters`.
    pub(super) has_context: bool,
    pub(super) parameters: Vec<Parameter<'f>>,
    /// What it returns in its `Result`; `None` is `()`.
    returned: Option<&'f Type>,
    pub(super) is_async: bool,
}

/// An argument of an action.
pub(super) struct Parameter<'f> {
    pub(super) name: &'f Ident,
    pub(super) r#type: &'f Type,
}

impl<'f> Signature<'f> {
    /// # Errors
    ///
    /// All reasons why the function cannot be an action, each at its token.
    pub(super) fn read(function: &'f ItemFn) -> syn::Result<Signature<'f>> {
        let signature = &function.sig;
        let mut mistakes = Mistakes::default();
        if let Some(word) = &signature.constness {
            mistakes.add(
                word,
                "an action runs in a process of its own: it cannot be `const`",
            );
        }
        if let Safety::Unsafe(word) = &signature.safety {
            mistakes.add(word, "a workflow calls an action: it cannot be `unsafe`");
        }
        if let Some(abi) = &signature.abi {
            mistakes.add(abi, "a workflow calls an action: it cannot be `extern`");
        }
        if !signature.generics.params.is_empty() {
            let problem = "an action has no type parameters and no lifetimes: its arguments are texts of the workflow, each of one type";
            mistakes.add(&signature.generics, problem);
        }
        if let Some(variadic) = &signature.variadic {
            mistakes.add(variadic, "an action has a fixed number of arguments");
        }
        let mut has_context = false;
        let mut parameters = Vec::new();
        for (n, input) in signature.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(receiver) => mistakes.add(
                    receiver,
                    "an action is a function, not a method: there is no value that it could be called on",
                ),
                FnArg::Typed(input) if n == 0 && is_context(&input.ty) => has_context = true,
                FnArg::Typed(input) => {
                    let r#type = &*input.ty;
                    match owned(r#type) {
                        Ok(()) => {}
                        Err(problem) => mistakes.add(r#type, problem),
                    }
                    match &*input.pat {
                        Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => {
                            parameters.push(Parameter {
                                name: &pattern.ident,
                                r#type,
                            });
                        }
                        pattern => mistakes.add(
                            pattern,
                            "a parameter of an action has a name, which messages about its value use",
                        ),
                    }
                }
            }
        }
        let returned = match returned(&signature.output) {
            Ok(returned) => returned,
            Err(()) => {
                let problem = "an action can fail: it returns `Result`, or `Result<T>` with a `T` that has `#[derive(Data)]`";
                match &signature.output {
                    ReturnType::Default => mistakes.add(&signature.ident, problem),
                    ReturnType::Type(_, r#type) => mistakes.add(r#type, problem),
                }
                None
            }
        };
        mistakes.none_or(Signature {
            name: &signature.ident,
            has_context,
            parameters,
            returned,
            is_async: signature.asyncness.is_some(),
        })
    }

    /// The type of the data.
    pub(super) fn data(&self) -> TokenStream {
        match self.returned {
            Some(r#type) => quote_spanned!(r#type.span()=> #r#type),
            None => quote!(()),
        }
    }
}

/// Whether the type is `&Context`.
fn is_context(r#type: &Type) -> bool {
    let Type::Reference(reference) = r#type else {
        return false;
    };
    let Type::Path(path) = &*reference.elem else {
        return false;
    };
    let last = path.path.segments.last();
    reference.mutability.is_none() && last.is_some_and(|last| last.ident == "Context")
}

/// Whether an argument can have the type, as far as its form says.
fn owned(r#type: &Type) -> Result<(), String> {
    match r#type {
        Type::Reference(reference) => {
            let referred = &reference.elem;
            let text = quote!(#referred).to_string();
            Err(match text.as_str() {
                "str" => "an action owns its arguments: write `String`".to_owned(),
                "Path" => "an action owns its arguments: write `PathBuf`".to_owned(),
                _ if is_context(r#type) => "`&Context` is the first parameter".to_owned(),
                text => format!(
                    "an action owns its arguments: write `{}`",
                    text.replace(' ', "")
                ),
            })
        }
        Type::ImplTrait(_) => {
            Err("an action has one type for each argument: it cannot be `impl`".to_owned())
        }
        Type::Infer(_) => Err("an action has one type for each argument".to_owned()),
        _ => Ok(()),
    }
}

/// The type in the `Result` of a function; the error is that there is no `Result`.
fn returned(output: &ReturnType) -> Result<Option<&Type>, ()> {
    let ReturnType::Type(_, r#type) = output else {
        return Err(());
    };
    let Type::Path(path) = &**r#type else {
        return Err(());
    };
    let last = path.path.segments.last().ok_or(())?;
    if last.ident != "Result" {
        return Err(());
    }
    match &last.arguments {
        PathArguments::None => Ok(None),
        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(GenericArgument::Type(r#type)) => Ok(Some(r#type)),
            _ => Err(()),
        },
        PathArguments::Parenthesized(_) => Err(()),
    }
}
