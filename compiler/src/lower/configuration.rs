//! Configuration blocks, `launcher`, the `global` section and `config-default.xml`.

use crate::{
    lower::template::{self, TextSink},
    model::{Configuration, Global, Property},
    syntax::xml::Element,
};

pub(super) mod invalid_configuration_file;

use self::invalid_configuration_file::{FileFault, InvalidConfigurationFile};

/// Lowers the `global` section. Inside it `launcher` overrides `configuration`, so it comes last.
pub(super) fn global(section: &Element<'_>, sink: &mut TextSink) -> Global {
    let cluster = cluster(section);
    let mut properties = own_properties(section, sink);
    properties.extend(launcher(section, sink));
    Global {
        span: section.name_span,
        name_node: template::of_child(section, "name-node", sink),
        resource_manager: cluster.map(|element| template::of_element(&element, sink)),
        job_xml: template::of_children(section, "job-xml", sink),
        configuration: Configuration { properties },
    }
}

/// The element that specifies the cluster: `resource-manager`, or else `job-tracker`.
pub(super) fn cluster<'a>(parent: &Element<'a>) -> Option<Element<'a>> {
    parent
        .element("resource-manager")
        .or_else(|| parent.element("job-tracker"))
}

/// An action's own configuration. Inside an action `configuration` overrides `launcher`, so it comes last.
pub(super) fn of_action(body: &Element<'_>, sink: &mut TextSink) -> Configuration {
    let mut all = launcher(body, sink);
    let own = own_properties(body, sink);
    if all.is_empty() {
        // The usual case: nothing to copy.
        return Configuration { properties: own };
    }
    all.extend(own);
    Configuration { properties: all }
}

/// The properties of the `configuration` child.
pub(super) fn own_properties(parent: &Element<'_>, sink: &mut TextSink) -> Vec<Property> {
    match parent.element("configuration") {
        Some(configuration) => properties(&configuration, sink),
        None => Vec::new(),
    }
}

/// The properties in an element. Missing names or values have been reported.
pub(super) fn properties(parent: &Element<'_>, sink: &mut TextSink) -> Vec<Property> {
    let written = || parent.elements_named("property");
    // Most of the memory of a large model is in these lists, so they are allocated with exact capacity.
    let mut properties = Vec::with_capacity(written().count());
    for property in written() {
        let name = template::of_child(&property, "name", sink);
        let value = template::of_child(&property, "value", sink);
        if let (Some(name), Some(value)) = (name, value) {
            properties.push(Property { name, value });
        }
    }
    properties
}

/// The children of `launcher` as the properties that `LauncherConfigurationInjector` converts them to.
fn launcher(parent: &Element<'_>, sink: &mut TextSink) -> Vec<Property> {
    let Some(launcher) = parent.element("launcher") else {
        return Vec::new();
    };
    launcher
        .elements()
        .filter_map(|setting| {
            let name = match setting.name.local {
                "memory.mb" => "oozie.launcher.memory.mb",
                "vcores" => "oozie.launcher.vcores",
                "java-opts" => "oozie.launcher.javaopts",
                "env" => "oozie.launcher.env",
                "queue" => "oozie.launcher.queue",
                "sharelib" => "oozie.launcher.sharelib",
                "view-acl" => "oozie.launcher.view.acl",
                "modify-acl" => "oozie.launcher.modify.acl",
                // An unknown one has been reported.
                _ => return None,
            };
            // Oozie reads numbers with their blanks (`LauncherConfigHandler`).
            let is_number = matches!(setting.name.local, "memory.mb" | "vcores");
            Some(Property {
                name: template::literal(name, setting.name_span),
                value: if is_number {
                    template::of_text(setting.text(), sink)
                } else {
                    template::of_element(&setting, sink)
                },
            })
        })
        .collect()
}

/// The properties of a `config-default.xml`, in document order.
///
/// Like `XConfiguration`: by local names, with nested `configuration` elements, values keep their blanks.
pub(super) fn config_default(root: &Element<'_>, sink: &mut TextSink) -> Vec<Property> {
    let mut found = Vec::new();
    if root.name.local != "configuration" {
        sink.emit(InvalidConfigurationFile {
            element: root.name.qualified(),
            place: root.name_span,
            fault: FileFault::Root,
        });
        return found;
    }
    // Nesting in the file is limited by the parser; an explicit stack is used nevertheless.
    let mut open = vec![root.elements()];
    while let Some(siblings) = open.last_mut() {
        let Some(child) = siblings.next() else {
            open.pop();
            continue;
        };
        match child.name.local {
            "configuration" => open.push(child.elements()),
            "property" => {
                let name = template::of_child(&child, "name", sink);
                let value = child
                    .element("value")
                    .map(|value| template::of_text(value.text(), sink));
                if let (Some(name), Some(value)) = (name, value)
                    && !name.text.is_empty()
                {
                    found.push(Property { name, value });
                }
            }
            _ => sink.emit(InvalidConfigurationFile {
                element: child.name.qualified(),
                place: child.name_span,
                fault: FileFault::Child,
            }),
        }
    }
    found
}
