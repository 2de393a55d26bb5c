//! The tables compared with the published schemas, which are outside the repository.

#![expect(
    clippy::disallowed_methods,
    reason = "the schemas are in a folder that the environment may name"
)]

use std::{fs, path::Path};

use hpdlc_tests::shared;

use crate::{
    diagnostics::Sink,
    lower::schema::{
        Accepts, Alternative, ChildGroup, ContentModel, EXTENSIONS, ElementShape, SimpleType,
        TypeName, Version, Vocabulary,
    },
    source::FileId,
    syntax::xml::{self, Element, XmlDocument},
};

/// The common text form of both sides: one line per element, attributes before children.
type SchemaOutline = Vec<String>;

/// The table of `shape` in `version`. Recursive shapes are listed once.
fn table(
    path: &str,
    name: &str,
    shape: &'static ElementShape,
    version: Version,
    outer: &mut Vec<&'static ElementShape>,
    lines: &mut SchemaOutline,
) {
    let content = match shape.content {
        ContentModel::Elements(_) => "",
        ContentModel::Text(value) => type_of(value),
    };
    let type_name = match shape.type_name {
        TypeName::OfElement => name.to_ascii_uppercase(),
        TypeName::Named(name) => name.to_owned(),
        TypeName::None => String::new(),
    };
    let mut attributes: SchemaOutline = shape
        .attributes
        .iter()
        .filter(|rule| rule.availability.allowed.contain(version))
        .map(|rule| attribute_line(rule.name, type_of(rule.value), rule.is_required))
        .collect();
    attributes.sort();
    lines.push(format!("{path}: {type_name} {content} {attributes:?}"));
    if outer.iter().any(|other| std::ptr::eq(*other, shape)) {
        return;
    }
    outer.push(shape);
    for group in shape.groups() {
        places(path, group, version, outer, lines);
    }
    outer.pop();
}

fn places(
    path: &str,
    group: &'static ChildGroup,
    version: Version,
    outer: &mut Vec<&'static ElementShape>,
    lines: &mut SchemaOutline,
) {
    let names: SchemaOutline = group
        .alternatives()
        .iter()
        .filter_map(|alternative| match alternative {
            Alternative::Element(member) => member
                .is_allowed(version)
                .then(|| member_line(accepts_line(member.accepts), member.is_repeated)),
            Alternative::Sequence(_) => Some("(sequence)".to_owned()),
        })
        .collect();
    if names.is_empty() {
        return;
    }
    lines.push(group_line(
        path,
        &names,
        least(group, version),
        group.repeated.contain(version),
    ));
    for alternative in group.alternatives() {
        match alternative {
            Alternative::Element(member) => {
                if let Some(name) = member.name().filter(|_| member.is_allowed(version)) {
                    let path = format!("{path}/{name}");
                    table(&path, name, member.shape, version, outer, lines);
                }
            }
            Alternative::Sequence(groups) => {
                for group in *groups {
                    places(path, group, version, outer, lines);
                }
            }
        }
    }
}

/// The minimum number, where the place may be empty but needs more than one element if it is not.
fn least(group: &ChildGroup, version: Version) -> usize {
    match group.required.contain(version) || group.least > 1 {
        true => group.least,
        false => 0,
    }
}

fn accepts_line(accepts: Accepts) -> &'static str {
    match accepts {
        Accepts::Named(name) => name,
        Accepts::Extension => "##other",
        Accepts::Of(namespace) => namespace,
    }
}

fn type_of(value: SimpleType) -> &'static str {
    match value {
        SimpleType::Any
        | SimpleType::NotEmpty
        | SimpleType::RetryPolicy
        | SimpleType::Custom(_) => "string",
        SimpleType::NodeName | SimpleType::DataName | SimpleType::FunctionName => "IDENTIFIER",
        SimpleType::Boolean => "boolean",
        SimpleType::Short => "short",
        SimpleType::UnsignedInt => "unsignedInt",
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
    // A choice of one is no choice.
    let (names, is_repeated) = match names {
        [only] if only.ends_with('+') => (only.trim_end_matches('+').to_owned(), true),
        names => (names.join("|"), is_repeated),
    };
    let most = if is_repeated { "*" } else { "1" };
    format!("{path} > {names} {least}..{most}")
}

