//! Bundles written in Rust: a function whose body names the coordinators that it starts, and their parameters.

mod shadow;

use proc_macro2::{Ident, TokenStream};
use syn::{
    Block, Expr, ExprMethodCall, ExprStruct, ItemFn, Lit, LitStr, Path, Stmt, parse::Parser,
};

use crate::rust::{
    Document, Shadow,
    attributes::{Arguments, WITHOUT_MEANING},
    coordinator::{section, written},
    document::{Element, Text},
    params::{PassedField, app_path, spelled},
    place::{Mistake, Place},
    reader::{Kind, Reader},
    signature::Parameter,
    tokens::{is_named, is_named_path, without_raw},
    value::Value,
};

const FORM: &str = "the body of a bundle is what it starts: `Bundle::new().start(\"nightly\", nightly::Params { start: &start })`, with `.start_if(enabled, \"...\", ...)` for one that is not always started";
const SETTINGS: &str =
    "a bundle is written `#[bundle]`, with the settings `kick_off`, `name` and `config`";

/// A bundle as it was read.
pub struct Bundle {
    /// The function.
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    /// A file of default properties, below the package.
    pub config: Option<LitStr>,
    /// The coordinators that it starts, each once.
    pub coordinators: Vec<BundledCoordinator>,
    /// What rustc checks in place of the function.
    pub shadow: Shadow,
    /// `None` if there are mistakes, of which some may be rustc's to report.
    pub document: Option<Document>,
    pub mistakes: Vec<Mistake>,
}

/// A coordinator of a bundle.
pub struct BundledCoordinator {
    /// Its module.
    pub path: Path,
    /// Its `app-path`, which no other has.
    pub app_path: String,
    /// What it is given.
    pub passed: Vec<PassedField>,
}

/// The settings of the attribute.
#[derive(Default)]
struct Settings {
    kick_off: Option<Element>,
    name: Option<Text>,
    config: Option<LitStr>,
}

/// Reads the function below `#[bundle(arguments)]`.
pub fn read_bundle(arguments: TokenStream, item: &ItemFn) -> Bundle {
    let mut reader = Reader::default();
    reader.kind = Kind::Bundle;
    reader.scopes.enter();
    reader.check_bundle(item);
    let (parameters, declared) = reader.parameters(&item.sig.inputs);
    let settings = reader.settings_of_bundle(arguments.clone());
    let mut coordinators = Vec::new();
    let started = reader.started(&item.block, &parameters, &mut coordinators);
    let is_sound = reader.mistakes.is_empty() && !reader.is_left_to_rustc;
    let document = is_sound.then(|| {
        let name = settings.name.unwrap_or_else(|| {
            let name = without_raw(&item.sig.ident).replace('_', "-");
            Text::literal(name, Some(Place::of(&item.sig.ident)))
        });
        let mut root = Element::new("bundle-app", None)
            .attribute("name", name)
            .attribute("xmlns", Text::literal("uri:oozie:bundle:0.2", None));
        root.children.extend(declared);
        root.children.extend(section("controls", settings.kick_off));
        root.children.extend(started);
        written(&root, Place::of(&item.sig))
    });
    Bundle {
        name: item.sig.ident.clone(),
        parameters,
        config: settings.config,
        shadow: shadow::shadow(arguments, item, &coordinators, is_sound),
        coordinators,
        document,
        mistakes: reader.mistakes,
    }
}

/// The calls on `Bundle::new()` in a body, in order.
fn calls(body: &Block) -> Option<Vec<&ExprMethodCall>> {
    let [Stmt::Expr(expr, None)] = &body.stmts[..] else {
        return None;
    };
    let mut expr = expr;
    let mut calls = Vec::new();
    while let Expr::MethodCall(call) = expr {
        calls.push(call);
        expr = &call.receiver;
    }
    calls.reverse();
    match expr {
        Expr::Call(new) if is_named(&new.func, "new") && !calls.is_empty() => Some(calls),
        _ => None,
    }
}

/// The module that the type of a literal is in.
fn module_of(literal: &ExprStruct) -> Option<Path> {
    if literal.path.segments.len() < 2 || !is_named_path(&literal.path, "Params") {
        return None;
    }
    let mut path = literal.path.clone();
    path.segments.pop();
    path.segments.pop_punct();
    Some(path)
}

/// A path for a coordinator that no other has.
fn free_path(path: &Path, taken: &[BundledCoordinator]) -> String {
    let wanted = app_path(path);
    let mut free = wanted.clone();
    let mut n = 2;
    while taken.iter().any(|it| it.app_path == free) {
        free = format!("{wanted}-{n}");
        n += 1;
    }
    free
}

