//! Functions of prefix `fs`: files and folders (`FsELFunctions`).

use super::text;
use crate::el::{error::ElError, scope::Scope, value::Value};

functions! {
    EXISTS = "fs:exists"(Text) -> Bool, Files, "whether anything matches a path or glob pattern",
        |scope, args| exists(scope, text(args, 0)).map(Value::from);
    IS_DIR = "fs:isDir"(Text) -> Bool, Files, "whether a path is a folder",
        |scope, args| is_dir(scope, text(args, 0)).map(Value::from);
    FILE_SIZE = "fs:fileSize"(Text) -> Long, Files, "the bytes of a file, -1 if it is missing",
        |scope, args| file_size(scope, text(args, 0)).map(Value::from);
    DIR_SIZE = "fs:dirSize"(Text) -> Long, Files, "the bytes of the files directly in a folder, -1 if there is no folder",
        |scope, args| dir_size(scope, text(args, 0)).map(Value::from);
    BLOCK_SIZE = "fs:blockSize"(Text) -> Long, Files, "the block size of a file in bytes, -1 if it is missing",
        |scope, args| block_size(scope, text(args, 0)).map(Value::from);
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
