//! `/hpdl/v1/command`: has `hpdl` run a command on the state folder, and answers with what it prints, as it prints it (`hpdl --url`).
//!
//! GET is for commands that only read; their process ends with the request. Others are carried out to their end, whoever listens.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::Arc,
};

use axum::http::{Method, StatusCode};
use clap::{ArgMatches, error::ErrorKind};
use hpdlc_host::{clock, exit::Exit, user};
use hpdlc_runtime::fleet;
use hpdlc_store::{audit::AuditEnd, query};
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, Command},
    sync::{OwnedSemaphorePermit, mpsc},
};

use crate::{
    api::{
        command::{CommandOutput, CommandRequest, GivenFile, LINES},
        configuration,
    },
    remote::{
        ENVIRONMENT,
        needs::{self, Need},
    },
    serve::{
        access,
        audit::{self, Entry},
        call::Call,
        failure::Failure,
        reply::{self, Lines, Reply},
        server::Server,
    },
};

/// Lines that wait for a slow reader; then the command waits.
const MOST_WAITING: usize = 64;
/// What is read of a command's output at once.
const CHUNK: usize = 16 << 10;

/// Runs a command.
pub(crate) fn command(call: &Call) -> Reply {
    let request = match call.method {
        Method::GET => of_query(call),
        Method::POST => of_body(call)?,
        _ => return Err(Failure::resource("command")),
    };
    let words = ["hpdl"].into_iter();
    let words = words.chain(request.arguments.iter().map(String::as_str));
    let matches = match (call.server.command_line)().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) => return Ok(explained(&error)),
    };
    if let Some(why) = of_its_caller(&matches) {
        return Err(Failure::parameter(why));
    }
    let need = needs::of(&matches).map_err(|why| Failure::parameter(&why))?;
    if call.method == Method::GET {
        if need != Need::Read {
            let name = matches.subcommand_name().unwrap_or_default();
            return Err(Failure::parameter(&format!(
                "{name} does more than read: it is a POST"
            )));
        }
        return start(call, &request, None);
    }
    let job = match &need {
        // The rest names actions of the job.
        Need::Operate(Some(id)) => id.split('@').next(),
        _ => None,
    };
    // What is no job's name is the command's to refuse.
    let job = job.and_then(|id| fleet::find_job(&call.server.session, id).ok());
    let entry = audit::entry_of_command(call, job.as_ref(), &request.arguments)?;
    let done = match (&need, &job) {
        (Need::Admin, _) => access::expect_admin(call),
        (Need::Operate(_), Some(job)) => access::expect_owner(call, job),
        _ => Ok(()),
    };
    match done {
        Ok(()) => start(call, &request, Some(entry)),
        Err(failure) => {
            entry.end(audit::of_failure(&failure));
            Err(failure)
        }
    }
}

/// Why options of a command line are its caller's: `hpdl --url` takes them out of it, and here they would have the server read its files
/// and call other servers.
fn of_its_caller(matches: &ArgMatches) -> Option<&'static str> {
    let given = matches.subcommand().map_or(matches, |(_, given)| given);
    let files = given.try_get_many::<PathBuf>("config").ok().flatten();
    let properties = given.try_get_many::<(String, String)>("define");
    let properties = properties.ok().flatten();
    if files.is_some() || properties.is_some() {
        return Some("-c and -D are sent in the body, as `files` and `properties`");
    }
    let url = matches.try_get_one::<String>("url").ok().flatten();
    url.map(|_| "--url is for hpdl, which calls this server")
}

fn of_query(call: &Call) -> CommandRequest {
    CommandRequest {
        arguments: call.parameters.all("arg"),
        color: call.parameters.is_true("color"),
        time_zone: call.parameters.get("tz").map(str::to_owned),
        ..CommandRequest::default()
    }
}

fn of_body(call: &Call) -> Result<CommandRequest, Failure> {
    call.expect_type("application/json")?;
    let read: Result<CommandRequest, _> = serde_json::from_slice(&call.body);
    read.map_err(|error| Failure::argument(format!("the body is no command: {error}")))
}

/// What clap says of a wrong command line, or the help that was asked for.
fn explained(error: &clap::Error) -> axum::response::Response {
    let text = error.render().to_string();
    let is_asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let (output, exit) = match is_asked {
        true => (CommandOutput::Out(text), Exit::Success),
        false => (CommandOutput::Err(text), Exit::Usage),
    };
    let lines = output.line() + &CommandOutput::Exit(exit as u8).line();
    reply::of(StatusCode::OK, LINES, lines.into())
}

