// Compiled by hpdlc from `hello/workflow.xml`.

pub(super) const name: &str = "name";
