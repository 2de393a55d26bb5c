//! Delegation tokens: by them a container of YARN proves for whom it runs, without a ticket of Kerberos.
//!
//! They are secrets, and are in no message.

use std::{
    collections::BTreeMap,
    fmt, io,
    net::{SocketAddr, ToSocketAddrs},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hpdlc_host::comma_list;

use crate::{
    Uri,
    error::Fault,
    hosts::Hosts,
    rest::{self, RestRequest},
};

const HTTP_PORT: u16 = 9870;
const HTTPS_PORT: u16 = 9871;

/// A token (`Token.encodeToUrlString` of Hadoop): identifier, password, kind and service, each behind its length.
pub struct DelegationToken {
    parts: [Vec<u8>; 4],
}

/// Without its content.
impl fmt::Debug for DelegationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DelegationToken").finish_non_exhaustive()
    }
}

impl DelegationToken {
    /// The token in a text; `None` if it is none.
    pub fn parse(text: &str) -> Option<DelegationToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?;
        let mut rest = bytes.as_slice();
        let mut parts: [Vec<u8>; 4] = Default::default();
        for part in &mut parts {
            let (length, further) = number(rest)?;
            let (taken, further) = further.split_at_checked(length)?;
            *part = taken.to_vec();
            rest = further;
        }
        rest.is_empty().then_some(DelegationToken { parts })
    }

    /// The text of the token for a service, by which clients find it.
    pub fn text_for(&self, service: &str) -> String {
        let [identifier, password, kind, _] = &self.parts;
        let mut bytes = Vec::new();
        for part in [identifier, password, kind, service.as_bytes()] {
            put_number(&mut bytes, part.len());
            bytes.extend_from_slice(part);
        }
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

/// A number of `WritableUtils.writeVInt` that is not negative, and what follows it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    let n_bytes = match first.cast_signed() {
        0.. => return Some((usize::from(first), rest)),
        long @ -116..=-113 => usize::from((-112 - long).unsigned_abs()),
        _ => return None,
    };
    let (digits, rest) = rest.split_at_checked(n_bytes)?;
    let value = digits
        .iter()
        .fold(0, |value, digit| value << 8 | usize::from(*digit));
    Some((value, rest))
}

fn put_number(bytes: &mut Vec<u8>, number: usize) {
    if let Ok(small @ 0..=127) = u8::try_from(number) {
        bytes.push(small);
        return;
    }
    let digits = number.to_be_bytes();
    let digits = &digits[digits.iter().take_while(|digit| **digit == 0).count()..];
    let n_digits = i8::try_from(digits.len()).unwrap_or_default();
    bytes.push((-112 - n_digits).cast_unsigned());
    bytes.extend_from_slice(digits);
}

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
        if let Some(token) = text.and_then(DelegationToken::parse) {
            let services = nodes.services.into_iter();
            return Ok(services
                .map(|service| {
                    let text = token.text_for(&service);
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
    fn a_token_is_for_a_service() {
        for length in [0, 5, 127, 128, 300, 70_000] {
            let token = DelegationToken {
                parts: [vec![7; length], vec![9; 20], b"K".to_vec(), Vec::new()],
            };
            let again = DelegationToken::parse(&token.text_for("127.0.0.1:1")).unwrap();
            assert_eq!(again.parts[..3], token.parts[..3], "{length}");
            assert_eq!(again.parts[3], b"127.0.0.1:1");
        }
        // Identifier `a`, password `b`, kind `c`, service empty.
        assert!(DelegationToken::parse("AWEBYgFjAA").is_some());
        for wrong in ["", "AWEBYgFj", "AWEBYgFjAAA", "!", "AWEBYgFjBQ"] {
            assert!(DelegationToken::parse(wrong).is_none(), "{wrong}");
        }
        let shown = format!("{:?}", DelegationToken::parse("AWEBYgFjAA"));
        assert_eq!(shown, "Some(DelegationToken { .. })");
    }

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
