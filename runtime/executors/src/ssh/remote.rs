//! The scripts that run on the other host, for any POSIX shell, and the parsing of their output.
//!
//! Each attempt has a folder below the home of the user there. Creating the folder `started` in it is the lock: the process
//! that succeeds starts the command, all others wait for the same one:
//!
//! | file | says |
//! |---|---|
//! | `started` | a process has started it, or has made sure that none will |
//! | `pid` | its process id, which is also its process group, and the boot id of the machine |
//! | `stdout`, `stderr` | its output |
//! | `exit` | its exit code |

use std::path::Path;

use hpdlc_launcher::Attempt;

use crate::ssh::Ssh;

/// Below the user's home there.
const ROOT: &str = ".hpdl/ssh";

/// Maximum bytes of output that are fetched for the log, if less is captured.
const MAX_OUTPUT: u64 = 8 * 1024 * 1024;

/// How long a started command may have no process id yet, in tenths of a second.
const PATIENCE: u32 = 100;

/// The boot id of the machine, if it has one.
const BOOT: &str = "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)";

/// The folder of one attempt on the other host.
pub(super) struct RemoteFolder {
    folder: String,
    /// Prefix of our lines: login scripts may print lines of their own.
    mark: String,
}

/// How a command ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RemoteExit {
    Exited {
        pid: String,
        code: i32,
        stdout: Vec<u8>,
        stderr: Vec<u8>,
    },
    /// It is gone and has left no exit code.
    Lost,
}

impl RemoteFolder {
    /// The path of an attempt ends in the job, the run if it is a rerun, the node and the attempt's number.
    pub(super) fn new(attempt: &Attempt) -> RemoteFolder {
        let parts: Vec<_> = attempt.folder().iter().collect();
        let work = parts.iter().rposition(|part| *part == "work");
        let below: std::path::PathBuf = parts.iter().skip(work.map_or(0, |at| at + 1)).collect();
        RemoteFolder::named(&below)
    }

    fn named(below: &Path) -> RemoteFolder {
        let folder = format!("{ROOT}/{}", below.display());
        RemoteFolder {
            mark: format!("hpdl {folder}:"),
            folder,
        }
    }

    /// The line that is printed as soon as the command runs or has run.
    pub(super) fn begun(&self) -> String {
        format!("{} begun", self.mark)
    }

    /// Starts the command unless it was started, waits for its end, and prints the result.
    pub(super) fn start_and_wait(&self, ssh: &Ssh) -> String {
        let RemoteFolder { folder, mark } = self;
        let (folder, mark) = (quoted(folder), quoted(mark));
        let line = quoted(&ssh.line);
        // One byte more shows that the limit is exceeded.
        let max = ssh.max_output.saturating_add(1).max(MAX_OUTPUT);
        format!(
            r#"umask 077
d=$HOME/{folder}
mkdir -p "$d" && cd "$d" || exit 73
if [ ! -e started ]; then
cat > "run.$$" <<'HPDL_END'
mkdir started 2>/dev/null || exit 0
echo "$$ {BOOT}" > pid.new && mv -f pid.new pid
d=$(pwd)
cd
sh -c {line} < /dev/null > "$d/stdout" 2> "$d/stderr"
echo $? > "$d/exit.new" && mv -f "$d/exit.new" "$d/exit"
HPDL_END
mv -f "run.$$" run
if command -v setsid > /dev/null 2>&1
then setsid sh ./run < /dev/null > /dev/null 2>&1 &
else nohup sh ./run < /dev/null > /dev/null 2>&1 &
fi
fi
echo {mark} begun
n=0
while [ ! -e "$d/exit" ]; do
if [ ! -d "$d" ]; then
echo {mark} lost
exit 0
elif [ -e pid ]; then
read -r p b < pid
if [ "$b" != "{BOOT}" ] || ! kill -0 "$p" 2>/dev/null; then
sleep 1
[ -e "$d/exit" ] && break
echo {mark} lost
exit 0
fi
elif [ "$n" -gt {PATIENCE} ]; then
echo {mark} lost
exit 0
fi
n=$((n + 1))
if [ "$n" -lt 50 ]; then sleep 0.1 2>/dev/null || sleep 1; else sleep 1; fi
done
read -r p b < pid
echo {mark} exit $(($(cat exit))) "$p" $(($(head -c {max} stdout | wc -c)))
head -c {max} stdout
head -c {max} stderr
"#
        )
    }

    /// Ends the command with its group and removes the folder; a command that was not started never will be.
    pub(super) fn kill(&self, grace: u64) -> String {
        let folder = quoted(&self.folder);
        format!(
            r#"umask 077
d=$HOME/{folder}
mkdir -p "$d" && cd "$d" || exit 73
mkdir started 2>/dev/null
n=0
while [ ! -e pid ] && [ "$n" -lt 3 ]; do n=$((n + 1)); [ -e run ] && sleep 1; done
[ -e pid ] || exit 0
read -r p b < pid
if [ "$b" = "{BOOT}" ] && kill -0 "$p" 2>/dev/null; then
kill -TERM "-$p" 2>/dev/null || kill -TERM "$p"
n=0
while kill -0 "-$p" 2>/dev/null || kill -0 "$p" 2>/dev/null; do
if [ "$n" -ge {grace} ]; then kill -KILL "-$p" 2>/dev/null || kill -KILL "$p"; break; fi
n=$((n + 1))
sleep 1
done
fi
{}
"#,
            self.remove()
        )
    }

