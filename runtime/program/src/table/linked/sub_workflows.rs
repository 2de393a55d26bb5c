//! The URIs by which the jobs of a workflow find another workflow of the program that they run, and what that one runs.

use hpdlc_core::app_uri::APP_PATH;

use super::parts::{next, write};
use crate::table::{Child, Program};

/// How many bytes the URIs of a program in the folder `folder` of another one have, its own first.
pub const fn uri_bytes(folder: &str, program: &Program) -> usize {
    let mut count = own_length(folder);
    let mut n = 0;
    while n < program.children.len() {
        count += moved_length(folder, program.children[n].uri);
        n += 1;
    }
    count
}

const fn own_length(folder: &str) -> usize {
    APP_PATH.len() + 1 + folder.len()
}

const fn moved_length(folder: &str, uri: &str) -> usize {
    match is_below_own(uri) {
        true => own_length(folder) + uri.len() - APP_PATH.len(),
        false => uri.len(),
    }
}

/// Whether a URI begins with the path of the application itself.
const fn is_below_own(uri: &str) -> bool {
    let (uri, path) = (uri.as_bytes(), APP_PATH.as_bytes());
    if uri.len() < path.len() {
        return false;
    }
    let mut n = 0;
    while n < path.len() {
        if uri[n] != path[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// The URIs of a program in the folder `folder` of another one, one behind the other. `N` is their [`uri_bytes`].
pub const fn uris<const N: usize>(folder: &str, program: &Program) -> [u8; N] {
    let mut bytes = [b'/'; N];
    let mut at = write_own(&mut bytes, 0, folder);
    let mut n = 0;
    while n < program.children.len() {
        let uri = program.children[n].uri;
        at = match is_below_own(uri) {
            true => {
                let (_, rest) = uri.split_at(APP_PATH.len());
                let behind = write_own(&mut bytes, at, folder);
                write(&mut bytes, behind, rest)
            }
            false => write(&mut bytes, at, uri),
        };
        n += 1;
    }
    bytes
}

const fn write_own(bytes: &mut [u8], at: usize, folder: &str) -> usize {
    let behind = write(bytes, at, APP_PATH);
    // The separator is there already.
    write(bytes, behind + 1, folder)
}

/// The workflow of a program in the folder `folder` of another one, and the workflows that it runs, behind `before` others; `uris` are
/// its [`uris`]. `N` is one more than the number of its children.
pub const fn sub_workflows<const N: usize>(
    folder: &str,
    program: &Program,
    before: usize,
    uris: &'static [u8],
) -> [Child; N] {
    let mut all = [Child { uri: "", app: 0 }; N];
    let (uri, mut uris) = next(uris, own_length(folder));
    all[0] = Child { uri, app: before };
    let mut n = 1;
    while n < N {
        let child = program.children[n - 1];
        let (uri, rest) = next(uris, moved_length(folder, child.uri));
        all[n] = Child {
            uri,
            app: child.app + before,
        };
        uris = rest;
        n += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &Program = &Program {
        children: &[
            Child {
                uri: "${wf:appPath()}/clean",
                app: 1,
            },
            Child {
                uri: "hdfs://nn/apps/mail",
                app: 2,
            },
        ],
        ..Program::EMPTY
    };

    #[test]
    fn what_a_sub_workflow_runs_lies_below_its_folder() {
        static URIS: [u8; uri_bytes("report", PROGRAM)] = uris("report", PROGRAM);
        static CHILDREN: [Child; 3] = sub_workflows("report", PROGRAM, 4, &URIS);
        let found = CHILDREN.iter().map(|child| (child.uri, child.app));
        let expected = [
            ("${wf:appPath()}/report", 4),
            ("${wf:appPath()}/report/clean", 5),
            ("hdfs://nn/apps/mail", 6),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
