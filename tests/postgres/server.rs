//! A server of PostgreSQL in a temporary folder.

use std::{
    fs, io,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// How it is started.
#[derive(Default)]
pub struct Start {
    /// Lines of `postgresql.conf`.
    pub settings: Vec<String>,
    /// Lines of `pg_hba.conf`, in place of one that trusts everybody.
    pub access: Option<String>,
    /// Files of its data folder.
    pub files: Vec<(&'static str, String)>,
    /// A command that its programs are run by.
    pub within: Vec<String>,
}

/// A server that ends with the test.
pub struct PostgresServer {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    within: Vec<String>,
    process: Mutex<Option<Child>>,
}

/// The folder of `initdb` and `postgres`: the newest version of Debian's, or that of the path.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok();
    let mut folders: Vec<PathBuf> = versions
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").is_file())
        .collect();
    folders.sort();
    folders.pop().or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file())
    })
}

impl PostgresServer {
    /// `None`, with a line, where there are no programs of PostgreSQL.
    pub fn start(how: &Start) -> Option<PostgresServer> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        PostgresServer::start_in(folder, how)
    }

    /// As [`PostgresServer::start`], in a folder that its user can write to or that is ours.
    pub fn start_in(folder: TempDir, how: &Start) -> Option<PostgresServer> {
        let server = PostgresServer::stopped(folder, &how.within)?;
        let data = server.data();
        let options = [
            "--auth=trust",
            "--username=hpdl",
            "--no-sync",
            "--locale=C.UTF-8",
            "-D",
        ];
        expect(server.command("initdb").args(options).arg(&data).output());
        server.append("postgresql.conf", "\ninclude 'hpdl.conf'\n");
        server.set(&how.settings);
        for (name, text) in &how.files {
            server.write(name, text, 0o600);
        }
        server.go_on();
        if let Some(access) = &how.access {
            server.write("pg_hba.conf", access, 0o600);
            server.reload();
        }
        Some(server)
    }

    /// Starts another server that has every commit of this one before it is said to be done.
    pub fn standby(&self) -> PostgresServer {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let standby = PostgresServer::stopped(folder, &self.within).expect("it was found before");
        let port = self.port.to_string();
        let copied = standby
            .command("pg_basebackup")
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "hpdl"])
            .args(["--checkpoint=fast", "--write-recovery-conf", "-D"])
            .arg(standby.data())
            .output();
        expect(copied);
        standby.set(&[]);
        standby.go_on();
        let is_sent = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
        self.await_answer(is_sent, "1");
        self.set(&["synchronous_standby_names = '*'".to_owned()]);
        self.reload();
        let is_sync = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        self.await_answer(is_sync, "1");
        standby
    }

    /// Makes a standby accept writes.
    pub fn promote(&self) {
        let promoted = self
            .command("pg_ctl")
            .args(["promote", "-w", "-D"])
            .arg(self.data())
            .output();
        expect(promoted);
    }

    fn await_answer(&self, sql: &str, answer: &str) {
        let begun = Instant::now();
        while self.query(sql) != answer {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn stopped(folder: TempDir, within: &[String]) -> Option<PostgresServer> {
        let Some(programs) = programs() else {
            println!("skipped: there is no PostgreSQL on this machine (Debian: postgresql)");
            return None;
        };
        // The server has a user of its own if this is root, which it refuses.
        let everybody = fs::Permissions::from_mode(0o777);
        fs::set_permissions(folder.path(), everybody).expect("it is ours");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port")
            .port();
        Some(PostgresServer {
            folder,
            programs,
            port,
            within: within.to_vec(),
            process: Mutex::new(None),
        })
    }

    /// Writes its settings: these and those that each server of these tests has.
    fn set(&self, further: &[String]) {
        let mut settings = vec![
            format!("port = {}", self.port),
            "listen_addresses = '127.0.0.1'".to_owned(),
            format!("unix_socket_directories = '{}'", self.socket()),
            "max_connections = 200".to_owned(),
        ];
        settings.extend(further.iter().cloned());
        self.write("hpdl.conf", &settings.join("\n"), 0o644);
    }

    fn reload(&self) {
        let reloaded = self
            .command("pg_ctl")
            .args(["reload", "-D"])
            .arg(self.data())
            .output();
        expect(reloaded);
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A program of PostgreSQL, by the user that may run it.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let is_root = fs::metadata("/proc/self").is_ok_and(|own| {
            use std::os::unix::fs::MetadataExt;
            own.uid() == 0
        });
        let user = [
            "setpriv",
            "--reuid=postgres",
            "--regid=postgres",
            "--clear-groups",
        ];
        let user = user.map(str::to_owned).into_iter().filter(|_| is_root);
        let mut words: Vec<String> = self.within.iter().cloned().chain(user).collect();
        words.push(program.display().to_string());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Writes a file of its data folder that its user can read.
    fn write(&self, name: &str, text: &str, mode: u32) {
        let path = self.data().join(name);
        fs::write(&path, text).expect("it is ours");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
        let owner = fs::metadata(self.data()).expect("it is there");
        use std::os::unix::fs::MetadataExt;
        std::os::unix::fs::chown(&path, Some(owner.uid()), Some(owner.gid())).expect("it is ours");
    }

    fn append(&self, name: &str, text: &str) {
        let path = self.data().join(name);
        let before = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, before + text).expect("it is ours");
    }

    /// Starts it, and waits until it accepts connections.
    pub fn go_on(&self) {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .expect("it is ours");
        let begun = Instant::now();
        self.spawn(&log);
        while !self.is_ready() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", self.log());
            if self.has_ended() {
                // What it had started when it was killed is still there.
                self.spawn(&log);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn spawn(&self, log: &fs::File) {
        let child = self
            .command("postgres")
            .arg("-D")
            .arg(self.data())
            .stdout(Stdio::null())
            .stderr(log.try_clone().expect("a second handle"))
            .spawn()
            .expect("it can be started");
        *self.process.lock().expect("no test has panicked") = Some(child);
    }

    pub fn has_ended(&self) -> bool {
        let mut process = self.process.lock().expect("no test has panicked");
        let child = process.as_mut();
        child.is_none_or(|child| child.try_wait().expect("it is our child").is_some())
    }

    fn is_ready(&self) -> bool {
        let port = self.port.to_string();
        let asked = self
            .command("pg_isready")
            .args(["-h", "127.0.0.1", "-p", &port, "-q"])
            .status();
        asked.is_ok_and(|status| status.success())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Kills it as a power failure would, with all that it has started.
    pub fn kill(&self) {
        let mut process = self.process.lock().expect("no test has panicked");
        if let Some(mut child) = process.take() {
            // Its children notice that it is gone.
            child.kill().expect("it is our child");
            child.wait().expect("it is our child");
        }
    }

    /// Ends every connection to it.
    pub fn cut_connections(&self) {
        self.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
        );
    }

    /// The client of the server's version, which reaches it from where this test runs and from elsewhere.
    pub fn psql(&self) -> PathBuf {
        self.programs.join("psql")
    }

    /// What a query prints.
    pub fn query(&self, sql: &str) -> String {
        let port = self.port.to_string();
        let printed = self
            .command("psql")
            .args([
                "-h",
                &self.socket(),
                "-p",
                &port,
                "-U",
                "hpdl",
                "-d",
                "postgres",
                "-qAtc",
                sql,
            ])
            .output();
        String::from_utf8_lossy(&printed.expect("psql").stdout)
            .trim()
            .to_owned()
    }

    fn socket(&self) -> String {
        self.folder.path().display().to_string()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The URL of its database.
    pub fn url(&self) -> String {
        format!("postgres://hpdl@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Ok(mut process) = self.process.lock()
            && let Some(mut child) = process.take()
        {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[track_caller]
fn expect(done: io::Result<Output>) {
    let done = done.expect("it can be started");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}

/// A file's text.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
