//! `admin`.

use super::{
    operation::{Content, Kind, Operation, Parameter, ok, shape},
    parameters::TIMEZONE,
};
use crate::{
    api::admin::{
        BuildVersion, Metrics, Purged, QueueDump, SafeMode, ShareLibrary, ShareLibraryUpdate,
        SystemStatus, Texts, TimeZones,
    },
    serve::{
        place::{ALL, ONLY_0, ONLY_2, SINCE_1},
        query::Version::V0,
    },
};

const DAYS: [Parameter; 3] = [
    Parameter::new(
        "wf",
        Kind::From(0),
        "Days since workflows ended; 30 if no number is given.",
    ),
    Parameter::new(
        "coord",
        Kind::From(0),
        "The same, of coordinators: the largest number counts.",
    ),
    Parameter::new("bundle", Kind::From(0), "The same, of bundles."),
];

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::get(
        ONLY_0,
        "/admin/status",
        "readStatus",
        "Whether commands are accepted.",
        &[ok("The state.", &[Content::Json(&[shape::<SafeMode>()])])],
    ),
    Operation::get(
        SINCE_1,
        "/admin/status",
        "readStatus",
        "Whether commands are accepted.",
        &[ok(
            "The state.",
            &[Content::Json(&[shape::<SystemStatus>()])],
        )],
    ),
    Operation::put(
        ONLY_0,
        "/admin/status",
        "changeStatus",
        "Has the server refuse or accept commands.",
        &[ok("It is done.", &[])],
    )
    .with(&[Parameter::new(
        "safemode",
        Kind::Flag,
        "`true` refuses commands, anything else accepts them.",
    )
    .required()]),
    Operation::put(
        SINCE_1,
        "/admin/status",
        "changeStatus",
        "Has the server refuse or accept commands.",
        &[ok("It is done.", &[])],
    )
    .with(&[Parameter::new(
        "systemmode",
        Kind::OneOf(&[("NORMAL", V0), ("NOWEBSERVICE", V0), ("SAFEMODE", V0)]),
        "The new state.",
    )
    .required()]),
    Operation::get(
        ALL,
        "/admin/build-version",
        "readVersion",
        "The version of the server.",
        &[ok(
            "The version.",
            &[Content::Json(&[shape::<BuildVersion>()])],
        )],
    ),
    Operation::get(
        ALL,
        "/admin/os-env",
        "readEnvironment",
        "The variables of the server, secrets masked.",
        &[ok("Texts by name.", &[Content::Json(&[shape::<Texts>()])])],
    ),
    Operation::get(
        ALL,
        "/admin/java-sys-properties",
        "readSystemProperties",
        "Those of a Java virtual machine that have a meaning here.",
        &[ok("Texts by name.", &[Content::Json(&[shape::<Texts>()])])],
    ),
    Operation::get(
        ALL,
        "/admin/configuration",
        "readConfiguration",
        "The settings of the site, secrets masked.",
        &[ok("Texts by name.", &[Content::Json(&[shape::<Texts>()])])],
    ),
    Operation::get(
        ALL,
        "/admin/instrumentation",
        "readInstrumentation",
        "Always a failure (500, since version 2 503), as of an Oozie that has `metrics`.",
        &[],
    ),
    Operation::get(
        ONLY_2,
        "/admin/metrics",
        "readMetrics",
        "Figures of the server and the store.",
        &[ok("The figures.", &[Content::Json(&[shape::<Metrics>()])])],
    ),
    Operation::get(
        SINCE_1,
        "/admin/queue-dump",
        "readQueue",
        "What waits for owners of jobs.",
        &[ok(
            "Commands and jobs.",
            &[Content::Json(&[shape::<QueueDump>()])],
        )],
    ),
    Operation::get(
        SINCE_1,
        "/admin/available-timezones",
        "listTimeZones",
        "The zones that `timezone` may name.",
        &[ok("The zones.", &[Content::Json(&[shape::<TimeZones>()])])],
    )
    .with(&[TIMEZONE]),
    Operation::get(
        ONLY_2,
        "/admin/available-oozie-servers",
        "listServers",
        "The URL of the server.",
        &[ok("URLs by name.", &[Content::Json(&[shape::<Texts>()])])],
    ),
    Operation::get(
        SINCE_1,
        "/admin/list_sharelib",
        "listShareLibrary",
        "There is no shared library.",
        &[ok(
            "An empty list.",
            &[Content::Json(&[shape::<ShareLibrary>()])],
        )],
    ),
    Operation::get(
        SINCE_1,
        "/admin/update_sharelib",
        "updateShareLibrary",
        "There is no shared library: nothing is done.",
        &[ok(
            "What was done.",
            &[Content::Json(&[shape::<ShareLibraryUpdate>()])],
        )],
    ),
    Operation::get(
        ONLY_2,
        "/admin/jmsinfo",
        "readJms",
        "There is no JMS: always refused (E1601).",
        &[],
    ),
    Operation::put(
        SINCE_1,
        "/admin/purge",
        "purge",
        "Removes jobs that ended longer ago.",
        &[ok("It is done.", &[Content::Json(&[shape::<Purged>()])])],
    )
    .with(&DAYS),
];
