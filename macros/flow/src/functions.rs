//! The functions of Oozie's expression language that a workflow can call. Each says its name there.

use crate::{builder::Value, outside};

macro_rules! functions {
    ($($el:literal: $name:ident($($argument:ident),*) -> $gives:ty;)*) => {
        $(
            #[doc = concat!("`", $el, "`")]
            pub fn $name($($argument: impl Value),*) -> $gives {
                $(drop($argument);)*
                outside()
            }
        )*
    };
}

functions! {
    "timestamp()": timestamp() -> String;
    "urlEncode(String s)": url_encode(text) -> String;
    "trim(String s)": trim(text) -> String;
    "concat(String s1, String s2)": concat(first, second) -> String;
    "replaceAll(String src, String regex, String replacement)": replace_all(text, regex, replacement) -> String;
    "appendAll(String src, String append, String delimiter)": append_all(text, append, delimiter) -> String;
    "firstNotNull(String value1, String value2)": first_not_null(first, second) -> String;
}

/// Functions about the job.
pub mod wf {
    use super::{Value, outside};

    functions! {
        "wf:id()": id() -> String;
        "wf:name()": name() -> String;
        "wf:appPath()": app_path() -> String;
        "wf:conf(String name)": conf(name) -> String;
        "wf:user()": user() -> String;
        "wf:group()": group() -> String;
        "wf:run()": run() -> i64;
        "wf:lastErrorNode()": last_error_node() -> String;
    }
}

/// Functions about files and folders.
pub mod fs {
    use super::{Value, outside};

    functions! {
        "fs:exists(String path)": exists(path) -> bool;
        "fs:isDir(String path)": is_dir(path) -> bool;
        "fs:dirSize(String path)": dir_size(path) -> i64;
        "fs:fileSize(String path)": file_size(path) -> i64;
        "fs:blockSize(String path)": block_size(path) -> i64;
    }
}

/// Functions about tables of HCatalog.
pub mod hcat {
    use super::{Value, outside};

    functions! {
        "hcat:exists(String uri)": exists(uri) -> bool;
    }
}
