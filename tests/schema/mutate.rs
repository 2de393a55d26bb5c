//! Mutations of a document that make it invalid, or only look so.

use crate::{
    random::Random,
    schemas::Schemas,
    tree::{Element, Node},
};

/// The inputs of mutations.
pub struct Mutator {
    pub schemas: Schemas,
    namespaces: Vec<String>,
    names: Vec<String>,
}

const VALUES: [&str; 44] = [
    "",
    " ",
    "a",
    "_a",
    "-a",
    "1a",
    "a.b",
    "a b",
    " a",
    "a ",
    "a-1_",
    "é",
    "a&#9;b",
    "&lt;",
    "${a}",
    "${wf:id()}",
    "true",
    "false",
    "TRUE",
    "1",
    "0",
    " true ",
    "&#10;false",
    "tr ue",
    "yes",
    "3",
    "+3",
    "-3",
    " 3 ",
    "03",
    "-0",
    "+0",
    "3.0",
    "1e2",
    "32767",
    "32768",
    "-32768",
    "-32769",
    "65536",
    "4294967295",
    "4294967296",
    "99999999999999999999",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "A:B",
];

const RAW: [&str; 15] = [
    " ",
    "\n  ",
    "text",
    "&#32;",
    "&#65;",
    "&amp;",
    "<!-- text -->",
    "<?name text?>",
    "<![CDATA[]]>",
    "<![CDATA[ ]]>",
    "<![CDATA[text]]>",
    "<!-- <![CDATA[ --> ",
    " <!-- ]]> -->",
    "7",
    "<!-- --> 7",
];

const TYPES: [&str; 24] = [
    "xs:string",
    "xs:token",
    "xs:normalizedString",
    "xs:int",
    "xs:language",
    "xs:NMTOKEN",
    "xs:NCName",
    "xs:Name",
    "xs:unsignedInt",
    "xs:unsignedShort",
    "xs:unsignedByte",
    "xs:anyType",
    "x:y",
    "",
    "IDENTIFIER",
    "CASE",
    "HTTP-POST",
    "FLAG",
    "CONFIGURATION",
    "ACTION",
    "PREPARE",
    "LAUNCHER",
    "DELETE",
    "WORKFLOW-APP",
];

const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";
const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";

impl Mutator {
    pub fn new(schemas: Schemas) -> Mutator {
        Mutator {
            namespaces: schemas.namespaces(),
            names: schemas.names(),
            schemas,
        }
    }

