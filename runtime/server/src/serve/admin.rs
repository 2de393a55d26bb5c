//! `admin`: the server itself.

use std::collections::BTreeMap;

use axum::http::Method;

use crate::{
    api::admin::{
        BuildVersion, Purged, SafeMode, ShareLibrary, ShareLibraryState, ShareLibraryUpdate,
        SystemStatus, Texts, TimeZoneName, TimeZones,
    },
    serve::{
        access,
        call::Call,
        failure::Failure,
        figures, program,
        query::Version,
        reply::{self, Reply},
        server::SystemMode,
    },
};

/// What is below `admin`.
pub(crate) struct AdminResource {
    pub(crate) name: &'static str,
    pub(crate) methods: &'static [Method],
    /// The first version that knows the name.
    first: Version,
    /// The first version that may answer with anything but a refusal.
    pub(crate) answered_since: Version,
}

const fn resource(
    name: &'static str,
    methods: &'static [Method],
    first: Version,
    answered_since: Version,
) -> AdminResource {
    AdminResource {
        name,
        methods,
        first,
        answered_since,
    }
}

const GET: &[Method] = &[Method::GET];

/// All of them.
pub(crate) const RESOURCES: [AdminResource; 14] = [
    resource(
        "status",
        &[Method::GET, Method::PUT],
        Version::V0,
        Version::V0,
    ),
    resource("os-env", GET, Version::V0, Version::V0),
    resource("java-sys-properties", GET, Version::V0, Version::V0),
    resource("configuration", GET, Version::V0, Version::V0),
    resource("instrumentation", GET, Version::V0, Version::V0),
    resource("build-version", GET, Version::V0, Version::V0),
    resource("queue-dump", GET, Version::V1, Version::V1),
    resource("available-timezones", GET, Version::V1, Version::V1),
    resource("list_sharelib", GET, Version::V1, Version::V1),
    resource("update_sharelib", GET, Version::V1, Version::V1),
    resource("metrics", GET, Version::V1, Version::V2),
    resource("jmsinfo", GET, Version::V1, Version::V2),
    resource("available-oozie-servers", GET, Version::V1, Version::V2),
    resource("purge", &[Method::PUT], Version::V1, Version::V1),
];

/// `BaseAdminServlet`, `V0AdminServlet`, `V1AdminServlet`, `V2AdminServlet`.
pub(crate) fn admin(call: &Call) -> Reply {
    let resource = call.rest.as_str();
    let known = RESOURCES.iter().find(|known| known.name == resource);
    let known = known.ok_or_else(|| Failure::resource(resource))?;
    let (methods, first) = (known.methods, known.first);
    if call.version < first {
        return Err(Failure::resource(resource));
    }
    call.expect_method(methods)?;
    call.version.expect(known.answered_since)?;
    match resource {
        "status" if call.method == Method::PUT => change_status(call),
        "status" => status(call),
        "build-version" => build_version(),
        "os-env" => reply::json(&environment()),
        "java-sys-properties" => reply::json(&system_properties(call)),
        "configuration" => reply::json(&configuration(call)),
        "instrumentation" => instrumentation(call),
        "metrics" => figures::metrics(call),
        "available-timezones" => timezones(),
        "available-oozie-servers" => {
            let url = call.server.url.clone();
            reply::json(&Texts([("localhost".to_owned(), url)].into()))
        }
        "queue-dump" => figures::queue(call),
        "list_sharelib" => share_library(call),
        "update_sharelib" => update_share_library(call),
        "jmsinfo" => Err(Failure::coded(
            "E1601",
            "Cannot retrieve JMS connection info [JMSTopicService is not initialized. JMS notificationmay not be enabled]",
        )),
        "purge" => purge(call),
        _ => Err(Failure::resource(resource)),
    }
}

fn status(call: &Call) -> Reply {
    let mode = call.server.mode();
    match call.version {
        Version::V0 => reply::json(&SafeMode {
            safe_mode: mode != SystemMode::Normal,
        }),
        Version::V1 | Version::V2 => reply::json(&SystemStatus {
            system_mode: mode.name().to_owned(),
        }),
    }
}

