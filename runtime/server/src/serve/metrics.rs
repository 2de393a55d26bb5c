//! `/metrics`: figures of jobs, coordinators, the store and the server, in OpenMetrics.

use std::{sync::atomic::AtomicU64, time::Instant};

use hpdlc_host::clock;
use hpdlc_store::query;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};

use self::census::Census;
use crate::serve::{
    call::Call,
    failure::Failure,
    reply::{self, Reply},
};

mod census;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;
type Gauges = Family<Labels, Gauge>;
type Seconds = Family<Labels, Gauge<f64, AtomicU64>>;

/// GET `/metrics`.
pub(crate) fn metrics(call: &Call) -> Reply {
    call.expect_method(&[axum::http::Method::GET])?;
    let mut registry = Registry::with_prefix("hpdl");
    of_jobs(call, &mut registry)?;
    of_server(call, &mut registry)?;
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|error| Failure::server(error.to_string()))?;
    reply::text(OPEN_METRICS, text)
}

/// Milliseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "times of jobs are far smaller")]
fn seconds(millis: i64) -> f64 {
    millis as f64 / 1000.0
}

fn of_jobs(call: &Call, registry: &mut Registry) -> Result<(), Failure> {
    let begun = Instant::now();
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let census = Census::take(&connection, clock::now_millis()).map_err(failed)?;
    let (jobs, durations) = (Gauges::default(), Seconds::default());
    for group in &census.jobs {
        let labels = vec![
            ("kind", group.kind.clone()),
            ("app", group.app.clone()),
            ("status", group.status.clone()),
        ];
        jobs.get_or_create(&labels).set(group.n);
        if let Some(millis) = group.run_millis {
            durations.get_or_create(&labels).set(seconds(millis));
        }
    }
    registry.register("jobs", "Jobs in the store", jobs);
    registry.register_with_unit(
        "jobs_duration",
        "Sum of the times that jobs took which have ended",
        Unit::Seconds,
        durations,
    );
    let (actions, lateness) = (Gauges::default(), Seconds::default());
    for group in &census.coordinator_actions {
        let app = ("app", group.app.clone());
        let labels = vec![app.clone(), ("status", group.status.clone())];
        actions.get_or_create(&labels).set(group.n);
        if let Some(millis) = group.late_millis {
            let late = lateness.get_or_create(&vec![app]);
            late.set(late.get().max(seconds(millis)));
        }
    }
    registry.register(
        "coordinator_actions",
        "Actions of coordinators that have not ended",
        actions,
    );
    registry.register_with_unit(
        "coordinator_lateness",
        "Time since the nominal time of the oldest action that has not started",
        Unit::Seconds,
        lateness,
    );
    let commands = Gauge::<i64>::default();
    commands.set(census.open_commands);
    registry.register(
        "commands_open",
        "Commands that no owner has handled yet",
        commands,
    );
    let unfinished = query::unfinished_ids(&connection).map_err(failed)?;
    let owned = unfinished
        .iter()
        .filter(|id| call.server.session.has_owner(id));
    let owners = Gauge::<i64>::default();
    owners.set(i64::try_from(owned.count()).unwrap_or(i64::MAX));
    registry.register("owners", "Processes that drive a job", owners);
    let took = Gauge::<f64, AtomicU64>::default();
    took.set(begun.elapsed().as_secs_f64());
    registry.register_with_unit(
        "store_read",
        "How long reading these figures took",
        Unit::Seconds,
        took,
    );
    Ok(())
}

fn of_server(call: &Call, registry: &mut Registry) -> Result<(), Failure> {
    let sizes = Gauges::default();
    let connection = call.server.store()?;
    let parts = hpdlc_store::size::parts(&connection, &call.server.session.home);
    for (name, size) in parts.map_err(|error| call.server.failed(error))? {
        let labels = vec![("file", name.to_owned())];
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        sizes.get_or_create(&labels).set(size);
    }
    registry.register_with_unit("store_size", "Size of the store", Unit::Bytes, sizes);
    let uptime = Gauge::<f64, AtomicU64>::default();
    uptime.set(call.server.started.elapsed().as_secs_f64());
    registry.register_with_unit("uptime", "Time since the start", Unit::Seconds, uptime);
    let counters = call.server.counters.lock();
    let counters = counters.map_err(|_| Failure::server("the counters are lost"))?;
    let requests = Family::<Labels, Counter>::default();
    for (status, n) in &counters.by_status {
        let labels = vec![("status", status.to_string())];
        requests.get_or_create(&labels).inc_by(*n);
    }
    registry.register(
        "requests",
        "Requests by the status of their answers",
        requests,
    );
    registry.register_with_unit(
        "request_duration",
        "How long requests took",
        Unit::Seconds,
        counters.durations.clone(),
    );
    Ok(())
}
