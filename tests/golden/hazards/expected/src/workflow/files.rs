// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::table::File;

pub(super) static FILES: [File; 4] = [
    File {
        path: "child/workflow.xml",
        bytes: include_bytes!("../../app/child/workflow.xml"),
        is_executable: false,
    },
    File {
        path: "config-default.xml",
        bytes: include_bytes!("../../app/config-default.xml"),
        is_executable: false,
    },
    File {
        path: "run.sh",
        bytes: include_bytes!("../../app/run.sh"),
        is_executable: true,
    },
    File {
        path: "workflow.xml",
        bytes: include_bytes!("../../app/workflow.xml"),
        is_executable: false,
    },
];
