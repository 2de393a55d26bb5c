//! The properties of a job: `struct Params` for Rust programs, and the corresponding data for the runtime.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use crate::{
    analysis::{PropertyType, PropertyUse},
    codegen::{document::DocumentCx, names::Namer, one_line},
    source::{SourceMap, Span},
};

/// The maximum number of places in the documentation of a field.
const MOST_PLACES: usize = 3;

/// The `&[Parameter { ... }]` of an application.
pub(crate) fn parameters_expr(cx: &DocumentCx<'_>, properties: &[PropertyUse]) -> TokenStream {
    let parameters = properties.iter().map(|property| {
        let PropertyUse {
            name,
            is_optional,
            r#type,
            uses,
            description,
            ..
        } = property;
        let description = match description {
            Some(description) => quote!(Some(#description)),
            None => quote!(None),
        };
        let default = match (&property.config_default, &property.parameter_default) {
            (Some(default), _) => quote!(Some(ParameterDefault::Configured(#default))),
            (None, Some(default)) => {
                let line = Literal::u32_unsuffixed(cx.position(default.span).line);
                let text = &default.value;
                quote!(Some(ParameterDefault::Declared(#line, #text)))
            }
            (None, None) => quote!(None),
        };
        let type_name = r#type.name();
        let uses = uses_exprs(cx, uses);
        quote! {
            Parameter {
                name: #name,
                default: #default,
                is_optional: #is_optional,
                r#type: #type_name,
                description: #description,
                uses: &[#(#uses),*],
            }
        }
    });
    quote!(&[#(#parameters),*])
}

/// `Uses { file: SOURCE, places: "12:9 14:20" }`, one for each run of consecutive places in the same file.
fn uses_exprs(cx: &DocumentCx<'_>, uses: &[Span]) -> Vec<TokenStream> {
    uses.chunk_by(|left, right| left.file == right.file)
        .map(|uses| {
            let file = cx.file_expr(uses[0].file);
            let places: Vec<String> = uses
                .iter()
                .map(|span| {
                    let position = cx.position(*span);
                    format!("{}:{}", position.line, position.column)
                })
                .collect();
            let places = places.join(" ");
            quote!(Uses { file: #file, places: #places })
        })
        .collect()
}

/// `struct Params` for a program compiled from `source`, with its conversion to properties.
pub(crate) fn params_struct(
    sources: &SourceMap,
    source: &str,
    properties: &[PropertyUse],
) -> TokenStream {
    let fields = fields(properties);
    let definitions = fields.iter().map(|field| field.definition(sources));
    let default = fields
        .iter()
        .all(Field::may_be_left_out)
        .then(|| quote!(Default,));
    let doc = format!(" The properties of a job of `{source}`.");
    let properties = properties_body(&fields);
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, #default PartialEq)]
        pub struct Params {
            #(#definitions,)*
        }

        impl Params {
            /// The properties that are set, by name.
            pub fn properties(&self) -> Vec<(&'static str, String)> {
                #properties
            }
        }
    }
}

/// The `&[("input_dir", "input.dir")]` with the fields of `struct Params` and the properties that they are.
pub(crate) fn properties_of_fields(properties: &[PropertyUse]) -> TokenStream {
    let pairs = fields(properties).into_iter().map(|field| {
        let (ident, property) = (field.ident.unraw().to_string(), &field.property.name);
        quote!((#ident, #property))
    });
    quote!(&[#(#pairs),*])
}

fn fields(properties: &[PropertyUse]) -> Vec<Field<'_>> {
    let mut namer = Namer::default();
    properties
        .iter()
        .map(|property| Field {
            property,
            ident: namer.claim(&property.name, "property").snake_ident(),
        })
        .collect()
}

/// Required properties come first; the order is irrelevant to a job.
fn properties_body(fields: &[Field<'_>]) -> TokenStream {
    let (left_out, required): (Vec<_>, Vec<_>) =
        fields.iter().partition(|field| field.may_be_left_out());
    let required = required.iter().map(|field| field.pair());
    let vector = if required.len() == 0 {
        quote!(Vec::new())
    } else {
        quote!(Vec::from([#(#required),*]))
    };
    if left_out.is_empty() {
        return vector;
    }
    let pushes = left_out.iter().map(|field| {
        let (ident, pair) = (&field.ident, field.pair());
        quote! {
            if let Some(#ident) = &self.#ident {
                properties.push(#pair);
            }
        }
    });
    quote! {
        let mut properties = #vector;
        #(#pushes)*
        properties
    }
}

struct Field<'a> {
    property: &'a PropertyUse,
    ident: Ident,
}

impl Field<'_> {
    fn may_be_left_out(&self) -> bool {
        !self.property.is_required()
    }

    fn definition(&self, sources: &SourceMap) -> TokenStream {
        let ident = &self.ident;
        let doc = self.doc(sources);
        let plain = match self.property.r#type {
            PropertyType::String | PropertyType::Path | PropertyType::Uri | PropertyType::Date => {
                quote!(String)
            }
            PropertyType::Number => quote!(f64),
            PropertyType::Integer => quote!(i64),
            PropertyType::Boolean => quote!(bool),
        };
        let field_type = if self.may_be_left_out() {
            quote!(Option<#plain>)
        } else {
            plain
        };
        quote!(#[doc = #doc] pub #ident: #field_type)
    }

    /// `` `inputDir`, by default `/data`; used in workflow.xml:12, workflow.xml:20 and 3 more places.``
    fn doc(&self, sources: &SourceMap) -> String {
        let PropertyUse {
            name,
            is_optional,
            uses,
            ..
        } = self.property;
        let mut doc = format!(" `{}`", one_line(name));
        match self.property.default() {
            Some("") => doc.push_str(", by default empty"),
            Some(default) => doc.push_str(&format!(", by default `{}`", one_line(default))),
            None if *is_optional => doc.push_str(", optional"),
            None => doc.push_str(", required"),
        }
        let mut places: Vec<String> = uses
            .iter()
            .map(|span| {
                let line = sources.start(*span).line;
                format!("`{}:{line}`", one_line(sources.path(span.file)))
            })
            .collect();
        places.dedup();
        let n_more = places.len().saturating_sub(MOST_PLACES);
        places.truncate(MOST_PLACES);
        match (places.split_last(), n_more) {
            (None, _) => doc.push_str("; used nowhere"),
            (Some((last, [])), 0) => doc.push_str(&format!("; used in {last}")),
            (Some((last, others)), 0) => {
                doc.push_str(&format!("; used in {} and {last}", others.join(", ")));
            }
            (Some(_), n_more) => {
                doc.push_str(&format!(
                    "; used in {} and {n_more} more",
                    places.join(", ")
                ));
            }
        }
        doc.push('.');
        if let Some(description) = &self.property.description {
            doc.push_str(&format!(" {}", one_line(description)));
        }
        doc
    }

    /// The pair of name and text of the field; for an optional one, within an `if let` that binds its name.
    fn pair(&self) -> TokenStream {
        let (name, ident) = (&self.property.name, &self.ident);
        let value = if self.may_be_left_out() {
            quote!(#ident)
        } else {
            quote!(self.#ident)
        };
        match self.property.r#type {
            PropertyType::String | PropertyType::Path | PropertyType::Uri | PropertyType::Date => {
                quote!((#name, #value.clone()))
            }
            PropertyType::Number | PropertyType::Integer | PropertyType::Boolean => {
                quote!((#name, #value.to_string()))
            }
        }
    }
}
