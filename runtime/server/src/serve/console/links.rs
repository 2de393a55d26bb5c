//! The addresses of pages. Names of nodes and ids are written by strangers: each is one part of a path.

use std::fmt::Write;

/// One part of a path, percent-encoded: only what RFC 3986 calls unreserved stays.
pub(crate) fn part(text: &str) -> String {
    // A part `.` or `..` would be taken for another folder.
    let is_dots = matches!(text, "." | "..");
    text.bytes().fold(String::new(), |mut all, byte| {
        let is_plain = byte.is_ascii_alphanumeric() || b"-_~@".contains(&byte);
        if is_plain || (byte == b'.' && !is_dots) {
            all.push(char::from(byte));
        } else {
            let _ = write!(all, "%{byte:02X}");
        }
        all
    })
}

pub(crate) fn overview(base: &str) -> String {
    format!("{base}/")
}

pub(crate) fn job(base: &str, id: &str) -> String {
    format!("{base}/console/job/{}", part(id))
}

/// A page about a job: `events`, `command/kill`.
pub(crate) fn of_job(base: &str, id: &str, what: &str) -> String {
    format!("{}/{what}", job(base, id))
}

pub(crate) fn node(base: &str, id: &str, name: &str) -> String {
    format!("{}/node/{}", job(base, id), part(name))
}

/// The list of jobs, filtered.
pub(crate) fn jobs(base: &str, filters: &[(&str, &str)]) -> String {
    with_query(&format!("{base}/console/jobs"), filters)
}

/// The list of applications.
pub(crate) fn apps(base: &str) -> String {
    format!("{base}/console/apps")
}

pub(crate) fn app(base: &str, name: &str) -> String {
    format!("{base}/console/app/{}", part(name))
}

/// The list of service levels.
pub(crate) fn sla(base: &str) -> String {
    format!("{base}/console/sla")
}

/// An address with parameters; empty ones are left out.
pub(crate) fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let filled = parameters.iter().filter(|(_, value)| !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(filled)
        .finish();
    match query.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_part_of_a_path_whatever_it_contains() {
        for (name, expected) in [
            ("load-1.b_2", "load-1.b_2"),
            ("..", "%2E%2E"),
            ("a/b?c#d", "a%2Fb%3Fc%23d"),
            ("javascript:alert(1)", "javascript%3Aalert%281%29"),
            ("\"><script>", "%22%3E%3Cscript%3E"),
            ("ä", "%C3%A4"),
        ] {
            assert_eq!(part(name), expected);
        }
        assert_eq!(
            node("/oozie", "1-W", "a b"),
            "/oozie/console/job/1-W/node/a%20b"
        );
        let filtered = jobs("", &[("q", "a&b"), ("status", "")]);
        assert_eq!(filtered, "/console/jobs?q=a%26b");
    }
}
