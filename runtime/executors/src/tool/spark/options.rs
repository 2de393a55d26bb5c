//! `spark-opts`: the options that are taken out of its words.

use hpdlc_core::spark_options::split;

/// Keys of Spark's class paths, with the equals sign.
pub const EXECUTOR_CLASS_PATH: &str = "spark.executor.extraClassPath=";
pub const DRIVER_CLASS_PATH: &str = "spark.driver.extraClassPath=";

/// Keys of the options of Spark's JVMs.
pub const EXECUTOR_JAVA_OPTIONS: &str = "spark.executor.extraJavaOptions=";
pub const DRIVER_JAVA_OPTIONS: &str = "spark.driver.extraJavaOptions=";

/// The JVM option that selects the log settings in the action's folder.
pub const LOG_SETTINGS: &str = "-Dlog4j.configuration=spark-log4j.properties";

const YARN_TAGS: &str = "spark.yarn.tags=";

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
