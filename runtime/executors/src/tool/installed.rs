//! The installed configuration files of the tools. The folder of an action replaces the tool's own configuration folder,
//! so that its content is merged into the action's files.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use hpdlc_program::failure::ActionError;

use crate::{ToolKind, tool::Tool};

/// Where a tool's files are searched: variables with a folder, each with a suffix for the path.
type Folders = &'static [(&'static str, &'static str)];

const HIVE: Folders = &[
    ("HIVE_CONF_DIR", ""),
    ("HIVE_HOME", "conf"),
    ("HADOOP_CONF_DIR", ""),
];

/// Spark may have its own settings for Hive.
const HIVE_OF_SPARK: Folders = &[
    ("SPARK_CONF_DIR", ""),
    ("SPARK_HOME", "conf"),
    ("HIVE_CONF_DIR", ""),
    ("HADOOP_CONF_DIR", ""),
];

const SPARK: Folders = &[("SPARK_CONF_DIR", ""), ("SPARK_HOME", "conf")];
const PIG: Folders = &[("PIG_CONF_DIR", ""), ("PIG_HOME", "conf")];
const SQOOP: Folders = &[("SQOOP_CONF_DIR", ""), ("SQOOP_HOME", "conf")];

/// The files that are used of a tool.
fn wanted(kind: ToolKind) -> &'static [(&'static str, Folders)] {
    match kind {
        ToolKind::Hive => &[("hive-site.xml", HIVE), ("hive-env.sh", HIVE)],
        ToolKind::Pig => &[("pig.properties", PIG), ("pig-env.sh", PIG)],
        ToolKind::Spark => &[
            ("hive-site.xml", HIVE_OF_SPARK),
            ("spark-defaults.conf", SPARK),
        ],
        ToolKind::Sqoop => &[("sqoop-site.xml", SQOOP), ("sqoop-env.sh", SQOOP)],
        ToolKind::Distcp
        | ToolKind::Hive2
        | ToolKind::MapReduce
        | ToolKind::Pipes
        | ToolKind::Streaming => &[],
    }
}

/// The texts of those that exist on this machine, by name. `find` finds the tool's program, in `bin` of the tool's home.
///
/// # Errors
///
/// JA018: there is no such tool; JA009, transient: a file cannot be read.
pub fn of(
    tool: &Tool,
    find: impl FnOnce() -> Result<PathBuf, ActionError>,
) -> Result<BTreeMap<String, String>, ActionError> {
    match wanted(tool.kind) {
        [] => Ok(BTreeMap::new()),
        files => read(files, &find()?, &|name| env::var_os(name)),
    }
}

/// The texts of files, by name.
fn read(
    files: &[(&str, Folders)],
    program: &Path,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<BTreeMap<String, String>, ActionError> {
    let home = fs::canonicalize(program)
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.join("conf")));
    let mut texts = BTreeMap::new();
    for (name, folders) in files {
        let folders = folders
            .iter()
            .filter_map(|(start, below)| {
                let start = variable(start).filter(|folder| !folder.is_empty())?;
                Some(PathBuf::from(start).join(below))
            })
            .chain(home.clone());
        for folder in folders {
            let file = folder.join(name);
            match fs::read_to_string(&file) {
                Ok(text) => {
                    texts.insert((*name).to_owned(), text);
                    break;
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => {
                    let problem = format!("{}: {error}", file.display());
                    return Err(ActionError::transient("JA009", problem));
                }
            }
        }
    }
    Ok(texts)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_before_the_home_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("hive");
        for (file, text) in [
            ("bin/hive", ""),
            ("conf/hive-site.xml", "home"),
            ("conf/hive-env.sh", "home"),
            ("own/hive-site.xml", "own"),
        ] {
            let file = home.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let of = |own: Option<PathBuf>| {
            let variable = |name: &str| {
                let own = own.as_ref().filter(|_| name == "HIVE_CONF_DIR");
                own.map(|own| own.clone().into_os_string())
            };
            let files = wanted(ToolKind::Hive);
            let texts = read(files, &home.join("bin/hive"), &variable).unwrap();
            (texts["hive-site.xml"].clone(), texts["hive-env.sh"].clone())
        };
        let pair = |site: &str, env: &str| (site.to_owned(), env.to_owned());
        assert_eq!(of(None), pair("home", "home"));
        assert_eq!(of(Some(home.join("own"))), pair("own", "home"));
        assert_eq!(of(Some(PathBuf::new())), pair("home", "home"));
    }
}
