//! The application that is submitted for an attempt (`ApplicationSubmissionContext` of the resource manager's REST interface).

use serde_json::{Value, json};

use super::{
    order::{ARCHIVE, ARGUMENT, EXECUTABLE},
    resources::ContainerResources,
    staging::LocalResource,
};
use crate::tool::yarn::CONTAINER;

/// Constant, since two shells read it: what the author wrote is in a file. `exec`: YARN's signals are for the application master.
const COMMAND: &str = "exec ./.hpdl-am hpdl-am 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";

/// The maximum length of a tag.
const MAX_NAME: usize = 200;

/// A file of the container's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalisedFile {
    pub name: String,
    pub resource: LocalResource,
    /// It is unpacked.
    pub is_archive: bool,
    /// Nodes keep it for other applications of the user.
    pub is_kept: bool,
}

/// What distinguishes an application from others.
pub struct ApplicationNames<'n> {
    pub id: &'n str,
    /// Of the workflow.
    pub app: &'n str,
    pub node: &'n str,
    pub job: &'n str,
    pub tags: &'n [String],
}

/// The files that every container gets: the executable, and the archive of its folder.
pub fn own_files(executable: LocalResource, archive: LocalResource) -> [LocalisedFile; 2] {
    let file = |name: &str, resource, is_kept| LocalisedFile {
        name: name.to_owned(),
        resource,
        is_archive: false,
        is_kept,
    };
    [
        file(EXECUTABLE, executable, true),
        file(ARCHIVE, archive, false),
    ]
}

/// The body of the request.
pub fn application(
    names: &ApplicationNames<'_>,
    resources: &ContainerResources,
    files: &[LocalisedFile],
) -> Value {
    debug_assert!(COMMAND.contains(EXECUTABLE) && COMMAND.contains(ARGUMENT));
    let local_resources: Vec<Value> = files.iter().map(local_resource).collect();
    let acls = [
        ("VIEW_APP", &resources.view_acl),
        ("MODIFY_APP", &resources.modify_acl),
    ];
    let acls: Vec<Value> = acls
        .into_iter()
        .filter_map(|(key, value)| Some(json!({ "key": key, "value": value.as_ref()? })))
        .collect();
    let name: String = format!("hpdl {} {} {}", names.app, names.node, names.job)
        .chars()
        .take(MAX_NAME)
        .collect();
    let mut application = json!({
        "application-id": names.id,
        "application-name": name,
        "application-type": CONTAINER,
        "queue": resources.queue,
        // The attempt's own retries are the action's.
        "max-app-attempts": 1,
        "unmanaged-AM": false,
        "keep-containers-across-application-attempts": false,
        "application-tags": { "tag": names.tags },
        "resource": { "memory": resources.memory, "vCores": resources.virtual_cores },
        "am-container-spec": {
            "commands": { "command": COMMAND },
            "environment": { "entry": [] },
            "local-resources": { "entry": local_resources },
            "application-acls": { "entry": acls },
        },
    });
    if let Some(priority) = resources.priority {
        application["priority"] = json!(priority);
    }
    if let Some(label) = &resources.node_label {
        application["am-container-node-label-expression"] = json!(label);
    }
    application
}

fn local_resource(file: &LocalisedFile) -> Value {
    let LocalResource {
        uri,
        size,
        timestamp,
    } = &file.resource;
    json!({
        "key": file.name,
        "value": {
            "resource": uri,
            "type": if file.is_archive { "ARCHIVE" } else { "FILE" },
            "visibility": if file.is_kept { "PRIVATE" } else { "APPLICATION" },
            "size": size,
            "timestamp": timestamp,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(path: &str) -> LocalResource {
        LocalResource {
            uri: format!("hdfs://nn:8020{path}"),
            size: 7,
            timestamp: 1000,
        }
    }

    #[test]
    fn an_application_has_one_attempt_and_its_own_files() {
        let resources = ContainerResources::of(&|name| {
            let value = match name {
                "oozie.launcher.view.acl" => "ann",
                "hpdl.launcher.yarn.node.label" => "gpu",
                "oozie.launcher.priority" => "2",
                _ => return None,
            };
            Some(value.to_owned())
        });
        let tags = ["hpdl-1".to_owned(), "oozie-2".to_owned()];
        let names = ApplicationNames {
            id: "application_1_0001",
            app: "load",
            node: "fetch",
            job: "0000001-W",
            tags: &tags,
        };
        let mut files = own_files(resource("/bin/x"), resource("/a.tar")).to_vec();
        files.push(LocalisedFile {
            name: "dict".to_owned(),
            resource: resource("/d.zip"),
            is_archive: true,
            is_kept: false,
        });
        let application = application(&names, &resources.unwrap(), &files);
        assert_eq!(application["max-app-attempts"], 1);
        assert_eq!(application["application-name"], "hpdl load fetch 0000001-W");
        assert_eq!(application["priority"], 2);
        assert_eq!(application["am-container-node-label-expression"], "gpu");
        assert_eq!(application["application-tags"]["tag"], json!(tags));
        let container = &application["am-container-spec"];
        assert_eq!(
            container["application-acls"]["entry"],
            json!([{ "key": "VIEW_APP", "value": "ann" }])
        );
        let entries = container["local-resources"]["entry"].as_array().unwrap();
        let shown: Vec<String> = entries
            .iter()
            .map(|entry| {
                let value = &entry["value"];
                format!("{} {} {}", entry["key"], value["type"], value["visibility"])
            })
            .collect();
        assert_eq!(
            shown,
            [
                r#"".hpdl-am" "FILE" "PRIVATE""#,
                r#"".hpdl-folder.tar" "FILE" "APPLICATION""#,
                r#""dict" "ARCHIVE" "APPLICATION""#
            ]
        );
    }
}
