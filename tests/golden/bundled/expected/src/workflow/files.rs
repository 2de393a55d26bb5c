// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::File;

pub(super) static FILES: [File; 6] = [
    File {
        path: "bundle.xml",
        bytes: include_bytes!("../../app/bundle.xml"),
        is_executable: false,
    },
    File {
        path: "ingest/coordinator.xml",
        bytes: include_bytes!("../../app/ingest/coordinator.xml"),
        is_executable: false,
    },
    File {
        path: "ingest/datasets.xml",
        bytes: include_bytes!("../../app/ingest/datasets.xml"),
        is_executable: false,
    },
    File {
        path: "ingest/workflow.xml",
        bytes: include_bytes!("../../app/ingest/workflow.xml"),
        is_executable: false,
    },
    File {
        path: "rollup/coordinator.xml",
        bytes: include_bytes!("../../app/rollup/coordinator.xml"),
        is_executable: false,
    },
    File {
        path: "rollup/workflow/workflow.xml",
        bytes: include_bytes!("../../app/rollup/workflow/workflow.xml"),
        is_executable: false,
    },
];
