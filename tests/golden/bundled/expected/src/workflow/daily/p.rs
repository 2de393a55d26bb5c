// Compiled by hpdlc from `bundle.xml`.

pub(super) const until: &str = "until";
