//! Action nodes of the dialect, lowered to the corresponding actions of Oozie.

use crate::{
    lower::{
        configuration,
        proposal::report,
        template::{self, TextSink},
    },
    model::{
        ActionKind, Configuration, Property, Template,
        action::{
            Email, FILE_SYSTEM, Fs, FsOperation, HadoopSettings, Http, JOB_TRACKER, MapReduce, Pig,
            PrepareOperation, Ssh, SubWorkflow,
            fs::FsOperationKind,
            http::HttpPost,
            map_reduce::{MapReduceProgram, Streaming},
            pig::PigScript,
            ssh::SshArguments,
        },
    },
    syntax::xml::Element,
};

/// The property for the user of an action's files and jobs.
const USER: &str = "user.name";

/// The action of an element; `None` if it is not an action.
pub(super) fn kind(element: &Element<'_>, sink: &mut TextSink) -> Option<ActionKind> {
    Some(match element.name.local {
        "hadoop" => ActionKind::MapReduce(Box::new(hadoop(element, sink))),
        "pig" => ActionKind::Pig(pig(element, sink)),
        "hdfs" => ActionKind::Fs(hdfs(element, sink)),
        "ssh" => ActionKind::Ssh(ssh(element, sink)),
        "sub-workflow" => ActionKind::SubWorkflow(sub_workflow(element, sink)),
        "http" => ActionKind::Http(http(element, sink)),
        "email" => ActionKind::Email(Box::new(email(element, sink))),
        _ => return None,
    })
}

/// The settings in `job-xml` and `configuration`. The properties for file system and cluster, which this dialect requires
/// and Oozie rejects, become the corresponding settings of Oozie.
fn settings(element: &Element<'_>, user: Option<&str>, sink: &mut TextSink) -> HadoopSettings {
    let mut properties = match element.element("configuration") {
        Some(configuration) => configuration::properties(&configuration, sink),
        None => Vec::new(),
    };
    let name_node = take(&mut properties, FILE_SYSTEM);
    let resource_manager = take(&mut properties, JOB_TRACKER);
    if let Some(user) = user.and_then(|name| element.element(name)) {
        properties.push(Property {
            name: template::literal(USER, user.name_span),
            value: template::of_element(&user, sink),
        });
    }
    HadoopSettings {
        name_node,
        resource_manager,
        job_xml: template::of_children(element, "job-xml", sink),
        configuration: Configuration { properties },
    }
}

/// Removes the properties of that name, and returns the last one.
fn take(properties: &mut Vec<Property>, name: &str) -> Option<Template> {
    let last = properties
        .iter()
        .rfind(|property| property.name.literal() == Some(name))
        .map(|property| property.value.clone());
    properties.retain(|property| property.name.literal() != Some(name));
    last
}

fn prepare(element: &Element<'_>, sink: &mut TextSink) -> Vec<PrepareOperation> {
    let Some(prepare) = element.element("prepare") else {
        return Vec::new();
    };
    prepare
        .elements_named("delete")
        .map(|delete| {
            PrepareOperation::Delete(template::of_required_attribute(&delete, "path", sink))
        })
        .collect()
}

fn hadoop(element: &Element<'_>, sink: &mut TextSink) -> MapReduce {
    let mut files = Vec::new();
    let mut archives = Vec::new();
    let streaming = element.element("streaming");
    if let Some(streaming) = &streaming {
        let mut listed = |name: &str| match streaming.element(name) {
            Some(list) => template::of_children(&list, "file", sink),
            None => Vec::new(),
        };
        files.extend(listed("files"));
        files.extend(listed("cacheFiles"));
        archives.extend(listed("cacheArchives"));
    }
    MapReduce {
        settings: settings(element, None, sink),
        prepare: prepare(element, sink),
        program: match streaming {
            Some(streaming) => MapReduceProgram::Streaming(Box::new(Streaming {
                mapper: template::of_child(&streaming, "mapper", sink),
                reducer: template::of_child(&streaming, "reducer", sink),
                record_reader: None,
                record_reader_mappings: Vec::new(),
                env: Vec::new(),
            })),
            None => MapReduceProgram::Classes,
        },
        config_class: None,
        files,
        archives,
        of_proposal: true,
    }
}

