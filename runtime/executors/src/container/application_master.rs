//! The application master: the process of this executable in a container of YARN, which runs the action's program.
//!
//! It registers with the resource manager and sends heartbeats from a thread of its own. The program shares its standard output and error,
//! which are the container's logs. Its results are in the staging folder before the resource manager is told: what reads
//! `FINISHED` there finds them.

use std::{
    env, fs,
    fs::File,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use hpdlc_files::{Access, clusters};
use hpdlc_host::{clock, exec_error, inherited_descriptors, panic_hook};
use hpdlc_launcher::ExitRecord;
use hpdlc_yarn::{
    AMRM_TOKEN, ApplicationMaster, FinalStatus, Heartbeat, MasterError, Token, credentials,
};
use rustix::{io::Errno, process::Signal};

use super::{
    bell,
    call::ContainerProgram,
    children::ChildWatch,
    order::{ARCHIVE, ARGUMENT, ContainerOrder, EXECUTABLE, ORDER, of_this_process},
    process_tree,
    staging::{STDERR, STDOUT, Staging},
};
use crate::process_end;

/// The variable with the file of the container's tokens.
const TOKENS: &str = "HADOOP_TOKEN_FILE_LOCATION";

/// Between two heartbeats, as the resource manager's own clients send them.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// How often the program's exit is looked for, and whether the resource manager has taken note of it.
const LOOK: Duration = Duration::from_millis(20);

/// How long a resource manager or a name node that does not answer is waited for once the program has ended.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// Between SIGTERM and SIGKILL where the container is being ended: YARN's own is 250 ms
/// (`yarn.nodemanager.sleep-delay-before-sigkill.ms`).
const LAST_GRACE: Duration = Duration::from_millis(150);

/// How long this process may go on after its end to wake its owner.
const LAST_RING: Duration = Duration::from_secs(1);

/// How much later than the program this process may be sent the signal that ends a container.
const BOTH: Duration = Duration::from_millis(100);

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// Becomes the application master if the arguments say so; in this case it does not return.
pub fn serve_if_asked() {
    if env::args_os()
        .nth(1)
        .is_none_or(|argument| argument != ARGUMENT)
    {
        return;
    }
    panic_hook::install("an application master".to_owned(), || false);
    inherited_descriptors::record_being_asked();
    process_tree::adopt_orphans();
    let code = match run() {
        Ok(()) => 0,
        Err(error) => {
            let _ = writeln!(io::stderr(), "hpdl: {error}");
            1
        }
    };
    process_tree::signal(Signal::KILL);
    std::process::exit(code)
}

fn run() -> io::Result<()> {
    let here = env::current_dir()?;
    let mut order = unpack(&here)?;
    let installed = clusters::site_properties(&["core-site.xml", "hdfs-site.xml"])?;
    order.supply_name_service(&installed);
    let master = ApplicationMaster::new(order.schedulers.clone(), token()?);
    let pulse = Pulse::start(master)?;
    let access = Access::new(&order.access, &NEVER_CANCELED);
    let staging =
        Staging::at(&access, &order.staging).map_err(|error| io::Error::other(error.message))?;
    let scratch = here.join(".hpdl-scratch");
    let container = of_this_process("CONTAINER_ID").unwrap_or_else(|| "container".to_owned());
    let is_claimed = patiently("claim the attempt", || staging.claim(&container))?;
    if !is_claimed {
        // The program has run, or runs, in another container: this one has nothing to do.
        let problem = "another container of this attempt has begun";
        pulse.finish(FinalStatus::Failed, problem);
        return Err(io::Error::other(problem));
    }
    let (record, is_cut_off) = attend(&order, &here, &pulse);
    if is_cut_off {
        // Nobody waits for this container any more.
        return Ok(());
    }
    store(&order, &here, &staging, &record, &scratch)?;
    let (status, diagnostics) = told(&record);
    pulse.finish(status, &diagnostics);
    // It says so itself now.
    let _ = bell::ring_all(&order).recv_timeout(LAST_RING);
    Ok(())
}

/// Unpacks the attempt's folder into the container's, and reads the order.
fn unpack(here: &Path) -> io::Result<ContainerOrder> {
    let archive = File::open(here.join(ARCHIVE))?;
    tar::Archive::new(io::BufReader::new(archive)).unpack(here)?;
    let order = here.join(ORDER);
    let text = fs::read(&order)?;
    // The program need not see them. The files of links are the node manager's.
    for file in [order, here.join(ARCHIVE), here.join(EXECUTABLE)] {
        let _ = fs::remove_file(file);
    }
    Ok(serde_json::from_slice(&text)?)
}

/// The token by which this container's application master proves itself.
fn token() -> io::Result<Token> {
    let mut tokens = tokens()?.into_iter();
    let own = tokens.find(|token| token.kind == AMRM_TOKEN);
    own.ok_or_else(|| io::Error::other(format!("{TOKENS} has no {AMRM_TOKEN}")))
}

fn tokens() -> io::Result<Vec<Token>> {
    let place =
        of_this_process(TOKENS).ok_or_else(|| io::Error::other(format!("{TOKENS} is not set")))?;
    credentials::tokens(&fs::read(place)?)
}

/// Whether the container's tokens are for this application master alone: a tool would send them along with its jobs.
fn has_own_token_alone() -> bool {
    tokens().is_ok_and(|tokens| tokens.iter().all(|token| token.kind == AMRM_TOKEN))
}

/// Runs the program to its end. Whether the attempt was over before, for the resource manager, comes with it.
fn attend(order: &ContainerOrder, here: &Path, pulse: &Pulse) -> (ExitRecord, bool) {
    let mut record = ExitRecord {
        code: None,
        signal: None,
        error: None,
        exceeded: None,
        ended: 0,
    };
    match start(order, here) {
        Ok(child) => {
            let _watch = children(order);
            let is_cut_off = wait(child, order, pulse, &mut record);
            record.ended = clock::now_millis();
            (record, is_cut_off)
        }
        Err(problem) => {
            record.error = Some(problem);
            record.ended = clock::now_millis();
            (record, false)
        }
    }
}

/// Notes what the client of a tool starts. Without it, that is found by its tag alone.
fn children(order: &ContainerOrder) -> Option<ChildWatch> {
    let ContainerProgram::Client(kind) = order.call.program else {
        return None;
    };
    let output = [1, 2].into_iter().filter_map(log).collect();
    ChildWatch::start(kind, output, order.staging.clone(), order.access.clone()).ok()
}

/// The file that the container's command has led an output to.
fn log(number: u8) -> Option<PathBuf> {
    let file = fs::read_link(format!("/proc/self/fd/{number}")).ok()?;
    file.is_file().then_some(file)
}

/// Starts the program, in the process group of the container, which YARN's signals reach.
fn start(order: &ContainerOrder, here: &Path) -> Result<Child, String> {
    let shown = here.display().to_string();
    let variables = order.variables(&shown, &of_this_process);
    let argv = order
        .argv(here, &of_this_process)
        .map_err(|error| error.message)?;
    let variable = |wanted: &str| {
        let own = variables.iter().rev().find(|(name, _)| name == wanted);
        let own = own.map(|(_, value)| value.clone());
        own.or_else(|| of_this_process(wanted))
    };
    let program = program(&order.call.program, here, &variable)?;
    let withholds_tokens =
        matches!(order.call.program, ContainerProgram::Client(_)) && has_own_token_alone();
    let spawn = |mut command: Command| {
        if withholds_tokens {
            command.env_remove(TOKENS);
        }
        command
            .args(argv.iter().skip(1))
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .current_dir(here)
            .stdin(Stdio::null())
            .spawn()
    };
    let mut command = Command::new(&program);
    if let Some(name) = argv.first() {
        command.arg0(name);
    }
    let spawned = match spawn(command) {
        // As for a program on the owner's machine: a script that names no interpreter is one of the shell.
        Err(error) if Errno::from_io_error(&error) == Some(Errno::NOEXEC) => {
            let mut shell = Command::new("/bin/sh");
            shell.arg(&program);
            spawn(shell)
        }
        spawned => spawned,
    };
    spawned.map_err(|error| {
        let why = exec_error::why(&program, &error);
        format!("cannot run {}: {why}", program.display())
    })
}

/// The file of the program on this node.
fn program(
    program: &ContainerProgram,
    here: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<PathBuf, String> {
    let name = match program {
        ContainerProgram::Java => {
            let home = variable("JAVA_HOME").filter(|home| !home.is_empty());
            if let Some(home) = home {
                return Ok(PathBuf::from(home).join("bin/java"));
            }
            "java"
        }
        // The file's link in the folder is removed.
        ContainerProgram::Client(_) => return Ok(PathBuf::from("/proc/self/exe")),
        ContainerProgram::Named(name) => name,
    };
    let path = variable("PATH").unwrap_or_default();
    std::iter::once(here.to_owned())
        .chain(env::split_paths(&path))
        .map(|folder| here.join(folder).join(name))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            let node = variable("NM_HOST").unwrap_or_else(|| "this node".to_owned());
            format!(
                "cannot run program `{name}`: it is neither a `file` of the action nor in PATH of {node}, where its container is"
            )
        })
}

