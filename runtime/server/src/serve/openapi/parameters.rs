//! Parameters that several operations have.

use super::operation::{Kind, Parameter};
use crate::serve::query::Version;

/// Of all operations that ask who calls.
pub(super) const OF_ALL: [Parameter; 2] = [
    Parameter::new(
        "user.name",
        Kind::Pattern("^[A-Za-z0-9._@/+$\\\\-]{1,255}$"),
        "Who calls, with simple authentication and without the cookie `hadoop.auth`.",
    ),
    Parameter::new(
        "doAs",
        Kind::Text,
        "In whose name, if the caller is a proxy user: `oozie.service.ProxyUserService.proxyuser.U.hosts` and `.groups`.",
    ),
];

pub(super) const TIMEZONE: Parameter = Parameter::new(
    "timezone",
    Kind::Text,
    "The zone of dates in the answer, such as `Europe/Berlin`; GMT if it is not known.",
);

pub(super) const OFFSET: Parameter = Parameter::new(
    "offset",
    Kind::Integer,
    "The number of the first element; below 1 it is 1.",
);

pub(super) const LEN: Parameter = Parameter::new(
    "len",
    Kind::Integer,
    "How many elements; below 1 it is the default.",
);

pub(super) const SCOPE: Parameter = Parameter::new(
    "scope",
    Kind::Text,
    "Actions of a coordinator, of a list of numbers and ranges such as `1-3,7`, or with `type=date` of nominal times such as `2009-01-01T00:00Z::2009-01-02T00:00Z`.",
)
.since(Version::V1);

pub(super) const TYPE: Parameter = Parameter::new(
    "type",
    Kind::OneOf(&[("action", Version::V0), ("date", Version::V0)]),
    "What `scope` has.",
)
.since(Version::V1);

pub(super) const JOBTYPE: Parameter = Parameter::new(
    "jobtype",
    Kind::Text,
    "The kind of jobs: a text that contains `wf`, else `coord`, else `bundle`.",
)
.since(Version::V1);
