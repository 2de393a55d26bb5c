//! `job`.

use super::{
    operation::{
        Answer, Body, CONFIGURATION, Content, Failures, Kind, Operation, Parameter, ok, shape,
    },
    parameters::{LEN, OFFSET, SCOPE, TIMEZONE, TYPE},
};
use crate::{
    api::{
        bundle::BundleJob,
        coordinator::{CoordinatorAction, CoordinatorJob},
        job::{
            AllRuns, CoordinatorActions, MissingDependencies, Retries, StatusOfJob, Updated,
            WorkflowActions,
        },
        workflow::{WorkflowAction, WorkflowJob},
    },
    serve::{
        place::{ONLY_0, ONLY_1, ONLY_2, Place},
        query::Version::{V0, V1, V2},
    },
};

const ID: Parameter = Parameter::of_path(
    "id",
    "A job; or an action: the id of its workflow, `@` and its name, or the id of its coordinator, `@` and its number.",
);

const SHOW: Parameter = Parameter::new(
    "show",
    Kind::OneOf(&[
        ("info", V0),
        ("definition", V0),
        ("log", V0),
        ("graph", V1),
        ("allruns", V1),
        ("errorlog", V2),
        ("auditlog", V2),
        ("status", V2),
        ("retries", V2),
        ("missing-dependencies", V2),
        ("wf-actions", V2),
        ("jmstopic", V2),
    ]),
    "What of it: `info` is the default; `definition` is XML, logs are text, `graph` is a picture.",
);

const FILTER: Parameter = Parameter::new(
    "filter",
    Kind::Text,
    "Of a coordinator's actions, with `show=info`: `status=S;status!=S;nominaltime>=T`.",
)
.since(V1);

const ORDER: Parameter = Parameter::new(
    "order",
    Kind::Text,
    "Of a coordinator's actions, with `show=info`: `desc` for the newest first.",
)
.since(V1);

const LOG_FILTER: Parameter = Parameter::new(
    "logfilter",
    Kind::Text,
    "Of logs: `loglevel=ERROR|WARN;text=REGEX;limit=N;recent=1h;start=T;end=T;debug`.",
);

const FORMAT: Parameter = Parameter::new(
    "format",
    Kind::OneOf(&[("svg", V1), ("dot", V1), ("png", V1)]),
    "Of `graph`; PNG unless told otherwise.",
)
.since(V1);

const OF_MISSING: [Parameter; 3] = [
    Parameter::new(
        "action-list",
        Kind::Text,
        "Of `missing-dependencies` and commands for service levels: numbers of actions, such as `1-3,7`.",
    )
    .since(V2),
    Parameter::new(
        "date",
        Kind::Text,
        "Of `missing-dependencies` and commands for service levels: nominal times of actions.",
    )
    .since(V2),
    Parameter::new(
        "action-name",
        Kind::Text,
        "Of `wf-actions`, which needs it: the name of a node of the workflows.",
    )
    .since(V2),
];

const READ: &[Parameter] = &[
    ID,
    SHOW,
    OFFSET,
    LEN,
    TIMEZONE,
    FILTER,
    ORDER,
    LOG_FILTER,
    FORMAT,
    TYPE,
    SCOPE,
    OF_MISSING[0],
    OF_MISSING[1],
    OF_MISSING[2],
];

const TEXTS: [Content; 2] = [
    Content::Text("application/xml"),
    Content::Text("text/plain"),
];

const fn read(place: Place, answers: &'static [Answer], failures: Failures) -> Operation {
    Operation::get(
        place,
        "/job/{id}",
        "readJob",
        "A job, an action, or what belongs to it.",
        answers,
    )
    .with(READ)
    .fails(failures)
}

const ACTION: Parameter = Parameter::new(
    "action",
    Kind::OneOf(&[
        ("start", V0),
        ("suspend", V0),
        ("resume", V0),
        ("kill", V0),
        ("rerun", V0),
        ("change", V1),
        ("coord-rerun", V1),
        ("bundle-rerun", V1),
        ("ignore", V2),
        ("update", V2),
        ("sla-enable", V2),
        ("sla-disable", V2),
        ("sla-change", V2),
    ]),
    "The command. `rerun`, `coord-rerun`, `bundle-rerun`, `update` and `sla-...` need a body.",
)
.required();

