//! The sections of a document as settings, and as attributes below them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Refusal, names, sla};
use crate::{
    model::{NodeKind, WorkflowApp},
    syntax::xml::Element,
};

/// The settings, in parentheses if there are any.
pub(super) fn settings(
    root: &Element<'_>,
    app: &WorkflowApp,
    fail: Option<usize>,
    function: &Ident,
    config: Option<&str>,
) -> Result<TokenStream, Refusal> {
    let mut settings = Vec::new();
    let name = app.name.text.as_str();
    if function.to_string().replace('_', "-") != name {
        settings.push(text("name", name));
    }
    if let Some(config) = config {
        settings.push(text("config", config));
    }
    for node in &app.nodes {
        if matches!(node.kind, NodeKind::End(_)) && node.name.value != "end" {
            settings.push(text("end", &node.name.value));
        }
    }
    if let Some(fail) = fail {
        let node = &app.nodes[fail];
        settings.push(text("fail", &node.name.value));
        if let NodeKind::Kill(kill) = &node.kind {
            settings.push(text("fail_message", kill.message.text.as_str()));
        }
    }
    if let Some(global) = root.element("global") {
        let n_before = settings.len();
        for child in global.elements() {
            part_of_global(&child, &mut settings)?;
        }
        if settings.len() == n_before {
            return Err(empty(&global));
        }
    }
    Ok(if settings.is_empty() {
        TokenStream::new()
    } else {
        quote!((#(#settings),*))
    })
}

/// The attributes below that of the settings: credentials, and the service level.
pub(super) fn attributes(root: &Element<'_>) -> Result<Vec<TokenStream>, Refusal> {
    let mut attributes = Vec::new();
    if let Some(credentials) = root.element("credentials") {
        for credential in credentials.elements() {
            let of = |name: &str| {
                let value = credential.attribute(name);
                value.map_or(String::new(), |it| it.value.as_str().to_owned())
            };
            let (name, kind) = (of("name"), of("type"));
            let mut pairs = Vec::new();
            properties(&credential, &mut pairs)?;
            attributes.push(quote!(#[credential(name = #name, kind = #kind #(, #pairs)*)]));
        }
        if attributes.is_empty() {
            return Err(empty(&credentials));
        }
    }
    if let Some(info) = root.element("info") {
        attributes.push(sla::attribute(&info)?);
    }
    Ok(attributes)
}

fn empty(section: &Element<'_>) -> Refusal {
    Refusal::new(
        section.name_span,
        format!(
            "an empty `{}` cannot be written in Rust",
            section.name.local
        ),
        "the workflow",
    )
}

fn part_of_global(child: &Element<'_>, settings: &mut Vec<TokenStream>) -> Result<(), Refusal> {
    let value = child.trimmed_text();
    let value = value.as_str();
    match child.name.local {
        "resource-manager" | "job-tracker" => settings.push(text("resource_manager", value)),
        "name-node" => settings.push(text("name_node", value)),
        "job-xml" => settings.push(quote!(job_xml(#value))),
        "launcher" => {
            for setting in child.elements() {
                let name = setting.name.local;
                let value = setting.trimmed_text();
                let value = value.as_str();
                settings.push(quote!(launcher(#name, #value)));
            }
        }
        "configuration" => properties(child, settings)?,
        other => {
            return Err(Refusal::new(
                child.name_span,
                format!("`{other}` inside `global` cannot be written in Rust yet"),
                "the workflow",
            ));
        }
    }
    Ok(())
}

fn properties(parent: &Element<'_>, settings: &mut Vec<TokenStream>) -> Result<(), Refusal> {
    for property in parent.elements_named("property") {
        let (Some(name), Some(value)) = (property.element("name"), property.element("value"))
        else {
            return Err(Refusal::new(
                property.name_span,
                "a property without a name or a value cannot be written in Rust",
                "the workflow",
            ));
        };
        let (name, value) = (name.trimmed_text(), value.trimmed_text());
        let (name, value) = (name.as_str(), value.as_str());
        settings.push(quote!(property(#name, #value)));
    }
    Ok(())
}

fn text(name: &str, value: &str) -> TokenStream {
    let name = names::method(name);
    quote!(#name = #value)
}
