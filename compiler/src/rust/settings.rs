//! The settings of the attribute: names, and defaults for all actions.

use proc_macro2::TokenStream;
use syn::{
    Ident, LitStr, Token, parenthesized,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use crate::rust::{
    builders::launcher_settings,
    document::{Element, Text},
    place::Place,
    reader::Reader,
    tokens::without_raw,
};

/// The settings of `#[workflow(…)]`.
#[derive(Default)]
pub struct Settings {
    /// The folder of the application's files, below the package.
    pub files: Option<LitStr>,
    /// A file of default properties, below the package.
    pub config: Option<LitStr>,
    name: Option<LitStr>,
    name_node: Option<LitStr>,
    resource_manager: Option<LitStr>,
    /// The names of the end node, and of the kill node of `?`.
    pub(super) end: Option<LitStr>,
    pub(super) fail: Option<LitStr>,
    /// The message of that kill node, with expressions.
    fail_message: Option<LitStr>,
    /// Elements of `launcher` inside `global`.
    launcher: Vec<(&'static str, LitStr)>,
    job_xml: Vec<LitStr>,
    properties: Vec<Property>,
}

/// A name and a value.
struct Property {
    name: LitStr,
    value: LitStr,
}

/// `name = "value"`, or `name("value", …)`.
struct Setting {
    name: Ident,
    value: Value,
}

enum Value {
    Text(LitStr),
    Texts(Vec<LitStr>),
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Setting> {
        let name = input.parse()?;
        if input.peek(syn::token::Paren) {
            let inside;
            parenthesized!(inside in input);
            let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&inside)?;
            return Ok(Setting {
                name,
                value: Value::Texts(texts.into_iter().collect()),
            });
        }
        input.parse::<Token![=]>()?;
        Ok(Setting {
            name,
            value: Value::Text(input.parse()?),
        })
    }
}

impl Reader {
    /// The settings of the attribute.
    pub(super) fn settings(&mut self, arguments: TokenStream) -> Settings {
        let mut settings = Settings::default();
        let parse = Punctuated::<Setting, Token![,]>::parse_terminated;
        let given = match parse.parse2(arguments) {
            Ok(given) => given,
            Err(error) => {
                self.mistake(
                    Place::at(error.span()),
                    "the settings of a workflow are written `#[workflow(files = \"scripts\", name_node = \"hdfs://nn\")]`",
                );
                return settings;
            }
        };
        for setting in given {
            match setting.value {
                Value::Text(value) => self.text_setting(&mut settings, &setting.name, value),
                Value::Texts(texts) => self.list_setting(&mut settings, &setting.name, texts),
            }
        }
        settings
    }

    fn text_setting(&mut self, settings: &mut Settings, name: &Ident, value: LitStr) {
        let place = match name.to_string().as_str() {
            "files" => &mut settings.files,
            "config" => &mut settings.config,
            "name" => &mut settings.name,
            "name_node" => &mut settings.name_node,
            "resource_manager" => &mut settings.resource_manager,
            "end" => &mut settings.end,
            "fail" => &mut settings.fail,
            "fail_message" => &mut settings.fail_message,
            _ => {
                self.mistake(
                    Place::at(name.span()),
                    "a workflow has the settings `files`, `config`, `name`, `name_node`, `resource_manager`, `end`, `fail` and `fail_message`",
                );
                return;
            }
        };
        *place = Some(value);
    }

    fn list_setting(&mut self, settings: &mut Settings, name: &Ident, texts: Vec<LitStr>) {
        let mut texts = texts.into_iter();
        let given = (texts.next(), texts.next(), texts.next());
        match (name.to_string().as_str(), given) {
            ("property", (Some(name), Some(value), None)) => {
                settings.properties.push(Property { name, value });
            }
            ("job_xml", (Some(file), None, None)) => settings.job_xml.push(file),
            ("launcher", (Some(name), Some(value), None)) => {
                let (wanted, known) = (name.value(), launcher_settings());
                match known.iter().find(|it| **it == wanted) {
                    Some(name) => settings.launcher.push((name, value)),
                    None => self.mistake(
                        Place::of(&name),
                        &format!("a launcher has {}", known.join(", ")),
                    ),
                }
            }
            _ => self.mistake(
                Place::at(name.span()),
                "settings with parentheses are `property(\"name\", \"value\")`, `job_xml(\"file\")` and `launcher(\"name\", \"value\")`",
            ),
        }
    }
}

impl Settings {
    /// The message of the kill node of `?`.
    pub(super) fn message_of_fail(&self) -> Text {
        if let Some(message) = &self.fail_message {
            return verbatim(message);
        }
        let last = "wf:lastErrorNode()";
        let mut message = Text::expression(vec![(last.to_owned(), None)]);
        message.push_literal(": ", None);
        message.append(Text::expression(vec![(
            format!("wf:errorMessage({last})"),
            None,
        )]));
        message
    }

    /// The name and the message of the kill node of `?`, if the author named it.
    pub(super) fn chosen_fail(&self) -> Option<(String, String)> {
        let name = self.fail.as_ref()?;
        Some((name.value(), self.message_of_fail().spelled()))
    }

    /// The root element of the document of the workflow `function`.
    pub(super) fn root(&self, function: &Ident, parameters: Option<Element>) -> Element {
        let name = match &self.name {
            Some(name) => Text::literal(name.value(), Some(Place::of(name))),
            None => Text::literal(
                without_raw(function).replace('_', "-"),
                Some(Place::of(function)),
            ),
        };
        let mut root = Element::new("workflow-app", None)
            .attribute("name", name)
            .attribute("xmlns", Text::literal("uri:oozie:workflow:1.0", None));
        root.children.extend(parameters);
        let global = self.global();
        if !global.children.is_empty() {
            root.children.push(global);
        }
        root
    }

    /// What all actions inherit, in the order of the schema.
    fn global(&self) -> Element {
        let mut global = Element::new("global", None);
        let cluster = [
            ("resource-manager", &self.resource_manager),
            ("name-node", &self.name_node),
        ];
        for (element, value) in cluster {
            global
                .children
                .extend(value.as_ref().map(|value| text_element(element, value)));
        }
        if !self.launcher.is_empty() {
            let mut launcher = Element::new("launcher", None);
            let settings = self.launcher.iter();
            launcher.children = settings
                .map(|(name, value)| text_element(name, value))
                .collect();
            global.children.push(launcher);
        }
        let files = self.job_xml.iter();
        global
            .children
            .extend(files.map(|file| text_element("job-xml", file)));
        if !self.properties.is_empty() {
            let mut configuration = Element::new("configuration", None);
            configuration.children = self.properties.iter().map(Property::element).collect();
            global.children.push(configuration);
        }
        global
    }
}

impl Property {
    fn element(&self) -> Element {
        Element::new("property", Some(Place::of(&self.name)))
            .child(text_element("name", &self.name))
            .child(text_element("value", &self.value))
    }
}

fn text_element(name: &'static str, value: &LitStr) -> Element {
    Element::of(name, verbatim(value), Place::of(value))
}

/// A setting as it stands, with its expressions.
fn verbatim(value: &LitStr) -> Text {
    Text::verbatim(value.value(), Place::of(value))
}
