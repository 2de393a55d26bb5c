//! `doAs`: users who may act for others, as `ProxyUserService` of Oozie has them.

use std::net::{IpAddr, ToSocketAddrs};

use axum::http::StatusCode;

use crate::{
    serve::{call::Call, failure::Failure, policy},
    token,
};

/// The user that `doAs` names, if it names another and the caller may act for that one. May ask for names of hosts and groups.
///
/// # Errors
///
/// E1400, with the words of `ProxyUserService`: `oozie.service.ProxyUserService.proxyuser.U.hosts` and `.groups` do not allow it.
pub(crate) fn doas(call: &Call) -> Result<Option<String>, Failure> {
    let caller = call.caller.user.as_deref();
    let Some(other) = call.parameters.filled("doAs") else {
        return Ok(None);
    };
    if caller == Some(other) {
        return Ok(None);
    }
    let caller = caller.unwrap_or("?");
    let setting = |what: &str| {
        let name = format!("oozie.service.ProxyUserService.proxyuser.{caller}.{what}");
        call.server.session.site.get(&name)
    };
    let list = |text: &str| -> Vec<String> {
        let items = text.split(',').map(str::trim);
        items.map(str::to_owned).collect()
    };
    let Some((hosts, groups)) = setting("hosts").zip(setting("groups")) else {
        return Err(refused(format!("User [{caller}] not defined as proxyuser")));
    };
    if !token::is_user_name(other) {
        return Err(Failure::argument("doAs is no user name"));
    }
    if hosts.trim() != "*" && !list(hosts).iter().any(|host| is_at(host, call.address)) {
        let address = call.address.map_or_else(String::new, |it| it.to_string());
        return Err(refused(format!(
            "Unauthorized host [{address}] for proxyuser [{caller}]"
        )));
    }
    if groups.trim() != "*" {
        let known = policy::groups_of(other)?;
        if !list(groups).iter().any(|group| known.contains(group)) {
            return Err(refused(format!(
                "Unauthorized proxyuser [{caller}] for user [{other}], not in proxyuser groups"
            )));
        }
    }
    Ok(Some(other.to_owned()))
}

fn refused(words: String) -> Failure {
    Failure::plain("E1400", words).with_status(StatusCode::UNAUTHORIZED)
}

/// Whether a name or an address is that of a client.
fn is_at(host: &str, client: Option<IpAddr>) -> bool {
    let Some(client) = client else {
        return false;
    };
    if host == "*" || host.parse() == Ok(client) {
        return true;
    }
    let found = (host, 0).to_socket_addrs();
    let is_same = |address: IpAddr| {
        let address = address.to_canonical();
        address == client || (address.is_loopback() && client.is_loopback())
    };
    found.is_ok_and(|mut all| all.any(|address| is_same(address.ip())))
}

#[cfg(test)]
mod tests {
    use super::is_at;

    #[test]
    fn a_host_is_named_by_its_address_or_its_name() {
        let here = Some("127.0.0.1".parse().unwrap());
        for host in ["127.0.0.1", "localhost", "*"] {
            assert!(is_at(host, here), "{host}");
        }
        for host in ["", "10.1.2.3", "no.such.host.invalid"] {
            assert!(!is_at(host, here), "{host}");
        }
        assert!(!is_at("localhost", None));
        assert!(!is_at("localhost", Some("10.1.2.3".parse().unwrap())));
    }
}
