//! Java programs that tests ask: their libraries come from Maven's cache or, once, from its repository.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// Compiles a Java file, with the dependencies of a Maven project, in `folder`, which the class path that it returns is relative to.
/// `None` without Maven, a Java compiler or the libraries.
pub fn compiled(folder: &Path, project: &str, source: &Path) -> Option<String> {
    let libraries = libraries(folder, project)?;
    let mut compiler = Command::new("javac");
    compiler.args(["-cp", &libraries, "-d", "classes"]);
    succeeds(folder, compiler.arg(source)).then(|| format!("classes:{libraries}"))
}

/// Copies the dependencies of a Maven project into `folder`, which the class path that it returns is relative to. `None` without Maven or
/// the libraries.
pub fn libraries(folder: &Path, project: &str) -> Option<String> {
    fs::write(folder.join("pom.xml"), project).expect("writes");
    let copied = ["--offline", "--batch-mode"].into_iter().any(|mode| {
        let mut maven = Command::new("mvn");
        maven
            .args([mode, "--quiet", "dependency:copy-dependencies"])
            .args(["-DoutputDirectory=jars"])
            .args(["-Daether.connector.connectTimeout=5000"])
            .args(["-Daether.connector.requestTimeout=20000"]);
        succeeds(folder, &mut maven)
    });
    copied.then(|| "jars/*".to_owned())
}

fn succeeds(folder: &Path, command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir(folder)
        .status()
        .is_ok_and(|status| status.success())
}

/// The text that hexadecimal digits of its UTF-8 stand for.
pub fn text_of(digits: &str) -> String {
    let bytes: Vec<u8> = (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16).expect("two digits"))
        .collect();
    String::from_utf8(bytes).expect("Java writes UTF-8")
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn digits_are_bytes_of_a_text() {
        assert_eq!(text_of("61c3a9"), "aé");
    }
}
