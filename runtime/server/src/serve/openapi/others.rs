//! What is neither `jobs`, `job` nor `admin`.

use super::{
    operation::{Answer, Body, Content, Failures, Kind, Operation, Parameter, ok, shape},
    parameters::TIMEZONE,
};
use crate::{
    api::{
        command::{self, CommandOutput, CommandRequest},
        job::Validated,
        level::SlaSummaries,
    },
    serve::{
        place::{ONLY_1, ONLY_2, Place},
        query::Version::V0,
    },
};

const TEXT: &[Content] = &[Content::Text("text/plain")];

const OUTPUT: &[Answer] = &[ok(
    "What the command prints, an object a line, at last its exit code.",
    &[Content::Lines(shape::<CommandOutput>())],
)];

const OF_CALLBACK: &[Parameter] = &[
    Parameter::new("id", Kind::Text, "The id of the action.").required(),
    Parameter::new("status", Kind::Text, "What the action or the cluster says.").required(),
    Parameter::new(
        "token",
        Kind::Text,
        "That of a URL of `wf:callback`, which ends the action; without it the owner of the job looks.",
    ),
];

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::get(
        Place::Base,
        "/versions",
        "listVersions",
        "The versions of the API.",
        &[ok("Their numbers.", &[Content::Numbers])],
    ),
    Operation::get(
        ONLY_1,
        "/sla",
        "listSlaEvents",
        "What has happened to jobs and actions with a service level.",
        &[ok("`<sla-message>`.", &[Content::Text("application/xml")])],
    )
    .with(&[
        Parameter::new("gt-sequence-id", Kind::Integer, "Only events with greater numbers.").required(),
        Parameter::new("max-events", Kind::Integer, "At most so many; 100 if nothing is said, never more than 1000."),
        Parameter::new("filter", Kind::Text, "`jobid=I;appname=N`."),
    ]),
    Operation::get(
        ONLY_2,
        "/sla",
        "listSla",
        "The service levels of jobs and actions.",
        &[ok("A list.", &[Content::Json(&[shape::<SlaSummaries>()])])],
    )
    .with(&[
        Parameter::new(
            "filter",
            Kind::Text,
            "`id=I;parent_id=I;bundle=B;app_name=N;app_type=T;user_name=U;job_status=S;sla_status=S;event_status=E,E;nominal_after=T;nominal_before=T;created_after=T;expectedstart_after=T;expectedend_before=T;actualstart_after=T;actualend_before=T;actual_duration_min=M;expected_duration_max=M`.",
        )
        .required(),
        Parameter::new("order", Kind::OneOf(&[("asc", V0), ("desc", V0)]), "Of the nominal times."),
        Parameter::new("sortby", Kind::OneOf(&[("nominalTime", V0)]), "What they are sorted by."),
        Parameter::new("len", Kind::Integer, "At most so many; 1000 if it is below 1."),
        TIMEZONE,
    ]),
    Operation::post(
        ONLY_2,
        "/validate",
        "validate",
        "Whether a document follows its schema.",
        &[ok("It does.", &[Content::Json(&[shape::<Validated>()])])],
    )
    .with(&[Parameter::new(
        "file",
        Kind::Text,
        "Where the document was read, for messages; the URI of another file system is read by the server.",
    )
    .required()])
    .body(Body {
        text: "The document.",
        is_required: false,
        contents: &[Content::Text("application/xml")],
    }),
    Operation::get(
        Place::Base,
        "/callback",
        "hearCallback",
        "What an action or a cluster says of an action.",
        &[ok("It was heard.", &[])],
    )
    .with(OF_CALLBACK)
    .open(),
    Operation::post(
        Place::Base,
        "/callback",
        "takeCallback",
        "The same, with output.",
        &[ok("It was heard.", &[])],
    )
    .with(OF_CALLBACK)
    .body(Body {
        text: "The output of the action, 2048 bytes at most.",
        is_required: true,
        contents: TEXT,
    })
    .open(),
    Operation::get(
        Place::Base,
        command::PATH,
        "askCommand",
        "Has `hpdl` run a command that only reads.",
        OUTPUT,
    )
    .with(&[
        Parameter::new("arg", Kind::Texts, "A word of the command line: the command and its arguments."),
        Parameter::new("color", Kind::Flag, "Whether the output has colors."),
        Parameter::new("tz", Kind::Text, "The zone of times in it, as in the variable `TZ`."),
    ]),
    Operation::post(
        Place::Base,
        command::PATH,
        "runCommand",
        "Has `hpdl` run a command, to its end.",
        OUTPUT,
    )
    .body(Body {
        text: "The command.",
        is_required: true,
        contents: &[Content::Json(&[shape::<CommandRequest>()])],
    }),
    Operation::get(
        Place::Root,
        "/metrics",
        "readOpenMetrics",
        "Figures of jobs, coordinators, the store and the server.",
        &[ok("OpenMetrics.", &[Content::Text("application/openmetrics-text")])],
    ),
    Operation::get(
        Place::Root,
        super::PATH,
        "readOpenApi",
        "This document.",
        &[ok("OpenAPI 3.1.", &[Content::Json(&[])])],
    ),
    Operation::get(
        Place::Root,
        "/healthz",
        "isAlive",
        "Whether the server lives.",
        &[ok("It does.", TEXT)],
    )
    .fails(Failures::Nothing)
    .open(),
    Operation::get(
        Place::Root,
        "/readyz",
        "isReady",
        "Whether the store can be read.",
        &[
            ok("It can.", TEXT),
            Answer {
                status: 503,
                text: "It cannot.",
                contents: TEXT,
            },
        ],
    )
    .fails(Failures::Nothing)
    .open(),
];
