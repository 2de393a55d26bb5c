//! Delegation tokens: by them a container of YARN proves for whom it runs, without a ticket of Kerberos.
//!
//! They are secrets, and are in no message.

use std::{
    collections::BTreeMap,
    io,
    net::{SocketAddr, ToSocketAddrs},
};

use hpdlc_files::{
    Uri,
    error::Fault,
    hosts::Hosts,
    rest::{self, RestRequest},
};
use hpdlc_host::comma_list;
use hpdlc_yarn::credentials::Token;

const HTTP_PORT: u16 = 9870;
const HTTPS_PORT: u16 = 9871;

/// The addresses of a file system's name nodes.
struct NameNodes {
    /// Of their web servers, such as `http://host:9870`.
    web: Vec<String>,
    /// Under which clients look for a token: those of Java by the IP address, `hdfs-native` by the name.
    services: Vec<String>,
}

impl NameNodes {
    fn of(name: &str, properties: &BTreeMap<String, String>) -> NameNodes {
        let get = |name: String| properties.get(&name).map(|value| value.trim().to_owned());
        let authority = Uri::parse(name).authority.unwrap_or_default();
        let is_tls = get("dfs.http.policy".to_owned()).is_some_and(|it| it == "HTTPS_ONLY");
        let (protocol, property, port) = match is_tls {
            true => ("https", "dfs.namenode.https-address", HTTPS_PORT),
            false => ("http", "dfs.namenode.http-address", HTTP_PORT),
        };
        // One that listens on all addresses is on the host of the other service.
        let web = |address: Option<String>, host: &str| match address {
            Some(address) if !address.starts_with("0.0.0.0") => format!("{protocol}://{address}"),
            Some(address) => format!("{protocol}://{host}{}", &address["0.0.0.0".len()..]),
            None => format!("{protocol}://{host}:{port}"),
        };
        let host = |address: &str| {
            let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
            host.to_owned()
        };
        let Some(ids) = get(format!("dfs.ha.namenodes.{authority}")) else {
            let own_host = host(authority);
            let ip = resolved(authority).map(|address| address.to_string());
            return NameNodes {
                web: vec![web(get(property.to_owned()), &own_host)],
                services: ip.into_iter().chain([authority.to_owned()]).collect(),
            };
        };
        let mut found = NameNodes {
            web: Vec::new(),
            services: vec![format!("ha-hdfs:{authority}")],
        };
        for id in comma_list::entries(&ids) {
            let suffix = format!("{authority}.{id}");
            let address = get(format!("dfs.namenode.rpc-address.{suffix}")).unwrap_or_default();
            found
                .web
                .push(web(get(format!("{property}.{suffix}")), &host(&address)));
            found
                .services
                .extend(resolved(&address).map(|address| address.to_string()));
        }
        found
    }
}

/// The first address of `host:port`; `None` if that is not known.
pub fn resolved(address: &str) -> Option<SocketAddr> {
    let mut all: Vec<SocketAddr> = address.to_socket_addrs().ok()?.collect();
    // Java prefers these.
    all.sort_by_key(SocketAddr::is_ipv6);
    all.first().copied()
}

/// A new token for the file system `name`, such as `hdfs://host:8020`, which `renewer` may renew: pairs of a service and the text for it.
///
/// # Errors
///
/// No name node gives one, or the file system is not HDFS by its own protocol.
pub fn of_hdfs(hosts: &Hosts<'_>, name: &str, renewer: &str) -> io::Result<Vec<(String, String)>> {
    if !name.starts_with("hdfs://") {
        let problem = format!("{name} gives no tokens for containers; a folder on hdfs:// does");
        return Err(Fault::Unsupported.error(problem));
    }
    let nodes = NameNodes::of(name, &hosts.properties()?);
    let query = [
        ("op", "GETDELEGATIONTOKEN"),
        ("renewer", renewer),
        ("kind", "HDFS_DELEGATION_TOKEN"),
        ("service", nodes.services.first().map_or("", String::as_str)),
    ];
    let mut problem = None;
    for base in &nodes.web {
        let answer = rest::ask(
            hosts,
            &format!("{base}/webhdfs/v1/"),
            &query,
            RestRequest::Get,
        );
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                problem.get_or_insert(Fault::at(base, error));
                continue;
            }
        };
        let text = answer.body["Token"]["urlString"].as_str();
        if let Some(token) = text.and_then(Token::of_url_text) {
            let services = nodes.services.into_iter();
            return Ok(services
                .map(|service| {
                    let text = token.url_text_for(&service);
                    (service, text)
                })
                .collect());
        }
        let said = answer.body["RemoteException"]["message"].as_str();
        let said = said
            .and_then(|said| said.lines().next())
            .unwrap_or("no token");
        problem.get_or_insert(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "{base} gives no token for a container: {} {said}",
                answer.status
            ),
        ));
    }
    let none = || Fault::Unreachable.error(format!("{name} has no known name node"));
    Err(problem.unwrap_or_else(none))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_nodes_are_found_in_the_configuration() {
        let map = |list: &[(&str, &str)]| -> BTreeMap<String, String> {
            let list = list.iter();
            list.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let one = NameNodes::of("hdfs://127.0.0.1:8020", &map(&[]));
        assert_eq!(one.web, ["http://127.0.0.1:9870"]);
        assert_eq!(one.services, ["127.0.0.1:8020", "127.0.0.1:8020"]);
        let everywhere = map(&[
            ("dfs.http.policy", "HTTPS_ONLY"),
            ("dfs.namenode.https-address", "0.0.0.0:77"),
        ]);
        let one = NameNodes::of("hdfs://127.0.0.1:8020", &everywhere);
        assert_eq!(one.web, ["https://127.0.0.1:77"]);
        let two = map(&[
            ("dfs.ha.namenodes.prod", "a, b"),
            ("dfs.namenode.rpc-address.prod.a", "127.0.0.1:1"),
            ("dfs.namenode.rpc-address.prod.b", "127.0.0.2:2"),
            ("dfs.namenode.http-address.prod.a", "x:3"),
        ]);
        let two = NameNodes::of("hdfs://prod", &two);
        assert_eq!(two.web, ["http://x:3", "http://127.0.0.2:9870"]);
        assert_eq!(two.services, ["ha-hdfs:prod", "127.0.0.1:1", "127.0.0.2:2"]);
    }
}
