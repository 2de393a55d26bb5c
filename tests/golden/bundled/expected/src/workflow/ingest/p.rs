// Compiled by hpdlc from `bundle.xml`.

pub(super) const input: &str = "input";
pub(super) const mode: &str = "mode";
pub(super) const output: &str = "output";