const COMMAND: &[Parameter] = &[
    ID,
    ACTION,
    TIMEZONE,
    TYPE,
    SCOPE,
    Parameter::new(
        "value",
        Kind::Text,
        "Of `change`, such as `endtime=T;concurrency=N;pausetime=T;status=S`, and of `sla-change`.",
    )
    .since(V1),
    Parameter::new(
        "refresh",
        Kind::Flag,
        "Of reruns: data is looked for again.",
    )
    .since(V1),
    Parameter::new("nocleanup", Kind::Flag, "Of reruns: output is kept.").since(V1),
    Parameter::new(
        "failed",
        Kind::Flag,
        "Of `coord-rerun`: only actions that failed.",
    )
    .since(V1),
    Parameter::new(
        "coord-scope",
        Kind::Text,
        "Of `bundle-rerun`: names of coordinators, with commas between.",
    )
    .since(V1),
    Parameter::new(
        "date-scope",
        Kind::Text,
        "Of `bundle-rerun`: nominal times of actions.",
    )
    .since(V1),
    Parameter::new("dryrun", Kind::Flag, "Of `update`: nothing is changed.").since(V2),
    Parameter::new(
        "diff",
        Kind::Text,
        "Of `update`: `false` leaves the differences out of the answer.",
    )
    .since(V2),
    Parameter::new(
        "coordinators",
        Kind::Text,
        "Of commands for service levels of a bundle: names or ids, with commas between.",
    )
    .since(V2),
    OF_MISSING[0],
    OF_MISSING[1],
];

const BODY: Body = Body {
    text: "Of `rerun` and `update`: properties that replace stored ones. The other commands ignore it.",
    is_required: false,
    ..CONFIGURATION
};

const fn command(place: Place, answers: &'static [Answer]) -> Operation {
    Operation::put(
        place,
        "/job/{id}",
        "commandJob",
        "Gives a command to a job. What the state of the job does not allow changes nothing, and is mostly no failure.",
        answers,
    )
    .with(COMMAND)
    .body(BODY)
}

const DONE: &str = "It is done. Commands for selected actions of a coordinator answer with these, others have no body.";

pub(super) const OPERATIONS: &[Operation] = &[
    read(
        ONLY_0,
        &[ok(
            "What was asked for.",
            &[Content::Json(&[shape::<WorkflowJob>()]), TEXTS[0], TEXTS[1]],
        )],
        Failures::Oozie,
    ),
    read(
        ONLY_1,
        &[ok(
            "What was asked for.",
            &[
                Content::Json(&[
                    shape::<WorkflowJob>(),
                    shape::<WorkflowAction>(),
                    shape::<CoordinatorJob>(),
                    shape::<CoordinatorAction>(),
                    shape::<BundleJob>(),
                    shape::<AllRuns>(),
                ]),
                TEXTS[0],
                TEXTS[1],
                Content::Bytes("image/png"),
                Content::Text("image/svg+xml"),
            ],
        )],
        Failures::OozieOrMissing,
    ),
    read(
        ONLY_2,
        &[ok(
            "What was asked for.",
            &[
                Content::Json(&[
                    shape::<WorkflowJob>(),
                    shape::<WorkflowAction>(),
                    shape::<CoordinatorJob>(),
                    shape::<CoordinatorAction>(),
                    shape::<BundleJob>(),
                    shape::<AllRuns>(),
                    shape::<StatusOfJob>(),
                    shape::<Retries>(),
                    shape::<MissingDependencies>(),
                    shape::<WorkflowActions>(),
                ]),
                TEXTS[0],
                TEXTS[1],
                Content::Bytes("image/png"),
                Content::Text("image/svg+xml"),
            ],
        )],
        Failures::OozieOrMissing,
    ),
    command(ONLY_0, &[ok("It is done.", &[])]),
    command(
        ONLY_1,
        &[ok(DONE, &[Content::Json(&[shape::<CoordinatorActions>()])])],
    ),
    command(
        ONLY_2,
        &[ok(
            DONE,
            &[Content::Json(&[
                shape::<CoordinatorActions>(),
                shape::<Updated>(),
            ])],
        )],
    ),
];
