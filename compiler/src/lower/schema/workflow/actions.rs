//! The other action types of the workflow's own schema.

use super::{V0_2, V0_3, V0_4, V0_5};
use crate::lower::schema::{
    ElementShape, SimpleType, TypeName, Versions, choice, many, member, one,
    parts::{CLUSTER, CONFIGURATION, CORE_PREPARE, FLAG, LAUNCHER, TEXT, text_with},
    required,
};

pub(super) static MAP_REDUCE: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(V0_3)),
    one("name-node", &TEXT).required(Versions::until(V0_3)),
    one("prepare", &CORE_PREPARE),
    choice(&[member("streaming", &STREAMING), member("pipes", &PIPES)]),
    LAUNCHER,
    many("job-xml", &TEXT).repeated(Versions::since(V0_4)),
    one("configuration", &CONFIGURATION),
    one("config-class", &TEXT).allowed(Versions::since(V0_5)),
    many("file", &TEXT),
    many("archive", &TEXT),
]);

static STREAMING: ElementShape = ElementShape::elements(&[
    one("mapper", &TEXT),
    one("reducer", &TEXT),
    one("record-reader", &TEXT),
    many("record-reader-mapping", &TEXT),
    many("env", &TEXT),
]);

static PIPES: ElementShape = ElementShape::elements(&[
    one("map", &TEXT),
    one("reduce", &TEXT),
    one("inputformat", &TEXT),
    one("partitioner", &TEXT),
    one("writer", &TEXT),
    one("program", &TEXT),
]);

pub(super) static PIG: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(V0_3)),
    one("name-node", &TEXT).required(Versions::until(V0_3)),
    one("prepare", &CORE_PREPARE),
    LAUNCHER,
    many("job-xml", &TEXT).repeated(Versions::since(V0_4)),
    one("configuration", &CONFIGURATION),
    one("script", &TEXT).required(Versions::ALL),
    many("param", &TEXT),
    many("argument", &TEXT).allowed(Versions::since(V0_2)),
    many("file", &TEXT),
    many("archive", &TEXT),
]);

pub(super) static JAVA: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(V0_3)),
    one("name-node", &TEXT).required(Versions::until(V0_3)),
    one("prepare", &CORE_PREPARE),
    LAUNCHER,
    many("job-xml", &TEXT).repeated(Versions::since(V0_4)),
    one("configuration", &CONFIGURATION),
    one("main-class", &TEXT).required(Versions::ALL),
    choice(&[
        member("java-opts", &TEXT),
        member("java-opt", &TEXT)
            .repeated()
            .allowed(Versions::since(V0_4)),
    ]),
    many("arg", &TEXT),
    many("file", &TEXT),
    many("archive", &TEXT),
    one("capture-output", &FLAG),
]);

pub(super) static SUB_WORKFLOW: ElementShape = ElementShape::elements(&[
    one("app-path", &TEXT).required(Versions::ALL),
    one("propagate-configuration", &FLAG),
    one("configuration", &CONFIGURATION),
]);

/// Only in 0.1, like `http` and `email`.
pub(super) static SSH: ElementShape = ElementShape::elements(&[
    one("host", &TEXT).required(Versions::ALL),
    one("command", &TEXT).required(Versions::ALL),
    many("args", &TEXT),
    one("capture-output", &FLAG),
]);

pub(super) static HTTP: ElementShape = ElementShape::elements(&[
    one("http-url", &TEXT).required(Versions::ALL),
    one("post", &HTTP_POST),
    choice(&[member("wait", &FLAG), member("continue", &FLAG)]).required(Versions::ALL),
    one("capture-output", &FLAG).required(Versions::ALL),
]);

pub(crate) static HTTP_POST: ElementShape =
    text_with(&[required("content-type", SimpleType::Any)]).named(TypeName::Named("HTTP-POST"));

pub(super) static EMAIL: ElementShape = ElementShape::elements(&[
    one("to", &TEXT).required(Versions::ALL),
    one("subject", &TEXT).required(Versions::ALL),
    one("message", &TEXT),
]);
