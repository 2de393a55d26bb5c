//! The `fs` action.

use super::{V0_4, V0_4_5, V0_5, V1_0};
use crate::lower::schema::{
    ContentModel, ElementShape, SimpleType, Versions, choice, many, member, one, optional,
    parts::{CONFIGURATION, DELETE, FLAG, PATH, TEXT},
    required,
};

pub(super) static FS: ElementShape = ElementShape::elements(&[
    one("name-node", &TEXT).allowed(Versions::since(V0_4)),
    many("job-xml", &TEXT).allowed(Versions::since(V0_4)),
    one("configuration", &CONFIGURATION).allowed(Versions::since(V0_4)),
    choice(&[
        member("delete", &DELETE),
        member("mkdir", &PATH),
        member("move", &MOVE),
        member("chmod", &CHMOD),
        member("touchz", &PATH).allowed(Versions::since(V0_4)),
        member("chgrp", &CHGRP).allowed(Versions::since(V0_4_5)),
        member("setrep", &SETREP)
            .allowed(Versions::only(V0_5))
            .tolerated(Versions::since(V1_0)),
    ])
    .repeated(Versions::ALL),
]);

static MOVE: ElementShape = ElementShape::attributes(&[
    required("source", SimpleType::Any),
    required("target", SimpleType::Any),
]);

static CHMOD: ElementShape = ElementShape::with(
    &[
        required("path", SimpleType::Any),
        required("permissions", SimpleType::Any),
        optional("dir-files", SimpleType::Any),
    ],
    ContentModel::Elements(&[one("recursive", &FLAG).allowed(Versions::since(V0_4))]),
);

static CHGRP: ElementShape = ElementShape::with(
    &[
        required("path", SimpleType::Any),
        required("group", SimpleType::Any),
        optional("dir-files", SimpleType::Any),
    ],
    ContentModel::Elements(&[one("recursive", &FLAG)]),
);

static SETREP: ElementShape = ElementShape::attributes(&[
    required("path", SimpleType::Any),
    required("replication-factor", SimpleType::Short),
]);
