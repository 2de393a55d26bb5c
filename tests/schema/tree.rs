//! Documents for mutation: names and values as written, prefixes unresolved.

use quick_xml::{Reader, events::Event};

/// A part of a document.
#[derive(Clone, Debug)]
pub enum Node {
    Element(Element),
    /// Text, references, comments, CDATA sections and processing instructions, as written.
    Raw(String),
}

#[derive(Clone, Debug)]
pub struct Element {
    pub name: String,
    /// Including namespace declarations; values as written between double quotes.
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
}

impl Element {
    pub fn new(name: &str) -> Element {
        Element {
            name: name.to_owned(),
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Reads the root of a document.
    pub fn parse(text: &str) -> Element {
        let mut reader = Reader::from_str(text);
        let mut open = vec![Element::new("")];
        loop {
            let event = reader.read_event().expect("the document is well-formed");
            let raw = match event {
                Event::Eof => break,
                Event::Start(tag) => {
                    open.push(start(&tag));
                    continue;
                }
                Event::Empty(tag) => {
                    let element = start(&tag);
                    push(&mut open, Node::Element(element));
                    continue;
                }
                Event::End(_) => {
                    let element = open.pop().expect("a tag is open");
                    push(&mut open, Node::Element(element));
                    continue;
                }
                Event::Text(text) => text.into_inner().into_owned(),
                Event::CData(text) => format!("<![CDATA[{}]]>", text.into_inner()),
                Event::Comment(text) => format!("<!--{}-->", text.into_inner()),
                Event::GeneralRef(name) => format!("&{};", name.into_inner()),
                Event::PI(text) => format!("<?{}?>", text.into_inner()),
                Event::Decl(_) | Event::DocType(_) => continue,
            };
            push(&mut open, Node::Raw(raw));
        }
        let document = open.pop().expect("the document is around the root");
        let root = document.children.into_iter().find_map(Node::into_element);
        root.expect("a document has a root")
    }

    pub fn write(&self, text: &mut String) {
        text.push('<');
        text.push_str(&self.name);
        for (name, value) in &self.attributes {
            text.push_str(&format!(" {name}=\"{value}\""));
        }
        if self.children.is_empty() {
            text.push_str("/>");
            return;
        }
        text.push('>');
        for child in &self.children {
            match child {
                Node::Element(element) => element.write(text),
                Node::Raw(raw) => text.push_str(raw),
            }
        }
        text.push_str(&format!("</{}>", self.name));
    }

    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            Node::Raw(_) => None,
        })
    }

    /// The elements of that local name, whatever their prefix.
    pub fn named<'e>(&'e self, local: &'e str) -> impl Iterator<Item = &'e Element> {
        self.elements()
            .filter(move |element| element.local() == local)
    }

    pub fn local(&self) -> &str {
        self.name
            .rsplit_once(':')
            .map_or(&self.name, |(_, local)| local)
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        attributes
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn set(&mut self, name: &str, value: &str) {
        match self.attributes.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.attributes.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The indices of the elements among the children.
    pub fn places(&self) -> Vec<usize> {
        let is_element = |(_, node): &(usize, &Node)| matches!(node, Node::Element(_));
        let found = self.children.iter().enumerate().filter(is_element);
        found.map(|(at, _)| at).collect()
    }

    /// The number of elements, including itself.
    pub fn count(&self) -> usize {
        1 + self.elements().map(Element::count).sum::<usize>()
    }

    /// The `n`th element in the order of the document; 0 is the element itself.
    pub fn nth(&mut self, n: usize) -> &mut Element {
        let mut left = n;
        self.descend(&mut left)
            .expect("there are that many elements")
    }

    fn descend(&mut self, left: &mut usize) -> Option<&mut Element> {
        if *left == 0 {
            return Some(self);
        }
        *left -= 1;
        for child in &mut self.children {
            if let Node::Element(element) = child {
                let n_inside = element.count();
                if *left < n_inside {
                    return element.descend(left);
                }
                *left -= n_inside;
            }
        }
        None
    }
}

impl Node {
    fn into_element(self) -> Option<Element> {
        match self {
            Node::Element(element) => Some(element),
            Node::Raw(_) => None,
        }
    }
}

fn start(tag: &quick_xml::events::BytesStart<'_>) -> Element {
    let text = |bytes: &str| bytes.to_owned();
    Element {
        name: text(tag.name().as_ref()),
        attributes: tag
            .attributes()
            .map(|attribute| {
                let attribute = attribute.expect("the attribute is well-formed");
                let value = text(&attribute.value).replace('"', "&quot;");
                (text(attribute.key.as_ref()), value)
            })
            .collect(),
        children: Vec::new(),
    }
}

fn push(open: &mut [Element], node: Node) {
    open.last_mut()
        .expect("the document is around everything")
        .children
        .push(node);
}
