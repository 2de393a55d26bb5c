//! Linking with the libraries of the compiled runtime: of programs, and of the trial that checks whether it works.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::driver::{Failure, Toolchain};

/// A linker script that discards the unwind tables, a fifth of a program. Its panics abort where they occur (`bug` of the
/// runtime).
pub const WITHOUT_UNWINDING: &str = "\
SECTIONS
{
  /DISCARD/ : { *(.eh_frame .eh_frame.* .gcc_except_table .gcc_except_table.*) }
}
INSERT BEFORE .text;
";

/// How the linker of this machine makes programs small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Small {
    /// The file with [`WITHOUT_UNWINDING`].
    pub script: PathBuf,
    /// Whether it makes one function of all that are equal (identical code folding), another twentieth: lld and gold do.
    pub folds: bool,
}

/// Links an empty program with the libraries, to check that they are consistent and, if it is to be `small`, that the linker
/// supports that.
///
/// # Errors
///
/// rustc cannot be started, or the output cannot be written.
pub fn try_to_link(
    toolchain: &Toolchain,
    libraries: &Path,
    rlib: &Path,
    small: Option<&Small>,
    scratch: &Path,
) -> Result<Result<(), String>, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("trial-")
        .tempdir_in(scratch)
        .map_err(|error| Failure::io("write to", scratch, &error))?;
    let main = folder.path().join("main.rs");
    fs::write(&main, "extern crate hpdlc_runtime as _;\nfn main() {}\n")
        .map_err(|error| Failure::io("write", &main, &error))?;
    let mut command = toolchain.command(&toolchain.rustc);
    command.arg(&main).args([
        "--crate-name",
        "trial",
        "--edition",
        "2024",
        "-C",
        "opt-level=0",
    ]);
    let program = folder.path().join("trial");
    let Some(small) = small else {
        return link(command, libraries, rlib, &program);
    };
    small.add_to(&mut command);
    if let Err(refusal) = link(command, libraries, rlib, &program)? {
        return Ok(Err(refusal));
    }
    let ran = Command::new(&program).status();
    Ok(match ran {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    })
}

impl Small {
    pub(super) fn add_to(&self, command: &mut Command) {
        command
            .args(["-C", "link-arg=-T", "-C"])
            .arg(prefixed("link-arg=", &self.script));
        if self.folds {
            command.args(["-C", "link-arg=-Wl,--icf=all"]);
        }
    }
}

/// Runs `command` with the libraries; `output` is created atomically.
pub(super) fn link(
    mut command: Command,
    libraries: &Path,
    rlib: &Path,
    output: &Path,
) -> Result<Result<(), String>, Failure> {
    let temporary = temporary(output);
    command
        .arg("--extern")
        .arg(prefixed("hpdlc_runtime=", rlib))
        .arg("-L")
        .arg(prefixed("dependency=", libraries))
        .arg("-o")
        .arg(&temporary)
        .stdin(Stdio::null());
    let program = command.get_program().to_owned();
    let result = command.output().map_err(|error| {
        Failure::new(format!("cannot start `{}`", program.display())).note(error.to_string())
    })?;
    if !result.status.success() {
        discard(&temporary);
        let stderr = String::from_utf8_lossy(&result.stderr).trim().to_owned();
        let said = format!("{}\n{stderr}", result.status);
        return match cause_outside(&said) {
            Some(failure) => Err(failure),
            None => Ok(Err(said)),
        };
    }
    fs::rename(&temporary, output).map_err(|error| {
        discard(&temporary);
        Failure::io("write", output, &error)
    })?;
    Ok(Ok(()))
}

/// Help for when the system has killed a compiler or linker with the output `said`, or memory allocation failed.
pub(super) fn help_for_memory(said: &str) -> Option<&'static str> {
    let signs = [
        "signal: 9",
        "terminated with signal 9",
        "Cannot allocate memory",
        "memory allocation of",
    ];
    let is_out_of_memory = signs.iter().any(|sign| said.contains(sign));
    is_out_of_memory.then_some(
        "the memory was not enough: end something else, or allow more, and repeat the command",
    )
}

/// A failure of rustc that is not caused by the source; `said` begins with its exit status.
fn cause_outside(said: &str) -> Option<Failure> {
    let help = if let Some(help) = help_for_memory(said) {
        help
    } else if said.contains("linker `cc` not found") || said.contains("error: linker `") {
        "install a C compiler, which links programs (`apt-get install gcc libc6-dev`, `dnf install gcc`), and repeat the command"
    } else if said.contains("No space left on device") {
        "make room on the disk and repeat the command"
    } else if said.contains("Permission denied") || said.contains("Read-only file system") {
        "set `HPDLC_CACHE` to a folder that may be written, and repeat the command"
    } else if said.contains("can't find crate for `std`") {
        "install the standard library of this Rust (`rustup component add rust-std`) and repeat the command"
    } else {
        return None;
    };
    Some(
        Failure::new("the program could not be linked")
            .note(said)
            .help(help),
    )
}

/// A fixed name beside the output: rustc does all code generation again for an output of another name. The caller must have
/// exclusive use of the folder.
fn temporary(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    output.with_file_name(name)
}

/// Removes a file, which may not exist.
fn discard(path: &Path) {
    let _: io::Result<()> = fs::remove_file(path);
}

pub(super) fn prefixed(prefix: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(prefix);
    argument.push(path);
    argument
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_outside_the_sources_are_told_from_our_mistakes() {
        for (stderr, is_outside) in [
            ("error: linker `cc` not found", true),
            (
                "error: couldn't write: No space left on device (os error 28)",
                true,
            ),
            ("signal: 9 (SIGKILL)\n", true),
            (
                "exit status: 1\ncollect2: fatal error: ld terminated with signal 9 [Killed]",
                true,
            ),
            ("exit status: 1\nerror[E0308]: mismatched types", false),
        ] {
            assert_eq!(cause_outside(stderr).is_some(), is_outside, "{stderr}");
        }
    }
}
