//! `spark-opts`: the text split into words as Oozie does, and the options that are taken out of them.

/// Keys of Spark's class paths, with the equals sign.
pub const EXECUTOR_CLASS_PATH: &str = "spark.executor.extraClassPath=";
pub const DRIVER_CLASS_PATH: &str = "spark.driver.extraClassPath=";

/// Keys of the options of Spark's JVMs.
pub const EXECUTOR_JAVA_OPTIONS: &str = "spark.executor.extraJavaOptions=";
pub const DRIVER_JAVA_OPTIONS: &str = "spark.driver.extraJavaOptions=";

/// The JVM option that selects the log settings in the action's folder.
pub const LOG_SETTINGS: &str = "-Dlog4j.configuration=spark-log4j.properties";

const YARN_TAGS: &str = "spark.yarn.tags=";

/// The words of `spark-opts` (`SparkOptionsSplitter`).
///
/// A word that starts with `--` is always an option; all text up to the next one is its value, including blanks.
/// Text before the first option is dropped. Quotes are removed if they enclose the whole value, or all of it after `key=`.
pub fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    let mut is_first = true;
    while let Some((before, key, after)) = next_key(rest) {
        if !is_first {
            push_value(&mut words, before);
        }
        words.push(key.trim_end_matches('=').to_owned());
        rest = after;
        is_first = false;
    }
    if !is_first {
        push_value(&mut words, rest);
    }
    words
}

/// The next option: the text before it, the option, with its `=` if it has one, and the text after it.
fn next_key(text: &str) -> Option<(&str, &str, &str)> {
    let is_first_of_name = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let at = text
        .match_indices("--")
        .map(|(at, _)| at)
        .find(|at| text[at + 2..].starts_with(is_first_of_name))?;
    let name = &text[at + 2..];
    let length = name
        .find(|c: char| !is_first_of_name(c) && c != '-')
        .unwrap_or(name.len());
    let has_sign = name[length..].starts_with('=');
    let end = at + 2 + length + usize::from(has_sign);
    Some((&text[..at], &text[at..end], &text[end..]))
}

fn push_value(words: &mut Vec<String>, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        words.push(unquoted(text));
    }
}

/// `"a b"` and `k="a b"` without the quotes; anything else unchanged.
fn unquoted(text: &str) -> String {
    let Some((before, quoted)) = text.split_once('"') else {
        return text.to_owned();
    };
    match quoted.strip_suffix('"') {
        Some(inner) if !inner.contains('"') && (before.is_empty() || before.ends_with('=')) => {
            format!("{before}{inner}")
        }
        _ => text.to_owned(),
    }
}

/// The result of [`split`], sorted by use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparkOptions {
    /// The words that are passed on, in order.
    pub words: Vec<String>,
    /// Comma-separated lists, one per `--files`.
    pub files: Vec<String>,
    pub archives: Vec<String>,
    pub properties_file: Option<String>,
    pub keytab: Option<String>,
    /// On YARN only: entries of the class paths.
    pub executor_class_path: Vec<String>,
    pub driver_class_path: Vec<String>,
    /// Tags that a `--conf` gives the application.
    pub tags: Option<String>,
    pub has_executor_java_options: bool,
    pub has_driver_java_options: bool,
    pub is_verbose: bool,
}

impl SparkOptions {
    /// Takes out the options that are merged with other values. `on_yarn`: also the class paths.
    pub fn of(text: &str, on_yarn: bool) -> SparkOptions {
        let mut options = SparkOptions::default();
        let mut words = split(text).into_iter().peekable();
        while let Some(word) = words.next() {
            // An option followed by another one has no value.
            let mut value = || words.next_if(|next| !next.starts_with("--"));
            match word.as_str() {
                "--files" => options.files.extend(value()),
                "--archives" => options.archives.extend(value()),
                "--properties-file" => options.properties_file = value(),
                "--driver-class-path" if on_yarn => options.driver_class_path.extend(value()),
                "--conf" => {
                    if let Some(setting) = value() {
                        options.push_setting(setting, on_yarn);
                    }
                }
                "--keytab" => {
                    options.keytab = value();
                    options.words.push(word);
                    options.words.extend(options.keytab.clone());
                }
                _ => {
                    options.is_verbose |= word == "--verbose";
                    options.words.push(word);
                }
            }
        }
        options
    }

