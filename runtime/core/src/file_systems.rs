//! The file systems that programs support, by URI scheme: shared by the compiler, which promises them, and the runtime.

/// The schemes of remote file systems that a program supports if it was built with their feature.
pub const REMOTE_SCHEMES: [&str; 13] = [
    "abfs", "abfss", "gs", "hcat", "hdfs", "s3", "s3a", "s3n", "swebhdfs", "viewfs", "wasb",
    "wasbs", "webhdfs",
];

/// Those of them that are object stores: without folders, permissions, groups, replication, and trash.
const OBJECT_STORES: [&str; 8] = ["abfs", "abfss", "gs", "s3", "s3a", "s3n", "wasb", "wasbs"];

/// Whether any program supports files of `scheme`, case-insensitively.
pub fn is_known(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("file") || contains(&REMOTE_SCHEMES, scheme)
}

/// Whether files of `scheme` are objects in an object store.
pub fn is_object_store(scheme: &str) -> bool {
    contains(&OBJECT_STORES, scheme)
}

fn contains(schemes: &[&str], scheme: &str) -> bool {
    schemes
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_known_in_any_case() {
        for (scheme, known, objects) in [
            ("file", true, false),
            ("HDFS", true, false),
            ("S3a", true, true),
            ("ftp", false, false),
        ] {
            assert_eq!(is_known(scheme), known, "{scheme}");
            assert_eq!(is_object_store(scheme), objects, "{scheme}");
        }
        assert!(OBJECT_STORES.iter().all(|scheme| is_known(scheme)));
    }
}
