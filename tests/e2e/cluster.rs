//! The systems that `tests/cluster/up` has started.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A running cluster.
pub struct Cluster {
    pub folder: PathBuf,
    /// `HADOOP_CONF_DIR`, `HDFS`, `WEBHDFS` and so on.
    addresses: Vec<(String, String)>,
}

impl Cluster {
    /// The shared HDFS: in the folder that `HPDL_CLUSTER` names, or `cluster` in cargo's target folder.
    pub fn shared() -> Option<Cluster> {
        Cluster::of(&["namenode"])
    }

    /// The same, with all these daemons; a name that ends in a slash is a command in its `bin`.
    pub fn of(needed: &[&str]) -> Option<Cluster> {
        let folder =
            env::var_os("HPDL_CLUSTER").map_or_else(|| target().join("cluster"), PathBuf::from);
        for name in needed {
            let is_there = match name.strip_suffix('/') {
                Some(jars) => folder.join("lib").join(jars).exists() || folder.join(jars).exists(),
                None => fs::read_to_string(folder.join(format!("{name}.pid")))
                    .is_ok_and(|pid| Path::new("/proc").join(pid.trim()).exists()),
            };
            if !is_there {
                println!(
                    "skipped: no {} is up in {}; tests/cluster/up starts one",
                    name.trim_end_matches('/'),
                    folder.display()
                );
                return None;
            }
        }
        Some(Cluster::at(folder))
    }

    /// The one that is secured by Kerberos: in the folder that `HPDL_KERBEROS_CLUSTER` names.
    pub fn secured() -> Option<Cluster> {
        Cluster::named_by("HPDL_KERBEROS_CLUSTER", "resourcemanager", "kerberos")
    }

    /// The one with two of each daemon that may fail: in the folder that `HPDL_HA_CLUSTER` names.
    pub fn doubled() -> Option<Cluster> {
        Cluster::named_by("HPDL_HA_CLUSTER", "resourcemanager2", "ha")
    }

    /// In the folder that a variable names, where a daemon is up that an option of `tests/cluster/up` starts.
    fn named_by(variable: &str, daemon: &str, option: &str) -> Option<Cluster> {
        let folder = env::var_os(variable).map(PathBuf::from);
        let folder = folder.filter(|folder| folder.join(format!("{daemon}.pid")).exists());
        if folder.is_none() {
            println!(
                "skipped: {variable} names no folder where `tests/cluster/up FOLDER {option} hdfs yarn` has started a cluster"
            );
        }
        folder.map(Cluster::at)
    }

    /// A separate cluster for one test, with only a name node.
    pub fn of_one_test(folder: &Path) -> Option<Cluster> {
        Cluster::shared()?;
        up(folder, "namenode");
        Some(Cluster::at(folder.to_owned()))
    }