/// The complex types of one schema and of those that it includes.
struct Schema<'s> {
    roots: Vec<Element<'s>>,
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
    fn element(
        &self,
        path: &str,
        element: &Element<'s>,
        outer: &mut Vec<&'s str>,
        lines: &mut SchemaOutline,
    ) {
        let named = attribute(element, "type").map(local);
        let found = match named {
            Some(name) => self.complex_type(name),
            None => element.element("complexType"),
        };
        match found {
            Some(found) => self.content(path, &found, outer, lines),
            None => {
                let kind = named.expect("a simple type has a name");
                lines.push(format!("{path}:  {kind} []"));
            }
        }
    }

    fn content(
        &self,
        path: &str,
        complex_type: &Element<'s>,
        outer: &mut Vec<&'s str>,
        lines: &mut SchemaOutline,
    ) {
        let extension = complex_type
            .element("simpleContent")
            .and_then(|content| content.element("extension"));
        let holder = extension.unwrap_or(*complex_type);
        let content = extension
            .and_then(|extension| attribute(&extension, "base"))
            .map_or("", local);
        let mut attributes: SchemaOutline = holder
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
        let name = attribute(complex_type, "name").unwrap_or_default();
        lines.push(format!("{path}: {name} {content} {attributes:?}"));
        if !name.is_empty() && outer.contains(&name) {
            return;
        }
        outer.push(name);
        for particle in holder.elements() {
            self.particle(path, &particle, false, outer, lines);
        }
        outer.pop();
    }

    fn particle(
        &self,
        path: &str,
        particle: &Element<'s>,
        is_repeated: bool,
        outer: &mut Vec<&'s str>,
        lines: &mut SchemaOutline,
    ) {
        match particle.name.local {
            "sequence" => {
                for inner in particle.elements() {
                    self.particle(path, &inner, is_unbounded(particle), outer, lines);
                }
            }
            "choice" => {
                let members: Vec<Element<'_>> = particle.elements().collect();
                let is_repeated = is_unbounded(particle);
                let names: SchemaOutline = members
                    .iter()
                    .flat_map(|member| {
                        // Repeating what is repeated changes nothing.
                        let is_member_repeated = is_unbounded(member) && !is_repeated;
                        let names = self.member(member).split(' ');
                        names.map(move |name| member_line(name, is_member_repeated))
                    })
                    .collect();
                let lowest_member = members.iter().map(lowest).min();
                let least = match lowest_member {
                    Some(several) if several > 1 => several,
                    one => lowest(particle).min(one.unwrap_or(0)),
                };
                lines.push(group_line(path, &names, least, is_repeated));
                for member in members {
                    match member.name.local {
                        "sequence" => self.particle(path, &member, false, outer, lines),
                        _ => self.below(path, &member, outer, lines),
                    }
                }
            }
            "element" | "any" => {
                // A repeated sequence may also be omitted; none of the schemas requires one.
                let least = if is_repeated { 0 } else { lowest(particle) };
                let names: SchemaOutline = self
                    .member(particle)
                    .split(' ')
                    .map(str::to_owned)
                    .collect();
                let is_repeated = is_repeated || is_unbounded(particle);
                lines.push(group_line(path, &names, least, is_repeated));
                self.below(path, particle, outer, lines);
            }
            _ => {}
        }
    }

    /// What is allowed there: the name of an element, or namespaces separated by blanks.
    fn member<'e>(&self, particle: &Element<'e>) -> &'e str {
        match particle.name.local {
            "sequence" => "(sequence)",
            "any" => attribute(particle, "namespace").expect("it names some"),
            _ => attribute(particle, "name").expect("an element has a name"),
        }
    }

    fn below(
        &self,
        path: &str,
        particle: &Element<'s>,
        outer: &mut Vec<&'s str>,
        lines: &mut SchemaOutline,
    ) {
        if let Some(name) = attribute(particle, "name") {
            self.element(&format!("{path}/{name}"), particle, outer, lines);
        }
    }
}

fn parsed(text: &str) -> XmlDocument<'_> {
    xml::parse(FileId(0), text, &mut Sink::default()).expect("a schema is well-formed")
}

/// Compares everything that one schema declares.
#[track_caller]
fn check(folder: &Path, file: &str, version: Version, vocabulary: &'static Vocabulary) {
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the schema can be read");
    let text = read(file);
    let common = read("oozie-common-1.0.xsd");
    let (document, common) = (parsed(&text), parsed(&common));
    let mut roots = vec![document.root()];
    if document.root().element("include").is_some() {
        roots.push(common.root());
    }
    let schema = Schema { roots };
    let mut published = SchemaOutline::new();
    let mut ours = SchemaOutline::new();
    for element in document.root().elements_named("element") {
        let name = attribute(&element, "name").expect("it has a name");
        schema.element(name, &element, &mut Vec::new(), &mut published);
        match vocabulary.global(name, version) {
            Some(shape) => table(name, name, shape, version, &mut Vec::new(), &mut ours),
            None => ours.push(format!("{name} is unknown")),
        }
    }
    for (ours, published) in ours.iter().zip(&published) {
        assert_eq!(ours, published, "{file}");
    }
    assert_eq!(ours.len(), published.len(), "{file}");
}

#[test]
fn tables_say_what_the_published_schemas_say() {
    let Some(folder) = shared("schemas") else {
        println!("skipped: there are no schemas; HPDL_SHARED can name their parent folder");
        return;
    };
    // The others are hpdlc's own.
    let published = |it: &&Vocabulary| it.prefix.starts_with("uri:oozie:");
    for vocabulary in Vocabulary::all().filter(published) {
        for namespace in vocabulary.namespaces() {
            let version = vocabulary
                .version(&namespace)
                .expect("it is one of its own");
            let name = namespace.trim_start_matches("uri:oozie:").replace(':', "-");
            let file = match name.contains("-action-") {
                true => format!("{name}.xsd"),
                false => format!("oozie-{name}.xsd"),
            };
            check(&folder, &file, version, vocabulary);
        }
    }
}

/// The files of the folder are the versions that the table lists.
#[test]
fn every_published_extension_is_known() {
    let Some(folder) = shared("schemas") else {
        println!("skipped: there are no schemas; HPDL_SHARED can name their parent folder");
        return;
    };
    let mut published: SchemaOutline = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").file_name())
        .filter_map(|name| name.to_str()?.strip_suffix(".xsd").map(str::to_owned))
        .filter(|name| name.contains("-action-"))
        .collect();
    let mut ours: SchemaOutline = EXTENSIONS
        .iter()
        // The others are hpdlc's own.
        .filter(|extension| extension.prefix.starts_with("uri:oozie:"))
        .flat_map(|extension| extension.namespaces())
        .map(|namespace| namespace.replace("uri:oozie:", "").replace(':', "-"))
        .collect();
    published.sort();
    ours.sort();
    assert_eq!(ours, published);
}
