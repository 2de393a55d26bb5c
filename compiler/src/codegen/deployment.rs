//! The files with which an executable is deployed, from the templates in `templates/deploy/`.

use hpdlc_core::secrets::tells_secret;
use serde::Serialize;

use crate::{
    analysis::PropertyUse,
    codegen::{manifest::render, one_line},
};

/// Where an executable is deployed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeploymentTarget {
    Docker,
    Systemd,
    /// With an image, as [`DeploymentTarget::Docker`].
    Kubernetes,
}

/// What the files say of an executable.
#[derive(Debug, Clone, Copy)]
pub struct Deployment<'a> {
    pub hpdlc_version: &'a str,
    /// The name of the executable, of its image and of its units: as [`deployed_name`] makes it.
    pub name: &'a str,
    /// It is a coordinator or a bundle, whose one job runs until its end.
    pub is_scheduled: bool,
    pub properties: &'a [PropertyUse],
    pub targets: &'a [DeploymentTarget],
}

/// A template, and the name of its file.
type DeploymentTemplate = (&'static str, &'static str);

macro_rules! template {
    ($name:literal) => {
        include_str!(concat!("../../../templates/deploy/", $name, ".hbs"))
    };
}

const OF_ALL: [DeploymentTemplate; 2] = [
    ("README.md", template!("README.md")),
    ("job.properties", template!("job.properties")),
];
const SECRETS: DeploymentTemplate = ("secrets.properties", template!("secrets.properties"));
const IMAGE: [DeploymentTemplate; 2] = [
    ("Dockerfile", template!("Dockerfile")),
    (".dockerignore", template!("dockerignore")),
];
const KUBERNETES_WORKFLOW: [DeploymentTemplate; 3] = [
    ("volume.yaml", template!("volume.yaml")),
    ("job.yaml", template!("job.yaml")),
    ("cronjob.yaml", template!("cronjob.yaml")),
];
const KUBERNETES_SCHEDULE: [DeploymentTemplate; 1] =
    [("statefulset.yaml", template!("statefulset.yaml"))];
const RECOVERY: DeploymentTemplate = ("hpdl-recover.service", template!("hpdl-recover.service"));

/// The files, each with its name and its text.
pub fn files(deployment: &Deployment<'_>) -> Vec<(String, String)> {
    #[derive(Serialize)]
    struct Data<'a> {
        hpdlc_version: &'a str,
        name: &'a str,
        arch: &'static str,
        is_scheduled: bool,
        docker: bool,
        systemd: bool,
        k8s: bool,
        has_secrets: bool,
        required: Vec<DeploymentProperty>,
        optional: Vec<DeploymentProperty>,
        secrets: Vec<DeploymentProperty>,
    }
    let is_for = |target| deployment.targets.contains(&target);
    let (secrets, others): (Vec<&PropertyUse>, Vec<&PropertyUse>) = deployment
        .properties
        .iter()
        .partition(|property| tells_secret(&property.name));
    let (required, optional): (Vec<&PropertyUse>, Vec<&PropertyUse>) =
        others.into_iter().partition(|it| it.is_required());
    let all = |properties: Vec<&PropertyUse>| {
        let properties = properties.into_iter();
        properties.map(DeploymentProperty::of).collect::<Vec<_>>()
    };
    let data = Data {
        hpdlc_version: deployment.hpdlc_version,
        name: deployment.name,
        arch: std::env::consts::ARCH,
        is_scheduled: deployment.is_scheduled,
        docker: is_for(DeploymentTarget::Docker),
        systemd: is_for(DeploymentTarget::Systemd),
        k8s: is_for(DeploymentTarget::Kubernetes),
        has_secrets: !secrets.is_empty(),
        required: all(required),
        optional: all(optional),
        secrets: all(secrets),
    };
    let mut templates: Vec<(String, &str)> = Vec::new();
    let mut add = |wanted: &[DeploymentTemplate]| {
        let wanted = wanted.iter();
        templates.extend(wanted.map(|(file, text)| ((*file).to_owned(), *text)));
    };
    add(&OF_ALL);
    if data.has_secrets {
        add(&[SECRETS]);
    }
    if data.docker || data.k8s {
        add(&IMAGE);
    }
    if data.k8s && data.is_scheduled {
        add(&KUBERNETES_SCHEDULE);
    } else if data.k8s {
        add(&KUBERNETES_WORKFLOW);
    }
    if data.systemd {
        let name = deployment.name;
        if data.is_scheduled {
            templates.push((format!("{name}.service"), template!("schedule.service")));
        } else {
            templates.push((format!("{name}.service"), template!("workflow.service")));
            templates.push((format!("{name}.timer"), template!("workflow.timer")));
            templates.push((RECOVERY.0.to_owned(), RECOVERY.1));
        }
    }
    let files = templates.into_iter();
    files
        .map(|(file, text)| (file, render(text, handlebars::no_escape, &data)))
        .collect()
}

