//! The parts of a bundle: each coordinator with its workflow moves into a folder of its own, and its workflows behind those of others.

use hpdlc_core::definition::NodeId;

use super::is_same;
use crate::table::{App, Child, Coordinator, File, Program, Template};

/// What an application is before it has a value.
const NO_APP: App = App {
    name: Template::Text(0, ""),
    source: "",
    folder: "",
    parameters: &[],
    config_default: &[],
    global: &[],
    slas: &[],
    lines: &[],
    start: NodeId(0),
    joins: &[],
    functions: &[],
    rows: &[],
    definitions: &[],
};
static NO_APPS: [App; 1] = [NO_APP];
static NO_COORDINATOR: Coordinator = Coordinator::EMPTY;
const NO_CHILD: Child = Child { uri: "", app: 0 };
const NO_FILE: File = File {
    path: "",
    bytes: &[],
    is_executable: false,
};

/// How many bytes the paths of a program's files and folders have below `folder`.
pub const fn path_bytes(folder: &str, program: &Program) -> usize {
    let mut count = 0;
    let mut n = 0;
    while n < program.files.len() {
        count += below_length(folder, program.files[n].path);
        n += 1;
    }
    n = 0;
    while n < program.apps.len() {
        count += below_length(folder, program.apps[n].folder);
        n += 1;
    }
    count
}

const fn below_length(folder: &str, path: &str) -> usize {
    match path.len() {
        0 => folder.len(),
        length => folder.len() + 1 + length,
    }
}

/// The paths of a program's files and folders below `folder`, one behind the other. `N` is their [`path_bytes`].
pub const fn paths<const N: usize>(folder: &str, program: &Program) -> [u8; N] {
    let mut bytes = [b'/'; N];
    let mut at = 0;
    let mut n = 0;
    while n < program.files.len() {
        at = write_below(&mut bytes, at, folder, program.files[n].path);
        n += 1;
    }
    n = 0;
    while n < program.apps.len() {
        at = write_below(&mut bytes, at, folder, program.apps[n].folder);
        n += 1;
    }
    bytes
}

const fn write_below(bytes: &mut [u8], mut at: usize, folder: &str, path: &str) -> usize {
    at = write(bytes, at, folder);
    match path.len() {
        0 => at,
        _ => write(bytes, at + 1, path),
    }
}

pub(super) const fn write(bytes: &mut [u8], at: usize, text: &str) -> usize {
    let text = text.as_bytes();
    let mut n = 0;
    while n < text.len() {
        bytes[at + n] = text[n];
        n += 1;
    }
    at + text.len()
}

/// The next path of [`paths`], and the rest.
pub(super) const fn next(paths: &'static [u8], length: usize) -> (&'static str, &'static [u8]) {
    let (path, rest) = paths.split_at(length);
    match str::from_utf8(path) {
        Ok(path) => (path, rest),
        Err(_) => ("", rest),
    }
}

/// The files of a program below `folder`, with their [`paths`].
pub const fn moved_files<const N: usize>(
    folder: &str,
    program: &Program,
    mut paths: &'static [u8],
) -> [File; N] {
    let mut files = [NO_FILE; N];
    let mut n = 0;
    while n < N {
        let file = program.files[n];
        let (path, rest) = next(paths, below_length(folder, file.path));
        files[n] = File { path, ..file };
        paths = rest;
        n += 1;
    }
    files
}

/// The workflows of a program below `folder`, with their [`paths`].
pub const fn moved_apps<const N: usize>(
    folder: &str,
    program: &Program,
    mut paths: &'static [u8],
) -> [App; N] {
    let mut n = 0;
    while n < program.files.len() {
        (_, paths) = next(paths, below_length(folder, program.files[n].path));
        n += 1;
    }
    let mut apps = [NO_APP; N];
    n = 0;
    while n < N {
        let app = *program.apps[n];
        let (moved, rest) = next(paths, below_length(folder, app.folder));
        apps[n] = App {
            folder: moved,
            ..app
        };
        paths = rest;
        n += 1;
    }
    apps
}

