//! Spark's properties files: the installation's, the site's for the cluster, the action's.

use std::{collections::BTreeMap, fs, io, path::Path};

use hpdlc_program::failure::ActionError;

use crate::{
    file_name::base_name,
    tool::{Tool, ToolGround, arguments},
};

/// The file's name in Spark's configuration folder.
pub const FILE: &str = "spark-defaults.conf";

/// `HOST:PORT=FOLDER` or `*=FOLDER`, separated by commas: the properties for each resource manager.
const OF_CLUSTER: &str = "oozie.service.SparkConfigurationService.spark.configurations";
const IGNORES_JAR: &str =
    "oozie.service.SparkConfigurationService.spark.configurations.ignore.spark.yarn.jar";
const JAR: &str = "spark.yarn.jar";

/// The site's properties for the cluster.
///
/// # Errors
///
/// JA008: the file cannot be read; JA018: it is not a properties file.
pub fn of_site(tool: &Tool) -> Result<BTreeMap<String, String>, ActionError> {
    let Some(folder) = of_cluster(tool) else {
        return Ok(BTreeMap::new());
    };
    let mut all = read_if_there(&Path::new(folder).join(FILE))?.unwrap_or_default();
    if tool.setting(IGNORES_JAR) != Some("false") {
        all.remove(JAR);
    }
    Ok(all)
}

/// The properties that override the installed ones: the site's for the cluster, those of the file of that name in the action's
/// folder, those of the file that the action's own options name.
///
/// # Errors
///
/// JA008: a named file is missing; JA018: one is not a properties file.
pub fn given(
    ground: &ToolGround,
    own: Option<&str>,
) -> Result<BTreeMap<String, String>, ActionError> {
    let mut all = ground.site_properties.clone();
    if ground.resource(FILE).is_some() {
        all.extend(read_if_there(&ground.folder.join(FILE))?.unwrap_or_default());
    }
    if let Some(own) = own {
        let file = ground.folder.join(own);
        match read_if_there(&file)? {
            Some(properties) => all.extend(properties),
            None => {
                let problem = format!(
                    "the properties file `{own}` of spark-opts does not exist: {}; a `file` element brings it, as `{}`",
                    file.display(),
                    base_name(own)
                );
                return Err(ActionError::error("JA008", problem));
            }
        }
    }
    Ok(all)
}

/// The site's folder for the action's resource manager.
fn of_cluster(tool: &Tool) -> Option<&str> {
    let resource_manager = tool.resource_manager.as_deref().unwrap_or_default();
    let list = tool.setting(OF_CLUSTER)?;
    let folder_of = |wanted: &str| {
        list.split(',')
            .filter_map(|entry| entry.split_once('='))
            .find(|(cluster, _)| cluster.trim() == wanted)
            .map(|(_, folder)| folder.trim())
    };
    folder_of(resource_manager).or_else(|| folder_of("*"))
}

fn read_if_there(file: &Path) -> Result<Option<BTreeMap<String, String>>, ActionError> {
    match fs::read(file) {
        Ok(bytes) => arguments::properties(&bytes, &file.display().to_string()).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let problem = format!("{}: {error}", file.display());
            Err(ActionError::error("JA008", problem))
        }
    }
}
