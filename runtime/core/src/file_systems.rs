//! The file systems that programs reach, by the schemes of their URIs: what the compiler may promise, and the runtime keeps.

/// What a program reaches besides the files of its machine, where it was built with the feature for it.
pub const REMOTE_SCHEMES: [&str; 13] = [
    "abfs", "abfss", "gs", "hcat", "hdfs", "s3", "s3a", "s3n", "swebhdfs", "viewfs", "wasb",
    "wasbs", "webhdfs",
];

/// Those of them that keep objects by name: without folders, permissions, groups, a number of copies, and a trash.
const OBJECT_STORES: [&str; 8] = ["abfs", "abfss", "gs", "s3", "s3a", "s3n", "wasb", "wasbs"];

/// Whether some program reaches files of `scheme`, in any case of letters.
pub fn is_known(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("file") || contains(&REMOTE_SCHEMES, scheme)
}

/// Whether files of `scheme` are objects in a store.
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
