//! What the published schemas allow, as data: one [`Shape`] for each complex type, for all versions of its namespace.
//!
//! A shape says which attributes and children an element has, in which order, how often, and in which versions. The reader
//! of these tables is [`check`](super::check). The tables are of the schemas alone; what the content means is for the
//! rest of the room. A new action type is one more [`Extension`] with its shapes.

use std::fmt;

mod extensions;
mod workflow;

pub(crate) use self::{
    extensions::{EXTENSIONS, Extension, SLA_PREFIX},
    workflow::{ACTION, CONFIGURATION, WORKFLOW_APP, WORKFLOW_PREFIX},
};

/// The version at the end of a namespace, such as 0.4.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u8, u8, u8);

impl Version {
    pub(crate) const fn new(major: u8, minor: u8) -> Version {
        Version(major, minor, 0)
    }

    /// The version that is written as `text` exactly.
    pub(crate) fn parse(text: &str) -> Option<Version> {
        let part = |part: &str| {
            let is_plain = part.len() == 1 || !part.starts_with(['0', '+']);
            part.parse().ok().filter(|_| is_plain)
        };
        let (major, rest) = text.split_once('.')?;
        let (minor, patch) = match rest.split_once('.') {
            Some((_, "0")) => return None,
            Some((minor, patch)) => (minor, part(patch)?),
            None => (rest, 0),
        };
        Some(Version(part(major)?, part(minor)?, patch))
    }

    pub(crate) const fn patch(major: u8, minor: u8, patch: u8) -> Version {
        Version(major, minor, patch)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Version(major, minor, patch) = self;
        write!(f, "{major}.{minor}")?;
        match patch {
            0 => Ok(()),
            _ => write!(f, ".{patch}"),
        }
    }
}

/// A run of versions, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Versions {
    pub(crate) first: Version,
    pub(crate) last: Version,
}

impl Versions {
    pub(crate) const ALL: Versions = Versions {
        first: Version(0, 0, 0),
        last: Version(u8::MAX, u8::MAX, u8::MAX),
    };
    /// Contains no version.
    pub(crate) const NONE: Versions = Versions {
        first: Versions::ALL.last,
        last: Versions::ALL.first,
    };

    pub(crate) const fn since(first: Version) -> Versions {
        Versions {
            first,
            last: Versions::ALL.last,
        }
    }

    pub(crate) const fn until(last: Version) -> Versions {
        Versions {
            first: Versions::ALL.first,
            last,
        }
    }

    pub(crate) const fn only(version: Version) -> Versions {
        Versions {
            first: version,
            last: version,
        }
    }

    pub(crate) fn contain(self, version: Version) -> bool {
        self.first <= version && version <= self.last
    }

    /// The versions in words, for namespaces that start with `prefix`: "since `uri:oozie:workflow:0.4`".
    pub(crate) fn describe(self, prefix: &str) -> String {
        let Versions { first, last } = self;
        if first == last {
            format!("only in `{prefix}{first}`")
        } else if last == Versions::ALL.last {
            format!("since `{prefix}{first}`")
        } else if first == Versions::ALL.first {
            format!("up to `{prefix}{last}`")
        } else {
            format!("from `{prefix}{first}` to `{prefix}{last}`")
        }
    }
}

/// In which versions something exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Availability {
    /// The schemas have it.
    pub(crate) allowed: Versions,
    /// The schemas do not have it, the executor honors it all the same, and so does the compiler, with a lint.
    pub(crate) tolerated: Versions,
}

impl Availability {
    const ALWAYS: Availability = Availability {
        allowed: Versions::ALL,
        tolerated: Versions::NONE,
    };
}

/// A complex type: what an element may hold.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) attributes: &'static [AttributeRule],
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    /// Elements in this order; none at all where the list is empty.
    Elements(&'static [Group]),
    Text(Value),
    /// Of an action type that is not built yet: not looked at.
    Unchecked,
}

