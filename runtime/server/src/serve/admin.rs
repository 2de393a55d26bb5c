//! `admin`: the server itself.

use axum::http::Method;
use serde_json::{Map, Value, json};

use crate::serve::{
    access,
    call::Call,
    failure::Failure,
    figures, program,
    query::Version,
    reply::{self, Reply},
    server::SystemMode,
};

/// `BaseAdminServlet`, `V0AdminServlet`, `V1AdminServlet`, `V2AdminServlet`.
pub(crate) fn admin(call: &Call) -> Reply {
    let resource = call.rest.as_str();
    let (methods, first) = match resource {
        "status" => (&[Method::GET, Method::PUT][..], Version::V0),
        "os-env"
        | "java-sys-properties"
        | "configuration"
        | "instrumentation"
        | "build-version" => (&[Method::GET][..], Version::V0),
        "queue-dump"
        | "available-timezones"
        | "list_sharelib"
        | "update_sharelib"
        | "metrics"
        | "jmsinfo"
        | "available-oozie-servers" => (&[Method::GET][..], Version::V1),
        "purge" => (&[Method::PUT][..], Version::V1),
        _ => return Err(Failure::resource(resource)),
    };
    if call.version < first {
        return Err(Failure::resource(resource));
    }
    call.expect_method(methods)?;
    match resource {
        "status" if call.method == Method::PUT => change_status(call),
        "status" => status(call),
        "build-version" => build_version(),
        "os-env" => reply::json(&environment()),
        "java-sys-properties" => reply::json(&system_properties(call)),
        "configuration" => reply::json(&configuration(call)),
        "instrumentation" => instrumentation(call),
        "metrics" => {
            call.version.expect(Version::V2)?;
            figures::metrics(call)
        }
        "available-timezones" => timezones(call),
        "available-oozie-servers" => {
            call.version.expect(Version::V2)?;
            reply::json(&json!({ "localhost": call.server.url }))
        }
        "queue-dump" => figures::queue(call),
        "list_sharelib" => share_library(call),
        "update_sharelib" => update_share_library(call),
        "jmsinfo" => {
            call.version.expect(Version::V2)?;
            Err(Failure::coded(
                "E1601",
                "Cannot retrieve JMS connection info [JMSTopicService is not initialized. JMS notificationmay not be enabled]",
            ))
        }
        "purge" => purge(call),
        _ => Err(Failure::resource(resource)),
    }
}

fn status(call: &Call) -> Reply {
    let mode = call.server.mode();
    match call.version {
        Version::V0 => reply::json(&json!({ "safeMode": mode != SystemMode::Normal })),
        Version::V1 | Version::V2 => reply::json(&json!({ "systemMode": mode.name() })),
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
    reply::json(&json!({
        "buildVersion": version,
        "buildInfo": { "build.version": version, "build.program": "hpdl" },
    }))
}

/// Variables of the environment, those whose names say that they hold a secret masked, also where others repeat them.
pub(crate) fn environment() -> Map<String, Value> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        Some((name, value))
    });
    shown(variables.collect())
}

/// Properties with secrets masked.
fn shown(properties: std::collections::BTreeMap<String, String>) -> Map<String, Value> {
    let mask = hpdlc_host::mask::Mask::of(&properties);
    let shown = mask.properties(&properties).into_iter();
    shown
        .map(|(name, value)| (name, Value::String(value)))
        .collect()
}

/// What clients look for among the properties of a Java virtual machine, of which there is none.
pub(crate) fn system_properties(call: &Call) -> Map<String, Value> {
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
pub(crate) fn configuration(call: &Call) -> Map<String, Value> {
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

fn timezones(call: &Call) -> Reply {
    let now = hpdlc_host::clock::now();
    let mut zones: Vec<Value> = chrono_tz::TZ_VARIANTS
        .iter()
        .map(|zone| {
            let short = now.with_timezone(zone).format("%Z").to_string();
            let id = zone.name();
            json!({ "timezoneDisplayName": format!("{short} ({id})"), "timezoneId": id })
        })
        .collect();
    zones.sort_by_key(|zone| zone["timezoneId"].as_str().map(str::to_owned));
    call.version.expect(Version::V1)?;
    reply::json(&json!({ "available-timezones": zones }))
}

/// Libraries of actions are in executables: there is no folder of shared ones.
fn share_library(_: &Call) -> Reply {
    reply::json(&json!({ "sharelib": [] }))
}

fn update_share_library(call: &Call) -> Reply {
    access::expect_admin(call)?;
    reply::json(&json!({
        "sharelibUpdate": {
            "host": call.server.url,
            "status": "There is no shared library: executables have what their actions need",
        }
    }))
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
    reply::json(&json!({ "purge": "Purge command executed successfully" }))
}

/// Removes jobs that ended longer ago than so many days.
pub(crate) fn purge_older(call: &Call, days: u32) -> Result<(), Failure> {
    let age = format!("{days}d");
    let words = program::words(["purge", "--older-than", &age]);
    program::own(&call.server.session, &words).map(drop)
}
