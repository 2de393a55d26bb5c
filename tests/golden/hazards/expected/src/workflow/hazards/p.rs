// Compiled by hpdlc from `hazards/workflow.xml`.

pub(super) const DAYS: &str = "DAYS";
pub(super) const MINUTES: &str = "MINUTES";
pub(super) const blank: &str = "blank";
pub(super) const day: &str = "day";
pub(super) const flag: &str = "flag";
pub(super) const inputDir: &str = "inputDir";
pub(super) const name: &str = "name";
pub(super) const nameNode: &str = "nameNode";
pub(super) const quoted: &str = "quoted";
pub(super) const retries: &str = "retries";
pub(super) const title: &str = "title";
pub(super) const r#type: &str = "type";
pub(super) const wf: &str = "wf";