impl Shape {
    pub(crate) const fn elements(groups: &'static [Group]) -> Shape {
        Shape {
            attributes: &[],
            content: Content::Elements(groups),
        }
    }

    const fn text(value: Value) -> Shape {
        Shape {
            attributes: &[],
            content: Content::Text(value),
        }
    }

    const fn attributes(attributes: &'static [AttributeRule]) -> Shape {
        Shape {
            attributes,
            content: Content::Elements(&[]),
        }
    }

    const fn with(attributes: &'static [AttributeRule], content: Content) -> Shape {
        Shape {
            attributes,
            content,
        }
    }

    pub(crate) fn groups(&self) -> &'static [Group] {
        match self.content {
            Content::Elements(groups) => groups,
            Content::Text(_) | Content::Unchecked => &[],
        }
    }
}

/// What a text or an attribute's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// `xs:string`.
    Any,
    /// `xs:string` that must not be empty.
    NotEmpty,
    /// `IDENTIFIER`, with the length that Oozie's parser allows.
    NodeName,
    /// `xs:boolean`.
    Boolean,
    /// `xs:short`.
    Short,
    /// `xs:unsignedInt`.
    UnsignedInt,
    /// `xs:string` that Oozie reads as a Java `int` after evaluation.
    Integer,
    /// `xs:string` that Oozie looks up among the retry policies after evaluation.
    RetryPolicy,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeRule {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    pub(crate) is_required: bool,
    pub(crate) availability: Availability,
}

const fn required(name: &'static str, value: Value) -> AttributeRule {
    AttributeRule {
        name,
        value,
        is_required: true,
        availability: Availability::ALWAYS,
    }
}

const fn optional(name: &'static str, value: Value) -> AttributeRule {
    AttributeRule {
        is_required: false,
        ..required(name, value)
    }
}

impl AttributeRule {
    const fn allowed(mut self, versions: Versions) -> AttributeRule {
        self.availability.allowed = versions;
        self
    }

    const fn tolerated(mut self, versions: Versions) -> AttributeRule {
        self.availability.tolerated = versions;
        self
    }
}

/// A place in the order of children: one element, or one of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    members: Members,
    /// How many there must be in the versions of `required`.
    pub(crate) least: usize,
    pub(crate) required: Versions,
    /// The versions in which the place may be filled more than once.
    pub(crate) repeated: Versions,
}

#[derive(Clone, Copy, Debug)]
enum Members {
    One(Member),
    Choice(&'static [Member]),
}

/// An element that may stand at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) accepts: Accepts,
    pub(crate) shape: &'static Shape,
    /// It may stand there more than once, though not beside the others of the choice.
    pub(crate) is_repeated: bool,
    pub(crate) availability: Availability,
}

/// Which elements a [`Member`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// The element of that name in the namespace of its parent.
    Named(&'static str),
    /// An action body of another namespace; also whatever else stands where a body should.
    Extension,
    /// Any element of an SLA namespace.
    Sla,
}

const fn member(name: &'static str, shape: &'static Shape) -> Member {
    Member {
        accepts: Accepts::Named(name),
        shape,
        is_repeated: false,
        availability: Availability::ALWAYS,
    }
}

impl Member {
    pub(crate) fn name(&self) -> Option<&'static str> {
        match self.accepts {
            Accepts::Named(name) => Some(name),
            Accepts::Extension | Accepts::Sla => None,
        }
    }

    const fn repeated(mut self) -> Member {
        self.is_repeated = true;
        self
    }

    const fn allowed(mut self, versions: Versions) -> Member {
        self.availability.allowed = versions;
        self
    }

    const fn tolerated(mut self, versions: Versions) -> Member {
        self.availability.tolerated = versions;
        self
    }
}

const fn one(name: &'static str, shape: &'static Shape) -> Group {
    Group::of(Members::One(member(name, shape)))
}

const fn many(name: &'static str, shape: &'static Shape) -> Group {
    one(name, shape).repeated(Versions::ALL)
}

