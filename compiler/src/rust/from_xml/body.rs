//! Actions as calls of functions, with methods behind them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    Refusal, names, sla,
    texts::{Texts, number, verbatim},
};
use crate::{
    rust::builders::{BUILDERS, Builder},
    syntax::xml::Element,
};

/// The elements of an action that are not its body.
const AROUND: [&str; 3] = ["ok", "error", "info"];

/// A call as far as it is written.
pub(super) struct Call<'t> {
    pub(super) texts: &'t Texts,
    /// Of the action, for messages.
    place: String,
    pub(super) tokens: TokenStream,
}

/// The call for an action node, and the function that it names if that is of a built-in type.
pub(super) fn call(
    action: &Element<'_>,
    name: &str,
    texts: &Texts,
) -> Result<(TokenStream, Option<&'static str>), Refusal> {
    let place = format!("action `{name}`");
    let mut elements = action.elements();
    let Some(body) = elements.find(|child| !AROUND.contains(&child.name.local)) else {
        return Err(Refusal::new(
            action.name_span,
            "an action without a body cannot be written in Rust",
            &place,
        ));
    };
    let mut call = Call {
        texts,
        place,
        tokens: TokenStream::new(),
    };
    let element = body.name.local;
    let function = if BUILDERS.iter().any(|it| it.element == element) {
        Some(call.built_in(&body)?)
    } else if element == "rust" {
        call.own(&body)?;
        None
    } else {
        let cause = format!("a `{element}` action cannot be written in Rust yet");
        return Err(call.refusal(&body, cause));
    };
    let default_name = match function {
        Some(_) => element.to_owned(),
        None => String::new(),
    };
    if name != default_name {
        call.method("named", &[quote!(#name)]);
    }
    call.attributes(action)?;
    if let Some(info) = action.element("info") {
        let level = sla::value(&info, |text| texts.value(text), &call.place)?;
        call.method("sla", &[level]);
    }
    Ok((call.tokens, function))
}

impl Call<'_> {
    pub(super) fn refusal(&self, element: &Element<'_>, cause: String) -> Refusal {
        Refusal::new(element.name_span, cause, &self.place)
    }

    pub(super) fn method(&mut self, name: &str, arguments: &[TokenStream]) {
        let name = names::method(name);
        self.tokens.extend(quote!(.#name(#(#arguments),*)));
    }

    pub(super) fn text(&self, element: &Element<'_>) -> TokenStream {
        self.texts.value(element.trimmed_text().as_str())
    }

    /// A call of the function that begins this body, with a method for each of its other elements.
    fn built_in(&mut self, body: &Element<'_>) -> Result<&'static str, Refusal> {
        let children: Vec<Element<'_>> = body.elements().collect();
        let name = body.name.local;
        let builders = BUILDERS.iter().filter(|it| it.element == name);
        let fitting = builders
            .clone()
            .find_map(|builder| Some((builder, arguments_of(builder, &children)?)));
        let Some((builder, arguments)) = fitting else {
            let wanted: Vec<String> = builders
                .map(|it| format!("`{}`", it.arguments.join("` and `")))
                .collect();
            let cause = format!(
                "`{name}` without {} cannot be written in Rust",
                wanted.join(" or ")
            );
            return Err(self.refusal(body, cause));
        };
        let values = arguments.iter().map(|at| {
            let text = children[*at].trimmed_text();
            match children[*at].name.local {
                "app-path" => application_path(text.as_str(), self.texts),
                _ => self.texts.value(text.as_str()),
            }
        });
        let function = Ident::new(builder.function, proc_macro2::Span::call_site());
        self.tokens = quote!(#function(#(#values),*));
        for (at, child) in children.iter().enumerate() {
            if !arguments.contains(&at) {
                self.element(builder, None, child)?;
            }
        }
        Ok(builder.function)
    }

    /// A call of a function of the program.
    fn own(&mut self, body: &Element<'_>) -> Result<(), Refusal> {
        let function = body.element("function");
        let path = function.and_then(|function| {
            syn::parse_str::<syn::Path>(function.trimmed_text().as_str()).ok()
        });
        let Some(path) = path else {
            return Err(self.refusal(body, "this is no path of a function in Rust".to_owned()));
        };
        let arguments: Vec<TokenStream> = body
            .elements_named("argument")
            .map(|argument| self.text(&argument))
            .collect();
        self.tokens = quote!(#path(#(#arguments),*));
        match body.element("configuration") {
            Some(configuration) => self.properties(&configuration),
            None => Ok(()),
        }
    }

    /// What the start tag of the action says besides its name.
    fn attributes(&mut self, action: &Element<'_>) -> Result<(), Refusal> {
        let of = |name: &str| {
            action
                .attribute(name)
                .map(|it| it.value.as_str().to_owned())
        };
        match (of("retry-max"), of("retry-interval")) {
            (None, None) => {}
            (Some(times), Some(interval)) => {
                let (times, interval) = (number_or_text(&times), number_or_text(&interval));
                self.method("retry", &[times, quote!(minutes(#interval))]);
            }
            _ => {
                return Err(self.refusal(
                    action,
                    "`retry-max` without `retry-interval`, or the reverse, cannot be written in Rust yet"
                        .to_owned(),
                ));
            }
        }
        for (attribute, method) in [("retry-policy", "retry_policy"), ("cred", "credentials")] {
            if let Some(value) = of(attribute) {
                let value = self.texts.value(&value);
                self.method(method, &[value]);
            }
        }
        Ok(())
    }
}

/// The elements that the arguments of a function become; `None` if one is not there.
fn arguments_of(builder: &Builder, children: &[Element<'_>]) -> Option<Vec<usize>> {
    let mut arguments = Vec::new();
    for argument in builder.arguments {
        let mut all = children.iter().enumerate();
        let found = all.find(|(at, it)| it.name.local == *argument && !arguments.contains(at));
        arguments.push(found?.0);
    }
    Some(arguments)
}

fn number_or_text(text: &str) -> TokenStream {
    match number(text) {
        Some(number) => quote!(#number),
        None => quote!(el!(#text)),
    }
}

/// A path beside the workflow by its name alone; any other as it stands, since a text without a scheme is one beside it.
fn application_path(text: &str, texts: &Texts) -> TokenStream {
    if let Some(name) = text.strip_prefix("${wf:appPath()}/") {
        let is_plain = !name.is_empty() && !name.contains(['$', ':', '\\']);
        if is_plain && !name.starts_with('/') && !name.ends_with('/') {
            return quote!(#name);
        }
    }
    if text.contains(':') || text.starts_with('/') {
        return if text.contains("${") {
            verbatim(text)
        } else {
            texts.value(text)
        };
    }
    quote!(el!(#text))
}
