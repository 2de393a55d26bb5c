//! Functions that workflow code calls in expressions: those of Oozie, by their Rust paths.

use syn::{Expr, ExprCall};

use crate::rust::{
    place::Place,
    reader::Reader,
    value::{Code, Type},
};

/// The path in Rust, the function in the expression language, and the type of its value. The crate of workflows declares each
/// with the types of its arguments.
const FUNCTIONS: &[(&str, &str, Type)] = &[
    ("wf::id", "wf:id", Type::Text),
    ("wf::name", "wf:name", Type::Text),
    ("wf::app_path", "wf:appPath", Type::Text),
    ("wf::conf", "wf:conf", Type::Text),
    ("wf::user", "wf:user", Type::Text),
    ("wf::group", "wf:group", Type::Text),
    ("wf::run", "wf:run", Type::Number),
    ("wf::last_error_node", "wf:lastErrorNode", Type::Text),
    ("fs::exists", "fs:exists", Type::Bool),
    ("fs::is_dir", "fs:isDir", Type::Bool),
    ("fs::dir_size", "fs:dirSize", Type::Number),
    ("fs::file_size", "fs:fileSize", Type::Number),
    ("fs::block_size", "fs:blockSize", Type::Number),
    ("hcat::exists", "hcat:exists", Type::Bool),
    ("timestamp", "timestamp", Type::Text),
    ("url_encode", "urlEncode", Type::Text),
    ("trim", "trim", Type::Text),
    ("concat", "concat", Type::Text),
    ("replace_all", "replaceAll", Type::Text),
    ("append_all", "appendAll", Type::Text),
    ("first_not_null", "firstNotNull", Type::Text),
];

/// The function that an expression names.
fn find(function: &Expr) -> Option<&'static (&'static str, &'static str, Type)> {
    let Expr::Path(path) = function else {
        return None;
    };
    let segments: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    let path = segments.join("::");
    let path = path.strip_prefix("hpdlc_flow::").unwrap_or(&path);
    FUNCTIONS.iter().find(|(rust, _, _)| *rust == path)
}

/// Whether an expression names a function of Oozie.
pub(super) fn is_function(function: &Expr) -> bool {
    find(function).is_some()
}

/// The type of the value of a function of Oozie.
pub(super) fn type_of(function: &Expr) -> Option<Type> {
    find(function).map(|(_, _, of)| *of)
}

/// The code of a call, and the type of its value.
pub(super) fn call(reader: &mut Reader, call: &ExprCall) -> Option<(Code, Type)> {
    let (_, function, of) = find(&call.func)?;
    let mut code: Code = vec![(format!("{function}("), Some(Place::of(&call.func)))];
    for (n, argument) in call.args.iter().enumerate() {
        if n > 0 {
            code.push((", ".to_owned(), None));
        }
        code.extend(reader.operand(argument)?);
    }
    code.push((")".to_owned(), None));
    Some((code, *of))
}
