//! The vocabulary of the tables: shapes of elements, rules of attributes, and the order of children.

use super::{Version, Versions};
use hpdlc_core::extension::ValueKind;

/// In which versions something exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VersionAvailability {
    /// The schemas define it.
    pub(crate) allowed: Versions,
    /// The schemas do not define it, but the executor supports it nevertheless, and so does the compiler, with a lint.
    pub(crate) tolerated: Versions,
}

impl VersionAvailability {
    const ALWAYS: VersionAvailability = VersionAvailability {
        allowed: Versions::ALL,
        tolerated: Versions::NONE,
    };

    /// Whether the compiler supports it in that version.
    pub(crate) fn is_supported(self, version: Version) -> bool {
        self.allowed.contain(version) || self.tolerated.contain(version)
    }
}

/// A complex type: the allowed content of an element.
#[derive(Debug)]
pub(crate) struct ElementShape {
    pub(crate) type_name: TypeName,
    pub(crate) attributes: &'static [AttributeRule],
    pub(crate) content: ContentModel,
}

/// The name of an element's type in the schemas, which `xsi:type` may repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeName {
    /// The element's name in capital letters.
    OfElement,
    Named(&'static str),
    /// A type of XML Schema itself, or one without a name.
    None,
}

#[derive(Debug)]
pub(crate) enum ContentModel {
    /// Elements in this order; none if the list is empty.
    Elements(&'static [ChildGroup]),
    Text(SimpleType),
}

impl ElementShape {
    pub(super) const fn elements(groups: &'static [ChildGroup]) -> ElementShape {
        ElementShape::with(&[], ContentModel::Elements(groups))
    }

    pub(crate) const fn text(value: SimpleType) -> ElementShape {
        ElementShape::with(&[], ContentModel::Text(value)).named(TypeName::None)
    }

    pub(super) const fn attributes(attributes: &'static [AttributeRule]) -> ElementShape {
        ElementShape::with(attributes, ContentModel::Elements(&[]))
    }

    pub(super) const fn with(
        attributes: &'static [AttributeRule],
        content: ContentModel,
    ) -> ElementShape {
        ElementShape {
            type_name: TypeName::OfElement,
            attributes,
            content,
        }
    }

    pub(super) const fn named(mut self, type_name: TypeName) -> ElementShape {
        self.type_name = type_name;
        self
    }

    pub(crate) fn groups(&self) -> &'static [ChildGroup] {
        match self.content {
            ContentModel::Elements(groups) => groups,
            ContentModel::Text(_) => &[],
        }
    }
}

/// The type of a text or an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SimpleType {
    /// `xs:string`.
    Any,
    /// `xs:string` that must not be empty.
    NotEmpty,
    /// `IDENTIFIER` of workflows, with the length that Oozie's parser allows.
    NodeName,
    /// `IDENTIFIER` of coordinators and bundles: no `_` at its start.
    DataName,
    /// The name of a Rust function, which may be a path. Only in hpdlc's own schema.
    FunctionName,
    /// `xs:boolean`.
    Boolean,
    /// `xs:short`.
    Short,
    /// `xs:unsignedInt`.
    UnsignedInt,
    /// A value of an action type of an extension, which may have expressions.
    Custom(ValueKind),
    /// `xs:string` that Oozie looks up among the retry policies after evaluation.
    RetryPolicy,
}

/// An attribute. If its type differs between versions, there is one rule for each type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeRule {
    pub(crate) name: &'static str,
    pub(crate) value: SimpleType,
    pub(crate) is_required: bool,
    pub(crate) availability: VersionAvailability,
}

pub(super) const fn required(name: &'static str, value: SimpleType) -> AttributeRule {
    AttributeRule {
        name,
        value,
        is_required: true,
        availability: VersionAvailability::ALWAYS,
    }
}

pub(super) const fn optional(name: &'static str, value: SimpleType) -> AttributeRule {
    AttributeRule {
        is_required: false,
        ..required(name, value)
    }
}

impl AttributeRule {
    pub(super) const fn allowed(mut self, versions: Versions) -> AttributeRule {
        self.availability.allowed = versions;
        self
    }

    pub(super) const fn tolerated(mut self, versions: Versions) -> AttributeRule {
        self.availability.tolerated = versions;
        self
    }
}

/// A place in the order of children: an alternative, or a choice of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildGroup {
    alternatives: Alternatives,
    /// The minimum number of elements if the place is filled.
    pub(crate) least: usize,
    /// The versions in which the place must be filled.
    pub(crate) required: Versions,
    /// The versions in which the place may be filled more than once.
    pub(crate) repeated: Versions,
}

#[derive(Clone, Copy, Debug)]
enum Alternatives {
    One(Alternative),
    Choice(&'static [Alternative]),
}

/// What can fill a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Alternative {
    Element(Member),
    /// Places with an order of their own.
    Sequence(&'static [ChildGroup]),
}

/// An element that is allowed at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) accepts: Accepts,
    pub(crate) shape: &'static ElementShape,
    /// It may occur more than once, but not together with the others of the choice.
    pub(crate) is_repeated: bool,
    pub(crate) availability: VersionAvailability,
}