    fn at(folder: PathBuf) -> Cluster {
        let text =
            fs::read_to_string(folder.join("addresses")).expect("a cluster says where it is");
        let addresses = text
            .lines()
            .filter_map(|line| line.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Cluster { folder, addresses }
    }

    pub fn address(&self, name: &str) -> &str {
        let found = self.addresses.iter().find(|(known, _)| known == name);
        found.map_or_else(|| panic!("no {name}"), |(_, value)| value)
    }

    /// An empty folder for one test. `scheme` is `HDFS` or `WEBHDFS`.
    pub fn folder(&self, scheme: &str, name: &str) -> String {
        let folder = format!("/tests/{name}-{}", std::process::id());
        self.rest("DELETE", &folder, "op=DELETE&recursive=true");
        self.rest("PUT", &folder, "op=MKDIRS&permission=777");
        format!("{}{folder}", self.address(scheme))
    }

    /// Calls the REST interface as the user that started the cluster; returns the answer.
    pub fn rest(&self, method: &str, path: &str, query: &str) -> String {
        let path = path.strip_prefix(self.address("HDFS")).unwrap_or(path);
        let base = self.address("WEBHDFS").replacen("webhdfs", "http", 1);
        let url = format!("{base}/webhdfs/v1{path}?user.name={}&{query}", user());
        let answer = Command::new("curl")
            .args(["-s", "-m", "60", "-X", method, &url])
            .output()
            .expect("curl exists where a cluster is up");
        String::from_utf8_lossy(&answer.stdout).into_owned()
    }

    pub fn write(&self, uri: &str, text: &str) {
        self.send(uri, text);
    }

    /// Copies a local file there.
    pub fn put(&self, uri: &str, file: &Path) {
        self.send(uri, &format!("@{}", file.display()));
    }

    /// Writes what curl takes for data: a text, or the name of a file after `@`.
    fn send(&self, uri: &str, data: &str) {
        let path = uri
            .strip_prefix(self.address("HDFS"))
            .expect("on this cluster");
        let base = self.address("WEBHDFS").replacen("webhdfs", "http", 1);
        let url = format!(
            "{base}/webhdfs/v1{path}?user.name={}&op=CREATE&overwrite=true",
            user()
        );
        let status = Command::new("curl")
            .args([
                "-s",
                "-f",
                "-L",
                "-m",
                "60",
                "-X",
                "PUT",
                "-H",
                "Content-Type: application/octet-stream",
                "--data-binary",
                data,
                &url,
            ])
            .status()
            .expect("curl exists where a cluster is up");
        assert!(status.success(), "written {uri}");
    }

    /// The names in a folder; `None` if it does not exist.
    pub fn names(&self, uri: &str) -> Option<Vec<String>> {
        let answer: serde_json::Value =
            serde_json::from_str(&self.rest("GET", uri, "op=LISTSTATUS")).expect("JSON");
        let listed = answer["FileStatuses"]["FileStatus"].as_array()?;
        let names = listed
            .iter()
            .map(|it| it["pathSuffix"].as_str().expect("a name").to_owned());
        Some(names.collect())
    }

    pub fn status(&self, uri: &str) -> serde_json::Value {
        let answer: serde_json::Value =
            serde_json::from_str(&self.rest("GET", uri, "op=GETFILESTATUS")).expect("JSON");
        answer["FileStatus"].clone()
    }

    /// The content of a file.
    pub fn read(&self, uri: &str) -> String {
        let path = uri.strip_prefix(self.address("HDFS")).unwrap_or(uri);
        let base = self.address("WEBHDFS").replacen("webhdfs", "http", 1);
        let url = format!("{base}/webhdfs/v1{path}?user.name={}&op=OPEN", user());
        let answer = Command::new("curl")
            .args(["-s", "-f", "-L", "-m", "60", &url])
            .output()
            .expect("curl exists where a cluster is up");
        assert!(answer.status.success(), "read {uri}");
        String::from_utf8_lossy(&answer.stdout).into_owned()
    }

    /// Stops a daemon, and waits until it is gone.
    pub fn stop(&self, daemon: &str) {
        let down = hpdlc_tests::repository().join("tests/cluster/down");
        let status = Command::new(down).arg(&self.folder).arg(daemon).status();
        assert!(status.expect("bash exists").success());
    }

    /// Starts a daemon, and waits until it answers.
    pub fn start(&self, daemon: &str) {
        up(&self.folder, daemon);
    }
}

fn target() -> PathBuf {
    let test = env::current_exe().expect("a test has a file");
    let target = test.ancestors().nth(3);
    target.expect("it lies in target/release/deps").to_owned()
}

fn up(folder: &Path, daemon: &str) {
    let up = hpdlc_tests::repository().join("tests/cluster/up");
    let status = Command::new(up)
        .arg(folder)
        .arg(daemon)
        .env("CARGO_TARGET_DIR", target())
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.expect("bash exists").success(), "{daemon} comes up");
}

/// The user that started the cluster.
pub fn user() -> String {
    let output = Command::new("id").arg("-un").output().expect("id exists");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
