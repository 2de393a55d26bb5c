//! A Hadoop configuration folder for the command, with the action's properties in it (`ShellMain.prepareHadoopConfigs`).
//!
//! Each of Hadoop's files has all of them, over the installed ones: the tools that the command calls use the action's
//! properties, and still find their cluster.

use std::{collections::BTreeMap, fs, io, path::Path};

use hpdlc_core::substitute;
use hpdlc_files::clusters;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{Evaluation, StartError, configuration::to_xml};

/// Whether the folder is created.
const WISHED: &str = "oozie.action.shell.setup.hadoop.conf.dir";
/// Whether the folder contains a `log4j.properties`.
const HAS_LOG_SETTINGS: &str = "oozie.action.shell.setup.hadoop.conf.dir.write.log4j.properties";
/// The text of that file.
const LOG_SETTINGS: &str = "oozie.action.shell.setup.hadoop.conf.dir.log4j.content";

/// Oozie appends a timestamp; here each attempt has its own folder.
pub const NAME: &str = "oozie-hadoop-conf-0";
pub const FILES: [&str; 4] = [
    "core-site.xml",
    "hdfs-site.xml",
    "mapred-site.xml",
    "yarn-site.xml",
];
/// Logs to standard error, as standard output may be captured.
const TO_STANDARD_ERROR: &str = "log4j.rootLogger=INFO,A\nlog4j.appender.A=org.apache.log4j.ConsoleAppender\nlog4j.appender.A.target=System.err\nlog4j.appender.A.layout=org.apache.log4j.PatternLayout\nlog4j.appender.A.layout.ConversionPattern=%d %-5p %c %x - %m%n\n";

/// The folder that the action asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HadoopFolder {
    /// The text of `log4j.properties`, if it is written.
    pub log_settings: Option<String>,
}

impl HadoopFolder {
    /// From the settings of the action, the job or the site.
    pub fn evaluate(
        cx: &Evaluation<'_>,
        configuration: &BTreeMap<String, String>,
    ) -> Option<HadoopFolder> {
        let setting = |name: &str| cx.action_setting(configuration, name);
        let is = |name: &str, value: &str| setting(name).is_some_and(|it| it.trim() == value);
        is(WISHED, "true").then(|| HadoopFolder {
            log_settings: (!is(HAS_LOG_SETTINGS, "false"))
                .then(|| setting(LOG_SETTINGS).unwrap_or_else(|| TO_STANDARD_ERROR.to_owned())),
        })
    }

    /// Creates the folder; returns the variables that name it.
    ///
    /// # Errors
    ///
    /// JA018: an installed file is no configuration. JA007: a value cannot be represented in XML.
    pub fn make(
        &self,
        attempt: &Attempt,
        configuration: BTreeMap<String, String>,
    ) -> Result<[(String, Option<String>); 2], StartError> {
        let mut all = clusters::site_properties(&FILES).map_err(|error| {
            ActionError::error("JA018", format!("Hadoop's configuration: {error}"))
        })?;
        all = substitute::resolve_all(&all).unwrap_or(all);
        all.extend(configuration);
        let text = to_xml(&all)?;
        let folder = attempt.folder().join(NAME);
        let write = || -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            for name in FILES {
                fs::write(folder.join(name), &text)?;
            }
            match &self.log_settings {
                Some(settings) => fs::write(folder.join("log4j.properties"), settings),
                None => Ok(()),
            }
        };
        write().map_err(|error| StartError::machine(&folder, &error))?;
        Ok(variables(&folder).map(|(name, folder)| (name, Some(folder))))
    }
}

/// The variables that tell Hadoop's tools where the folder is.
pub fn variables(folder: &Path) -> [(String, String); 2] {
    let folder = folder.display().to_string();
    ["HADOOP_CONF_DIR", "YARN_CONF_DIR"].map(|name| (name.to_owned(), folder.clone()))
}
