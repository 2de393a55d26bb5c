//! `hpdl serve` as a process of its own.

use std::{
    io::{self, BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

/// Starts a server on a state folder, at the address `listen` (with port 0, at a free one), with further options. Returns it with its host
/// and port once it serves.
pub fn serve(hpdl: &Path, home: &Path, listen: &str, options: &[&str]) -> (Child, String) {
    let mut child = Command::new(hpdl)
        .args(["serve", "--listen", listen])
        .args(options)
        .envs(crate::command::home_variables(home))
        .env_remove("HPDL_SITE")
        .env_remove("HPDL_SERVER_COMPILER")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", hpdl.display()));
    let mut messages = BufReader::new(child.stderr.take().expect("it is a pipe"));
    let mut line = String::new();
    messages
        .read_line(&mut line)
        .expect("it says where it serves");
    // Nobody reads what it says later, which must not fail.
    thread::spawn(move || io::copy(&mut messages, &mut io::sink()));
    let url = line.split("://").nth(1).unwrap_or_else(|| panic!("{line}"));
    let address = url.trim_end().trim_end_matches("/oozie").to_owned();
    (child, address)
}