    pub(super) fn remove(&self) -> String {
        let folder = quoted(&self.folder);
        // Parent folders are removed if empty.
        format!("cd && rm -rf {folder} && rmdir -p \"$(dirname {folder})\" 2>/dev/null; exit 0")
    }

    /// How the command ended, from the complete output; `None` if that is truncated.
    pub(super) fn parse(&self, stdout: &[u8]) -> Option<RemoteExit> {
        let mut rest = stdout;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let Some(words) = line.strip_prefix(self.mark.as_str()) else {
                continue;
            };
            let mut words = words.split_whitespace();
            match words.next() {
                Some("lost") => return Some(RemoteExit::Lost),
                Some("exit") => {
                    let code = words.next()?.parse().ok()?;
                    let pid = words.next()?.to_owned();
                    let n_stdout: usize = words.next()?.parse().ok()?;
                    let (stdout, stderr) = rest.split_at_checked(n_stdout)?;
                    return Some(RemoteExit::Exited {
                        pid,
                        code,
                        stdout: stdout.to_vec(),
                        stderr: stderr.to_vec(),
                    });
                }
                Some(_) | None => {}
            }
        }
        None
    }
}

/// Quotes a text as one word for a POSIX shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };

    use super::*;
    use crate::ssh::SshSettings;

    fn remote() -> RemoteFolder {
        RemoteFolder::named(Path::new("1-W/a/1"))
    }

    fn ssh(line: &str) -> Ssh {
        Ssh {
            host: "here".to_owned(),
            line: line.to_owned(),
            capture_output: true,
            max_output: 100,
            settings: SshSettings {
                config: None,
                retries: 0,
                retry_wait: 0,
                removes_folder: true,
                kill_grace: 1,
            },
            prepare: None,
            limit: None,
        }
    }

    /// The output of `script`, run by a local shell.
    fn shell(home: &Path, script: &str) -> Vec<u8> {
        let mut child = Command::new("sh")
            .arg("-s")
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(script.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap().stdout
    }

    #[test]
    fn a_command_that_is_asked_for_twice_runs_once() {
        let home = tempfile::tempdir().unwrap();
        let line = "echo \"it's $1\" >> ran; echo out; echo err >&2; exit 3";
        let script = remote().start_and_wait(&ssh(line));
        for _ in 0..2 {
            let printed = shell(home.path(), &script);
            let Some(RemoteExit::Exited {
                code,
                stdout,
                stderr,
                ..
            }) = remote().parse(&printed)
            else {
                panic!("{}", String::from_utf8_lossy(&printed));
            };
            assert_eq!(
                (code, &*stdout, &*stderr),
                (3, &b"out\n"[..], &b"err\n"[..])
            );
        }
        let ran = std::fs::read_to_string(home.path().join("ran")).unwrap();
        assert_eq!(ran, "it's \n");
        shell(home.path(), &remote().remove());
        assert!(!home.path().join(".hpdl").exists());
    }

    #[test]
    fn a_kill_ends_the_group_and_what_comes_later_does_not_begin() {
        let home = tempfile::tempdir().unwrap();
        let script = remote().start_and_wait(&ssh("sh -c 'echo $$ > inner; exec sleep 600'"));
        let path = home.path().to_owned();
        let waits = std::thread::spawn(move || shell(&path, &script));
        let inner = home.path().join("inner");
        let pid = loop {
            match std::fs::read_to_string(&inner) {
                Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
                _ => std::thread::yield_now(),
            }
        };
        shell(home.path(), &remote().kill(5));
        assert!(!Path::new("/proc").join(pid).exists());
        let printed = waits.join().unwrap();
        assert!(!matches!(
            remote().parse(&printed),
            Some(RemoteExit::Exited { .. })
        ));

        let early = RemoteFolder::named(Path::new("2-W/a/1"));
        shell(home.path(), &early.kill(5));
        assert!(home.path().join(".hpdl/ssh/2-W/a/1/started").exists());
    }

    #[test]
    fn words_of_the_login_are_not_taken_for_ours() {
        let text =
            b"Welcome\nhpdl .hpdl/ssh/1-W/a/1: begun\nhpdl .hpdl/ssh/1-W/a/1: exit 0 77 3\nab\nerr";
        assert_eq!(
            remote().parse(text),
            Some(RemoteExit::Exited {
                pid: "77".to_owned(),
                code: 0,
                stdout: b"ab\n".to_vec(),
                stderr: b"err".to_vec(),
            })
        );
        assert_eq!(remote().parse(&text[..50]), None, "cut short");
        let lost = b"hpdl .hpdl/ssh/1-W/a/1: lost\n";
        assert_eq!(remote().parse(lost), Some(RemoteExit::Lost));
    }
}
