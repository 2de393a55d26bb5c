//! Functions of prefix `fs`: files and folders (`FsELFunctions`).

use super::{Function, Needs, WORKFLOW, text};
use crate::el::{error::ElError, scope::Scope, types::Type, value::Value};

functions! {
    EXISTS = Function {
        prefix: Some("fs"),
        name: "exists",
        params: &[Type::Text],
        result: Type::Bool,
        phases: WORKFLOW,
        needs: Needs::Files,
        doc: "whether anything matches a path or glob pattern",
        body: |scope, args| exists(scope, text(args, 0)).map(Value::from),
    },
    IS_DIR = Function {
        prefix: Some("fs"),
        name: "isDir",
        params: &[Type::Text],
        result: Type::Bool,
        phases: WORKFLOW,
        needs: Needs::Files,
        doc: "whether a path is a folder",
        body: |scope, args| is_dir(scope, text(args, 0)).map(Value::from),
    },
    FILE_SIZE = Function {
        prefix: Some("fs"),
        name: "fileSize",
        params: &[Type::Text],
        result: Type::Long,
        phases: WORKFLOW,
        needs: Needs::Files,
        doc: "the bytes of a file, -1 if it is missing",
        body: |scope, args| file_size(scope, text(args, 0)).map(Value::from),
    },
    DIR_SIZE = Function {
        prefix: Some("fs"),
        name: "dirSize",
        params: &[Type::Text],
        result: Type::Long,
        phases: WORKFLOW,
        needs: Needs::Files,
        doc: "the bytes of the files directly in a folder, -1 if there is no folder",
        body: |scope, args| dir_size(scope, text(args, 0)).map(Value::from),
    },
    BLOCK_SIZE = Function {
        prefix: Some("fs"),
        name: "blockSize",
        params: &[Type::Text],
        result: Type::Long,
        phases: WORKFLOW,
        needs: Needs::Files,
        doc: "the block size of a file in bytes, -1 if it is missing",
        body: |scope, args| block_size(scope, text(args, 0)).map(Value::from),
    },
}

/// `fs:exists(glob)`
///
/// # Errors
///
/// As [`FileFacts::exists`](crate::el::scope::FileFacts::exists); the same for the other functions.
pub fn exists(scope: &dyn Scope, glob: &str) -> Result<bool, ElError> {
    scope.files().exists(glob)
}

/// `fs:isDir(path)`
pub fn is_dir(scope: &dyn Scope, path: &str) -> Result<bool, ElError> {
    scope.files().is_dir(path)
}

/// `fs:fileSize(path)`: for a folder the length in its file status, although Oozie's documentation says -1.
pub fn file_size(scope: &dyn Scope, path: &str) -> Result<i64, ElError> {
    scope.files().file_size(path)
}

/// `fs:dirSize(path)`
pub fn dir_size(scope: &dyn Scope, path: &str) -> Result<i64, ElError> {
    scope.files().dir_size(path)
}

/// `fs:blockSize(path)`
pub fn block_size(scope: &dyn Scope, path: &str) -> Result<i64, ElError> {
    scope.files().block_size(path)
}
