// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{
    Bundle, BundleCoordinator, Child, Parameter, ParameterDefault, Property, Template,
    Uses,
};

/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

/// The file, as it was given to the compiler.
const SOURCE: &str = "bundle.xml";

/// The bundle, for the runtime.
pub(super) static BUNDLE: Bundle = Bundle {
    name: Template::Text(1, "sales"),
    source: SOURCE,
    parameters: &[
        Parameter {
            name: "root",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "10:51" }],
        },
        Parameter {
            name: "withRollup",
            default: Some(ParameterDefault::Declared(4, "true")),
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "13:44" }],
        },
    ],
    config_default: &[],
    kick_off_time: Some(Template::Text(6, "2026-01-01T00:00Z")),
    coordinators: &[
        BundleCoordinator {
            name: Template::Text(7, "ingest"),
            enabled: None,
            app_path: Template::Text(8, "ingest"),
            configuration: &[Property::Around("source", 10, 49, "", p::root, "/arriving")],
        },
        BundleCoordinator {
            name: Template::Text(13, "roll-up"),
            enabled: Some(Template::Property(13, 42, p::withRollup)),
            app_path: Template::Text(14, "rollup/coordinator.xml"),
            configuration: &[],
        },
    ],
    children: &[
        Child { uri: "${wf:appPath()}/ingest", app: 0 },
        Child { uri: "${wf:appPath()}/ingest/coordinator.xml", app: 0 },
        Child { uri: "${wf:appPath()}/rollup", app: 1 },
        Child { uri: "${wf:appPath()}/rollup/coordinator.xml", app: 1 },
        Child { uri: "ingest", app: 0 },
        Child { uri: "ingest/coordinator.xml", app: 0 },
        Child { uri: "rollup", app: 1 },
        Child { uri: "rollup/coordinator.xml", app: 1 },
    ],
};
