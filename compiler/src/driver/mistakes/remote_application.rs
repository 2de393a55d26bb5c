use crate::diagnostics::{Diagnostic, code, message};

code!("H0003", remote_application);

/// The application was named by the URI of another file system.
pub(crate) struct RemoteApplication {
    pub(crate) uri: String,
}

message!(RemoteApplication, |uri| {
    let trimmed = uri.trim_end_matches('/');
    let folder = trimmed.strip_suffix("/workflow.xml").unwrap_or(trimmed);
    let name = folder
        .rsplit('/')
        .next()
        .filter(|name| !name.is_empty() && !name.contains(':'));
    let scheme = uri
        .split_once("://")
        .map_or("", |(scheme, _)| scheme)
        .to_ascii_lowercase();
    let command = match scheme.as_str() {
        "hdfs" | "webhdfs" | "viewfs" => "hdfs dfs -get",
        _ => "hadoop fs -get",
    };
    let help = format!(
        "copy the application, then compile the copy: `{command} {} {}`",
        shell_word(folder),
        shell_word(name.unwrap_or("."))
    );
    Diagnostic::for_path(&CODE, uri, "applications are compiled from local files").help(help)
});

/// `word`, quoted for a shell if needed.
fn shell_word(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/:._-+=@%,".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::IntoDiagnostic;

    #[track_caller]
    fn check(uri: &str, command: &str) {
        let diagnostic = RemoteApplication {
            uri: uri.to_owned(),
        }
        .into_diagnostic();
        let help = diagnostic
            .help
            .first()
            .map(String::as_str)
            .unwrap_or_default();
        assert!(help.ends_with(&format!("`{command}`")), "{help}");
    }

    #[test]
    fn command_to_copy_the_application_can_be_typed_as_it_stands() {
        check(
            "hdfs://nn:8020/user/a/daily",
            "hdfs dfs -get hdfs://nn:8020/user/a/daily daily",
        );
        check(
            "hdfs:///apps/daily/workflow.xml",
            "hdfs dfs -get hdfs:///apps/daily daily",
        );
        check(
            "hdfs://nn/my apps/it's/",
            "hdfs dfs -get 'hdfs://nn/my apps/it'\\''s' 'it'\\''s'",
        );
        check(
            "s3a://bucket/daily",
            "hadoop fs -get s3a://bucket/daily daily",
        );
    }
}
