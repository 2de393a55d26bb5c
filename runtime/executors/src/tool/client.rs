//! The tool's own process: finds, starts and waits for it.

use std::{
    env,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::{Child, Command as Process, Stdio},
    thread,
    time::{Duration, Instant},
};

use hpdlc_core::secrets::{MASK, Secrets, is_address};
use hpdlc_files::kerberos;
use hpdlc_host::mask;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use crate::{
    AttemptPlace, attempt_folder, file_name,
    program_path::find_in_path,
    tool::{Command, Tool, ToolGround, resources},
};

/// Polling interval for the tool's exit.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Maximum bytes at the end of a tool's output that are searched.
const MAX_WORDS: u64 = 4 * 1024 * 1024;

/// How a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolExit {
    Exited(i32),
    Signaled,
    /// Its time limit was exceeded.
    Exceeded,
}

/// The file of a tool: from the setting, else in `PATH`, else below the folder that Hadoop's own scripts use. `node` is the name of this
/// machine, if it is the node of a container.
///
/// # Errors
///
/// JA018: there is none.
pub fn find(
    tool: &Tool,
    attempt: &Attempt,
    command: Command,
    node: Option<&str>,
) -> Result<PathBuf, ActionError> {
    let Command { name, system } = command;
    let setting = format!("hpdl.tool.{name}");
    let here = node.map_or_else(String::new, |node| {
        format!(" on the node {node}, where its container is")
    });
    if let Some(program) = tool.settings.get(&setting).filter(|it| !it.is_empty()) {
        let path = PathBuf::from(program);
        if path.is_file() {
            return Ok(path);
        }
        let problem =
            format!("there is no program {program}{here}, which the setting {setting} names");
        return Err(ActionError::error("JA018", problem));
    }
    if let Ok(program) = find_in_path(attempt, name) {
        return Ok(program);
    }
    let homes = [
        format!(
            "{}_HOME",
            name.split('-').next().unwrap_or(name).to_uppercase()
        ),
        format!("{}_HOME", system.to_uppercase()),
    ];
    homes
        .iter()
        .filter_map(|home| Some(PathBuf::from(env::var_os(home)?).join("bin").join(name)))
        .find(|program| program.is_file())
        .ok_or_else(|| {
            let home = &homes[1];
            let next = match node {
                None => format!(
                    "install the client of {system} on this machine, or name the program by the setting {setting}"
                ),
                Some(_) => format!(
                    "install the client of {system} on the nodes, or say where it is there: {home} in oozie.launcher.env, or the \
                     program in the setting {setting}; with hpdl.launcher=local the client of the owner's machine is used"
                ),
            };
            let problem = format!(
                "there is no program `{name}`{here} in PATH, nor below {home}; {next}"
            );
            ActionError::error("JA018", problem)
        })
}

/// The variables of every tool's environment in addition to ours; those of the type come last.
pub fn environment(
    tool: &Tool,
    place: &AttemptPlace<'_>,
    ground: &ToolGround,
    launcher: Vec<(String, String)>,
    own: &[(String, String)],
) -> Vec<(String, String)> {
    let inherited = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| {
        // Options from several sources are joined.
        let earlier = all.iter_mut().find(|(known, _)| known == name);
        match earlier {
            Some((_, known)) if OPTIONS.contains(&name) => {
                known.push(' ');
                known.push_str(&value);
            }
            Some((_, known)) => *known = value,
            None => all.push((name.to_owned(), value)),
        }
    };
    let action_xml = ground.action_xml().display().to_string();
    add("OOZIE_ACTION_CONF_XML", action_xml);
    // If the action sets a user other than ours, that one is used; else the one that Hadoop takes us for.
    let is_other = tool.prepare.access.user.is_some() || tool.user != hpdlc_host::user::name();
    let user = inherited("HADOOP_USER_NAME").filter(|_| !is_other);
    add(
        "HADOOP_USER_NAME",
        user.unwrap_or_else(|| tool.user.clone()),
    );
    // Where Kerberos proves who one is, that name is ignored.
    if let Some(user) = &tool.prepare.access.user
        && kerberos::is_asked_by(&tool.prepare.access)
        && kerberos::user().ok().as_ref() != Some(user)
    {
        add("HADOOP_PROXY_USER", user.clone());
    }
    let class_path = [Some(ground.class_path()), inherited("HADOOP_CLASSPATH")]
        .into_iter()
        .flatten()
        .filter(|path| !path.is_empty())
        .collect::<Vec<_>>()
        .join(":");
    if !class_path.is_empty() {
        add("HADOOP_CLASSPATH", class_path);
    }
    let comes_first = [
        "mapreduce.job.user.classpath.first",
        "oozie.launcher.mapreduce.job.user.classpath.first",
        "oozie.launcher.mapreduce.user.classpath.first",
    ];
    if comes_first.iter().any(|name| tool.is_set(name)) {
        add("HADOOP_USER_CLASSPATH_FIRST", "true".to_owned());
    }
    let is_native = |resource: &resources::Resource| file_name::is_library(&resource.name);
    if ground.resources.iter().any(is_native) {
        for name in ["JAVA_LIBRARY_PATH", "LD_LIBRARY_PATH"] {
            let earlier = inherited(name).map(|path| format!(":{path}"));
            let folder = ground.folder.display();
            add(name, format!("{folder}{}", earlier.unwrap_or_default()));
        }
    }
    let options: Vec<String> = attempt_folder::system_properties(place)
        .into_iter()
        // Hadoop's scripts split them at blanks.
        .filter(|(_, value)| !value.contains(char::is_whitespace))
        .map(|(name, value)| format!("-D{name}={value}"))
        .collect();
    if let Some(options) = inherited("HADOOP_CLIENT_OPTS") {
        add("HADOOP_CLIENT_OPTS", options);
    }
    for (name, value) in launcher {
        add(&name, value);
    }
    add("HADOOP_CLIENT_OPTS", options.join(" "));
    for (name, value) in own {
        add(name, value.clone());
    }
    all
}

