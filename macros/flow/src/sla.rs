//! Service levels: when an action or a workflow should have started and ended, and who hears of it.

use crate::{Duration, outside};

/// A service level: `.sla(Sla { nominal_time: &day, should_end: minutes(30), ..Sla::default() })` of an action, and
/// `#[sla(nominal_time = &day, should_end = minutes(30))]` of a workflow.
///
/// `nominal_time` and `should_end` must be there. Any field can be an [`el!`](crate::el).
///
/// ```
/// use hpdlc_flow::{Result, Sla, el, hive2_query, minutes, workflow};
///
/// #[workflow(name_node = "hdfs://nn", resource_manager = "rm:8032")]
/// #[credential(name = "hive", kind = "hive2", property("hive2.jdbc.url", &url), property("principal", "hive/${host}"))]
/// #[sla(nominal_time = "${day}T08:00Z", should_end = minutes(90), notification_msg = format!("{day} is late"))]
/// async fn report(url: String, host: String, day: String) -> Result {
///     hive2_query(&url, "msck repair table logs")
///         .credentials("hive")
///         .sla(Sla {
///             nominal_time: format!("{day}T08:00Z"),
///             should_start: el!("${10 * MINUTES}"),
///             should_end: minutes(30),
///             alert_contact: &host,
///             ..Sla::default()
///         })
///         .await?;
///     hive2_query(url, day).named("again").await
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Sla {
    /// When the work is due, such as `2026-11-27T08:00Z`: durations count from there.
    pub nominal_time: String,
    /// When it should have started.
    pub should_start: Duration,
    /// When it should have ended.
    pub should_end: Duration,
    /// How long it should take at most.
    pub max_duration: Duration,
    /// What is reported, with commas between: `start_miss`, `end_miss`, `duration_miss`, and the same with `met`.
    pub alert_events: String,
    /// The addresses that get mail of it, with commas between.
    pub alert_contact: String,
    /// A text for those who read the report.
    pub notification_msg: String,
    /// The applications that this one waits for, with commas between.
    pub upstream_apps: String,
}

impl Default for Sla {
    fn default() -> Sla {
        outside()
    }
}
