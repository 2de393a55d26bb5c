//! Programs that are made of others at compile time: a coordinator written in Rust and the workflow that it starts, a bundle and its
//! coordinators.
//!
//! Each is compiled by itself, so that neither has to be read to compile the other; these constants join their tables.

mod parts;
mod sub_workflows;

pub use self::parts::{
    app_count, apps, are_distinct, are_one, child_count, children, coordinators, count, joined,
    moved_apps, moved_children, moved_coordinator, moved_files, path_bytes, paths, references,
    workflows,
};
pub use self::sub_workflows::{sub_workflows, uri_bytes, uris};
use crate::table::{Entry, File, Program};

/// How many files programs have together.
pub const fn file_count(programs: &[&Program]) -> usize {
    let mut count = 0;
    let mut n = 0;
    while n < programs.len() {
        count += programs[n].files.len();
        n += 1;
    }
    count
}

/// The files of programs, in their order. `N` is their [`file_count`].
pub const fn files<const N: usize>(programs: &[&Program]) -> [File; N] {
    let mut all = [File {
        path: "",
        bytes: &[],
        is_executable: false,
    }; N];
    let mut at = 0;
    let mut n = 0;
    while n < programs.len() {
        let files = programs[n].files;
        let mut file = 0;
        while file < files.len() {
            all[at] = files[file];
            at += 1;
            file += 1;
        }
        n += 1;
    }
    all
}

/// The number of digits of a definition hash.
const DIGITS: usize = 16;

/// The digits of the definition hash of a program that is made of others: of its own part, and of those that it starts.
pub const fn hash(programs: &[&Program]) -> [u8; DIGITS] {
    // FNV-1a, whose result is mixed once more: the input is digits of hashes already.
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    let mut n = 0;
    while n < programs.len() {
        let digits = programs[n].hash.as_bytes();
        let mut digit = 0;
        while digit < digits.len() {
            state = (state ^ digits[digit] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            digit += 1;
        }
        state = (state ^ (state >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        n += 1;
    }
    state ^= state >> 32;
    let mut hash = [b'0'; DIGITS];
    let mut digit = 0;
    while digit < DIGITS {
        hash[DIGITS - 1 - digit] = b"0123456789abcdef"[(state & 0xf) as usize];
        state >>= 4;
        digit += 1;
    }
    hash
}

/// The digits of a [`hash`] as a text.
pub const fn text(digits: &'static [u8; DIGITS]) -> &'static str {
    match str::from_utf8(digits) {
        Ok(text) => text,
        Err(_) => "",
    }
}

/// The program of a coordinator with the workflow that it starts, and the files and the hash of both.
pub const fn coordinator(
    own: &Program,
    workflow: &Program,
    files: &'static [File],
    hash: &'static str,
) -> Program {
    Program {
        hpdlc_version: own.hpdlc_version,
        hash,
        entry: own.entry,
        apps: workflow.apps,
        coordinators: own.coordinators,
        children: workflow.children,
        files,
    }
}

/// Whether a program is of a workflow, which another one can run and a coordinator can start.
pub const fn is_workflow(program: &Program) -> bool {
    matches!(program.entry, Entry::Workflow)
}

/// Whether the parameter `field` of a workflow is the property `property`, by the workflow's own list.
pub const fn is_property(properties: &[(&str, &str)], field: &str, property: &str) -> bool {
    let mut n = 0;
    while n < properties.len() {
        if is_same(properties[n].0, field) {
            return is_same(properties[n].1, property);
        }
        n += 1;
    }
    // rustc knows that there is no such field.
    true
}

/// Whether two texts are equal, in constants.
pub const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut n = 0;
    while n < one.len() {
        if one[n] != other[n] {
            return false;
        }
        n += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Program = Program {
        hash: "0123456789abcdef",
        files: &[File {
            path: "a",
            bytes: b"1",
            is_executable: true,
        }],
        ..Program::EMPTY
    };
    const SECOND: Program = Program {
        hash: "fedcba9876543210",
        files: &[File {
            path: "b",
            bytes: b"2",
            is_executable: false,
        }],
        ..Program::EMPTY
    };

    #[test]
    fn files_of_all_programs_are_there() {
        const ALL: &[&Program] = &[&FIRST, &SECOND];
        static FILES: [File; file_count(ALL)] = files(ALL);
        let paths: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        assert_eq!(paths, ["a", "b"]);
    }

    #[test]
    fn hash_depends_on_every_program_and_on_the_order() {
        let changed = Program {
            hash: "fedcba9876543211",
            ..SECOND
        };
        let hashes = [
            hash(&[&FIRST, &SECOND]),
            hash(&[&SECOND, &FIRST]),
            hash(&[&FIRST, &changed]),
            hash(&[&FIRST]),
        ];
        for (n, hash) in hashes.iter().enumerate() {
            assert!(hash.iter().all(u8::is_ascii_hexdigit), "{hash:?}");
            assert!(!hashes[..n].contains(hash), "{n}");
        }
    }

    #[test]
    fn properties_are_known_by_their_fields() {
        let known: &[(&str, &str)] = &[("input", "input"), ("dir", "in.dir")];
        for (field, property, expected) in [
            ("input", "input", true),
            ("dir", "in.dir", true),
            ("dir", "dir", false),
            ("other", "other", true),
        ] {
            assert_eq!(is_property(known, field, property), expected, "{field}");
        }
    }
}
