//! Addresses with a port: of file systems, clusters and services.

use std::sync::Arc;

use super::Forms;
use crate::{
    analysis::action_types,
    lints::malformed_addresses::{AddressProblem, MalformedAddress},
    model::{ActionKind, Template},
};

impl Forms<'_, '_> {
    /// Reports invalid ports, and a `name-node` without a scheme.
    pub(super) fn addresses(&mut self, kind: &ActionKind) {
        if let Some(settings) = kind.settings() {
            for (address, needs_scheme) in [
                (&settings.name_node, true),
                (&settings.resource_manager, false),
            ] {
                if let Some(address) = address
                    && self.seen.insert(address.span)
                {
                    self.address(address, needs_scheme);
                }
            }
        }
        if let Some(address) = action_types::of(kind).and_then(|it| it.address()) {
            self.address(address, false);
        }
    }

    fn address(&mut self, template: &Template, needs_scheme: bool) {
        if template.is_invalid {
            return;
        }
        let known = self.known;
        let key = (Arc::as_ptr(&template.ast), needs_scheme);
        let is_good = self.good_addresses.get_or_insert_with(key, || {
            known
                .text(template)
                .is_none_or(|text| problem(&text.value, needs_scheme).is_none())
        });
        if *is_good {
            return;
        }
        let Some(text) = known.text(template) else {
            return;
        };
        let Some(problem) = problem(&text.value, needs_scheme) else {
            return;
        };
        self.emit(MalformedAddress {
            address: text.value.trim().to_owned(),
            problem,
            place: template.span,
            origin: text.origin(),
        });
    }
}

fn problem(address: &str, needs_scheme: bool) -> Option<AddressProblem> {
    let address = address.trim();
    if is_of_first_hive_server(address) {
        return Some(AddressProblem::FirstHiveServer);
    }
    if let Some(port) = malformed_port(address) {
        return Some(AddressProblem::Port(port.to_owned()));
    }
    // An empty address is reported as a setting without a value.
    let lacks_scheme = needs_scheme && !address.is_empty() && !has_scheme(address);
    lacks_scheme.then_some(AddressProblem::NoScheme)
}

/// Whether this is a URI and not a host or a path: Hadoop reads `nn:8020` as a path of the file system `nn`.
fn has_scheme(address: &str) -> bool {
    address
        .split_once(":/")
        .is_some_and(|(scheme, _)| !scheme.is_empty() && !scheme.contains('/'))
}

/// Whether a URL is for HiveServer 1, which beeline has no driver for, or lacks a slash.
fn is_of_first_hive_server(address: &str) -> bool {
    let name = address.strip_prefix("jdbc:hive");
    name.is_some_and(|rest| {
        rest.starts_with(':') || rest.starts_with("2:") && !rest.starts_with("2://")
    })
}

/// The port of `scheme://host:port/...` or `host:port`, if it is invalid.
pub(in crate::analysis) fn malformed_port(address: &str) -> Option<&str> {
    let authority = match address.split_once("://") {
        Some((_, rest)) => rest.split(['/', '?', '#', ';']).next()?,
        // Only `host:port` without a path; anything else is not an address.
        None if address.contains(['/', '?', '@']) => return None,
        None => address,
    };
    let hosts = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    // A list of hosts, as ZooKeeper and Hive allow; an IPv6 address is in brackets.
    hosts.split(',').find_map(|host| {
        let (name, port) = host.rsplit_once(':')?;
        let is_bracketed = name.starts_with('[') && name.ends_with(']');
        if name.contains(':') && !is_bracketed {
            return Some(port);
        }
        let is_port = port.parse::<u16>().is_ok_and(|port| port > 0);
        (!is_port).then_some(port)
    })
}

#[cfg(test)]
mod tests {
    use super::{has_scheme, is_of_first_hive_server, malformed_port};

    #[test]
    fn schemes() {
        for (address, expected) in [
            ("hdfs://nn:8020", true),
            ("file:/data", true),
            ("file:///", true),
            ("s3a://bucket", true),
            ("nn:8020", false),
            ("namenode", false),
            ("/data", false),
            ("//nn:8020", false),
            ("/a:/b", false),
            ("://nn", false),
        ] {
            assert_eq!(has_scheme(address), expected, "{address}");
        }
    }

    #[test]
    fn addresses_of_hive() {
        for (address, expected) in [
            ("jdbc:hive2://h:10000/default", false),
            ("jdbc:hive2://", false),
            ("jdbc:impala://h:21050", false),
            ("jdbc:hive://h:10000", true),
            ("jdbc:hive2:/h:10000", true),
            ("jdbc:hive2:h:10000", true),
        ] {
            assert_eq!(is_of_first_hive_server(address), expected, "{address}");
        }
    }

    #[test]
    fn ports() {
        for (address, expected) in [
            ("hdfs://nn:8020", None),
            ("hdfs://nn", None),
            ("hdfs://nn/", None),
            ("hdfs://nn:8020/a:b", None),
            ("file:///", None),
            ("yarnRM", None),
            ("rm:8032", None),
            ("local", None),
            ("git@host:team", None),
            ("", None),
            (
                "jdbc:hive2://a:2181,b:2181/;serviceDiscoveryMode=zooKeeper",
                None,
            ),
            ("http://user:word@host:80/x", None),
            ("http://[::1]:80/x", None),
            ("hdfs://nn:80200", Some("80200")),
            ("hdfs://nn:port/x", Some("port")),
            ("hdfs://nn:/x", Some("")),
            ("rm:8o32", Some("8o32")),
            ("rm:0", Some("0")),
            ("jdbc:hive2://a:2181,b:x/db", Some("x")),
            ("hdfs://nn:8020:8020", Some("8020")),
        ] {
            assert_eq!(malformed_port(address), expected, "{address}");
        }
    }
}