/// Starts the process; the answer has what it prints from then on.
fn start(call: &Call, request: &CommandRequest, entry: Option<Entry>) -> Reply {
    let failed = |what: &str, error: std::io::Error| Failure::server(format!("{what}: {error}"));
    let permit = Arc::clone(&call.server.commands).try_acquire_owned();
    let permit = permit.map_err(|_| {
        Failure::server("too many commands run here at once: try again later")
            .with_status(StatusCode::SERVICE_UNAVAILABLE)
    })?;
    let given = Given::write(call, request).map_err(|error| failed("a temporary file", error))?;
    let home = call.server.session.home.root();
    let mut command = Command::new(&call.server.program);
    command
        .args(["--color", if request.color { "always" } else { "never" }])
        .args(&request.arguments)
        .args(given.arguments())
        .env("HPDL_HOME", home)
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(entry.is_none());
    for name in ENVIRONMENT {
        command.env_remove(name);
    }
    if let Some(zone) = request.time_zone.as_deref().filter(|zone| is_zone(zone)) {
        command.env("TZ", zone);
    }
    let runtime = tokio::runtime::Handle::current();
    let child = {
        let _entered = runtime.enter();
        command.spawn().map_err(|error| failed("hpdl", error))?
    };
    let (sender, lines) = mpsc::channel(MOST_WAITING);
    let first = request.arguments.first().map(String::as_str);
    runtime.spawn(
        Running {
            sender,
            given,
            entry,
            is_new_job: matches!(first, Some("run" | "submit")),
            server: Arc::clone(&call.server),
            _permit: permit,
        }
        .follow(child),
    );
    Ok(Lines::response(LINES, lines))
}

/// A name of a time zone, which is no path out of their folder.
fn is_zone(zone: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "/_+-,.:<>".contains(c);
    !zone.starts_with(['/', ':']) && !zone.contains("..") && zone.chars().all(is_part)
}

/// Files and properties of a command, in a private folder while it runs.
struct Given {
    _folder: TempDir,
    /// Where a file is, and what its sender calls it.
    files: Vec<(PathBuf, String)>,
}

impl Given {
    fn write(call: &Call, request: &CommandRequest) -> std::io::Result<Given> {
        let folder = tempfile::Builder::new().prefix("hpdl-").tempdir()?;
        let mut files = Vec::new();
        for (number, GivenFile { name, text }) in request.files.iter().enumerate() {
            let own = folder.path().join(number.to_string());
            fs::create_dir(&own)?;
            // Its ending may tell its format.
            let last = Path::new(name).file_name();
            let path = own.join(last.unwrap_or("properties".as_ref()));
            fs::write(&path, text)?;
            files.push((path, name.clone()));
        }
        let mut properties = request.properties.clone();
        let is_new = matches!(
            request.arguments.first().map(String::as_str),
            Some("run" | "submit")
        );
        if let Some(caller) = call.user.as_ref().filter(|_| is_new)
            && *caller != user::name()
        {
            properties.insert("user.name".to_owned(), caller.clone());
        }
        if !properties.is_empty() {
            let path = folder.path().join("defined.xml");
            fs::write(&path, configuration::text(&properties))?;
            files.push((path, "-D".to_owned()));
        }
        Ok(Given {
            _folder: folder,
            files,
        })
    }

    fn arguments(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter();
        files.flat_map(|(path, _)| [Path::new("-c"), path.as_path()])
    }

    /// A text with the names of files as their sender knows them.
    fn named(&self, mut text: String) -> String {
        for (path, name) in &self.files {
            let path = path.to_string_lossy();
            if text.contains(path.as_ref()) {
                text = text.replace(path.as_ref(), name);
            }
        }
        text
    }
}

/// A command that runs.
struct Running {
    sender: mpsc::Sender<String>,
    given: Given,
    /// Of the audit; commands that only read have none.
    entry: Option<Entry>,
    /// Whether it makes a job, whose id it prints.
    is_new_job: bool,
    server: Arc<Server>,
    _permit: OwnedSemaphorePermit,
}

