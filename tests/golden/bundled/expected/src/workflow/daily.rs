// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{Child, Coordinator, Parameter, Template, Uses};

/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

/// The file, as it was given to the compiler.
const SOURCE: &str = "rollup/coordinator.xml";

/// The coordinator, for the runtime.
pub(super) static COORDINATOR: Coordinator = Coordinator {
    name: Template::Text(1, "daily"),
    source: SOURCE,
    folder: "rollup",
    parameters: &[
        Parameter {
            name: "until",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "1:86" }],
        },
    ],
    frequency: Template::Text(1, "0 1 * * *"),
    start: Template::Text(1, "2026-01-01T00:00Z"),
    end: Template::Property(1, 84, p::until),
    timezone: Template::Text(1, "UTC"),
    app_path: Template::Text(4, "workflow"),
    workflows: &[
        Child { uri: "workflow", app: 1 },
        Child { uri: "${wf:appPath()}/workflow", app: 1 },
    ],
    ..Coordinator::EMPTY
};