/// Waits for the program's end, or ends it. Returns whether the attempt is over for the resource manager, or the container was ended.
fn wait(mut child: Child, order: &ContainerOrder, pulse: &Pulse, record: &mut ExitRecord) -> bool {
    let begun = Instant::now();
    // When its descendants were sent SIGTERM, and for how long they have after it.
    let mut asked: Option<(Instant, Duration)> = None;
    let is_cut_off = loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                use std::os::unix::process::ExitStatusExt;
                record.code = status.code();
                record.signal = status.signal();
                break false;
            }
            Ok(None) => {}
            Err(error) => {
                record.error = Some(format!("cannot wait for the program: {error}"));
                break false;
            }
        }
        if pulse.is_gone() {
            break true;
        }
        if asked.is_none() {
            asked = reason_to_end(order, begun, record).map(|grace| {
                process_tree::signal(Signal::TERM);
                (Instant::now(), grace)
            });
        } else if asked.is_some_and(|(since, grace)| since.elapsed() >= grace) {
            process_tree::signal(Signal::KILL);
        }
        thread::sleep(LOOK);
    };
    // What it has left running, even in a session of its own, ends with the container.
    process_tree::signal(Signal::KILL);
    is_cut_off || is_ended_from_outside(record)
}

/// Whether the node manager has ended the program with its container, which is no end of its own: the attempt is lost.
fn is_ended_from_outside(record: &ExitRecord) -> bool {
    if record.signal.is_none() || record.exceeded.is_some() {
        return false;
    }
    // Both are sent the signal, in any order.
    thread::sleep(BOTH);
    inherited_descriptors::was_asked_to_end()
}