    /// `key=value` of a `--conf`.
    fn push_setting(&mut self, setting: String, on_yarn: bool) {
        if on_yarn && let Some(path) = setting.strip_prefix(EXECUTOR_CLASS_PATH) {
            self.executor_class_path.push(path.to_owned());
            return;
        }
        if on_yarn && let Some(path) = setting.strip_prefix(DRIVER_CLASS_PATH) {
            self.driver_class_path.push(path.to_owned());
            return;
        }
        if let Some(tags) = setting.strip_prefix(YARN_TAGS) {
            self.tags = Some(tags.to_owned());
            return;
        }
        let is_of_executor = setting.starts_with(EXECUTOR_JAVA_OPTIONS);
        let is_of_driver = setting.starts_with(DRIVER_JAVA_OPTIONS);
        self.has_executor_java_options |= is_of_executor;
        self.has_driver_java_options |= is_of_driver;
        let has_log_settings =
            !(is_of_executor || is_of_driver) || setting.contains("-Dlog4j.configuration");
        self.words.push("--conf".to_owned());
        self.words.push(if has_log_settings {
            setting
        } else {
            format!("{setting} {LOG_SETTINGS}")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &[&str]) {
        assert_eq!(split(text), words, "{text}");
    }

    #[test]
    fn text_between_options_is_one_value() {
        check("", &[]);
        check("lost --a b", &["--a", "b"]);
        check("--a", &["--a"]);
        check("--a --b", &["--a", "--b"]);
        check("--a=1 --b 2", &["--a", "1", "--b", "2"]);
        check("--conf k=x y  z --b", &["--conf", "k=x y  z", "--b"]);
        check("\t--a\n b \n--c d", &["--a", "b", "--c", "d"]);
        check(
            "--driver-java-options -Xss1m -v --x.y-z 1",
            &["--driver-java-options", "-Xss1m -v", "--x.y-z", "1"],
        );
        check("--conf a=b--c d", &["--conf", "a=b", "--c", "d"]);
        check("--conf a=-- b", &["--conf", "a=-- b"]);
    }

    #[test]
    fn quotes_go_where_they_enclose_everything() {
        check(r#"--conf "k=a b""#, &["--conf", "k=a b"]);
        check(r#"--conf k="a b" --x"#, &["--conf", "k=a b", "--x"]);
        check(r#"--conf k="a" "b""#, &["--conf", r#"k="a" "b""#]);
        check(r#"--name my "app""#, &["--name", r#"my "app""#]);
        check(r#"--name it's"#, &["--name", "it's"]);
    }

    #[test]
    fn class_paths_are_taken_out_on_yarn_alone() {
        let text = "--conf spark.executor.extraClassPath=a:b --driver-class-path c \
                    --conf spark.driver.extraClassPath=d --num-executors 2";
        let options = SparkOptions::of(text, true);
        assert_eq!(options.words, ["--num-executors", "2"]);
        assert_eq!(options.executor_class_path, ["a:b"]);
        assert_eq!(options.driver_class_path, ["c", "d"]);
        assert_eq!(SparkOptions::of(text, false).words, split(text));
    }

    #[test]
    fn files_properties_and_keytab_are_remembered() {
        let options = SparkOptions::of(
            "--files a,b --archives=c.zip --properties-file p.conf --keytab k.keytab --files=d --verbose",
            true,
        );
        assert_eq!(options.words, ["--keytab", "k.keytab", "--verbose"]);
        assert_eq!(options.files, ["a,b", "d"]);
        assert_eq!(options.archives, ["c.zip"]);
        assert_eq!(options.properties_file.as_deref(), Some("p.conf"));
        assert_eq!(options.keytab.as_deref(), Some("k.keytab"));
        assert!(options.is_verbose);
    }

    #[test]
    fn java_options_get_the_log_settings() {
        let options = SparkOptions::of(
            "--conf spark.executor.extraJavaOptions=-Xss1m --conf spark.driver.extraJavaOptions=-Dlog4j.configuration=mine",
            false,
        );
        assert_eq!(
            options.words,
            [
                "--conf",
                "spark.executor.extraJavaOptions=-Xss1m -Dlog4j.configuration=spark-log4j.properties",
                "--conf",
                "spark.driver.extraJavaOptions=-Dlog4j.configuration=mine",
            ]
        );
        assert!(options.has_executor_java_options && options.has_driver_java_options);
    }

    #[test]
    fn tags_are_remembered() {
        let options = SparkOptions::of("--conf spark.yarn.tags=mine,yours", true);
        assert_eq!(options.tags.as_deref(), Some("mine,yours"));
        assert_eq!(options.words, [""; 0]);
    }
}
