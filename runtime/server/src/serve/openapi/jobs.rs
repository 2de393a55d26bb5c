//! `jobs`.

use super::{
    operation::{Answer, CONFIGURATION, Content, Kind, Operation, Parameter, ok, shape},
    parameters::{JOBTYPE, LEN, OFFSET, TIMEZONE},
};
use crate::{
    api::jobs::{BulkResponses, BundleJobs, CoordinatorJobs, JobId, WorkflowJobs},
    serve::{
        place::{ALL, SINCE_1},
        query::Version,
    },
};

const FILTER: Parameter = Parameter::new(
    "filter",
    Kind::Text,
    "`name=N;user=U;group=G;status=S;id=I;frequency=F;unit=M;startcreatedtime=T;endcreatedtime=T;sortby=C;text=X`: values of one name are alternatives.",
);

const CREATED: &[Answer] = &[Answer {
    status: 201,
    text: "The new job, or what a dry run has found.",
    contents: &[Content::Json(&[shape::<JobId>()])],
}];

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::get(
        ALL,
        "/jobs",
        "listJobs",
        "Jobs, the newest first; or the job with an external id; or actions of bundles.",
        &[ok(
            "A page.",
            &[Content::Json(&[
                shape::<WorkflowJobs>(),
                shape::<CoordinatorJobs>(),
                shape::<BundleJobs>(),
                shape::<BulkResponses>(),
                shape::<JobId>(),
            ])],
        )],
    )
    .with(&[
        JOBTYPE,
        FILTER,
        OFFSET,
        LEN,
        TIMEZONE,
        Parameter::new(
            "external-id",
            Kind::Text,
            "Asks for the id of the workflow that was submitted with it, and for nothing else.",
        ),
        Parameter::new(
            "bulk",
            Kind::Text,
            "Asks for actions: `bundle=B;coordinators=C,C;actionstatus=S;startcreatedtime=T;endcreatedtime=T;startscheduledtime=T;endscheduledtime=T`.",
        )
        .since(Version::V1),
    ]),
    Operation::post(
        ALL,
        "/jobs",
        "submitJob",
        "A new job of the application that the configuration names by `oozie.wf.application.path`, `oozie.coord.application.path` or `oozie.bundle.application.path`, of the user of `user.name`.",
        CREATED,
    )
    .with(&[
        Parameter::new(
            "action",
            Kind::OneOf(&[("start", Version::V0), ("dryrun", Version::V1)]),
            "`start` starts a workflow at once; with `dryrun` there is no job.",
        ),
        Parameter::new(
            "jobtype",
            Kind::Text,
            "Submissions of Pig, Hive, Sqoop and MapReduce by HTTP, which are refused (E0302): leave it out.",
        ),
    ])
    .body(CONFIGURATION),
    Operation::put(
        SINCE_1,
        "/jobs",
        "commandJobs",
        "Gives a command to all jobs that match, or to none of them, and lists those that match by then.",
        &[ok(
            "A page, with `ids`.",
            &[Content::Json(&[
                shape::<WorkflowJobs>(),
                shape::<CoordinatorJobs>(),
                shape::<BundleJobs>(),
            ])],
        )],
    )
    .with(&[
        Parameter::new(
            "action",
            Kind::OneOf(&[
                ("kill", Version::V1),
                ("suspend", Version::V1),
                ("resume", Version::V1),
            ]),
            "The command.",
        )
        .required(),
        FILTER.required(),
        Parameter::new(
            "jobtype",
            Kind::Text,
            "`wf`, `bundle`; anything else means coordinators.",
        )
        .required(),
        OFFSET,
        LEN,
        TIMEZONE,
    ]),
];