    /// Changes a document in one way; returns which.
    pub fn mutate(&self, root: &mut Element, random: &mut Random) -> &'static str {
        let n_elements = root.count();
        let at = random.below(n_elements);
        match random.below(20) {
            0 => drop_child(root.nth(at), random),
            1 => repeat_child(root.nth(at), random),
            2 => move_child(root.nth(at), random),
            3 => self.rename(root.nth(at), random),
            4 => self.rename_attribute(root.nth(at), random),
            5 | 6 => set_value(root, at, random),
            7 | 8 => self.other_version(root, random),
            9 => self.namespace(root.nth(at), random),
            10 => self.prefix(root, at, random),
            11 => set_text(root, at, random),
            12 => add_raw(root.nth(at), random),
            13 => self.add_element(root.nth(at), random),
            14 => move_between(root, random),
            15 => self.add_attribute(root.nth(at), random),
            16 => self.instance_attribute(root.nth(at), random),
            17 => self.replace(root.nth(at), random),
            18 => copy_between(root, random),
            _ => root_of_part(root, at),
        }
    }

    fn rename(&self, element: &mut Element, random: &mut Random) -> &'static str {
        let local = match random.below(4) {
            0 => format!("{}s", element.local()),
            1 => element.local().to_uppercase(),
            _ => random.of(&self.names).clone(),
        };
        let prefix = element.name.rsplit_once(':').map(|(prefix, _)| prefix);
        element.name = match prefix {
            Some(prefix) => format!("{prefix}:{local}"),
            None => local,
        };
        "rename an element"
    }

    fn rename_attribute(&self, element: &mut Element, random: &mut Random) -> &'static str {
        let n_attributes = element.attributes.len();
        if n_attributes == 0 {
            return "nothing";
        }
        let at = random.below(n_attributes);
        if element.attributes[at].0.starts_with("xmlns") || random.once_in(3) {
            element.attributes.remove(at);
            return "drop an attribute";
        }
        let name = random.of(&self.names).clone();
        if element.attribute(&name).is_none() {
            element.attributes[at].0 = name;
        }
        "rename an attribute"
    }

    fn add_attribute(&self, element: &mut Element, random: &mut Random) -> &'static str {
        let name = match random.below(6) {
            0 => "xml:lang",
            1 => "xml:space",
            _ => random.of(&self.names).as_str(),
        };
        let value = match name {
            "xml:space" => "preserve",
            _ => text(random),
        };
        element.set(name, value);
        "add an attribute"
    }

    /// Changes the version of a namespace, wherever it is declared.
    fn other_version(&self, root: &mut Element, random: &mut Random) -> &'static str {
        let mut declarations = Vec::new();
        for n in 0..root.count() {
            let names = root.nth(n).attributes.iter().map(|(name, _)| name.clone());
            let own = names.filter(|name| name.starts_with("xmlns"));
            declarations.extend(own.map(|name| (n, name)));
        }
        if declarations.is_empty() {
            return "nothing";
        }
        let (n, name) = random.of(&declarations);
        let element = root.nth(*n);
        let old = element.attribute(name).expect("it was found there");
        let prefix = old.rsplit_once(':').map_or(old, |(prefix, _)| prefix);
        let related: Vec<&String> = self
            .namespaces
            .iter()
            .filter(|namespace| {
                namespace
                    .rsplit_once(':')
                    .is_some_and(|(other, _)| other == prefix)
            })
            .collect();
        if related.is_empty() || random.once_in(10) {
            let other = format!(
                "{prefix}:{}",
                random.word(&["0.6", "0.10", "1.1", "0.1.0", ""])
            );
            element.set(name, &other);
        } else {
            let other = random.of(&related).to_string();
            element.set(name, &other);
        }
        "change the version of a namespace"
    }

    fn any_namespace<'m>(&'m self, random: &mut Random) -> &'m str {
        match random.below(8) {
            0 => "",
            1 => "uri:other",
            _ => random.of(&self.namespaces).as_str(),
        }
    }

    fn namespace(&self, element: &mut Element, random: &mut Random) -> &'static str {
        let namespace = self.any_namespace(random);
        element.set("xmlns", namespace);
        "change a namespace"
    }

    /// Gives an element, and sometimes everything below it, a prefix: for its namespace, or for another.
    fn prefix(&self, root: &mut Element, at: usize, random: &mut Random) -> &'static str {
        fn qualify(element: &mut Element, is_deep: bool) {
            element.name = format!("p:{}", element.local());
            if is_deep {
                for child in &mut element.children {
                    if let Node::Element(inner) = child {
                        qualify(
                            inner,
                            !inner.attributes.iter().any(|(name, _)| name == "xmlns"),
                        );
                    }
                }
            }
        }
        let around = root.attribute("xmlns").unwrap_or_default().to_owned();
        let element = root.nth(at);
        let own = element.attribute("xmlns").map_or(around, str::to_owned);
        let namespace = match random.below(4) {
            0 => self.any_namespace(random).to_owned(),
            _ => own,
        };
        if namespace.is_empty() {
            return "nothing";
        }
        element.set("xmlns:p", &namespace);
        qualify(element, random.once_in(2));
        "write with a prefix"
    }

    fn instance_attribute(&self, element: &mut Element, random: &mut Random) -> &'static str {
        element.set("xmlns:xsi", SCHEMA_INSTANCE);
        match random.below(6) {
            0 => element.set("xsi:schemaLocation", text(random)),
            1 => element.set("xsi:noNamespaceSchemaLocation", text(random)),
            2 => element.set("xsi:nil", random.word(&["true", "false", "x"])),
            3 => element.set("xsi:other", "x"),
            _ => {
                element.set("xmlns:xs", XML_SCHEMA);
                let mut name = random.word(&TYPES).to_owned();
                if random.once_in(2) {
                    name = element.local().to_uppercase();
                }
                if random.once_in(4) {
                    let namespace = random.of(&self.namespaces).clone();
                    element.set("xmlns:t", &namespace);
                    name = format!("t:{name}");
                }
                element.set("xsi:type", &name);
            }
        }
        "add an attribute of XML Schema"
    }

    fn add_element(&self, element: &mut Element, random: &mut Random) -> &'static str {
        let new = match random.below(4) {
            0 => self.schemas.any(random),
            1 => {
                let mut new = Element::new(random.of(&self.names).as_str());
                new.set("xmlns", self.any_namespace(random));
                new
            }
            _ => Element::new(random.of(&self.names).as_str()),
        };
        let at = random.below(element.children.len() + 1);
        element.children.insert(at, Node::Element(new));
        "add an element"
    }

    fn replace(&self, element: &mut Element, random: &mut Random) -> &'static str {
        let places = element.places();
        if places.is_empty() {
            return "nothing";
        }
        let at = *random.of(&places);
        element.children[at] = Node::Element(self.schemas.any(random));
        "put a valid element in place of another"
    }
}