/// URIs whose applications are behind `before` others.
pub const fn moved_children<const N: usize>(children: &[Child], before: usize) -> [Child; N] {
    let mut moved = [NO_CHILD; N];
    let mut n = 0;
    while n < N {
        moved[n] = Child {
            uri: children[n].uri,
            app: children[n].app + before,
        };
        n += 1;
    }
    moved
}

/// The URIs by which the only coordinator of a program finds its workflow.
pub const fn workflows(program: &Program) -> &'static [Child] {
    match program.coordinators.len() {
        0 => &[],
        _ => program.coordinators[0].workflows,
    }
}

/// The only coordinator of a program, in another folder and with other URIs of its workflow.
pub const fn moved_coordinator(
    program: &Program,
    folder: &'static str,
    workflows: &'static [Child],
) -> Coordinator {
    match program.coordinators.len() {
        0 => Coordinator::EMPTY,
        _ => Coordinator {
            folder,
            workflows,
            ..*program.coordinators[0]
        },
    }
}

/// How many workflows programs have together.
pub const fn app_count(programs: &[&Program]) -> usize {
    let mut count = 0;
    let mut n = 0;
    while n < programs.len() {
        count += programs[n].apps.len();
        n += 1;
    }
    count
}

/// References to workflows.
pub const fn references<const N: usize>(apps: &'static [App; N]) -> [&'static App; N] {
    let mut all = [&NO_APPS[0]; N];
    let mut n = 0;
    while n < N {
        all[n] = &apps[n];
        n += 1;
    }
    all
}

/// The workflows of programs, in their order. `N` is their [`app_count`].
pub const fn apps<const N: usize>(programs: &[&Program]) -> [&'static App; N] {
    let mut all = [&NO_APPS[0]; N];
    let (mut at, mut n) = (0, 0);
    while n < programs.len() {
        let mut app = 0;
        while app < programs[n].apps.len() {
            all[at] = programs[n].apps[app];
            at += 1;
            app += 1;
        }
        n += 1;
    }
    all
}

/// The coordinators of programs that have one each.
pub const fn coordinators<const N: usize>(programs: &[&Program]) -> [&'static Coordinator; N] {
    let mut all = [&NO_COORDINATOR; N];
    let mut n = 0;
    while n < programs.len() {
        if !programs[n].coordinators.is_empty() {
            all[n] = programs[n].coordinators[0];
        }
        n += 1;
    }
    all
}

/// How many URIs of workflows programs have together.
pub const fn child_count(programs: &[&Program]) -> usize {
    let mut count = 0;
    let mut n = 0;
    while n < programs.len() {
        count += programs[n].children.len();
        n += 1;
    }
    count
}

/// The URIs of programs, in their order. `N` is their [`child_count`].
pub const fn children<const N: usize>(programs: &[&Program]) -> [Child; N] {
    let mut all = [NO_CHILD; N];
    let (mut at, mut n) = (0, 0);
    while n < programs.len() {
        let mut child = 0;
        while child < programs[n].children.len() {
            all[at] = programs[n].children[child];
            at += 1;
            child += 1;
        }
        n += 1;
    }
    all
}

/// Whether no URI is that of two workflows.
pub const fn are_distinct(children: &[Child]) -> bool {
    let mut n = 0;
    while n < children.len() {
        let mut other = 0;
        while other < n {
            if is_same(children[n].uri, children[other].uri) {
                return false;
            }
            other += 1;
        }
        n += 1;
    }
    true
}

/// Whether functions of one name are one function, by the places of their modules.
pub const fn are_one(functions: &[&[(&str, &str)]]) -> bool {
    let mut n = 0;
    while n < functions.len() {
        let mut own = 0;
        while own < functions[n].len() {
            let (name, place) = functions[n][own];
            let mut other = 0;
            while other < n {
                let mut known = 0;
                while known < functions[other].len() {
                    let (known_name, known_place) = functions[other][known];
                    if is_same(name, known_name) && !is_same(place, known_place) {
                        return false;
                    }
                    known += 1;
                }
                other += 1;
            }
            own += 1;
        }
        n += 1;
    }
    true
}

