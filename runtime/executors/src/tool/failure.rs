//! Maps a tool's error output to Oozie's codes (`ActionExecutor.convertException`).

use hpdlc_program::failure::ActionError;

/// Creates the error from a message.
type MakeError = fn(String) -> ActionError;

/// Names of Java's exceptions and a message in a tool's output, and the errors that they mean for an action that has started nothing yet.
const KNOWN_MESSAGES: [(&str, MakeError); 10] = [
    ("java.net.UnknownHostException", |it| {
        ActionError::transient("JA001", it)
    }),
    ("AccessControlException", |it| {
        ActionError::non_transient("JA002", it)
    }),
    ("DiskOutOfSpaceException", |it| {
        ActionError::non_transient("JA003", it)
    }),
    ("No space left on device", |it| {
        ActionError::non_transient("JA003", it)
    }),
    ("QuotaExceededException", |it| {
        ActionError::non_transient("JA004", it)
    }),
    ("SafeModeException", |it| {
        ActionError::non_transient("JA005", it)
    }),
    ("java.net.ConnectException", |it| {
        ActionError::transient("JA006", it)
    }),
    ("java.net.NoRouteToHostException", |it| {
        ActionError::transient("JA006", it)
    }),
    ("java.net.SocketTimeoutException", |it| {
        ActionError::transient("JA009", it)
    }),
    ("java.io.EOFException", |it| {
        ActionError::transient("JA009", it)
    }),
];

/// The error of the last line that contains one of [`KNOWN_MESSAGES`], if any.
pub fn error_in_output(words: &str) -> Option<ActionError> {
    words.lines().rev().find_map(|line| {
        // In the log, a tool also reports failures that it retries itself.
        let is_log = line.contains(" INFO ") || line.contains(" WARN ");
        let (_, error) = KNOWN_MESSAGES
            .iter()
            .find(|(class, _)| !is_log && line.contains(class))?;
        Some(error(line.trim().to_owned()))
    })
}

/// The most informative line: the last one with an exception or an error, else the last one.
pub fn most_informative_line(words: &str) -> Option<&str> {
    // The last line of a Python traceback for an exception without a message.
    let is_bare = |line: &str| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
        line.ends_with("Error") && line.chars().all(is_name)
    };
    let is_informative = |line: &&str| {
        is_bare(line)
            || ["Exception", "ERROR", "Error:", "error:"]
                .iter()
                .any(|word| line.contains(word))
                && !line.starts_with("at ")
    };
    let lines = || words.lines().map(str::trim).filter(|line| !line.is_empty());
    lines()
        .rfind(is_informative)
        .or_else(|| lines().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpdlc_core::step::FailureClass::{self, NonTransient, Transient};

    #[test]
    fn java_classes_have_codes() {
        let cases: &[(&str, Option<(&str, FailureClass)>)] = &[
            (
                "Exception in thread \"main\" java.net.UnknownHostException: rm",
                Some(("JA001", Transient)),
            ),
            (
                "org.apache.hadoop.security.AccessControlException: Permission denied",
                Some(("JA002", NonTransient)),
            ),
            (
                "java.io.IOException: No space left on device",
                Some(("JA003", NonTransient)),
            ),
            (
                "org.apache.hadoop.util.DiskChecker$DiskOutOfSpaceException: x",
                Some(("JA003", NonTransient)),
            ),
            (
                "org.apache.hadoop.hdfs.protocol.DSQuotaExceededException: x",
                Some(("JA004", NonTransient)),
            ),
            (
                "RemoteException(org.apache.hadoop.hdfs.server.namenode.SafeModeException)",
                Some(("JA005", NonTransient)),
            ),
            (
                "java.net.ConnectException: Call From a to b:8032 failed\n\tat x\n\tat y",
                Some(("JA006", Transient)),
            ),
            (
                "java.net.NoRouteToHostException: x",
                Some(("JA006", Transient)),
            ),
            (
                "java.net.SocketTimeoutException: x",
                Some(("JA009", Transient)),
            ),
            ("java.io.EOFException: x", Some(("JA009", Transient))),
            (
                "24/01/01 WARN ipc.Client: java.net.ConnectException: x",
                None,
            ),
            ("java.lang.ClassNotFoundException: X", None),
            ("", None),
        ];
        for (words, expected) in cases {
            let found = error_in_output(words).map(|error| (error.code, error.class));
            let expected = expected.map(|(code, class)| (code.to_owned(), class));
            assert_eq!(found, expected, "{words}");
        }
    }

    #[test]
    fn the_line_with_the_exception_tells_most() {
        let words = "starting\njava.io.IOException: broken\n\tat org.apache.X.y\n\nusage: x\n";
        assert_eq!(
            most_informative_line(words),
            Some("java.io.IOException: broken")
        );
        assert_eq!(most_informative_line("a\nb\n\n"), Some("b"));
        let words = "Traceback (most recent call last):\nAssertionError\nINFO stopped\n";
        assert_eq!(most_informative_line(words), Some("AssertionError"));
        assert_eq!(most_informative_line(" \n"), None);
    }
}
