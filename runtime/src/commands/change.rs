//! `change`: the end, the pause time, the concurrency or the state of a coordinator; the first two of a bundle.

use clap::Args;
use hpdlc_engine::{
    control::{JobOrder, bundle_request::BundleRequest, coordinator_request::CoordinatorRequest},
    owner::Session,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};

use crate::commands::scheduled;

#[derive(Debug, Args)]
pub struct Change {
    /// The coordinator or bundle
    id: String,
    /// All at once, as Oozie's client takes it: endtime=...;concurrency=...
    #[arg(value_name = "KEY=VALUE;...")]
    value: Option<String>,
    /// No actions from this time on
    #[arg(long, value_name = "TIME")]
    endtime: Option<String>,
    /// How many actions run at once; -1 for any number
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    concurrency: Option<String>,
    /// No actions from this time on for now; '' removes the pause
    #[arg(long, value_name = "TIME")]
    pausetime: Option<String>,
    /// RUNNING or IGNORED
    #[arg(long)]
    status: Option<String>,
}

impl Change {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let kinds = [JobKind::Coordinator, JobKind::Bundle];
        let job = scheduled::find_job_of(session, &self.id, &kinds, "change")?;
        let options = [
            ("endtime", &self.endtime),
            ("concurrency", &self.concurrency),
            ("pausetime", &self.pausetime),
            ("status", &self.status),
        ];
        let options = options
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?)));
        let parts: Vec<String> = self.value.clone().into_iter().chain(options).collect();
        if parts.is_empty() {
            return Err(RunError::usage("nothing to change (E1015)").with_help(
                "give --endtime, --pausetime, --concurrency or --status; `change --help` says more",
            ));
        }
        let text = parts.join(";");
        match JobKind::of(&job.id) {
            JobKind::Bundle => {
                let request = BundleRequest::Change(text);
                scheduled::ask(session, &job, JobOrder::Bundle(&request))
            }
            JobKind::Coordinator | JobKind::Workflow => {
                let request = CoordinatorRequest::Change(text);
                scheduled::ask(session, &job, JobOrder::Coordinator(&request))
            }
        }
    }
}
