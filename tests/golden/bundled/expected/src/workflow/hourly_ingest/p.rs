// Compiled by hpdlc from `bundle.xml`.

pub(super) const DAY: &str = "DAY";
pub(super) const HOUR: &str = "HOUR";
pub(super) const MONTH: &str = "MONTH";
pub(super) const YEAR: &str = "YEAR";
pub(super) const root: &str = "root";
pub(super) const source: &str = "source";
