//! `admin/metrics` and `admin/queue-dump`: figures of the server and the store.

use std::time::Duration;

use hpdlc_store::{jobs, query};
use serde_json::{Map, Value, json};

use crate::serve::{
    call::Call,
    counters::Timer,
    failure::Failure,
    listing,
    reply::{self, Reply},
};

/// As `MetricsInstrumentation` of Oozie writes them: gauges, counters, timers.
pub(crate) fn metrics(call: &Call) -> Reply {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let mut gauges = Map::new();
    for (kind, status, n) in listing::counts(&connection).map_err(failed)? {
        let kind = match kind.as_str() {
            "C" => "coordinators",
            "B" => "bundles",
            _ => "workflows",
        };
        gauges.insert(format!("jobs.{kind}.{status}"), json!({ "value": n }));
    }
    let uptime = call.server.started.elapsed();
    gauges.insert(
        "server.uptime.seconds".to_owned(),
        json!({ "value": uptime.as_secs() }),
    );
    let counters = call.server.counters.lock();
    let counters = counters.map_err(|_| Failure::server("the counters are lost"))?;
    let statuses: Map<String, Value> = counters
        .by_status
        .iter()
        .map(|(status, n)| {
            (
                format!("webservices.status.{status}"),
                json!({ "count": n }),
            )
        })
        .collect();
    let timers: Map<String, Value> = counters
        .by_method
        .iter()
        .map(|(method, timer)| {
            (
                format!("webservices.{method}.timer"),
                of_timer(timer, uptime),
            )
        })
        .collect();
    reply::json(&json!({
        "version": "3.0.0",
        "gauges": gauges,
        "counters": statuses,
        "histograms": {},
        "timers": timers,
    }))
}

/// The keys that the client of Oozie reads (`OozieClient.Metrics.Timer`).
fn of_timer(timer: &Timer, uptime: Duration) -> Value {
    let times = timer.distribution();
    let minutes = |n: u64| timer.rate(Duration::from_secs(n * 60).min(uptime));
    json!({
        "count": timer.n,
        "mean": times.mean(),
        "stddev": times.deviation(),
        "min": times.per_mille(0),
        "max": times.per_mille(1000),
        "p50": times.per_mille(500),
        "p75": times.per_mille(750),
        "p95": times.per_mille(950),
        "p98": times.per_mille(980),
        "p99": times.per_mille(990),
        "p999": times.per_mille(999),
        "m1_rate": minutes(1),
        "m5_rate": minutes(5),
        "m15_rate": minutes(15),
        "mean_rate": timer.rate(uptime),
        "duration_units": "milliseconds",
        "rate_units": "calls/second",
    })
}

/// What waits for an owner: commands that none has handled yet.
pub(crate) fn queue(call: &Call) -> Reply {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let mut waiting = Vec::new();
    for (job, _) in jobs::unfinished(&connection).map_err(failed)? {
        let is_root = job.id == job.root_id;
        let open = if is_root {
            hpdlc_store::commands::open(&connection, &job.id).map_err(failed)?
        } else {
            Vec::new()
        };
        for command in open {
            let verb = command.verb.split(' ').next().unwrap_or_default();
            waiting.push(json!({ "callableDump": format!("{verb} {}", command.job_id) }));
        }
    }
    let unfinished = query::unfinished_ids(&connection).map_err(failed)?;
    let owned = unfinished
        .iter()
        .filter(|id| call.server.session.has_owner(id));
    let owned: Vec<Value> = owned.map(|id| json!({ "uniqueEntryDump": id })).collect();
    reply::json(&json!({ "queueDump": waiting, "uniqueMapDump": owned }))
}