/// Whether the program is to be ended now, and how long it has to end by itself.
fn reason_to_end(
    order: &ContainerOrder,
    begun: Instant,
    record: &mut ExitRecord,
) -> Option<Duration> {
    if inherited_descriptors::was_asked_to_end() {
        return Some(LAST_GRACE);
    }
    let limit = order.limit?;
    if begun.elapsed() < Duration::from_secs(limit.seconds) {
        return None;
    }
    record.exceeded = Some(limit.seconds);
    Some(Duration::from_secs(limit.grace))
}

/// Stores what is read after the end.
fn store(
    order: &ContainerOrder,
    here: &Path,
    staging: &Staging<'_>,
    record: &ExitRecord,
    scratch: &Path,
) -> io::Result<()> {
    for (number, name) in [(1, STDOUT), (2, STDERR)] {
        if let Some(file) = log(number) {
            patiently("store its output", || {
                staging.store_output(&file, name, order.max_output, scratch)
            })?;
        }
    }
    for name in &order.results {
        patiently("store its results", || {
            staging.store_result(&here.join(name), name)
        })?;
    }
    patiently("store its end", || staging.store_exit(record, scratch))
}

/// What the resource manager is told.
fn told(record: &ExitRecord) -> (FinalStatus, String) {
    match (record.code, record.signal) {
        (Some(0), _) if record.exceeded.is_none() => (FinalStatus::Succeeded, String::new()),
        (Some(code), _) => {
            let mut text = format!("hpdl: exit code {code}");
            if let Some(line) = log(2).and_then(|file| process_end::last_line(&file)) {
                text.push_str(": ");
                text.push_str(&line);
            }
            (FinalStatus::Failed, text)
        }
        (None, Some(signal)) => (FinalStatus::Failed, format!("hpdl: signal {signal}")),
        (None, None) => {
            let problem = record.error.as_deref().unwrap_or("it left no exit status");
            (FinalStatus::Failed, format!("hpdl: {problem}"))
        }
    }
}

