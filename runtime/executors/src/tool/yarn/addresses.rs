//! The addresses of resource managers and of the history server.

use std::collections::BTreeMap;

use hpdlc_files::Uri;
use hpdlc_host::comma_list;

use crate::tool::{cluster_settings::ClusterSettings, configuration};

const RM_PORT: u16 = 8088;
const RM_SERVICE_PORT: u16 = 8032;
const RM_SCHEDULER_PORT: u16 = 8030;
const RM_TLS_PORT: u16 = 8090;
const HISTORY_PORT: u16 = 19888;
const HISTORY_TLS_PORT: u16 = 19890;

/// The addresses of the resource managers.
pub(super) fn managers(said: &ClusterSettings<'_>, site: &BTreeMap<String, String>) -> Vec<String> {
    if let Some(addresses) = said.setting("hpdl.yarn.webapp.address") {
        return comma_list::entries(addresses)
            .map(|address| with_scheme(address, false))
            .collect();
    }
    let get = |name: &str| said.configuration.get(name).or_else(|| site.get(name));
    let is_tls = get("yarn.http.policy").is_some_and(|policy| policy == "HTTPS_ONLY");
    let (name, port) = if is_tls {
        ("yarn.resourcemanager.webapp.https.address", RM_TLS_PORT)
    } else {
        ("yarn.resourcemanager.webapp.address", RM_PORT)
    };
    let of_id = |suffix: &str| of_id(&get, name, port, suffix);
    let ha_ids = ha_ids(&get);
    let configured: Vec<String> = match ha_ids {
        Some(ids) => comma_list::entries(ids)
            .filter_map(|id| of_id(&format!(".{id}")))
            .collect(),
        None => of_id("").into_iter().collect(),
    };
    // The action may name another cluster than the files do; its name may be in its configuration too.
    let known = site.get(configuration::RESOURCE_MANAGER);
    let own = said.resource_manager.and_then(|own| {
        let is_configured = known.is_some_and(|known| known == own)
            || ha_ids.is_some()
            || configured.iter().any(|known| host(known) == host(own));
        (!is_configured && own.contains(':')).then(|| format!("{}:{port}", host(own)))
    });
    let all = match own {
        Some(own) => vec![own],
        None => configured,
    };
    all.iter()
        .map(|address| with_scheme(address, is_tls))
        .collect()
}

/// The addresses by which clients submit applications, each a host and a port; with high availability, of all resource managers.
pub(super) fn services(said: &ClusterSettings<'_>, site: &BTreeMap<String, String>) -> Vec<String> {
    let get = |name: &str| said.configuration.get(name).or_else(|| site.get(name));
    let name = configuration::RESOURCE_MANAGER;
    let of_id = |suffix: &str| of_id(&get, name, RM_SERVICE_PORT, suffix);
    match ha_ids(&get) {
        Some(ids) => comma_list::entries(ids)
            .filter_map(|id| of_id(&format!(".{id}")))
            .collect(),
        None => {
            let own = said.resource_manager.filter(|own| own.contains(':'));
            own.map(str::to_owned)
                .or_else(|| of_id(""))
                .into_iter()
                .collect()
        }
    }
}

/// The addresses of the schedulers of all resource managers, where several have high availability: none is known of a single one, or of
/// those that a setting names.
pub(super) fn schedulers(
    said: &ClusterSettings<'_>,
    site: &BTreeMap<String, String>,
) -> Vec<String> {
    if said.setting("hpdl.yarn.webapp.address").is_some() {
        return Vec::new();
    }
    let get = |name: &str| said.configuration.get(name).or_else(|| site.get(name));
    let name = "yarn.resourcemanager.scheduler.address";
    let of_id = |id: &str| of_id(&get, name, RM_SCHEDULER_PORT, &format!(".{id}"));
    let ids = ha_ids(&get).map(|ids| comma_list::entries(ids).filter_map(of_id).collect());
    ids.unwrap_or_default()
}

/// A property of Hadoop's own files.
type Get<'g, 'v> = &'g dyn Fn(&str) -> Option<&'v String>;

/// The address of a service of a resource manager, which is `suffix` of its property's name: it may be said by its host alone.
fn of_id(get: Get<'_, '_>, property: &str, port: u16, suffix: &str) -> Option<String> {
    let host = get(&format!("yarn.resourcemanager.hostname{suffix}")).map(|host| host.trim());
    match (get(&format!("{property}{suffix}")), host) {
        (Some(address), Some(host)) => Some(reachable(address.trim(), host)),
        (Some(address), None) => Some(address.trim().to_owned()),
        (None, Some(host)) => Some(format!("{host}:{port}")),
        (None, None) => None,
    }
}

/// The ids of several resource managers, if that is enabled.
fn ha_ids<'v>(get: Get<'_, 'v>) -> Option<&'v str> {
    let enabled = get("yarn.resourcemanager.ha.enabled")?;
    let is_enabled = enabled.trim().eq_ignore_ascii_case("true");
    let ids = get("yarn.resourcemanager.ha.rm-ids")?;
    is_enabled.then_some(ids.as_str())
}

/// The history server of MapReduce jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HistoryServer {
    /// Such as `http://host:19888`.
    pub(super) address: String,
    /// The address is not configured.
    pub(super) is_guess: bool,
}

impl HistoryServer {
    /// From the settings of the site or the action, else from Hadoop's own files.
    pub(super) fn of(said: &ClusterSettings<'_>, site: &BTreeMap<String, String>) -> HistoryServer {
        if let Some(address) = said.setting("hpdl.hadoop.history.webapp.address") {
            return HistoryServer {
                address: with_scheme(address, false),
                is_guess: false,
            };
        }
        let get = |name: &str| said.configuration.get(name).or_else(|| site.get(name));
        let is_tls = get("mapreduce.jobhistory.http.policy").is_some_and(|it| it == "HTTPS_ONLY");
        let (name, port) = if is_tls {
            (
                "mapreduce.jobhistory.webapp.https.address",
                HISTORY_TLS_PORT,
            )
        } else {
            ("mapreduce.jobhistory.webapp.address", HISTORY_PORT)
        };
        let beside = |address: &str| format!("{}:{port}", host(address));
        let known = get(name).cloned();
        let known =
            known.or_else(|| get("mapreduce.jobhistory.address").map(|address| beside(address)));
        let is_guess = known.is_none();
        let address = known.unwrap_or_else(|| {
            // It is often on the host of the resource manager.
            beside(said.resource_manager.unwrap_or("localhost"))
        });
        HistoryServer {
            address: with_scheme(&address, is_tls),
            is_guess,
        }
    }
}

/// The address of a service of a resource manager: where it listens on all addresses, its host is that of its web pages or its own, `base`.
pub(super) fn reachable(address: &str, base: &str) -> String {
    match address.rsplit_once(':') {
        Some(("0.0.0.0", port)) => format!("{}:{port}", host(base)),
        Some(_) | None => address.to_owned(),
    }
}

fn host(address: &str) -> &str {
    let address = Uri::parse(address).authority.unwrap_or(address);
    address.rsplit_once(':').map_or(address, |(host, _)| host)
}

fn with_scheme(address: &str, is_tls: bool) -> String {
    let address = address.trim_end_matches('/');
    if address.contains("://") {
        address.to_owned()
    } else if is_tls {
        format!("https://{address}")
    } else {
        format!("http://{address}")
    }
}
