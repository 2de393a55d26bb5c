//! Bundle jobs.

use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{JobRow, coordinators::BundleRow};

use crate::{
    api::{bundle::BundleJob, configuration, coordinator::CoordinatorJob},
    serve::{
        dates::Zone,
        wire::workflow::{owner, properties, property},
    },
};

impl BundleJob {
    pub(crate) fn of(
        job: &JobRow,
        row: &BundleRow,
        coordinators: Vec<CoordinatorJob>,
        zone: &Zone,
        mask: &Masks,
    ) -> BundleJob {
        let status = row.status.name();
        BundleJob {
            bundle_job_name: mask.text(&job.app),
            bundle_job_path: property(job, "oozie.bundle.application.path")
                .map_or_else(|| mask.text(&job.app_path), |path| mask.text(&path)),
            kickoff_time: zone.maybe(row.kick_off.map(|time| time.timestamp_millis())),
            bundle_coord_jobs: coordinators,
            conf: configuration::text(&properties(job, mask)),
            acl: property(job, "oozie.job.acl"),
            bundle_job_id: job.id.clone(),
            bundle_external_id: None,
            time_out: 0,
            pause_time: zone.maybe(row.pause_time.map(|time| time.timestamp_millis())),
            console_url: None,
            created_time: zone.write(job.created),
            start_time: None,
            to_string: format!("Bundle id[{}] status[{status}]", job.id),
            end_time: zone.maybe(job.ended),
            user: owner(job),
            status: status.to_owned(),
            time_unit: "NONE".to_owned(),
            group: property(job, "group.name"),
        }
    }
}
