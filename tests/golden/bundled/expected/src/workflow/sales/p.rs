// Compiled by hpdlc from `bundle.xml`.

pub(super) const root: &str = "root";
pub(super) const withRollup: &str = "withRollup";
