//! A real Oozie 5.2.1 from Maven Central, with its data base in memory.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hpdlc_tests::{java, repository};

use super::load::Connection;

/// How long Oozie may take to start, and a job to end, on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// What is missing where [`prepare`] finds no libraries.
pub const NEEDED: &str = "Maven, a JDK and Oozie's libraries are needed";
const LOOK_AGAIN: Duration = Duration::from_millis(1);
/// What a JDK of today hides and Oozie's libraries use.
const OPENED: [&str; 10] = [
    "java.base/java.lang",
    "java.base/java.lang.reflect",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.net",
    "java.base/java.io",
    "java.base/java.nio",
    "java.base/java.text",
    "java.base/sun.nio.ch",
    "java.security.jgss/sun.security.krb5",
];

/// A server, which ends with this.
pub struct OozieServer {
    child: Child,
    pub address: String,
}

impl OozieServer {
    /// A server with Hadoop's files of the folder `hadoop`, and further settings; and the time until it answered.
    pub fn start(
        home: &Path,
        classes: &str,
        hadoop: &Path,
        settings: &[(&str, &str)],
    ) -> (OozieServer, Duration) {
        // Oozie cannot choose a port itself.
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        configure(home, port, hadoop, settings);
        let mut java = Command::new("java");
        for name in OPENED {
            java.args(["--add-opens", &format!("{name}=ALL-UNNAMED")]);
        }
        java.args([
            "--add-exports",
            "java.security.jgss/sun.security.krb5=ALL-UNNAMED",
        ]);
        for (name, folder) in [
            ("home", ""),
            ("config", "conf"),
            ("log", "log"),
            ("data", "data"),
        ] {
            let folder = home.join(folder).display().to_string();
            java.arg(format!("-Doozie.{name}.dir={folder}"));
        }
        let began = Instant::now();
        let child = java
            .args(["-Duser.timezone=UTC", "-cp", &format!("root:{classes}")])
            .arg("org.apache.oozie.server.EmbeddedOozieServer")
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("java starts");
        let oozie = OozieServer {
            child,
            address: format!("127.0.0.1:{port}"),
        };
        while !oozie.answers() {
            assert!(began.elapsed() < PATIENCE, "Oozie does not come up");
            thread::sleep(LOOK_AGAIN);
        }
        (oozie, began.elapsed())
    }

    fn answers(&self) -> bool {
        TcpStream::connect(&self.address).is_ok() && {
            let mut connection = Connection::open(&self.address);
            connection.ask("GET", "/oozie/v1/admin/status", "").status == 200
        }
    }
}

impl Drop for OozieServer {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The libraries and folders of a server; the class path is relative to it. `None` if they are not to be had.
pub fn prepare(home: &Path) -> Option<String> {
    let folders = ["conf/hadoop-conf", "conf/action-conf", "log", "data"];
    // The server serves its console from the class path.
    for folder in folders.into_iter().chain(["root/webapp"]) {
        fs::create_dir_all(home.join(folder)).expect("a folder");
    }
    fs::write(home.join("root/webapp/index.txt"), "").expect("a file");
    let logging =
        "log4j.rootLogger=ERROR, A\nlog4j.appender.A=org.apache.log4j.varia.NullAppender\n";
    fs::write(home.join("conf/oozie-log4j.properties"), logging).expect("a file");
    let project = project().expect("it is in the repository");
    java::libraries(home, &project)
}

fn project() -> std::io::Result<String> {
    fs::read_to_string(repository().join("tests/bench/oozie/pom.xml"))
}

/// A folder with Hadoop's files that say that there are only local ones.
pub fn without_cluster(home: &Path) -> PathBuf {
    let hadoop = home.join("conf/hadoop-conf");
    let local = properties(&[("fs.defaultFS", "file:///")]);
    fs::write(hadoop.join("core-site.xml"), local).expect("a file");
    hadoop
}

fn configure(home: &Path, port: u16, hadoop: &Path, settings: &[(&str, &str)]) {
    let (port, url) = (port.to_string(), format!("http://localhost:{port}/oozie"));
    let hadoop = format!("*={}", hadoop.display());
    let mut all = vec![
        ("oozie.http.port", port.as_str()),
        ("oozie.base.url", &url),
        (
            "oozie.service.JPAService.jdbc.url",
            "jdbc:derby:memory:oozie;create=true",
        ),
        ("oozie.service.JPAService.create.db.schema", "true"),
        (
            "oozie.service.HadoopAccessorService.supported.filesystems",
            "*",
        ),
        (
            "oozie.service.HadoopAccessorService.hadoop.configurations",
            &hadoop,
        ),
    ];
    all.extend(settings);
    fs::write(home.join("conf/oozie-site.xml"), properties(&all)).expect("a file");
}

fn properties(all: &[(&str, &str)]) -> String {
    let all = all.iter().map(|(name, value)| {
        format!("<property><name>{name}</name><value>{value}</value></property>\n")
    });
    format!(
        "<configuration>\n{}</configuration>\n",
        all.collect::<String>()
    )
}
