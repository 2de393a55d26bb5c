//! Kerberos: whose ticket this process has, and in plain words what the library says where that does not suffice.

use std::{collections::BTreeMap, env, io};

use crate::{access_settings::AccessSettings, auth_to_local, clusters, error::Fault};

/// The property of `core-site.xml` that says how clients prove who they are.
const AUTHENTICATION: &str = "hadoop.security.authentication";

/// Its property with the rules by which principals become users.
const RULES: &str = "hadoop.security.auth_to_local";

/// Whether clients with these settings prove who they are, on the cluster that this machine is configured for.
pub fn is_asked_by(settings: &AccessSettings) -> bool {
    if settings.properties.contains_key(AUTHENTICATION) {
        return is_asked(&settings.properties);
    }
    let site = clusters::site_properties(&["core-site.xml"]);
    site.is_ok_and(|site| is_asked(&site))
}

/// Whether clients of a cluster with these properties prove who they are.
pub(crate) fn is_asked(properties: &BTreeMap<String, String>) -> bool {
    let how = properties.get(AUTHENTICATION);
    how.is_some_and(|how| !how.trim().is_empty() && how.trim() != "simple")
}

/// The Hadoop user of this process: that of its ticket, or in a container of YARN that of the container.
///
/// # Errors
///
/// There is neither.
pub fn user() -> io::Result<String> {
    match hpdlc_gssapi::principal() {
        Ok(principal) => user_of(&principal),
        Err(said) => {
            let is_contained = env::var_os("HADOOP_TOKEN_FILE_LOCATION").is_some();
            let user = env::var("USER").ok().filter(|user| !user.is_empty());
            user.filter(|_| is_contained).ok_or_else(|| problem(&said))
        }
    }
}

/// The user of a principal, by the rules of this machine's `core-site.xml`; without any the first part of its name.
///
/// # Errors
///
/// The file cannot be read, or no rule applies.
pub fn user_of(principal: &str) -> io::Result<String> {
    let site = clusters::site_properties(&["core-site.xml"])?;
    let rules = site.get(RULES).map_or("DEFAULT", String::as_str);
    auth_to_local::user(principal, rules)
        .map_err(|problem| Fault::Unproved.error(format!("{RULES} in core-site.xml: {problem}")))
}

/// The error of what the library, or what calls it, says about a proof that failed.
pub(crate) fn problem(said: &str) -> io::Error {
    let has = |text: &str| said.contains(text);
    if has("libgssapi_krb") {
        let next = "install it: apt-get install libgssapi-krb5-2 (Debian), yum install krb5-libs (Red Hat)";
        return Fault::Unproved.error(format!("Kerberos needs {}; {next}", hpdlc_gssapi::LIBRARY));
    }
    if has("expired") {
        return Fault::Unproved.error(format!(
            "the Kerberos ticket has expired; kinit gets a new one{}",
            in_cache(said)
        ));
    }
    if has("No Kerberos credentials available") || has("redentials cache") && has("found") {
        return Fault::Unproved.error(format!(
            "there is no Kerberos ticket; kinit gets one{}",
            in_cache(said)
        ));
    }
    if has("Cannot contact any KDC") || has("Cannot resolve network address for KDC") {
        return Fault::Unreachable.error(format!("no KDC of Kerberos answers: {said}"));
    }
    if has("Cannot find KDC") || has("Cannot determine realm") || has("Configuration file") {
        return Fault::Unproved.error(format!(
            "Kerberos is not configured for this server: {said}; KRB5_CONFIG names the file, else it is /etc/krb5.conf"
        ));
    }
    if has("not found in Kerberos database") {
        return Fault::Unproved.error(format!(
            "the KDC does not know the server by this name of its host: {said}"
        ));
    }
    Fault::Unproved.error(format!("Kerberos: {said}"))
}

/// Where the library has looked for a ticket, if it says so.
fn in_cache(said: &str) -> String {
    let named = said.split_once("default cache: ").map(|(_, rest)| rest);
    let named = named.map(|rest| rest.split(')').next().unwrap_or(rest).trim());
    let set = env::var("KRB5CCNAME").ok().filter(|name| !name.is_empty());
    match named.map(str::to_owned).or(set) {
        Some(cache) => format!(" (looked at {cache})"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_says_becomes_a_next_step() {
        for (said, fault, expected) in [
            (
                "libgssapi_krb5.so.2: cannot open shared object file",
                Fault::Unproved,
                "apt-get install libgssapi-krb5-2",
            ),
            (
                "Unspecified GSS failure: No Kerberos credentials available (default cache: FILE:/tmp/krb5cc_0)",
                Fault::Unproved,
                "there is no Kerberos ticket; kinit gets one (looked at FILE:/tmp/krb5cc_0)",
            ),
            (
                "The referenced credential has expired: Ticket expired",
                Fault::Unproved,
                "kinit gets a new one",
            ),
            (
                "Cannot contact any KDC for realm 'SITE'",
                Fault::Unreachable,
                "no KDC of Kerberos answers",
            ),
            (
                "Cannot find KDC for realm \"SITE\"",
                Fault::Unproved,
                "KRB5_CONFIG",
            ),
            (
                "Server HTTP/nn@SITE not found in Kerberos database",
                Fault::Unproved,
                "HTTP/nn@SITE",
            ),
            ("Clock skew too great", Fault::Unproved, "Kerberos: Clock"),
        ] {
            let error = problem(said);
            assert_eq!(Fault::of(&error), Some(&fault), "{said}");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn a_cluster_asks_for_a_proof_unless_it_is_simple() {
        for (how, expected) in [("kerberos", true), (" simple ", false), ("", false)] {
            let name = AUTHENTICATION.to_owned();
            let properties = BTreeMap::from([(name, how.to_owned())]);
            assert_eq!(is_asked(&properties), expected, "{how}");
        }
        assert!(!is_asked(&BTreeMap::new()));
    }
}