/// How many elements lists have together.
pub const fn count<T>(lists: &[&[T]]) -> usize {
    let mut count = 0;
    let mut n = 0;
    while n < lists.len() {
        count += lists[n].len();
        n += 1;
    }
    count
}

/// The elements of lists, in their order. `N` is their [`count`].
pub const fn joined<T: Copy, const N: usize>(lists: &[&[T]], before: T) -> [T; N] {
    let mut all = [before; N];
    let (mut at, mut n) = (0, 0);
    while n < lists.len() {
        let mut element = 0;
        while element < lists[n].len() {
            all[at] = lists[n][element];
            at += 1;
            element += 1;
        }
        n += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    static APP: App = App {
        folder: "sub",
        source: "workflow.xml",
        ..NO_APP
    };
    static OWN: App = App {
        folder: "",
        ..NO_APP
    };
    static COORDINATOR: Coordinator = Coordinator {
        source: "coordinator.xml",
        workflows: &[Child {
            uri: "daily",
            app: 1,
        }],
        ..Coordinator::EMPTY
    };
    const PROGRAM: &Program = &Program {
        apps: &[&OWN, &APP],
        coordinators: &[&COORDINATOR],
        files: &[
            File {
                path: "coordinator.xml",
                bytes: b"1",
                is_executable: false,
            },
            File {
                path: "sub/run.sh",
                bytes: b"2",
                is_executable: true,
            },
        ],
        ..Program::EMPTY
    };

    #[test]
    fn files_and_folders_of_a_part_lie_below_its_folder() {
        static PATHS: [u8; path_bytes("nightly", PROGRAM)] = paths("nightly", PROGRAM);
        static FILES: [File; 2] = moved_files("nightly", PROGRAM, &PATHS);
        static APPS: [App; 2] = moved_apps("nightly", PROGRAM, &PATHS);
        let files = FILES.iter().map(|file| (file.path, file.is_executable));
        let expected = [
            ("nightly/coordinator.xml", false),
            ("nightly/sub/run.sh", true),
        ];
        assert_eq!(files.collect::<Vec<_>>(), expected);
        let folders = APPS.iter().map(|app| (app.folder, app.source));
        let expected = [("nightly", ""), ("nightly/sub", "workflow.xml")];
        assert_eq!(folders.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_coordinator_finds_its_workflow_behind_those_of_others() {
        static WORKFLOWS: [Child; 1] = moved_children(workflows(PROGRAM), 5);
        static MOVED: Coordinator = moved_coordinator(PROGRAM, "nightly", &WORKFLOWS);
        assert_eq!((MOVED.folder, MOVED.source), ("nightly", "coordinator.xml"));
        assert_eq!(
            (MOVED.workflows[0].uri, MOVED.workflows[0].app),
            ("daily", 6)
        );
    }

    #[test]
    fn programs_with_mistakes_have_nothing() {
        assert!(workflows(&Program::EMPTY).is_empty());
        let none = moved_coordinator(&Program::EMPTY, "nightly", &[]);
        assert_eq!((none.folder, none.source), ("", ""));
        let all: [&Coordinator; 1] = coordinators(&[&Program::EMPTY]);
        assert_eq!(all[0].source, "");
        let apps: [&App; 0] = apps(&[&Program::EMPTY]);
        assert!(apps.is_empty());
    }

    #[test]
    fn what_programs_share_is_one_thing() {
        let child = |uri| Child { uri, app: 0 };
        assert!(are_distinct(&[child("a"), child("b")]));
        assert!(!are_distinct(&[child("a"), child("b"), child("a")]));
        let here: &[(&str, &str)] = &[("count", "app::count"), ("note", "app::note")];
        let there: &[(&str, &str)] = &[("note", "other::note")];
        assert!(are_one(&[here, here, &[]]));
        assert!(!are_one(&[here, there]));
        let all: [u8; 3] = joined(&[&[1, 2], &[], &[3]], 0);
        assert_eq!(all, [1, 2, 3]);
    }
}