/// Repeats a request to the cluster's file system until it answers, or for as long as that may take.
fn patiently<T>(what: &str, request: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let begun = Instant::now();
    loop {
        match request() {
            Ok(answer) => return Ok(answer),
            Err(error)
                if begun.elapsed() < PATIENCE
                    && hpdlc_files::error::transient(&error, "").is_some() =>
            {
                thread::sleep(Duration::from_secs(1));
            }
            Err(error) => {
                return Err(io::Error::new(
                    error.kind(),
                    format!("cannot {what}: {error}"),
                ));
            }
        }
    }
}

/// The heartbeats to the resource manager.
struct Pulse {
    master: Arc<Mutex<ApplicationMaster>>,
    /// The attempt is over for the resource manager.
    is_gone: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
}

impl Pulse {
    /// Registers, and begins to send them.
    ///
    /// # Errors
    ///
    /// The attempt is over, or the cluster wants what is not implemented.
    fn start(mut master: ApplicationMaster) -> io::Result<Pulse> {
        let begun = Instant::now();
        while let Heartbeat::Unheard(problem) = master.register().map_err(refused)? {
            if begun.elapsed() > PATIENCE {
                return Err(io::Error::other(format!("cannot register: {problem}")));
            }
            thread::sleep(HEARTBEAT / 2);
        }
        let pulse = Pulse {
            master: Arc::new(Mutex::new(master)),
            is_gone: Arc::default(),
            is_over: Arc::default(),
        };
        let (master, is_gone, is_over) = (
            Arc::clone(&pulse.master),
            Arc::clone(&pulse.is_gone),
            Arc::clone(&pulse.is_over),
        );
        thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(move || {
                while !is_over.load(Ordering::SeqCst) {
                    thread::sleep(HEARTBEAT);
                    let mut master = master.lock().unwrap_or_else(PoisonError::into_inner);
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    if let Err(MasterError::Gone(problem)) = master.heartbeat() {
                        let _ = writeln!(io::stderr(), "hpdl: {problem}");
                        is_gone.store(true, Ordering::SeqCst);
                        return;
                    }
                }
            })?;
        Ok(pulse)
    }

    fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::SeqCst)
    }

    /// Says how the application ended, until the resource manager has taken note.
    fn finish(&self, status: FinalStatus, diagnostics: &str) {
        self.is_over.store(true, Ordering::SeqCst);
        let mut master = self.master.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            match master.finish(status, diagnostics) {
                Ok(true) | Err(_) => return,
                Ok(false) => thread::sleep(LOOK),
            }
        }
    }
}

fn refused(error: MasterError) -> io::Error {
    match error {
        MasterError::Gone(problem) | MasterError::Unsupported(problem) => io::Error::other(problem),
    }
}
