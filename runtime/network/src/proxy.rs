//! Proxy settings `[type@]host:port`, parsed like `NotificationXCommand`.

/// A proxy between this machine and the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proxy {
    Http(String, u16),
    Socks(String, u16),
}

impl Proxy {
    /// `None` if the text has no valid port: then no proxy is used.
    pub fn parse(text: &str) -> Option<Proxy> {
        let (kind, place) = match text.trim().split_once('@') {
            Some((kind, place)) => (kind.trim(), place.trim()),
            None => ("", text.trim()),
        };
        let (host, port) = place.rsplit_once(':')?;
        let port = port.trim().parse().ok()?;
        let host = host.trim().trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return None;
        }
        Some(if kind.eq_ignore_ascii_case("socks") {
            Proxy::Socks(host.to_owned(), port)
        } else {
            Proxy::Http(host.to_owned(), port)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_ports_are_as_in_oozie() {
        let http = |host: &str, port| Some(Proxy::Http(host.to_owned(), port));
        let socks = |host: &str, port| Some(Proxy::Socks(host.to_owned(), port));
        for (text, expected) in [
            ("proxy:3128", http("proxy", 3128)),
            ("http@proxy:3128", http("proxy", 3128)),
            ("SOCKS@proxy:1080", socks("proxy", 1080)),
            ("socks@[::1]:1080", socks("::1", 1080)),
            ("proxy", None),
            ("proxy:many", None),
            ("proxy:99999", None),
            (":3128", None),
            ("", None),
        ] {
            assert_eq!(Proxy::parse(text), expected, "{text}");
        }
    }
}