const fn choice(members: &'static [Member]) -> Group {
    Group::of(Members::Choice(members))
}

impl Group {
    const fn of(members: Members) -> Group {
        Group {
            members,
            least: 1,
            required: Versions::NONE,
            repeated: Versions::NONE,
        }
    }

    pub(crate) fn members(&self) -> &[Member] {
        match &self.members {
            Members::One(member) => std::slice::from_ref(member),
            Members::Choice(members) => members,
        }
    }

    /// Whether it is the place of an action's body.
    pub(crate) fn is_action_body(&self) -> bool {
        self.members()
            .iter()
            .any(|member| member.accepts == Accepts::Extension)
    }

    const fn required(mut self, versions: Versions) -> Group {
        self.required = versions;
        self
    }

    const fn repeated(mut self, versions: Versions) -> Group {
        self.repeated = versions;
        self
    }

    const fn at_least(mut self, least: usize) -> Group {
        self.least = least;
        self
    }

    /// Limits a place that holds one element; a choice has the versions at its members.
    const fn allowed(mut self, versions: Versions) -> Group {
        self.members = match self.members {
            Members::One(member) => Members::One(member.allowed(versions)),
            choice @ Members::Choice(_) => choice,
        };
        self
    }
}

/// The names of the elements that may hold an element called `local`, sorted; empty where no schema knows the name.
pub(crate) fn parents_of(local: &str) -> Vec<&'static str> {
    fn collect(
        parent: &'static str,
        shape: &'static Shape,
        local: &str,
        found: &mut Vec<&'static str>,
    ) {
        for member in shape.groups().iter().flat_map(Group::members) {
            let Some(name) = member.name() else { continue };
            if name == local {
                found.push(parent);
            }
            collect(name, member.shape, local, found);
        }
    }
    let mut found = Vec::new();
    collect("workflow-app", &WORKFLOW_APP, local, &mut found);
    for extension in EXTENSIONS {
        if let Some(shape) = extension.shape {
            collect(extension.element, shape, local, &mut found);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_written_in_one_way() {
        for text in ["0.1", "0.2.5", "1.0", "0.10"] {
            let version = Version::parse(text).expect("it is a version");
            assert_eq!(version.to_string(), text);
        }
        for text in [
            "", "1", "0.01", "1.0.0", "0.+1", "0.1 ", "0.1.2.3", "0.256", "00.1",
        ] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn ranges_of_versions_contain_their_ends() {
        let version = Version::new(0, 4);
        for (versions, expected) in [
            (Versions::ALL, [true, true, true]),
            (Versions::NONE, [false, false, false]),
            (Versions::since(version), [false, true, true]),
            (Versions::until(version), [true, true, false]),
            (Versions::only(version), [false, true, false]),
        ] {
            let tried = [Version::new(0, 3), version, Version::patch(0, 4, 5)];
            assert_eq!(
                tried.map(|version| versions.contain(version)),
                expected,
                "{versions:?}"
            );
        }
    }

    #[test]
    fn no_shape_has_a_name_at_two_places() {
        fn check(name: &str, shape: &Shape) {
            let members: Vec<&Member> = shape.groups().iter().flat_map(Group::members).collect();
            let names: Vec<&str> = members.iter().filter_map(|member| member.name()).collect();
            let once: std::collections::BTreeSet<&str> = names.iter().copied().collect();
            assert_eq!(once.len(), names.len(), "in {name}: {names:?}");
            for member in members {
                check(member.name().unwrap_or(name), member.shape);
            }
        }
        check("workflow-app", &WORKFLOW_APP);
        for extension in EXTENSIONS {
            if let Some(shape) = extension.shape {
                check(extension.element, shape);
            }
        }
    }

    #[test]
    fn parents_are_found_in_all_schemas() {
        assert_eq!(parents_of("case"), ["switch"]);
        assert_eq!(parents_of("launcher"), ["global", "java", "shell"]);
        assert_eq!(parents_of("nothing"), Vec::<&str>::new());
    }
}