fn pig(element: &Element<'_>, sink: &mut TextSink) -> Pig {
    Pig {
        settings: settings(element, Some("hadoop-user"), sink),
        prepare: prepare(element, sink),
        script: {
            let host = template::of_child(element, "pig-host", sink);
            let script = template::of_required_child(element, "pig-script", sink);
            match host {
                Some(host) => PigScript::OnHost(host, script),
                None => PigScript::Here(script),
            }
        },
        params: match element.element("parameters") {
            Some(parameters) => template::of_children(&parameters, "param", sink),
            None => Vec::new(),
        },
        arguments: Vec::new(),
        files: Vec::new(),
        archives: Vec::new(),
    }
}

fn hdfs(element: &Element<'_>, sink: &mut TextSink) -> Fs {
    let commands = element.element("commands");
    Fs {
        settings: HadoopSettings {
            name_node: template::of_child(element, "file-system", sink),
            ..settings(element, Some("user"), sink)
        },
        operations: commands
            .iter()
            .flat_map(Element::elements)
            .filter_map(|command| {
                Some(FsOperation {
                    span: command.name_span,
                    kind: operation(&command, sink)?,
                })
            })
            .collect(),
        of_proposal: true,
    }
}

fn operation(command: &Element<'_>, sink: &mut TextSink) -> Option<FsOperationKind> {
    let mut required = |name: &str| template::of_required_attribute(command, name, sink);
    match command.name.local {
        "delete" => Some(FsOperationKind::Delete {
            path: required("path"),
            skip_trash: None,
        }),
        "mkdir" => Some(FsOperationKind::Mkdir {
            path: required("path"),
        }),
        "move" => Some(FsOperationKind::Move {
            source: required("source"),
            target: required("target"),
        }),
        // Already reported.
        _ => None,
    }
}

fn ssh(element: &Element<'_>, sink: &mut TextSink) -> Ssh {
    Ssh {
        host: template::of_required_child(element, "host", sink),
        command: template::of_required_child(element, "command", sink),
        arguments: SshArguments::Flattened(template::of_children(element, "args", sink)),
        capture_output: element.element("capture-output").is_some(),
    }
}

/// The child is the name of an application; `--map` gives its location, unless it runs on another instance.
fn sub_workflow(element: &Element<'_>, sink: &mut TextSink) -> SubWorkflow {
    SubWorkflow {
        settings: settings(element, None, sink),
        app_path: template::of_required_child(element, "hadoop-workflow", sink),
        propagate_configuration: false,
        host_url: template::of_child(element, "host-url", sink),
    }
}

fn http(element: &Element<'_>, sink: &mut TextSink) -> Http {
    let mode = element.element("mode");
    let is = |wanted: &str| {
        mode.as_ref()
            .is_some_and(|mode| mode.trimmed_text().as_str() == wanted)
    };
    let is_dynamic = mode
        .as_ref()
        .is_some_and(|mode| mode.trimmed_text().as_str().contains("${"));
    if let Some(mode) = &mode
        && !is("CONTINUE")
        && !is("WAIT")
        && !is_dynamic
    {
        report::invalid_mode(mode, &mut |mistake| sink.emit(mistake));
    }
    Http {
        url: template::of_required_child(element, "url", sink),
        post: element.element("post").map(|post| HttpPost {
            content_type: template::of_required_attribute(&post, "content-type", sink),
            body: template::of_element(&post, sink),
        }),
        waits_for_callback: is("WAIT"),
        mode: match &mode {
            Some(mode) if is_dynamic => Some(template::of_element(mode, sink)),
            Some(_) | None => None,
        },
        capture_output: element.element("capture-output").is_some(),
    }
}

fn email(element: &Element<'_>, sink: &mut TextSink) -> Email {
    Email {
        to: template::of_required_child(element, "to", sink),
        cc: None,
        bcc: None,
        subject: template::of_required_child(element, "subject", sink),
        body: template::of_child(element, "message", sink),
        content_type: None,
        attachment: None,
    }
}