fn text(random: &mut Random) -> &'static str {
    random.word(&VALUES)
}

fn drop_child(element: &mut Element, random: &mut Random) -> &'static str {
    let places = element.places();
    if places.is_empty() {
        return "nothing";
    }
    element.children.remove(*random.of(&places));
    "drop an element"
}

fn repeat_child(element: &mut Element, random: &mut Random) -> &'static str {
    let places = element.places();
    if places.is_empty() {
        return "nothing";
    }
    let at = *random.of(&places);
    let copy = element.children[at].clone();
    let to = match random.below(3) {
        0 => random.below(element.children.len() + 1),
        _ => at,
    };
    element.children.insert(to, copy);
    "repeat an element"
}

fn move_child(element: &mut Element, random: &mut Random) -> &'static str {
    let places = element.places();
    if places.len() < 2 {
        return "nothing";
    }
    let (one, other) = (*random.of(&places), *random.of(&places));
    element.children.swap(one, other);
    "swap elements"
}

fn set_value(root: &mut Element, at: usize, random: &mut Random) -> &'static str {
    // The first element with an attribute, from a random index on.
    let n_elements = root.count();
    for n in 0..n_elements {
        let element = root.nth((at + n) % n_elements);
        let mut own: Vec<&mut (String, String)> = element
            .attributes
            .iter_mut()
            .filter(|(name, _)| !name.starts_with("xmlns"))
            .collect();
        if !own.is_empty() {
            let chosen = random.below(own.len());
            text(random).clone_into(&mut own[chosen].1);
            return "change a value";
        }
    }
    "nothing"
}

fn set_text(root: &mut Element, at: usize, random: &mut Random) -> &'static str {
    let n_elements = root.count();
    for n in 0..n_elements {
        let element = root.nth((at + n) % n_elements);
        if element.places().is_empty() {
            element.children = vec![Node::Raw(text(random).to_owned())];
            return "change a text";
        }
    }
    "nothing"
}

fn add_raw(element: &mut Element, random: &mut Random) -> &'static str {
    let at = random.below(element.children.len() + 1);
    let raw = Node::Raw(random.word(&RAW).to_owned());
    element.children.insert(at, raw);
    "add text"
}

/// Every document that differs from this one by one element or attribute less, or one element more.
pub fn neighbors(root: &Element) -> Vec<Element> {
    let mut found = Vec::new();
    let mut original = root.clone();
    for n in 0..root.count() {
        let element = original.nth(n).clone();
        let mut change = |change: &dyn Fn(&mut Element)| {
            let mut changed = root.clone();
            change(changed.nth(n));
            found.push(changed);
        };
        for at in 0..element.attributes.len() {
            change(&|element| drop(element.attributes.remove(at)));
        }
        let places = element.places();
        for (index, &at) in places.iter().enumerate() {
            change(&|element| drop(element.children.remove(at)));
            change(&|element| element.children.insert(at, element.children[at].clone()));
            if let Some(&next) = places.get(index + 1) {
                change(&|element| element.children.swap(at, next));
            }
        }
    }
    found
}

/// Removes a random element, or copies it.
fn taken(root: &mut Element, is_copy: bool, random: &mut Random) -> Option<Node> {
    let n_elements = root.count();
    let parent = root.nth(random.below(n_elements));
    let places = parent.places();
    if places.is_empty() {
        return None;
    }
    let at = *random.of(&places);
    Some(if is_copy {
        parent.children[at].clone()
    } else {
        parent.children.remove(at)
    })
}

fn put(root: &mut Element, node: Node, random: &mut Random) {
    let n_elements = root.count();
    let parent = root.nth(random.below(n_elements));
    let at = random.below(parent.children.len() + 1);
    parent.children.insert(at, node);
}

fn move_between(root: &mut Element, random: &mut Random) -> &'static str {
    match taken(root, false, random) {
        Some(node) => {
            put(root, node, random);
            "move an element to another parent"
        }
        None => "nothing",
    }
}

fn copy_between(root: &mut Element, random: &mut Random) -> &'static str {
    match taken(root, true, random) {
        Some(node) => {
            put(root, node, random);
            "copy an element to another parent"
        }
        None => "nothing",
    }
}

/// Makes a part of the document its root, in the same namespaces.
fn root_of_part(root: &mut Element, at: usize) -> &'static str {
    let declared: Vec<(String, String)> = root
        .attributes
        .iter()
        .filter(|(name, _)| name.starts_with("xmlns"))
        .cloned()
        .collect();
    let mut part = root.nth(at).clone();
    for (name, value) in declared {
        if part.attribute(&name).is_none() {
            part.set(&name, &value);
        }
    }
    *root = part;
    "take a part for the whole"
}
