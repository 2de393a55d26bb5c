//! The `bundle-app` element.

use crate::{
    lower::{
        check::namespace_of,
        configuration, parameters,
        template::{self, TextSink},
    },
    model::{BundleApp, BundleCoordinator, BundleVersion, Configuration, Property},
    syntax::xml::Element,
};

/// Lowers the application. A bundle in an unknown namespace is lowered as the newest version, which allows most.
pub(super) fn bundle_app(
    root: &Element<'_>,
    config_default: Vec<Property>,
    sink: &mut TextSink,
) -> BundleApp {
    let version = BundleVersion::from_namespace(namespace_of(root)).unwrap_or(BundleVersion::V0_2);
    BundleApp {
        file: root.file(),
        root_span: root.name_span,
        version,
        name: template::of_required_attribute(root, "name", sink),
        parameters: parameters::parameters(root, sink),
        kick_off_time: root
            .element("controls")
            .and_then(|controls| template::of_child(&controls, "kick-off-time", sink)),
        coordinators: root
            .elements_named("coordinator")
            .map(|element| coordinator(&element, sink))
            .collect(),
        config_default,
    }
}

fn coordinator(element: &Element<'_>, sink: &mut TextSink) -> BundleCoordinator {
    BundleCoordinator {
        tag_span: element.name_span,
        name: template::of_required_attribute(element, "name", sink),
        critical: template::of_optional_attribute(element, "critical", sink),
        enabled: template::of_optional_attribute(element, "enabled", sink),
        app_path: template::of_required_child(element, "app-path", sink),
        configuration: Configuration {
            properties: configuration::own_properties(element, sink),
        },
    }
}
