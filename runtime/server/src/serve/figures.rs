//! `admin/metrics` and `admin/queue-dump`: figures of the server and the store.

use std::{collections::BTreeMap, time::Duration};

use hpdlc_store::{jobs, query};

use crate::{
    api::admin::{
        Metrics, MetricsCounter, MetricsGauge, MetricsTimer, OwnedJob, QueueDump, WaitingCommand,
    },
    serve::{
        call::Call,
        counters::Timer,
        failure::Failure,
        listing,
        reply::{self, Reply},
    },
};

/// As `MetricsInstrumentation` of Oozie writes them: gauges, counters, timers.
pub(crate) fn metrics(call: &Call) -> Reply {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let mut gauges = BTreeMap::new();
    for (kind, status, n) in listing::counts(&connection).map_err(failed)? {
        let kind = match kind.as_str() {
            "C" => "coordinators",
            "B" => "bundles",
            _ => "workflows",
        };
        gauges.insert(format!("jobs.{kind}.{status}"), MetricsGauge { value: n });
    }
    let uptime = call.server.started.elapsed();
    gauges.insert(
        "server.uptime.seconds".to_owned(),
        MetricsGauge {
            value: i64::try_from(uptime.as_secs()).unwrap_or(i64::MAX),
        },
    );
    let counters = call.server.counters.lock();
    let counters = counters.map_err(|_| Failure::server("the counters are lost"))?;
    let statuses = counters.by_status.iter().map(|(status, n)| {
        (
            format!("webservices.status.{status}"),
            MetricsCounter { count: *n },
        )
    });
    let timers = counters.by_method.iter().map(|(method, timer)| {
        (
            format!("webservices.{method}.timer"),
            of_timer(timer, uptime),
        )
    });
    reply::json(&Metrics {
        version: "3.0.0".to_owned(),
        gauges,
        counters: statuses.collect(),
        histograms: BTreeMap::new(),
        timers: timers.collect(),
    })
}

/// The keys that the client of Oozie reads (`OozieClient.Metrics.Timer`).
fn of_timer(timer: &Timer, uptime: Duration) -> MetricsTimer {
    let times = timer.distribution();
    let minutes = |n: u64| timer.rate(Duration::from_secs(n * 60).min(uptime));
    MetricsTimer {
        count: timer.n,
        mean: times.mean(),
        stddev: times.deviation(),
        min: times.per_mille(0),
        max: times.per_mille(1000),
        p50: times.per_mille(500),
        p75: times.per_mille(750),
        p95: times.per_mille(950),
        p98: times.per_mille(980),
        p99: times.per_mille(990),
        p999: times.per_mille(999),
        m1_rate: minutes(1),
        m5_rate: minutes(5),
        m15_rate: minutes(15),
        mean_rate: timer.rate(uptime),
        duration_units: "milliseconds".to_owned(),
        rate_units: "calls/second".to_owned(),
    }
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
            waiting.push(WaitingCommand {
                callable_dump: format!("{verb} {}", command.job_id),
            });
        }
    }
    let unfinished = query::unfinished_ids(&connection).map_err(failed)?;
    let owned = unfinished
        .iter()
        .filter(|id| call.server.session.has_owner(id));
    let owned = owned.map(|id| OwnedJob {
        unique_entry_dump: id.clone(),
    });
    reply::json(&QueueDump {
        queue_dump: waiting,
        unique_map_dump: owned.collect(),
    })
}
