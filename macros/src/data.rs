//! The expansion of `#[derive(Data)]`: a struct as what an action returns, an enum as one of its texts.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Data, DataEnum, DeriveInput, Field, Fields, FieldsNamed, Ident, ext::IdentExt, spanned::Spanned,
};

/// Expands to the implementation, or to the mistakes.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let expanded = syn::parse2(input).and_then(|input| implementation(&input));
    expanded.unwrap_or_else(syn::Error::into_compile_error)
}

fn implementation(input: &DeriveInput) -> syn::Result<TokenStream> {
    if !input.generics.params.is_empty() {
        let problem =
            "data of actions has no type parameters and no lifetimes: workflows have texts alone";
        return Err(syn::Error::new(input.generics.span(), problem));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => of_struct(&input.ident, fields),
            Fields::Unnamed(fields) => {
                let problem = "workflows find data by names: give the fields names";
                Err(syn::Error::new(fields.span(), problem))
            }
            Fields::Unit => {
                let problem = "there is no data: an action that returns none returns `Result`";
                Err(syn::Error::new(input.ident.span(), problem))
            }
        },
        Data::Enum(data) => of_enum(&input.ident, data),
        Data::Union(data) => {
            let problem = "a union has no text: write a struct or an enum";
            Err(syn::Error::new(data.union_token.span(), problem))
        }
    }
}

fn of_struct(name: &Ident, fields: &FieldsNamed) -> syn::Result<TokenStream> {
    let mut mistakes: Option<syn::Error> = None;
    let (mut to, mut of, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    // Both ways of a type in one place: one that has no text is one mistake.
    let mut texts = Vec::new();
    for (n, field) in fields.named.iter().enumerate() {
        let is_json = is_json(field).unwrap_or_else(|error| {
            match &mut mistakes {
                Some(all) => all.combine(error),
                None => mistakes = Some(error),
            }
            false
        });
        let Some(ident) = &field.ident else { continue };
        let key = ident.unraw().to_string();
        let named = quote!(|problem| ::std::format!("`{}`: {}", #key, problem));
        let r#type = &field.ty;
        let both = format_ident!("texts_{n}");
        keys.push(key.clone());
        if !is_json {
            texts.push(quote! {
                fn #both() -> ::hpdlc_flow::runtime::action::Texts<#r#type> {
                    ::hpdlc_flow::runtime::action::texts::<#r#type>()
                }
            });
        }
        to.push(if is_json {
            quote! {
                let text = ::hpdlc_flow::runtime::action::json::text(&self.#ident).map_err(#named)?;
                data.insert(::std::string::String::from(#key), text);
            }
        } else {
            quote! {
                let text = (#both().to)(&self.#ident);
                if let ::std::option::Option::Some(text) = text.map_err(#named)? {
                    data.insert(::std::string::String::from(#key), text);
                }
            }
        });
        let decode = if is_json {
            quote!(::hpdlc_flow::runtime::action::json::value)
        } else {
            quote!((#both().from))
        };
        of.push(quote! {
            #ident: #decode(data.get(#key).map(::std::string::String::as_str)).map_err(#named)?,
        });
    }
    if let Some(mistakes) = mistakes {
        return Err(mistakes);
    }
    Ok(quote! {
        const _: () = {
        #(#texts)*

        #[automatically_derived]
        impl ::hpdlc_flow::runtime::action::Data for #name {
            fn to_data(
                &self,
            ) -> ::std::result::Result<::hpdlc_flow::runtime::action::DataMap, ::std::string::String> {
                let mut data = ::hpdlc_flow::runtime::action::DataMap::new();
                #(#to)*
                ::std::result::Result::Ok(data)
            }

            fn of_data(
                data: &::hpdlc_flow::runtime::action::DataMap,
            ) -> ::std::result::Result<#name, ::std::string::String> {
                ::std::result::Result::Ok(#name { #(#of)* })
            }

            fn keys() -> ::std::option::Option<::std::vec::Vec<&'static str>> {
                ::std::option::Option::Some(::std::vec![#(#keys),*])
            }
        }
        };
    })
}

/// Whether the field has `#[data(json)]`.
fn is_json(field: &Field) -> syn::Result<bool> {
    let mut is_json = false;
    for attribute in &field.attrs {
        if !attribute.path().is_ident("data") {
            continue;
        }
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("json") {
                is_json = true;
                return Ok(());
            }
            Err(meta.error("a field has one option, `#[data(json)]`: its text is JSON, by serde"))
        })?;
    }
    Ok(is_json)
}

fn of_enum(name: &Ident, data: &DataEnum) -> syn::Result<TokenStream> {
    if data.variants.is_empty() {
        let problem = "an enum without variants has no value";
        return Err(syn::Error::new(name.span(), problem));
    }
    let with_fields = data
        .variants
        .iter()
        .filter(|variant| !matches!(variant.fields, Fields::Unit));
    let problem = "the text of an enum is the name of its variant: it has no fields";
    let mistakes = with_fields.map(|variant| syn::Error::new(variant.fields.span(), problem));
    if let Some(mistakes) = mistakes.reduce(|mut all, error| {
        all.combine(error);
        all
    }) {
        return Err(mistakes);
    }
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let texts: Vec<String> = variants
        .iter()
        .map(|variant| variant.unraw().to_string())
        .collect();
    let known = texts.join("`, `");
    let wrong = format!("`{{}}` is no {}: it is one of `{known}`", name.unraw());
    Ok(quote! {
        #[automatically_derived]
        impl ::hpdlc_flow::runtime::action::Value for #name {
            fn to_text(
                &self,
            ) -> ::std::result::Result<::std::option::Option<::std::string::String>, ::std::string::String> {
                let text = match self {
                    #(#name::#variants => #texts,)*
                };
                ::std::result::Result::Ok(::std::option::Option::Some(::std::string::String::from(text)))
            }

            fn of_text(
                text: ::std::option::Option<&str>,
            ) -> ::std::result::Result<#name, ::std::string::String> {
                match text.map(str::trim) {
                    #(::std::option::Option::Some(#texts) => ::std::result::Result::Ok(#name::#variants),)*
                    other => ::std::result::Result::Err(::std::format!(#wrong, other.unwrap_or_default())),
                }
            }
        }

        #[automatically_derived]
        impl ::hpdlc_flow::runtime::action::ElementValue for #name {}
    })
}

#[cfg(test)]
mod tests;