/// Which elements a [`Member`] matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// The element of that name in the namespace of its parent.
    Named(&'static str),
    /// An action body of another namespace; also any other element in place of a body.
    Extension,
    /// An element of that namespace.
    Of(&'static str),
}

pub(super) const fn member(name: &'static str, shape: &'static ElementShape) -> Alternative {
    Alternative::of(Accepts::Named(name), shape)
}

impl Alternative {
    pub(super) const fn of(accepts: Accepts, shape: &'static ElementShape) -> Alternative {
        Alternative::Element(Member {
            accepts,
            shape,
            is_repeated: false,
            availability: VersionAvailability::ALWAYS,
        })
    }

    pub(super) const fn repeated(mut self) -> Alternative {
        if let Alternative::Element(member) = &mut self {
            member.is_repeated = true;
        }
        self
    }

    pub(super) const fn allowed(mut self, versions: Versions) -> Alternative {
        if let Alternative::Element(member) = &mut self {
            member.availability.allowed = versions;
        }
        self
    }

    pub(super) const fn tolerated(mut self, versions: Versions) -> Alternative {
        if let Alternative::Element(member) = &mut self {
            member.availability.tolerated = versions;
        }
        self
    }

    /// The members in it, at any depth, in the schema's order.
    pub(crate) fn members(&'static self) -> Vec<&'static Member> {
        let mut found = Vec::new();
        self.collect_members(&mut found);
        found
    }

    fn collect_members(&'static self, found: &mut Vec<&'static Member>) {
        match self {
            Alternative::Element(member) => found.push(member),
            Alternative::Sequence(groups) => {
                let alternatives = groups.iter().flat_map(ChildGroup::alternatives);
                alternatives.for_each(|alternative| alternative.collect_members(found));
            }
        }
    }
}

impl Member {
    pub(crate) fn name(&self) -> Option<&'static str> {
        match self.accepts {
            Accepts::Named(name) => Some(name),
            Accepts::Extension | Accepts::Of(_) => None,
        }
    }

    pub(crate) fn is_allowed(&self, version: Version) -> bool {
        self.availability.allowed.contain(version)
    }
}

pub(super) const fn one(name: &'static str, shape: &'static ElementShape) -> ChildGroup {
    ChildGroup::of(Alternatives::One(member(name, shape)))
}

pub(super) const fn many(name: &'static str, shape: &'static ElementShape) -> ChildGroup {
    one(name, shape).repeated(Versions::ALL)
}

pub(super) const fn choice(alternatives: &'static [Alternative]) -> ChildGroup {
    ChildGroup::of(Alternatives::Choice(alternatives))
}

impl ChildGroup {
    const fn of(alternatives: Alternatives) -> ChildGroup {
        ChildGroup {
            alternatives,
            least: 1,
            required: Versions::NONE,
            repeated: Versions::NONE,
        }
    }

    pub(crate) fn alternatives(&'static self) -> &'static [Alternative] {
        match &self.alternatives {
            Alternatives::One(alternative) => std::slice::from_ref(alternative),
            Alternatives::Choice(alternatives) => alternatives,
        }
    }

    /// The members that may fill it, at any depth, in the schema's order.
    pub(crate) fn members(&'static self) -> Vec<&'static Member> {
        let mut found = Vec::new();
        for alternative in self.alternatives() {
            alternative.collect_members(&mut found);
        }
        found
    }

    /// The members that an element at this place may start with, in the schema's order.
    pub(crate) fn first_members(&'static self) -> Vec<&'static Member> {
        let mut found = Vec::new();
        for alternative in self.alternatives() {
            match alternative {
                Alternative::Element(member) => found.push(member),
                Alternative::Sequence(groups) => {
                    found.extend(
                        groups
                            .first()
                            .into_iter()
                            .flat_map(ChildGroup::first_members),
                    );
                }
            }
        }
        found
    }

    /// Whether it is the place of an action's body.
    pub(crate) fn is_action_body(&'static self) -> bool {
        self.alternatives().iter().any(|alternative| {
            matches!(alternative, Alternative::Element(member) if member.accepts == Accepts::Extension)
        })
    }

    pub(super) const fn required(mut self, versions: Versions) -> ChildGroup {
        self.required = versions;
        self
    }

    pub(super) const fn repeated(mut self, versions: Versions) -> ChildGroup {
        self.repeated = versions;
        self
    }

    pub(super) const fn at_least(mut self, least: usize) -> ChildGroup {
        self.least = least;
        self
    }

    /// Restricts a place with one element; a choice has the versions at its members.
    pub(super) const fn allowed(mut self, versions: Versions) -> ChildGroup {
        self.alternatives = match self.alternatives {
            Alternatives::One(alternative) => Alternatives::One(alternative.allowed(versions)),
            choice @ Alternatives::Choice(_) => choice,
        };
        self
    }
}
