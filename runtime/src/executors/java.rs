//! The `java` action: a main class on the application's `lib/*.jar`, in a JVM of its own.
//!
//! Oozie catches what `main` throws; here the JVM's exit code 1 together with its report of an uncaught exception stands
//! for that, and gives JA018 like there.

use std::{env, fs, io, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    executors::{
        ActionError, Completion, Evaluation, Place, StartError,
        process::{self, Setting},
    },
    launcher::{Attempt, ExitRecord, StartRequest},
    table,
};

/// A java action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Java {
    pub setting: Setting,
    pub main_class: String,
    pub options: Vec<String>,
    pub args: Vec<String>,
}

impl Java {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Java) -> Result<Java, ActionError> {
        let setting = Setting::evaluate(cx, &def.settings, def.prepare, def.capture_output)?;
        // The schema has one text of options, or an element for each.
        let options = match def.settings.element("java-opts") {
            Some(text) => text
                .evaluate(cx.scope)?
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            None => cx.texts(def.settings.elements("java-opt"))?,
        };
        Ok(Java {
            setting,
            main_class: def.settings.required("main-class").evaluate(cx.scope)?,
            options,
            args: cx.texts(def.settings.elements("arg"))?,
        })
    }

    /// Sets up the folder and says what to start.
    pub fn start(&self, place: &Place<'_>) -> Result<StartRequest, StartError> {
        self.setting.set_up(place)?;
        let program = match env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            Some(home) => PathBuf::from(home).join("bin/java"),
            None => process::find_program(place.attempt, "java")?,
        };
        let mut argv = vec!["java".to_owned()];
        argv.extend(self.options.iter().cloned());
        let properties = process::system_properties(place);
        argv.extend(
            properties
                .iter()
                .map(|(name, value)| format!("-D{name}={value}")),
        );
        argv.push("-cp".to_owned());
        argv.push(self.class_path(place));
        argv.push(self.main_class.clone());
        argv.extend(self.args.iter().cloned());
        let env = process::environment(place.attempt);
        place.request(&program, argv, env, None, self.setting.limit)
    }

    /// The folder, the jars among its links, the application's `lib/*.jar` by name, what the environment says.
    fn class_path(&self, place: &Place<'_>) -> String {
        let mut entries = vec![".".to_owned()];
        entries.extend(
            self.setting
                .links
                .iter()
                .filter(|link| link.name.ends_with(".jar"))
                .map(|link| link.name.clone()),
        );
        let mut jars: Vec<String> = fs::read_dir(place.app_folder.join("lib"))
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.path().into_os_string().into_string().ok())
            .filter(|path| path.ends_with(".jar"))
            .collect();
        jars.sort();
        entries.extend(jars);
        entries.extend(env::var("CLASSPATH").ok().filter(|path| !path.is_empty()));
        entries.join(":")
    }

    /// # Errors
    ///
    /// What the program left cannot be read.
    pub fn finish(&self, attempt: &Attempt, record: &ExitRecord) -> io::Result<Completion> {
        let exit_error = |code| match (code, uncaught_exception(attempt)) {
            (1, Some(exception)) => ActionError::error(
                "JA018",
                format!(
                    "main class {} threw an exception: {exception}",
                    self.main_class
                ),
            ),
            // The JVM reports `System.exit(-1)` as 255.
            (255, _) => ActionError::error("JA019", self.exit_message(-1)),
            (code, _) => ActionError::error(code.to_string(), self.exit_message(code)),
        };
        process::completion(record, exit_error, || {
            if self.setting.capture_output {
                process::captured(
                    &process::output_properties(attempt),
                    self.setting.max_output,
                )
            } else {
                Ok(Default::default())
            }
        })
    }

    fn exit_message(&self, code: i32) -> String {
        format!("Main Class [{}], exit code [{code}]", self.main_class)
    }
}

/// The first line of the JVM's report, without its own words.
fn uncaught_exception(attempt: &Attempt) -> Option<String> {
    let text = fs::read(attempt.stderr()).ok()?;
    String::from_utf8_lossy(&text).lines().find_map(|line| {
        line.strip_prefix("Exception in thread \"main\" ")
            .or_else(|| line.strip_prefix("Error: "))
            .map(str::to_owned)
    })
}