/// Variables whose values are lists of options.
const OPTIONS: [&str; 1] = ["HADOOP_CLIENT_OPTS"];

/// Writes files, each a name and a text, readable only by this user: they may hold passwords.
///
/// # Errors
///
/// A file cannot be written.
pub fn write_files(files: &[(String, String)], folder: &Path) -> io::Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // A link that the action has made is replaced, not followed.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut file = File::options()
            .create_new(true)
            .write(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// The process of a program in its folder, which is shown; it shares our standard output and error.
pub fn process(
    program: &Path,
    arguments: &[String],
    folder: &Path,
    environment: Vec<(String, String)>,
    kept_out: &[String],
) -> Process {
    let _ = writeln!(io::stdout(), "{}", shown(program, arguments));
    let mut process = Process::new(program);
    for name in kept_out {
        process.env_remove(name);
    }
    process
        .args(arguments)
        .envs(environment)
        .current_dir(folder)
        .stdin(Stdio::null());
    process
}

/// The command line for the log, as Oozie shows it: the value after a name with `password` in it is masked.
fn shown(program: &Path, arguments: &[String]) -> String {
    let mut line = format!("Running {}", program.display());
    let mut hides_next = false;
    for argument in arguments {
        line.push(' ');
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument.as_str(), None),
        };
        let is_secret = !is_address(name) && mask::is_secret_name(name);
        if hides_next {
            line.push_str(MASK);
        } else if is_secret && value.is_some() {
            line.push_str(&format!("{name}={MASK}"));
        } else {
            line.push_str(&Secrets::default().masked(argument));
        }
        hides_next = !hides_next
            && value.is_none()
            && argument.starts_with('-')
            && (is_secret || argument == "-p");
    }
    line
}

/// Waits until the tool exits or its time limit is exceeded.
///
/// # Errors
///
/// Waiting for it failed.
pub fn wait(child: &mut Child, until: Option<Instant>) -> io::Result<ToolExit> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(ToolExit::Signaled, ToolExit::Exited));
        }
        if until.is_some_and(|until| Instant::now() > until) {
            // The caller ends what it has started on the cluster.
            child.kill()?;
            child.wait()?;
            return Ok(ToolExit::Exceeded);
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// The tool's output: standard output, then standard error.
pub fn words(attempt: &Attempt) -> (String, String) {
    words_in(&[attempt.stdout(), attempt.stderr()])
}

/// The ends of files with standard output and standard error.
pub fn words_in([stdout, stderr]: &[PathBuf; 2]) -> (String, String) {
    (tail(stdout), tail(stderr))
}

fn tail(path: &Path) -> String {
    let read = || -> io::Result<Vec<u8>> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(MAX_WORDS)))?;
        let mut bytes = Vec::new();
        file.take(MAX_WORDS).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{map, tool};

    #[test]
    fn a_program_that_is_missing_is_named_with_its_machine() {
        let mut pig = tool(ToolKind::Pig, []);
        let attempt = Attempt::new("/no/such/folder/1");
        let command = Command {
            name: "hpdl-no-such-tool",
            system: "Hpdlnone",
        };
        let missing = |tool: &Tool, node: Option<&str>| {
            let error = find(tool, &attempt, command, node).unwrap_err();
            assert_eq!(error.code, "JA018");
            error.message
        };
        let here = missing(&pig, None);
        assert!(
            here.contains("on this machine") && !here.contains("node"),
            "{here}"
        );
        let there = missing(&pig, Some("n7"));
        for words in [
            "`hpdl-no-such-tool` on the node n7",
            "HPDLNONE_HOME in oozie.launcher.env",
            "hpdl.tool.hpdl-no-such-tool",
            "hpdl.launcher=local",
        ] {
            assert!(there.contains(words), "{there}");
        }
        pig.settings = map([("hpdl.tool.hpdl-no-such-tool", "/none/x")]);
        let named = missing(&pig, Some("n7"));
        assert!(
            named.starts_with("there is no program /none/x on the node n7"),
            "{named}"
        );
    }

    #[test]
    fn passwords_are_not_shown() {
        for (arguments, expected) in [
            (&["-submit", "job.xml"][..], "-submit job.xml"),
            (
                &["--password", "hunter22", "--table", "t"],
                "--password ******** --table t",
            ),
            (&["-n", "ann", "-p", "hunter22"], "-n ann -p ********"),
            (
                &["-Dmy.password=hunter22", "x=y"],
                "-Dmy.password=******** x=y",
            ),
            (
                &[
                    "-u",
                    "jdbc:hive2://h/;password=hunter22;ssl=true",
                    "-f",
                    "q",
                ],
                "-u jdbc:hive2://h/;password=********;ssl=true -f q",
            ),
            (
                &["--connect=jdbc:mysql://h/db?user=a&password=hunter22"],
                "--connect=jdbc:mysql://h/db?user=a&password=********",
            ),
        ] {
            let arguments: Vec<String> = arguments.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(
                shown(Path::new("/b/tool"), &arguments),
                format!("Running /b/tool {expected}")
            );
        }
    }
}
