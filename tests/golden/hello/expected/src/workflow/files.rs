// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::table::File;

pub(super) static FILES: [File; 1] = [
    File {
        path: "workflow.xml",
        bytes: include_bytes!("../../app/workflow.xml"),
        is_executable: false,
    },
];
