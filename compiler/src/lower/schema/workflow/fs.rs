//! The `fs` action.

use super::{V0_4, V0_4_5, V0_5, V1_0};
use crate::lower::schema::{
    ContentModel, Shape, Value, Versions, choice, many, member, one, optional,
    parts::{CONFIGURATION, DELETE, FLAG, PATH, TEXT},
    required,
};

pub(super) static FS: Shape = Shape::elements(&[
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

static MOVE: Shape = Shape::attributes(&[
    required("source", Value::Any),
    required("target", Value::Any),
]);

static CHMOD: Shape = Shape::with(
    &[
        required("path", Value::Any),
        required("permissions", Value::Any),
        optional("dir-files", Value::Any),
    ],
    ContentModel::Elements(&[one("recursive", &FLAG).allowed(Versions::since(V0_4))]),
);

static CHGRP: Shape = Shape::with(
    &[
        required("path", Value::Any),
        required("group", Value::Any),
        optional("dir-files", Value::Any),
    ],
    ContentModel::Elements(&[one("recursive", &FLAG)]),
);

static SETREP: Shape = Shape::attributes(&[
    required("path", Value::Any),
    required("replication-factor", Value::Short),
]);
