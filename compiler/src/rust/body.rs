//! The body of an action, as far as it has been read, and the elements that methods add to it.

use syn::ExprMethodCall;

use crate::rust::{
    builders::{Builder, Part, Writes},
    document::{Element, Text},
    outlines::DataType,
    place::Place,
    reader::Reader,
};

/// An action as far as it has been read.
pub(super) struct Draft {
    pub(super) builder: Option<&'static Builder>,
    pub(super) body: Element,
    pub(super) attributes: Vec<(&'static str, Text)>,
    pub(super) properties: Vec<(Text, Text, Place)>,
    pub(super) sla: Option<Element>,
    pub(super) name: Option<(String, Place)>,
    pub(super) default_name: String,
    /// Whether it gives data.
    pub(super) has_data: bool,
    /// The type of the data, if it is known.
    pub(super) data_type: Option<DataType>,
    /// The methods of the node that were called.
    methods: Vec<&'static str>,
    /// Whether the last element that was added is an operation on files.
    is_behind_operation: bool,
}

/// What a node has once.
const METHODS: &[&str] = &[
    "capture",
    "credentials",
    "named",
    "on_lost",
    "retry",
    "retry_policy",
    "sla",
    "timeout",
];

impl Draft {
    pub(super) fn new(
        builder: Option<&'static Builder>,
        body: Element,
        default_name: String,
    ) -> Draft {
        Draft {
            builder,
            body,
            attributes: Vec::new(),
            methods: Vec::new(),
            properties: Vec::new(),
            sla: None,
            name: None,
            default_name,
            has_data: builder.is_none(),
            data_type: None,
            is_behind_operation: false,
        }
    }

    /// Records a method of the node; whether it was called before.
    pub(super) fn is_called_again(&mut self, method: &str) -> bool {
        let Some(known) = METHODS.iter().find(|known| **known == method) else {
            return false;
        };
        let is_again = self.methods.contains(known);
        self.methods.push(known);
        is_again
    }

    pub(super) fn can_be_configured(&self) -> bool {
        let builder = self.builder;
        builder.is_none_or(|builder| builder.has("configuration"))
    }

    /// The elements of the body, or of the element `parent` in it, which is made if it is not there.
    fn children(&mut self, parent: Option<&'static str>, place: Place) -> &mut Vec<Element> {
        let children = &mut self.body.children;
        let Some(parent) = parent else {
            return children;
        };
        let at = children.iter().position(|child| child.name == parent);
        let at = at.unwrap_or_else(|| {
            children.push(Element::new(parent, Some(place)));
            children.len() - 1
        });
        &mut children[at].children
    }

    /// The body, its elements in the order of the schema.
    pub(super) fn finished(mut self) -> Element {
        if let Some((_, _, first)) = self.properties.first() {
            let mut configuration = Element::new("configuration", Some(*first));
            for (name, value, place) in self.properties {
                let property = Element::new("property", Some(place))
                    .child(Element::of("name", name, place))
                    .child(Element::of("value", value, place));
                configuration.children.push(property);
            }
            self.body.children.push(configuration);
        }
        if let Some(builder) = self.builder {
            let children = &mut self.body.children;
            let place = |parent: Option<&str>, child: &Element| {
                builder.place_of(parent, child.name).unwrap_or(usize::MAX)
            };
            children.sort_by_key(|child| place(None, child));
            // What `prepare` does, it does in the order of the calls.
            for child in children.iter_mut().filter(|it| it.name != "prepare") {
                let parent = Some(child.name);
                child.children.sort_by_key(|child| place(parent, child));
            }
        }
        self.body
    }
}

impl Reader {
    /// A method that writes an element of the body.
    pub(super) fn element_of(
        &mut self,
        draft: &mut Draft,
        call: &ExprMethodCall,
        place: Place,
    ) -> Option<()> {
        let (parent, writes) = match draft.builder.map(|builder| builder.method(&call.method)) {
            Some(Some(method)) => (method.parent, &method.writes),
            None if call.method == "property" => (None, &Writes::Property),
            // rustc knows the methods and their arguments.
            Some(None) | None => return self.left_to_rustc(),
        };
        if call.args.len() != writes.n_arguments() {
            return self.left_to_rustc();
        }
        if let Writes::Part(part, operations) = writes {
            return self.part_of_operation(draft, call, parent, *part, operations);
        }
        let mut texts = Vec::new();
        for argument in &call.args {
            texts.push(self.value(argument)?.into_text());
        }
        draft.is_behind_operation = matches!(writes, Writes::Operation(..));
        let mut texts = texts.into_iter();
        let element = match (writes, texts.next(), texts.next()) {
            (Writes::Property, Some(name), Some(value)) => {
                draft.properties.push((name, value, place));
                return Some(());
            }
            (Writes::Text(name), Some(text), None) => Element::of(name, text, place),
            (Writes::Flag(name), None, None) => Element::new(name, Some(place)),
            (Writes::Pair(element), Some(mut name), Some(value)) => {
                name.push_literal("=", None);
                name.append(value);
                Element::of(element, name, place)
            }
            (Writes::Named(known), Some(name), Some(value)) => {
                let name = name.as_literal();
                let Some(name) = known.iter().find(|it| name.as_deref() == Some(**it)) else {
                    self.mistake(
                        place,
                        &format!("a {} has {}", call.method, known.join(", ")),
                    );
                    return None;
                };
                Element::of(name, value, place)
            }
            (Writes::Operation(name, attributes), first, second) => {
                let values = first.into_iter().chain(second);
                let mut operation = Element::new(name, Some(place));
                for (attribute, value) in attributes.iter().zip(values) {
                    operation = operation.attribute(attribute, value);
                }
                operation
            }
            _ => return self.left_to_rustc(),
        };
        draft.children(parent, place).push(element);
        Some(())
    }

    /// A method that completes the operation before it.
    fn part_of_operation(
        &mut self,
        draft: &mut Draft,
        call: &ExprMethodCall,
        parent: Option<&'static str>,
        part: Part,
        operations: &[&'static str],
    ) -> Option<()> {
        let place = Place::at(call.method.span());
        let value = match call.args.first() {
            Some(value) => self.value(value)?.into_text(),
            None => Text::literal("true", Some(place)),
        };
        let is_behind = draft.is_behind_operation;
        let before = draft.children(parent, place).last_mut();
        let Some(operation) = before.filter(|it| is_behind && operations.contains(&it.name)) else {
            let operations: Vec<String> = operations.iter().map(|it| format!("`{it}`")).collect();
            self.mistake(
                place,
                &format!(
                    "`{}` is written directly behind the {} that it is for",
                    call.method,
                    operations.join(" or ")
                ),
            );
            return None;
        };
        let is_there = match part {
            Part::Attribute(name) | Part::Yes(name) => {
                operation.attributes.iter().any(|(it, _)| *it == name)
            }
            Part::Flag(name) => operation.children.iter().any(|it| it.name == name),
        };
        if is_there {
            self.mistake(place, "this is said twice");
            return None;
        }
        match part {
            Part::Attribute(name) | Part::Yes(name) => operation.attributes.push((name, value)),
            Part::Flag(name) => operation.children.push(Element::new(name, Some(place))),
        }
        Some(())
    }
}
