//! An action's configuration: its layers, and their precedence.
//!
//! Low to high: `job-xml` files in their order, `config-default.xml`, `global`, the action's own with its `launcher` below
//! (`LiteWorkflowAppParser` merges all but the first before anything is evaluated; `JavaActionExecutor.setupActionConf` puts
//! them over the files). A property without a value is no property (`XConfiguration`), so it hides none.

use std::{borrow::Cow, collections::BTreeMap, fs, io, path::Path};

use hpdlc_core::{
    configuration::{self, Configuration},
    el::{self, scope::Scope},
    substitute,
};
use hpdlc_files::error;
use hpdlc_program::{
    failure::ActionError,
    table::{App, Property, Settings, Template},
};

use crate::{Evaluation, fetch, launcher_inheritance::InheritedGlobal};

/// Maximum bytes of a `job-xml` file; far above any real one.
const MAX_JOB_XML: u64 = 64 * 1024 * 1024;

/// The user that the action's jobs belong to.
pub const USER: &str = "user.name";
/// The default file system in old versions of Hadoop.
pub const FILE_SYSTEM: &str = "fs.default.name";
/// The job tracker in old versions of Hadoop.
pub const JOB_TRACKER: &str = "mapred.job.tracker";
pub const RESOURCE_MANAGER: &str = "yarn.resourcemanager.address";
/// A resource manager that is none: work stays on this machine.
pub const LOCAL: &str = "local";

/// Properties that an action may not set, because its elements do.
const FORBIDDEN: [&str; 4] = [
    USER,
    "mapreduce.job.user.name",
    FILE_SYSTEM,
    RESOURCE_MANAGER,
];

/// The effective definition of a property, not evaluated yet.
#[derive(Clone, Debug)]
pub struct Winning<'a> {
    pub property: Property,
    pub value: WinningValue<'a>,
}

/// Where the value of a [`Winning`] property comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WinningValue<'a> {
    /// The property's own text, evaluated.
    Own,
    /// The value in `config-default.xml`, with its references to other properties replaced. Remaining expressions are
    /// evaluated.
    Substituted(Cow<'a, str>),
    /// The job's own property of that name, as it is.
    OfJob(&'a str),
}

/// The effective properties of the layers: for each name, the last one that is not empty; in the order of the layers.
/// `conf` has the job's properties.
pub fn winning<'a>(
    app: &App,
    conf: &'a BTreeMap<String, String>,
    layers: &[&'static [Property]],
) -> Vec<Winning<'a>> {
    let defaults: BTreeMap<Cow<'_, str>, Cow<'_, str>> = app
        .config_default
        .iter()
        .map(|property| (property.name(), property.value().source()))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let mut last: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    let all: Vec<(&[Property], &Property)> = layers
        .iter()
        .flat_map(|layer| layer.iter().map(|property| (*layer, property)))
        .filter(|(_, property)| !property.value().is_empty())
        .collect();
    for (at, (_, property)) in all.iter().enumerate() {
        last.insert(property.name(), at);
    }
    all.into_iter()
        .enumerate()
        .filter(|(at, (_, property))| last.get(&property.name()) == Some(at))
        .map(|(_, (layer, property))| Winning {
            property: *property,
            value: if std::ptr::eq(layer, app.config_default) {
                default_value(*property, &defaults, conf)
            } else {
                WinningValue::Own
            },
        })
        .collect()
}

/// The value that a property of `config-default.xml` has for an action.
///
/// Its references to other properties of the file are replaced there. If some are left, the job's property of the same
/// name is used, whatever its origin (`SubmitXCommand.resolveDefaultConfVariables`).
fn default_value<'a>(
    property: Property,
    defaults: &BTreeMap<Cow<'_, str>, Cow<'_, str>>,
    conf: &'a BTreeMap<String, String>,
) -> WinningValue<'a> {
    let source = property.value().source();
    if !source.contains('$') {
        return WinningValue::Own;
    }
    // Where references do not end, the job has been refused.
    let in_file = |name: &str| defaults.get(name).map(AsRef::as_ref);
    let Ok(within) = substitute::substitute(&source, in_file) else {
        return WinningValue::Own;
    };
    if !within.contains('$') {
        return WinningValue::Substituted(Cow::Owned(within));
    }
    let Some(of_job) = conf.get(&*property.name()) else {
        return WinningValue::Own;
    };
    let of_default = substitute::substitute(&source, |name| conf.get(name).map(String::as_str));
    if of_default.is_ok_and(|text| text == *of_job) {
        WinningValue::Substituted(Cow::Borrowed(of_job))
    } else {
        WinningValue::OfJob(of_job)
    }
}

/// A text with its expressions replaced by their values; verbatim if it cannot be parsed or evaluated, as Oozie leaves the
/// texts of `job-xml` files.
pub fn evaluated_or_verbatim(text: &str, scope: &dyn Scope) -> String {
    el::parser::parse_template(text)
        .ok()
        .and_then(|template| el::eval::evaluate_template(&template, scope).ok())
        .unwrap_or_else(|| text.to_owned())
}

/// The unevaluated text of a property.
pub enum Written {
    Compiled(Template),
    /// Known at run time only.
    Text(String),
}

