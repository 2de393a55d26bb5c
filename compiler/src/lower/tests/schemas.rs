//! The tables against the published schemas, which lie outside the repository.

#![expect(
    clippy::disallowed_methods,
    reason = "the schemas are in a folder that the environment may name"
)]

use std::{fs, path::Path};

use super::shared;
use crate::{
    diagnostics::Sink,
    lower::schema::{Accepts, Content, Extension, Group, Shape, Value, Version, WORKFLOW_APP},
    model::WorkflowVersion,
    source::FileId,
    syntax::xml::{self, Element, XmlDocument},
};

/// What both sides are written down as: one line an element, attributes before children.
type Lines = Vec<String>;

/// The table of `shape` as it is in `version`.
fn table(path: &str, shape: &Shape, version: Version, lines: &mut Lines) {
    let content = match shape.content {
        Content::Elements(_) => String::new(),
        Content::Text(value) => type_of(value).to_owned(),
        // Of a type that is not built: the schema's own is not compared.
        Content::Unchecked => return,
    };
    let mut attributes: Lines = shape
        .attributes
        .iter()
        .filter(|rule| rule.availability.allowed.contain(version))
        .map(|rule| attribute_line(rule.name, type_of(rule.value), rule.is_required))
        .collect();
    attributes.sort();
    lines.push(format!("{path}: {content} {attributes:?}"));
    for group in shape.groups() {
        let members: Vec<_> = group
            .members()
            .iter()
            .filter(|member| member.availability.allowed.contain(version))
            .collect();
        if members.is_empty() {
            continue;
        }
        let names: Lines = members
            .iter()
            .map(|member| member_line(accepts_line(member.accepts), member.is_repeated))
            .collect();
        lines.push(group_line(
            path,
            &names,
            least(group, version),
            group.repeated.contain(version),
        ));
        for member in members {
            if let Some(name) = member.name() {
                table(&format!("{path}/{name}"), member.shape, version, lines);
            }
        }
    }
}

fn least(group: &Group, version: Version) -> usize {
    match group.required.contain(version) {
        true => group.least,
        false => 0,
    }
}

fn accepts_line(accepts: Accepts) -> &'static str {
    match accepts {
        Accepts::Named(name) => name,
        Accepts::Extension => "(extension)",
        Accepts::Sla => "(sla)",
    }
}

fn type_of(value: Value) -> &'static str {
    match value {
        Value::Any | Value::NotEmpty | Value::Integer | Value::RetryPolicy => "string",
        Value::NodeName => "IDENTIFIER",
        Value::Boolean => "boolean",
        Value::Short => "short",
        Value::UnsignedInt => "unsignedInt",
    }
}

fn attribute_line(name: &str, kind: &str, is_required: bool) -> String {
    let required = if is_required { " required" } else { "" };
    format!("{name} {kind}{required}")
}

fn member_line(name: &str, is_repeated: bool) -> String {
    let repeated = if is_repeated { "+" } else { "" };
    format!("{name}{repeated}")
}

fn group_line(path: &str, names: &[String], least: usize, is_repeated: bool) -> String {
    let most = if is_repeated { "*" } else { "1" };
    format!("{path} > {} {least}..{most}", names.join("|"))
}

/// The complex types of one schema and of those that it includes.
struct Schema<'s> {
    roots: Vec<Element<'s>>,
    /// Types whose content the tables leave open.
    unchecked: Vec<&'static str>,
}

fn attribute<'e>(element: &Element<'e>, name: &str) -> Option<&'e str> {
    let value = element.attribute(name)?.value;
    Some(
        value
            .as_written()
            .expect("no value in the schemas is escaped"),
    )
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn lowest(element: &Element<'_>) -> usize {
    attribute(element, "minOccurs").map_or(1, |n| n.parse().expect("a number"))
}

fn is_unbounded(element: &Element<'_>) -> bool {
    attribute(element, "maxOccurs") == Some("unbounded")
}