fn change_status(call: &Call) -> Reply {
    let mode = match call.version {
        Version::V0 => {
            let is_safe = call.parameters.required("safemode")?;
            match is_safe.eq_ignore_ascii_case("true") {
                true => SystemMode::NoWebService,
                false => SystemMode::Normal,
            }
        }
        Version::V1 | Version::V2 => {
            let name = call.parameters.required("systemmode")?;
            SystemMode::from_name(name).ok_or_else(|| {
                Failure::argument(format!(
                    "No enum constant org.apache.oozie.client.OozieClient.SYSTEM_MODE.{name}"
                ))
            })?
        }
    };
    call.server.set_mode(mode);
    reply::empty()
}

fn build_version() -> Reply {
    let version = env!("CARGO_PKG_VERSION");
    let info = [("build.version", version), ("build.program", "hpdl")];
    reply::json(&BuildVersion {
        build_version: version.to_owned(),
        build_info: info
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into(),
    })
}

/// Variables of the environment, those whose names say that they hold a secret masked, also where others repeat them.
pub(crate) fn environment() -> Texts {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        Some((name, value))
    });
    shown(variables.collect())
}

/// Properties with secrets masked.
fn shown(properties: BTreeMap<String, String>) -> Texts {
    let mask = hpdlc_host::mask::Mask::of(&properties);
    Texts(mask.properties(&properties))
}

/// What clients look for among the properties of a Java virtual machine, of which there is none.
pub(crate) fn system_properties(call: &Call) -> Texts {
    let text = |text: &str| text.to_owned();
    let folder = call.server.session.home.root().display().to_string();
    shown(
        [
            ("oozie.home.dir", folder),
            ("os.name", text(std::env::consts::OS)),
            ("os.arch", text(std::env::consts::ARCH)),
            ("user.name", hpdlc_host::user::name()),
            ("file.separator", text("/")),
        ]
        .map(|(name, value)| (text(name), value))
        .into(),
    )
}

/// The settings of the site's file, and where the server is.
pub(crate) fn configuration(call: &Call) -> Texts {
    let mut settings = (*call.server.session.site).clone();
    settings.insert("oozie.base.url".to_owned(), call.server.url.clone());
    shown(settings)
}

/// Oozie has either instrumentation or metrics, and so has this server: metrics. Version 0 and 1 answer as its servlet does then.
fn instrumentation(call: &Call) -> Reply {
    let failure = Failure::server("InstrumentationService is not running");
    Err(match call.version {
        Version::V2 => failure.with_status(axum::http::StatusCode::SERVICE_UNAVAILABLE),
        Version::V0 | Version::V1 => failure,
    })
}

fn timezones() -> Reply {
    let now = hpdlc_host::clock::now();
    let mut zones: Vec<TimeZoneName> = chrono_tz::TZ_VARIANTS
        .iter()
        .map(|zone| {
            let short = now.with_timezone(zone).format("%Z").to_string();
            let id = zone.name();
            TimeZoneName {
                timezone_display_name: format!("{short} ({id})"),
                timezone_id: id.to_owned(),
            }
        })
        .collect();
    zones.sort_by(|a, b| a.timezone_id.cmp(&b.timezone_id));
    reply::json(&TimeZones {
        available_timezones: zones,
    })
}

/// Libraries of actions are in executables: there is no folder of shared ones.
fn share_library(_: &Call) -> Reply {
    reply::json(&ShareLibrary::default())
}

fn update_share_library(call: &Call) -> Reply {
    access::expect_admin(call)?;
    let status = "There is no shared library: executables have what their actions need";
    reply::json(&ShareLibraryUpdate {
        sharelib_update: ShareLibraryState {
            host: call.server.url.clone(),
            status: status.to_owned(),
        },
    })
}

/// Removes jobs that ended longer ago than the largest of the given numbers of days; without any, 30.
fn purge(call: &Call) -> Reply {
    let mut days = None;
    for name in ["wf", "coord", "bundle"] {
        let given = call.parameters.filled(name);
        let given = given.map(|text| {
            text.parse::<u32>()
                .map_err(|_| Failure::argument(format!("For input string: \"{text}\"")))
        });
        days = days.max(given.transpose()?);
    }
    purge_older(call, days.unwrap_or(30))?;
    reply::json(&Purged {
        purge: "Purge command executed successfully".to_owned(),
    })
}

/// Removes jobs that ended longer ago than so many days.
pub(crate) fn purge_older(call: &Call, days: u32) -> Result<(), Failure> {
    let age = format!("{days}d");
    let words = program::words(["purge", "--older-than", &age]);
    let server = &call.server;
    program::own(&server.session, &server.program, &words).map(drop)
}
