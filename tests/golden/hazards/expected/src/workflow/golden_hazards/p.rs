// Compiled by hpdlc from `hazards/workflow.xml`.

pub(super) const title: &str = "title";