impl<'s> Schema<'s> {
    fn complex_type(&self, name: &str) -> Option<Element<'s>> {
        self.roots
            .iter()
            .flat_map(|root| root.elements_named("complexType"))
            .find(|found| attribute(found, "name") == Some(name))
    }

    /// An `xs:element` with a type, or with a complex type inside.
    fn element(&self, path: &str, element: &Element<'s>, lines: &mut Lines) {
        let named = attribute(element, "type").map(local);
        if named.is_some_and(|name| self.unchecked.contains(&name)) {
            return;
        }
        let found = match named {
            Some(name) => self.complex_type(name),
            None => element.element("complexType"),
        };
        match found {
            Some(found) => self.content(path, &found, lines),
            None => {
                let kind = named.expect("a simple type has a name");
                lines.push(format!("{path}: {kind} []"));
            }
        }
    }

    fn content(&self, path: &str, complex_type: &Element<'s>, lines: &mut Lines) {
        let extension = complex_type
            .element("simpleContent")
            .and_then(|content| content.element("extension"));
        let holder = extension.unwrap_or(*complex_type);
        let content = extension
            .and_then(|extension| attribute(&extension, "base"))
            .map_or("", local);
        let mut attributes: Lines = holder
            .elements_named("attribute")
            .map(|rule| {
                attribute_line(
                    attribute(&rule, "name").expect("an attribute has a name"),
                    local(attribute(&rule, "type").expect("an attribute has a type")),
                    attribute(&rule, "use") == Some("required"),
                )
            })
            .collect();
        attributes.sort();
        lines.push(format!("{path}: {content} {attributes:?}"));
        for particle in holder.elements() {
            self.particle(path, &particle, false, lines);
        }
    }

    fn particle(&self, path: &str, particle: &Element<'s>, is_repeated: bool, lines: &mut Lines) {
        match particle.name.local {
            "sequence" => {
                for inner in particle.elements() {
                    self.particle(path, &inner, is_unbounded(particle), lines);
                }
            }
            "choice" => {
                let members: Vec<Element<'_>> = particle.elements().collect();
                let names: Lines = members
                    .iter()
                    .map(|member| member_line(self.member(member), is_unbounded(member)))
                    .collect();
                let lowest_member = members.iter().map(lowest).min();
                let least = lowest(particle).min(lowest_member.unwrap_or(0));
                lines.push(group_line(path, &names, least, is_unbounded(particle)));
                for member in members {
                    self.below(path, &member, lines);
                }
            }
            "element" | "any" => {
                // A repeated sequence may also be left out; none of the schemas asks for one.
                let least = if is_repeated { 0 } else { lowest(particle) };
                let names = [self.member(particle).to_owned()];
                let is_repeated = is_repeated || is_unbounded(particle);
                lines.push(group_line(path, &names, least, is_repeated));
                self.below(path, particle, lines);
            }
            _ => {}
        }
    }

    fn member<'e>(&self, particle: &Element<'e>) -> &'e str {
        match attribute(particle, "namespace") {
            Some("##other") => "(extension)",
            Some(_) => "(sla)",
            None => attribute(particle, "name").expect("an element has a name"),
        }
    }

    fn below(&self, path: &str, particle: &Element<'s>, lines: &mut Lines) {
        if let Some(name) = attribute(particle, "name") {
            self.element(&format!("{path}/{name}"), particle, lines);
        }
    }
}

fn parsed(text: &str) -> XmlDocument<'_> {
    xml::parse(FileId(0), text, &mut Sink::default()).expect("a schema is well-formed")
}

#[track_caller]
fn check(folder: &Path, file: &str, version: Version, shape: &Shape, complex_type: &str) {
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the schema can be read");
    let text = read(file);
    let common = read("oozie-common-1.0.xsd");
    let (document, common) = (parsed(&text), parsed(&common));
    let mut roots = vec![document.root()];
    if document.root().element("include").is_some() {
        roots.push(common.root());
    }
    let schema = Schema {
        roots,
        unchecked: vec!["MAP-REDUCE", "PIG", "SSH", "HTTP", "EMAIL"],
    };
    let mut published = Lines::new();
    let found = schema
        .complex_type(complex_type)
        .expect("the type is there");
    schema.content("", &found, &mut published);
    let mut ours = Lines::new();
    table("", shape, version, &mut ours);
    assert_eq!(ours.join("\n"), published.join("\n"), "{file}");
}

#[test]
fn tables_say_what_the_published_schemas_say() {
    let Some(folder) = shared("schemas") else {
        println!("skipped: there are no schemas; HPDL_SHARED can name their parent folder");
        return;
    };
    for workflow in WorkflowVersion::ALL {
        let written = workflow
            .namespace()
            .trim_start_matches("uri:oozie:workflow:");
        let version = Version::parse(written).expect("it is a version");
        let file = format!("oozie-workflow-{written}.xsd");
        check(&folder, &file, version, &WORKFLOW_APP, "WORKFLOW-APP");
    }
    let shell = Extension::of_element("shell").expect("shell is known");
    for version in shell.versions {
        let file = format!("shell-action-{version}.xsd");
        let shape = shell.shape.expect("shell is built");
        check(&folder, &file, *version, shape, "ACTION");
    }
}

/// The files of the folder are the versions that the table lists.
#[test]
fn every_published_extension_is_known() {
    let Some(folder) = shared("schemas") else {
        println!("skipped: there are no schemas; HPDL_SHARED can name their parent folder");
        return;
    };
    let mut published: Lines = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").file_name())
        .filter_map(|name| name.to_str()?.strip_suffix(".xsd").map(str::to_owned))
        .filter(|name| name.contains("-action-"))
        .collect();
    let mut ours: Lines = crate::lower::schema::EXTENSIONS
        .iter()
        .flat_map(|extension| extension.namespaces())
        .map(|namespace| namespace.replace("uri:oozie:", "").replace(':', "-"))
        .collect();
    published.sort();
    ours.sort();
    assert_eq!(ours, published);
}
