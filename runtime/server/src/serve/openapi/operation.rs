//! What an operation of the API is described by.

use std::borrow::Cow;

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::serve::{place::Place, query::Version};

/// A type that is written as JSON.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) name: fn() -> Cow<'static, str>,
    pub(super) schema: fn() -> RefOr<Schema>,
    /// Adds the types that its schema refers to.
    pub(super) parts: fn(&mut Vec<(String, RefOr<Schema>)>),
}

/// The shape of a type.
pub(super) const fn shape<T: ToSchema>() -> Shape {
    Shape {
        name: <T as ToSchema>::name,
        schema: <T as PartialSchema>::schema,
        parts: <T as ToSchema>::schemas,
    }
}

/// The content of a body.
#[derive(Clone, Copy)]
pub(super) enum Content {
    /// `application/json`, one of these.
    Json(&'static [Shape]),
    /// A list of whole numbers as `application/json`.
    Numbers,
    /// A line of `application/x-ndjson` each.
    Lines(Shape),
    /// A text of this type.
    Text(&'static str),
    /// Bytes of this type.
    Bytes(&'static str),
}

/// A body that a request has.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) text: &'static str,
    pub(super) is_required: bool,
    pub(super) contents: &'static [Content],
}

/// A Hadoop configuration.
pub(super) const CONFIGURATION: Body = Body {
    text: "A Hadoop configuration: `<configuration><property><name>N</name><value>V</value></property></configuration>`.",
    is_required: true,
    contents: &[Content::Text("application/xml")],
};

/// An answer that is no failure.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) text: &'static str,
    /// Without any, there is no body.
    pub(super) contents: &'static [Content],
}

/// How failures are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failures {
    /// As Oozie does.
    Oozie,
    /// As Oozie does, and 404 is one of them.
    OozieOrMissing,
    /// As the API of 2009 does.
    Hws,
    /// None but those that are among the answers.
    Nothing,
}

/// The values of a parameter.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    /// A text of this form.
    Pattern(&'static str),
    Integer,
    /// A number from this on.
    From(i64),
    /// `true` in any case; anything else is no.
    Flag,
    /// One of these, each since a version.
    OneOf(&'static [(&'static str, Version)]),
    /// Texts, each as a parameter of its own.
    Texts,
}

/// A parameter of a query or a path.
#[derive(Clone, Copy)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
    pub(super) is_in_path: bool,
    /// Former versions ignore it.
    pub(super) since: Version,
}

impl Parameter {
    pub(super) const fn new(name: &'static str, kind: Kind, text: &'static str) -> Parameter {
        Parameter {
            name,
            text,
            kind,
            is_required: false,
            is_in_path: false,
            since: Version::V0,
        }
    }

    /// A part of the path.
    pub(super) const fn of_path(name: &'static str, text: &'static str) -> Parameter {
        Parameter {
            is_required: true,
            is_in_path: true,
            ..Parameter::new(name, Kind::Text, text)
        }
    }

    pub(super) const fn required(self) -> Parameter {
        Parameter {
            is_required: true,
            ..self
        }
    }

    pub(super) const fn since(self, since: Version) -> Parameter {
        Parameter { since, ..self }
    }
}

/// The methods that operations have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Put,
    Delete,
}

/// A method of a path.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) method: Method,
    pub(super) place: Place,
    pub(super) path: &'static str,
    /// Unique; the version is appended.
    pub(super) id: &'static str,
    pub(super) text: &'static str,
    pub(super) parameters: &'static [Parameter],
    pub(super) body: Option<Body>,
    pub(super) answers: &'static [Answer],
    pub(super) failures: Failures,
    /// Whether nobody is asked who calls.
    pub(super) is_open: bool,
}

impl Operation {
    /// What gives `contents` with 200.
    pub(super) const fn get(
        place: Place,
        path: &'static str,
        id: &'static str,
        text: &'static str,
        answers: &'static [Answer],
    ) -> Operation {
        Operation {
            method: Method::Get,
            place,
            path,
            id,
            text,
            parameters: &[],
            body: None,
            answers,
            failures: Failures::Oozie,
            is_open: false,
        }
    }

    pub(super) const fn put(
        place: Place,
        path: &'static str,
        id: &'static str,
        text: &'static str,
        answers: &'static [Answer],
    ) -> Operation {
        Operation {
            method: Method::Put,
            ..Operation::get(place, path, id, text, answers)
        }
    }

    pub(super) const fn post(
        place: Place,
        path: &'static str,
        id: &'static str,
        text: &'static str,
        answers: &'static [Answer],
    ) -> Operation {
        Operation {
            method: Method::Post,
            ..Operation::get(place, path, id, text, answers)
        }
    }

    pub(super) const fn with(self, parameters: &'static [Parameter]) -> Operation {
        Operation { parameters, ..self }
    }

    pub(super) const fn body(self, body: Body) -> Operation {
        Operation {
            body: Some(body),
            ..self
        }
    }

    pub(super) const fn fails(self, failures: Failures) -> Operation {
        Operation { failures, ..self }
    }

    pub(super) const fn open(self) -> Operation {
        Operation {
            is_open: true,
            ..self
        }
    }
}

/// 200 with a body.
pub(super) const fn ok(text: &'static str, contents: &'static [Content]) -> Answer {
    Answer {
        status: 200,
        text,
        contents,
    }
}