/// The name of an executable where it is deployed, from that of its program: valid for images, units and Kubernetes' objects. Cron
/// jobs have the shortest names, 52 characters.
pub fn deployed_name(program: &str) -> String {
    let name: String = program
        .chars()
        .map(|char| match char.to_ascii_lowercase() {
            char @ ('a'..='z' | '0'..='9') => char,
            _ => '-',
        })
        .take(52)
        .collect();
    let name = name.trim_matches('-');
    // An object of Kubernetes begins with a letter.
    if name.starts_with(|first: char| first.is_ascii_lowercase()) {
        name.to_owned()
    } else {
        let name = format!("workflow-{name}");
        let name: String = name.chars().take(52).collect();
        name.trim_matches('-').to_owned()
    }
}

/// A property in a file of properties.
#[derive(Serialize)]
struct DeploymentProperty {
    name: String,
    r#type: &'static str,
    default: Option<String>,
}

impl DeploymentProperty {
    fn of(property: &PropertyUse) -> DeploymentProperty {
        let default = property.default().filter(|default| !default.is_empty());
        DeploymentProperty {
            name: key(&property.name),
            r#type: property.r#type.name(),
            default: default.map(one_line),
        }
    }
}

/// A name as a key of a file of properties.
fn key(name: &str) -> String {
    let mut key = String::new();
    for char in one_line(name).chars() {
        if matches!(char, ' ' | ':' | '=' | '#' | '!' | '\\') {
            key.push('\\');
        }
        key.push(char);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::manifest::tests::property;

    fn texts(is_scheduled: bool, properties: &[PropertyUse]) -> Vec<(String, String)> {
        files(&Deployment {
            hpdlc_version: "0.1.0",
            name: "load",
            is_scheduled,
            properties,
            targets: &[
                DeploymentTarget::Docker,
                DeploymentTarget::Systemd,
                DeploymentTarget::Kubernetes,
            ],
        })
    }

    #[test]
    fn names_are_valid_everywhere() {
        for (program, expected) in [
            ("load", "load"),
            ("Daily_Load.v2", "daily-load-v2"),
            ("2026", "workflow-2026"),
            ("träume", "tr-ume"),
            ("--", "workflow"),
        ] {
            assert_eq!(deployed_name(program), expected, "{program}");
        }
        let long = deployed_name(&"a".repeat(100));
        assert_eq!(long.len(), 52);
    }

    #[test]
    fn every_kind_of_application_has_its_files() {
        let names = |is_scheduled, properties: &[PropertyUse]| {
            let texts = texts(is_scheduled, properties);
            let names: Vec<String> = texts.into_iter().map(|(name, _)| name).collect();
            names.join(" ")
        };
        assert_eq!(
            names(false, &[]),
            "README.md job.properties Dockerfile .dockerignore volume.yaml job.yaml cronjob.yaml load.service load.timer \
             hpdl-recover.service"
        );
        assert_eq!(
            names(true, &[property("db.password", None, false)]),
            "README.md job.properties secrets.properties Dockerfile .dockerignore statefulset.yaml load.service"
        );
    }

    #[test]
    fn secrets_have_a_file_of_their_own() {
        let properties = [
            property("day", None, false),
            property("queue", Some("default"), false),
            property("db.password", None, false),
            property("a b=c", None, false),
        ];
        for is_scheduled in [false, true] {
            let texts = texts(is_scheduled, &properties);
            let text = |wanted: &str| {
                let found = texts.iter().find(|(name, _)| name == wanted);
                found.map(|(_, text)| text.as_str()).unwrap_or_default()
            };
            let job = text("job.properties");
            assert!(
                job.contains("\nday=\n") && job.contains("\n# queue=\n"),
                "{job}"
            );
            assert!(
                job.contains("a\\ b\\=c=") && !job.contains("password"),
                "{job}"
            );
            assert!(text("secrets.properties").contains("\ndb.password=\n"));
            let service = text("load.service");
            assert!(
                service.contains("-c /etc/hpdl/load.secrets.properties"),
                "{service}"
            );
            for (name, text) in &texts {
                assert!(!text.contains("{{"), "{name}: {text}");
                let reads_them = match name.as_str() {
                    "README.md" | "load.service" => true,
                    name => name.ends_with(".yaml") && name != "volume.yaml",
                };
                assert_eq!(text.contains("secrets"), reads_them, "{name}");
            }
        }
    }
}
