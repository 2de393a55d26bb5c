//! An action's settings for its cluster.

use std::collections::BTreeMap;

/// The setting of a job whose `user.name` is the user of Hadoop.
pub(crate) const PROXY: &str = "hpdl.proxyuser";

/// An action's settings for its cluster.
#[derive(Clone, Copy, Debug)]
pub struct ClusterSettings<'a> {
    pub configuration: &'a BTreeMap<String, String>,
    /// Those of its job and the site.
    pub settings: &'a BTreeMap<String, String>,
    pub resource_manager: Option<&'a str>,
    /// The owner of the applications.
    pub user: &'a str,
}

impl<'a> ClusterSettings<'a> {
    /// The user for whom the owner of a Kerberos ticket acts, as the job says.
    pub fn proxied(&self) -> Option<&'a str> {
        let is_proxy = self.settings.get(PROXY).is_some_and(|it| it == "true");
        (is_proxy && !self.user.is_empty()).then_some(self.user)
    }

    /// A setting of the action, else of the job, else of the site.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        let found = self.configuration.get(name);
        let found = found.or_else(|| self.settings.get(name));
        found
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }
}