impl Running {
    async fn follow(self, mut child: Child) {
        // An entry of the audit is for one thread at a time.
        let Running {
            sender,
            given,
            entry,
            is_new_job,
            server,
            _permit,
        } = self;
        let out = child.stdout.take();
        let err = child.stderr.take();
        let all = async {
            let printed = tokio::join!(
                pass(&sender, &given, out, CommandOutput::Out),
                pass(&sender, &given, err, CommandOutput::Err)
            );
            (child.wait().await, printed.0)
        };
        let (status, printed) = match entry.is_some() {
            true => all.await,
            // Dropping the child kills it.
            false => tokio::select! {
                ended = all => ended,
                () = sender.closed() => return,
            },
        };
        let code = code(status);
        if let Some(entry) = entry {
            let ended = tokio::task::spawn_blocking(move || {
                let job_id = match is_new_job {
                    true => made_job(&server, &printed),
                    false => None,
                };
                entry.end(AuditEnd {
                    job_id,
                    ..end_of(code)
                });
            })
            .await;
            drop(ended);
        }
        // Nobody may listen any more.
        let _ = sender.send(CommandOutput::Exit(code).line()).await;
    }
}

/// The job that a command has made, by what it prints: the first id of a job that exists.
fn made_job(server: &Server, printed: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = printed.split(|c| !is_part(c));
    let mut ids = words.filter(|word| is_whole_id(word));
    let id = ids.next()?;
    let connection = server.store().ok()?;
    query::job(&connection, id).ok()??;
    Some(id.to_owned())
}

/// `0000001-261120093000123-hpdl-W`
fn is_whole_id(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match parts.as_slice() {
        [number, time, _, "W" | "C" | "B"] => is_number(number) && is_number(time),
        _ => false,
    }
}

/// Sends what one of the outputs has, and returns its beginning; reads on if nobody listens, since a full pipe would stop the command.
async fn pass(
    sender: &mpsc::Sender<String>,
    given: &Given,
    output: Option<impl AsyncRead + Unpin>,
    kind: fn(String) -> CommandOutput,
) -> String {
    let mut beginning = String::new();
    let Some(mut output) = output else {
        return beginning;
    };
    let mut bytes = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let n_read = output.read(&mut chunk).await.unwrap_or(0);
        bytes.extend_from_slice(&chunk[..n_read]);
        let text = match n_read {
            0 => String::from_utf8_lossy(&std::mem::take(&mut bytes)).into_owned(),
            _ => whole_characters(&mut bytes),
        };
        if beginning.len() < CHUNK {
            beginning.push_str(&text);
        }
        if !text.is_empty() {
            let line = kind(given.named(text)).line();
            let _ = sender.send(line).await;
        }
        if n_read == 0 {
            return beginning;
        }
    }
}

/// Takes all but the beginning of a character whose end is still to come.
fn whole_characters(bytes: &mut Vec<u8>) -> String {
    let rest = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.split_off(error.valid_up_to()),
        _ => Vec::new(),
    };
    let whole = std::mem::replace(bytes, rest);
    String::from_utf8_lossy(&whole).into_owned()
}

fn code(status: std::io::Result<ExitStatus>) -> u8 {
    let code = status.ok().and_then(|status| status.code());
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.unwrap_or(Exit::Machine as u8)
}

/// The audit's words for the exit code of a command: the status that a request of Oozie's API would have had.
fn end_of(code: u8) -> AuditEnd {
    let status = match code {
        2 => StatusCode::BAD_REQUEST,
        5 => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    };
    AuditEnd {
        time: clock::now_millis(),
        status: status.as_u16(),
        message: (code != 0).then(|| format!("exit code {code}")),
        ..AuditEnd::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{is_zone, whole_characters};

    #[test]
    fn a_character_is_sent_whole() {
        let mut bytes = "aä".as_bytes()[..2].to_vec();
        assert_eq!(whole_characters(&mut bytes), "a");
        bytes.extend("ä".as_bytes().iter().skip(1));
        assert_eq!(whole_characters(&mut bytes), "ä");
        let mut bytes = vec![b'a', 0xff, b'b'];
        assert_eq!(whole_characters(&mut bytes), "a\u{fffd}b");
        assert!(bytes.is_empty());
    }

    #[test]
    fn a_zone_is_no_path() {
        for zone in ["UTC", "Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"] {
            assert!(is_zone(zone), "{zone}");
        }
        for path in ["/etc/passwd", ":/etc/passwd", "../../passwd", "a b"] {
            assert!(!is_zone(path), "{path}");
        }
    }
}
