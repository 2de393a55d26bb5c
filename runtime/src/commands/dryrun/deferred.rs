//! Texts that only a running job can evaluate.

/// Functions whose values only a running job has.
const DEFERRED: [&str; 16] = [
    "wf:id",
    "wf:transition",
    "wf:lastErrorNode",
    "wf:errorCode",
    "wf:errorMessage",
    "wf:run",
    "wf:actionData",
    "wf:actionExternalId",
    "wf:actionTrackerUri",
    "wf:actionExternalStatus",
    "wf:callback",
    "hadoop:counters",
    "hadoop:conf",
    "timestamp",
    "fs:",
    "hcat:",
];

/// Whether the text needs a value that only a running job has.
pub(super) fn is_deferred(source: &str) -> bool {
    source.contains("${")
        && DEFERRED.iter().any(|function| {
            source.match_indices(function).any(|(at, _)| {
                let rest = &source[at + function.len()..];
                function.ends_with(':') || rest.trim_start().starts_with('(')
            })
        })
}

#[cfg(test)]
mod tests {
    use super::is_deferred;

    #[test]
    fn what_only_a_running_job_knows_is_deferred() {
        assert!(is_deferred("${wf:actionData('a')['n']}"));
        assert!(is_deferred("${wf:id ()}"));
        assert!(is_deferred("${fs:exists('/tmp')}"));
        assert!(is_deferred(
            "${hcat:exists('hcat://meta:9083/shop/orders')}"
        ));
        assert!(is_deferred("${hadoop:conf('rm:8032', 'fs.defaultFS')}"));
        assert!(!is_deferred("${wf:conf('wf:id')}"));
        assert!(!is_deferred("wf:id()"));
        assert!(!is_deferred("${mytimestamp}"));
    }
}
