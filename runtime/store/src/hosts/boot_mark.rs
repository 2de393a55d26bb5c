//! What identifies the boot of a machine and the host, in `boot_id` of an action.

/// Between the boot and the id of the host.
const OF_HOST: char = '@';

/// The mark of this boot of the machine on a host.
pub fn mark_of(boot_id: &str, host: Option<&str>) -> String {
    match host {
        Some(host) => format!("{boot_id}{OF_HOST}{host}"),
        None => boot_id.to_owned(),
    }
}

/// The id of the host in such a mark.
pub fn host_of(mark: &str) -> Option<&str> {
    mark.split_once(OF_HOST).map(|(_, host)| host)
}

/// Whether two marks are of the same boot of the same host. A mark without a host was made for a store in a file.
pub fn is_same_boot(one: &str, other: &str) -> bool {
    let of_boot = |mark: &str| mark.split(OF_HOST).next().map(str::to_owned);
    let is_same_host = match (host_of(one), host_of(other)) {
        (Some(one), Some(other)) => one == other,
        (None, _) | (_, None) => true,
    };
    is_same_host && of_boot(one) == of_boot(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_of_a_boot_and_a_host() {
        let here = mark_of("boot", Some("a"));
        assert_eq!(host_of(&here), Some("a"));
        for (other, expected) in [
            (mark_of("boot", Some("a")), true),
            (mark_of("boot", Some("b")), false),
            (mark_of("next", Some("a")), false),
            // From a store in a file.
            (mark_of("boot", None), true),
            (mark_of("next", None), false),
            (String::new(), false),
        ] {
            assert_eq!(is_same_boot(&here, &other), expected, "{other}");
        }
    }
}