impl Evaluation<'_> {
    /// Evaluated properties of the layers. One without a value is dropped, as Oozie drops it.
    pub fn configuration(
        &self,
        layers: &[&'static [Property]],
    ) -> Result<BTreeMap<String, String>, ActionError> {
        let mut merged = BTreeMap::new();
        for Winning { property, value } in winning(self.app, self.conf, layers) {
            let name = property.evaluate_name(self.scope)?;
            let value = match value {
                WinningValue::Own => property.value().evaluate(self.scope)?,
                WinningValue::Substituted(text) => {
                    property.value().evaluate_instead(&text, self.scope)?
                }
                WinningValue::OfJob(text) => text.to_owned(),
            };
            if !name.is_empty() && !value.is_empty() {
                merged.insert(name, value);
            }
        }
        Ok(merged)
    }

    /// Evaluated names and unevaluated texts of the properties that [`Evaluation::configuration`] gives for these layers, and
    /// of those that [`Evaluation::add_inherited`] puts below them.
    pub fn written(
        &self,
        layers: &[&'static [Property]],
    ) -> Result<Vec<(String, Written)>, ActionError> {
        let mut texts = Vec::new();
        for (name, value) in InheritedGlobal::of(self.conf).configuration(layers) {
            texts.push((self.evaluated(name)?, Written::Text(value.to_owned())));
        }
        for Winning { property, value } in winning(self.app, self.conf, layers) {
            let text = match value {
                WinningValue::Own => Written::Compiled(property.value()),
                WinningValue::Substituted(text) => Written::Text(text.into_owned()),
                WinningValue::OfJob(text) => Written::Text(text.to_owned()),
            };
            texts.push((property.evaluate_name(self.scope)?, text));
        }
        Ok(texts)
    }

    /// An action's configuration, all layers.
    pub fn effective_configuration(
        &self,
        settings: &'static Settings,
    ) -> Result<BTreeMap<String, String>, ActionError> {
        let inherited = InheritedGlobal::of(self.conf);
        let name_node = self.name_node(settings)?;
        let name_node = name_node.as_deref();
        let mut merged = BTreeMap::new();
        for text in inherited.job_xml(settings) {
            merged.extend(self.job_xml(&self.evaluated(text)?, name_node)?);
        }
        for text in settings.job_xml {
            merged.extend(self.job_xml(&text.evaluate(self.scope)?, name_node)?);
        }
        let own = [self.app.global, settings.configuration];
        merged.extend(self.configuration(&[self.app.config_default, own[0], own[1]])?);
        self.add_inherited(&inherited, &own, &mut merged)?;
        Ok(merged)
    }

    /// Puts what the job has inherited below these layers, and above what else is in `merged`.
    pub fn add_inherited(
        &self,
        inherited: &InheritedGlobal,
        own: &[&'static [Property]],
        merged: &mut BTreeMap<String, String>,
    ) -> Result<(), ActionError> {
        for (name, value) in inherited.configuration(own) {
            let (name, value) = (self.evaluated(name)?, self.evaluated(value)?);
            if !name.is_empty() && !value.is_empty() {
                merged.insert(name, value);
            }
        }
        Ok(())
    }

    fn job_xml(
        &self,
        path: &str,
        name_node: Option<&str>,
    ) -> Result<BTreeMap<String, String>, ActionError> {
        let app_path = self.scope.job().map(|job| job.app_path.clone());
        let on_cluster = match Path::new(path).exists() {
            true => None,
            false => fetch::on_cluster(path, &app_path.unwrap_or_default(), name_node),
        };
        let path = on_cluster.as_deref().unwrap_or(path);
        let (file, text) = if is_relative(path) {
            let file = self.app_folder.join(path);
            let text = fs::read_to_string(&file);
            (file, text)
        } else {
            let located = fetch::locate(self.access, path)?;
            let file = located.path();
            let text = located
                .system
                .read(&file, MAX_JOB_XML)
                .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
            (file, text)
        };
        let text = text.map_err(|error| {
            let message = format!("job-xml {}: {error}", file.display());
            error::transient(&error, &message)
                .unwrap_or_else(|| ActionError::error("JA008", message))
        })?;
        Ok(parse_job_xml(&text, &file)?
            .properties
            .iter()
            .map(|property| {
                let value = evaluated_or_verbatim(&property.value, self.scope);
                (property.name.clone(), value)
            })
            .collect())
    }
}

/// Refuses properties that an action may not set (`JavaActionExecutor.checkForDisallowedProps`).
///
/// # Errors
///
/// JA010, failed.
pub fn refuse_forbidden(configuration: &BTreeMap<String, String>) -> Result<(), ActionError> {
    let is_set = |name: &&&str| configuration.contains_key(**name);
    match FORBIDDEN.iter().find(is_set) {
        None => Ok(()),
        Some(name) => {
            let problem = format!("property {name} is not allowed in an action's configuration");
            Err(ActionError::failed("JA010", problem))
        }
    }
}

/// A configuration as the text of its file.
///
/// # Errors
///
/// JA007: a value cannot be represented in XML.
pub fn to_xml(properties: &BTreeMap<String, String>) -> Result<String, ActionError> {
    configuration::write(properties).map_err(|error| {
        let problem = format!("the configuration cannot be written as XML: {error}");
        ActionError::error("JA007", problem)
    })
}

/// Whether the path of a `job-xml` file is relative to the application's folder.
pub fn is_relative(path: &str) -> bool {
    !path.starts_with('/') && !path.contains(':')
}

/// The properties of a `job-xml` file.
///
/// # Errors
///
/// It is no Hadoop configuration.
pub fn parse_job_xml(text: &str, file: &Path) -> Result<Configuration, ActionError> {
    configuration::parse(text).map_err(|error| {
        ActionError::error("JA007", format!("job-xml {}: {error}", file.display()))
    })
}

#[cfg(test)]
mod tests;