impl Reader {
    fn check_bundle(&mut self, item: &ItemFn) {
        if let Some(asyncness) = &item.sig.asyncness {
            self.mistake(
                Place::of(asyncness),
                "a bundle runs no actions: it is a function without `async`",
            );
        }
        self.check_generics(item);
        if matches!(item.sig.output, syn::ReturnType::Default) {
            self.mistake(
                Place::of(&item.sig),
                "a bundle gives what it starts: `fn reports(...) -> Bundle`",
            );
        }
        for attribute in &item.attrs {
            let path = attribute.path();
            let has_meaning = !WITHOUT_MEANING.iter().any(|known| path.is_ident(known));
            if has_meaning && path.segments.len() == 1 {
                self.mistake(
                    Place::of(path),
                    "a bundle is no function in the program, so this has no effect",
                );
            }
        }
    }

    fn settings_of_bundle(&mut self, arguments: TokenStream) -> Settings {
        let mut found = Settings::default();
        let arguments = match Arguments::parse_terminated.parse2(arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                self.mistake(Place::at(error.span()), SETTINGS);
                return found;
            }
        };
        let mut settings = self.settings_among(&arguments, SETTINGS);
        if let Some(value) = settings.take("kick_off") {
            let text = self.text_of_attribute(value);
            let element = |text| Element::of("kick-off-time", text, Place::of(value));
            found.kick_off = text.map(element);
        }
        if let Some(value) = settings.take("name") {
            found.name = self.text_of_attribute(value);
        }
        match settings.take("config") {
            Some(Expr::Lit(literal)) if let Lit::Str(path) = &literal.lit => {
                found.config = Some(path.clone());
            }
            Some(other) => self.mistake(
                Place::of(other),
                "this is the path of a file below the package: `config = \"defaults.xml\"`",
            ),
            None => {}
        }
        self.refuse_others(settings, SETTINGS);
        found
    }

    /// The elements of the coordinators.
    fn started(
        &mut self,
        body: &Block,
        parameters: &[Parameter],
        coordinators: &mut Vec<BundledCoordinator>,
    ) -> Vec<Element> {
        let Some(calls) = calls(body) else {
            let place = match (body.stmts.first(), body.stmts.last()) {
                (Some(first), Some(last)) => Place::of(first).to(Place::of(last)),
                _ => Place::of(body),
            };
            // Without anything, its result is missing too, and that is said.
            if !body.stmts.is_empty() || self.mistakes.is_empty() {
                self.mistake_of_rustc(place, FORM);
            }
            return Vec::new();
        };
        let mut elements = Vec::new();
        for call in calls {
            elements.extend(self.started_by(call, parameters, coordinators));
        }
        elements
    }

    fn started_by(
        &mut self,
        call: &ExprMethodCall,
        parameters: &[Parameter],
        coordinators: &mut Vec<BundledCoordinator>,
    ) -> Option<Element> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let (condition, name, given) = match (call.method.to_string().as_str(), &arguments[..]) {
            ("start", [name, given]) => (None, *name, *given),
            ("start_if", [condition, name, given]) => (Some(*condition), *name, *given),
            // rustc knows the methods.
            _ => return self.left_to_rustc(),
        };
        let literal = match given {
            Expr::Struct(literal) => module_of(literal).map(|path| (literal, path)),
            _ => None,
        };
        let Some((literal, path)) = literal else {
            self.mistake(
                Place::of(given),
                "a coordinator is started with its parameters, which name it: `nightly::Params { start: &start }`",
            );
            return None;
        };
        if let Some(Expr::Lit(literal)) = condition
            && !matches!(literal.lit, Lit::Bool(_))
        {
            self.mistake_of_rustc(
                Place::of(literal),
                "this says whether the coordinator is started: it is a `bool`, an argument or a comparison",
            );
            return None;
        }
        let name = self.value(name).map(Value::into_text);
        let enabled = condition.map(|condition| self.value(condition).map(Value::into_text));
        let (passed, properties) = self.passed_by(literal, parameters);
        let known = coordinators
            .iter_mut()
            .find(|known| spelled(&known.path) == spelled(&path));
        let app_path = match known {
            Some(known) => {
                known.passed.extend(passed);
                known.app_path.clone()
            }
            None => {
                let app_path = free_path(&path, coordinators);
                coordinators.push(BundledCoordinator {
                    path: path.clone(),
                    app_path: app_path.clone(),
                    passed,
                });
                app_path
            }
        };
        let place = Place::at(call.method.span()).to(Place::of(given));
        let path_place = Place::of(&path);
        let mut element = Element::new("coordinator", Some(place)).attribute("name", name?);
        if let Some(enabled) = enabled {
            element = element.attribute("enabled", enabled?);
        }
        let text = Text::literal(app_path, Some(path_place));
        let mut element = element.child(Element::of("app-path", text, path_place));
        let configuration = section("configuration", properties);
        element.children.extend(configuration);
        Some(element)
    }
}

#[cfg(test)]
mod tests;
