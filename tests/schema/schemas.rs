//! Valid documents generated from the published schemas: every declaration occurs in some of them.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{
    random::Random,
    tree::{Element, Node},
};

/// A schema with what it includes.
struct Schema {
    namespace: String,
    types: BTreeMap<String, Element>,
    globals: Vec<(String, String)>,
}

/// All published schemas.
pub struct Schemas(Vec<Schema>);

/// How deep recursive elements may be nested.
const DEEPEST: usize = 7;

impl Schemas {
    pub fn read(folder: &Path) -> Schemas {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("the schemas can be listed")
            .map(|entry| entry.expect("the folder can be read").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".xsd"))
            .collect();
        names.sort();
        let read = |name: &str| {
            Element::parse(&fs::read_to_string(folder.join(name)).expect("the schema is readable"))
        };
        let schemas = names.iter().filter_map(|name| {
            let root = read(name);
            let namespace = root.attribute("targetNamespace")?.to_owned();
            let included = root.named("include").map(|include| {
                read(
                    include
                        .attribute("schemaLocation")
                        .expect("it names a file"),
                )
            });
            let mut types = BTreeMap::new();
            for root in included.chain([root.clone()]) {
                for kind in root.named("complexType") {
                    let name = kind.attribute("name").expect("it has a name");
                    types.insert(name.to_owned(), kind.clone());
                }
            }
            let globals = root.named("element").map(|element| {
                let [name, kind] = ["name", "type"].map(|name| {
                    local(element.attribute(name).expect("it has a name and a type")).to_owned()
                });
                (name, kind)
            });
            Some(Schema {
                namespace,
                globals: globals.collect(),
                types,
            })
        });
        Schemas(schemas.collect())
    }

    pub fn namespaces(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|schema| schema.namespace.clone())
            .collect()
    }

    /// The names of elements and attributes, without duplicates.
    pub fn names(&self) -> Vec<String> {
        fn collect(element: &Element, found: &mut Vec<String>) {
            if matches!(element.local(), "element" | "attribute")
                && let Some(name) = element.attribute("name")
            {
                found.push(name.to_owned());
            }
            element.elements().for_each(|inner| collect(inner, found));
        }
        let mut found = Vec::new();
        for schema in &self.0 {
            found.extend(schema.globals.iter().map(|(name, _)| name.clone()));
            schema
                .types
                .values()
                .for_each(|kind| collect(kind, &mut found));
        }
        found.sort();
        found.dedup();
        found
    }

    /// Valid documents for each element that a schema declares globally, more for schemas with more types; the
    /// first is as full as possible.
    pub fn documents(&self, random: &mut Random) -> Vec<Element> {
        let mut documents = Vec::new();
        for schema in &self.0 {
            for (index, (name, kind)) in schema.globals.iter().enumerate() {
                let n_documents = match index {
                    0 => 6 * schema.types.len(),
                    _ => 6,
                };
                for n in 0..n_documents {
                    documents.push(self.global(schema, name, kind, n == 0, 0, random));
                }
            }
        }
        documents
    }

    /// An element of any schema, valid by itself.
    pub fn any(&self, random: &mut Random) -> Element {
        let schema = random.of(&self.0);
        let (name, kind) = random.of(&schema.globals);
        self.global(schema, name, kind, false, 0, random)
    }

    fn global(
        &self,
        schema: &Schema,
        name: &str,
        kind: &str,
        is_full: bool,
        depth: usize,
        random: &mut Random,
    ) -> Element {
        let mut element = Element::new(name);
        element.set("xmlns", &schema.namespace);
        self.fill(
            &mut element,
            &schema.types[kind],
            schema,
            is_full,
            depth,
            random,
        );
        element
    }

    fn fill(
        &self,
        element: &mut Element,
        kind: &Element,
        schema: &Schema,
        is_full: bool,
        depth: usize,
        random: &mut Random,
    ) {
        let extension = kind
            .named("simpleContent")
            .flat_map(|content| content.named("extension"))
            .next();
        for attribute in extension.unwrap_or(kind).named("attribute") {
            let is_required = attribute.attribute("use") == Some("required");
            if is_required || is_full || random.once_in(3) {
                let name = attribute
                    .attribute("name")
                    .expect("an attribute has a name");
                let kind = local(attribute.attribute("type").expect("and a type"));
                element.set(name, value(kind, random));
            }
        }
        match extension {
            Some(_) => element.children.push(Node::Raw("text".to_owned())),
            None => {
                for particle in kind.elements() {
                    self.particle(element, particle, schema, is_full, depth, random);
                }
            }
        }
    }

    fn particle(
        &self,
        parent: &mut Element,
        particle: &Element,
        schema: &Schema,
        is_full: bool,
        depth: usize,
        random: &mut Random,
    ) {
        let least = occurrences(particle, "minOccurs");
        let most = occurrences(particle, "maxOccurs").min(least + if depth < 2 { 3 } else { 1 });
        let n = match (depth > DEEPEST, is_full) {
            (true, _) => least,
            (false, true) => most,
            // Mutants of small documents are closest to the limit of validity.
            (false, false) if random.once_in(3) => least,
            (false, false) => least + random.below(most - least + 1),
        };
        let parts: Vec<&Element> = particle.elements().collect();
        for _ in 0..n {
            match particle.local() {
                "sequence" => {
                    for part in &parts {
                        self.particle(parent, part, schema, is_full, depth, random);
                    }
                }
                "choice" => {
                    let part = random.of(&parts);
                    self.particle(parent, part, schema, is_full, depth, random);
                }
                "element" => {
                    let mut element =
                        Element::new(particle.attribute("name").expect("an element has a name"));
                    let named = particle.attribute("type").map(local);
                    let kind = named.and_then(|name| schema.types.get(name));
                    match (kind.or_else(|| particle.named("complexType").next()), named) {
                        (Some(kind), _) => {
                            self.fill(&mut element, kind, schema, is_full, depth + 1, random);
                        }
                        (None, Some("unsignedInt")) => {
                            element.children.push(Node::Raw("512".to_owned()));
                        }
                        (None, _) => {
                            if !random.once_in(4) {
                                element.children.push(Node::Raw("text".to_owned()));
                            }
                        }
                    }
                    parent.children.push(Node::Element(element));
                }
                "any" => {
                    let allowed = particle.attribute("namespace").expect("it names some");
                    let is_allowed = |other: &&Schema| match allowed {
                        "##other" => other.namespace != schema.namespace,
                        allowed => allowed.split(' ').any(|name| name == other.namespace),
                    };
                    let others: Vec<&Schema> = self.0.iter().filter(is_allowed).collect();
                    let other = random.of(&others);
                    let (name, kind) = random.of(&other.globals);
                    let inner = self.global(other, name, kind, is_full, depth + 4, random);
                    parent.children.push(Node::Element(inner));
                }
                // Attributes have been written already.
                _ => {}
            }
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn occurrences(particle: &Element, name: &str) -> usize {
    match particle.attribute(name) {
        Some("unbounded") => usize::MAX,
        Some(number) => number.parse().expect("it is a number"),
        None => 1,
    }
}

fn value(kind: &str, random: &mut Random) -> &'static str {
    match kind {
        "IDENTIFIER" => random.word(&["a", "node-1", "b_c"]),
        "boolean" => random.word(&["true", "0"]),
        "short" => random.word(&["3", "-1"]),
        _ => random.word(&["", "text", "${a}"]),
    }
}
