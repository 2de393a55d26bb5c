//! The API of 2009.

use super::operation::{
    Answer, Body, Content, Failures, Kind, Method, Operation, Parameter, ok, shape,
};
use crate::{
    api::{
        admin::{Metrics, Texts},
        hws::{
            Application, ApplicationState, Applications, HwsJob, HwsJobs, HwsProblem, HwsPurged,
            HwsStatus,
        },
    },
    serve::{place::Place::Root, query::Version::V0},
};

const OFFSET: Parameter =
    Parameter::new("offset", Kind::From(1), "The number of the first element.");
const LEN: Parameter = Parameter::new(
    "len",
    Kind::From(1),
    "How many elements; 50 if nothing is said.",
);
const NAME: Parameter = Parameter::of_path("name", "The name of the application.");
const ID: Parameter = Parameter::of_path("id", "The id of a workflow job.");

/// Properties of a job.
const PROPERTIES: Body = Body {
    text: "Properties: a JSON object of texts, or a Hadoop configuration.",
    is_required: false,
    contents: &[
        Content::Json(&[shape::<Texts>()]),
        Content::Text("application/xml"),
    ],
};

const fn action(values: &'static [(&'static str, crate::serve::query::Version)]) -> Parameter {
    Parameter::new("action", Kind::OneOf(values), "The command.").required()
}

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::get(
        Root,
        "/hws/v1/applications",
        "listApplications",
        "The applications.",
        &[ok("A page.", &[Content::Json(&[shape::<Applications>()])])],
    )
    .with(&[
        Parameter::new(
            "filter",
            Kind::Pattern("^((name|status)=[^;=\\s]+;?)*$"),
            "`name=N;status=S`: values of one name are alternatives.",
        ),
        OFFSET,
        LEN,
    ])
    .fails(Failures::Hws),
    Operation::post(
        Root,
        "/hws/v1/applications",
        "deployApplication",
        "Compiles the ZIP of an application, and deploys it.",
        &[
            ok(
                "The application, which is INACTIVE.",
                &[Content::Json(&[shape::<Application>()])],
            ),
            Answer {
                status: 415,
                text: "The body is not said to be a ZIP.",
                contents: &[Content::Json(&[shape::<HwsProblem>()])],
            },
        ],
    )
    .body(Body {
        text: "A ZIP of at most 32 MiB, with a `workflow.xml`, `coordinator.xml` or `bundle.xml`.",
        is_required: true,
        contents: &[
            Content::Text("application/zip"),
            Content::Text("application/x-zip-compressed"),
            Content::Text("application/octet-stream"),
        ],
    })
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/applications/{name}",
        "readApplication",
        "An application with its document.",
        &[ok(
            "The application.",
            &[Content::Json(&[shape::<Application>()])],
        )],
    )
    .with(&[NAME])
    .fails(Failures::Hws),
    Operation::put(
        Root,
        "/hws/v1/applications/{name}",
        "commandApplication",
        "Changes whether it accepts jobs.",
        &[ok(
            "The new state.",
            &[Content::Json(&[shape::<ApplicationState>()])],
        )],
    )
    .with(&[
        NAME,
        action(&[("activate", V0), ("suspend", V0), ("deactivate", V0)]),
    ])
    .fails(Failures::Hws),
    Operation {
        method: Method::Delete,
        ..Operation::get(
            Root,
            "/hws/v1/applications/{name}",
            "undeployApplication",
            "Removes an application that is INACTIVE.",
            &[ok(
                "The new state.",
                &[Content::Json(&[shape::<ApplicationState>()])],
            )],
        )
    }
    .with(&[NAME])
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/jobs",
        "listHwsJobs",
        "Workflow jobs, the newest first.",
        &[ok("A page.", &[Content::Json(&[shape::<HwsJobs>()])])],
    )
    .with(&[
        Parameter::new(
            "filter",
            Kind::Text,
            "`application=N;user=U;status=S;id=I`: values of one name are alternatives.",
        ),
        OFFSET,
        LEN,
    ])
    .fails(Failures::Hws),
    Operation::post(
        Root,
        "/hws/v1/jobs",
        "submitHwsJob",
        "A new job of an application.",
        &[ok("The job.", &[Content::Json(&[shape::<HwsJob>()])])],
    )
    .with(&[
        Parameter::new("application", Kind::Text, "The name of the application.").required(),
        Parameter::new(
            "action",
            Kind::OneOf(&[("start", V0)]),
            "Starts it at once.",
        ),
    ])
    .body(PROPERTIES)
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/jobs/{id}",
        "readHwsJob",
        "A job with its actions and properties.",
        &[ok("The job.", &[Content::Json(&[shape::<HwsJob>()])])],
    )
    .with(&[ID])
    .fails(Failures::Hws),
    Operation::put(
        Root,
        "/hws/v1/jobs/{id}",
        "commandHwsJob",
        "Gives a command to a job.",
        &[ok("The job.", &[Content::Json(&[shape::<HwsJob>()])])],
    )
    .with(&[
        ID,
        action(&[
            ("start", V0),
            ("kill", V0),
            ("suspend", V0),
            ("resume", V0),
            ("resubmit", V0),
        ]),
        Parameter::new(
            "skip",
            Kind::Text,
            "Of `resubmit`: nodes that do not run again, with commas between.",
        ),
    ])
    .body(Body {
        text: "Of `resubmit`: properties that replace stored ones.",
        ..PROPERTIES
    })
    .fails(Failures::Hws),
    Operation::put(
        Root,
        "/hws/v1/jobs/{id}/actions/{node}",
        "retryAction",
        "Tries an action in START_MANUAL again.",
        &[ok("The job.", &[Content::Json(&[shape::<HwsJob>()])])],
    )
    .with(&[
        ID,
        Parameter::of_path("node", "The name of the action."),
        action(&[("retry", V0)]),
    ])
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/admin/status",
        "readHwsStatus",
        "Whether the server answers for applications and jobs.",
        &[ok("The state.", &[Content::Json(&[shape::<HwsStatus>()])])],
    )
    .fails(Failures::Hws),
    Operation::put(
        Root,
        "/hws/v1/admin/status",
        "changeHwsStatus",
        "Has the server answer for them or not.",
        &[ok("The state.", &[Content::Json(&[shape::<HwsStatus>()])])],
    )
    .with(&[action(&[("activate", V0), ("deactivate", V0)])])
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/admin/instrumentation",
        "readHwsInstrumentation",
        "Figures of the server and the store.",
        &[ok("The figures.", &[Content::Json(&[shape::<Metrics>()])])],
    )
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/admin/environment",
        "readHwsEnvironment",
        "The variables of the server, secrets masked.",
        &[ok("Texts by name.", &[Content::Json(&[shape::<Texts>()])])],
    )
    .fails(Failures::Hws),
    Operation::get(
        Root,
        "/hws/v1/admin/properties",
        "readHwsProperties",
        "The settings of the site, secrets masked, and where the server is.",
        &[ok("Texts by name.", &[Content::Json(&[shape::<Texts>()])])],
    )
    .fails(Failures::Hws),
    Operation::put(
        Root,
        "/hws/v1/admin/purge",
        "purgeHws",
        "Removes jobs that ended longer ago.",
        &[ok(
            "What was removed.",
            &[Content::Json(&[shape::<HwsPurged>()])],
        )],
    )
    .with(&[Parameter::new(
        "days",
        Kind::From(0),
        "Days since they ended; 30 if nothing is said.",
    )])
    .fails(Failures::Hws),
];
