//! `ssh` actions with a local `sshd`, started by the test with its own keys.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    harness::{World, action, finish, is_running, kill_dash_nine, node, signal, text, wait_for},
    run,
};

/// A server that accepts its key, and hosts in the client's configuration that refer to it.
pub struct SshServer {
    folder: TempDir,
    sshd: Child,
}

impl Drop for SshServer {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.sshd.kill();
        let _ = self.sshd.wait();
    }
}

fn sshd() -> Option<PathBuf> {
    ["/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}

impl SshServer {
    /// `None` if no `sshd` is installed.
    pub fn start() -> Option<SshServer> {
        let Some(sshd) = sshd() else {
            println!("skipped: there is no sshd; install openssh-server");
            return None;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        for key in ["host", "key", "other", "forced"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &path(key)])
                .stdin(Stdio::null())
                .status();
            assert!(made.expect("ssh-keygen comes with ssh").success());
        }
        let public = |key: &str| fs::read_to_string(path(&format!("{key}.pub"))).expect("a key");
        let authorized = format!("{}command=\"exit 127\" {}", public("key"), public("forced"));
        fs::write(path("authorized"), authorized).expect("written");
        // sshd requires it if root starts it.
        let _ = fs::create_dir_all("/run/sshd");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\n",
            path("host"),
            path("authorized")
        );
        fs::write(path("sshd_config"), config).expect("written");
        let sshd = Command::new(sshd)
            .args(["-D", "-e", "-f", &path("sshd_config")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(path("sshd.log")).expect("a file"))
            .spawn()
            .expect("sshd can be started");
        let host = |name: &str, port: u16, key: &str| {
            format!(
                "Host {name}\n HostName 127.0.0.1\n Port {port}\n IdentityFile {}\n",
                path(key)
            )
        };
        let closed = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let client = [
            host("there", port, "key"),
            host("stranger", port, "other"),
            host("forced", port, "forced"),
            host("closed", closed, "key"),
            format!(
                "Host *\n IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile {}\n",
                path("known_hosts")
            ),
        ];
        fs::write(path("config"), client.concat()).expect("written");
        let server = SshServer { folder, sshd };
        wait_for("sshd to listen", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).ok()
        });
        Some(server)
    }

    pub fn property(&self) -> String {
        let config = self.folder.path().join("config");
        format!("-Dhpdl.ssh.config={}", config.display())
    }
}

fn ssh(host: &str, body: &str) -> String {
    action(
        "a",
        &format!(
            "<ssh xmlns='uri:oozie:ssh-action:0.2'><host>{host}</host>{body}<capture-output/></ssh>"
        ),
        "end",
    )
}

/// A command that writes a trace, reports that it runs, and waits for the gate.
fn gated() -> String {
    ssh(
        "there",
        "<command>echo once >> ${out}/effects; echo $$ > ${out}/.pid; mv ${out}/.pid ${out}/runs-a; while [ ! -e ${out}/open-a ]; do [ -d ${out} ] || exit 7; sleep 0.05; done; echo result=done</command>",
    )
}

fn data(info: &Value) -> &Value {
    &node(info, "a")["data"]
}

#[test]
fn what_the_command_prints_is_captured_and_its_arguments_arrive() {
    let Some(server) = SshServer::start() else {
        return;
    };
    for (arguments, expected) in [
        ("<args>a  b</args><args>\"c d\"</args>", "a|b|c d|"),
        (
            "<arg>a b</arg><arg>\"c  d\"</arg><arg>$0</arg>",
            "a b|c  d|sh|",
        ),
    ] {
        let body = format!("<command>printf 'words=%s|%s|%s|\\n'</command>{arguments}");
        let world = World::of_nodes(&ssh("there", &body));
        let (_, info) = run(&world, &[&server.property()], 0);
        assert_eq!(data(&info)["words"], expected, "{info:#}");
        let action = node(&info, "a");
        assert_eq!(action["external_status"], "OK");
        let log = world.call(&["log", &text(&info["id"]), "a"]).expect(0);
        assert!(log.stdout.contains("words="), "{}", log.stdout);
    }
}

#[test]
fn output_beyond_the_limit_ends_the_action_in_error() {
    let Some(server) = SshServer::start() else {
        return;
    };
    let body = "<command>seq -f key%g=value 1 100</command>";
    for (limit, exit) in [("1191", 1), ("1192", 0)] {
        let world = World::of_nodes(&ssh("there", body));
        let limit = format!("-Doozie.action.max.output.data={limit}");
        let (_, info) = run(&world, &[&server.property(), &limit], exit);
        let a = node(&info, "a");
        if exit == 0 {
            assert_eq!(data(&info)["key100"], "value");
            continue;
        }
        assert_eq!(a["error_code"], "JA018", "{a:#}");
        assert_eq!(a["data"], serde_json::json!({}));
        let message = text(&a["error_message"]);
        assert!(
            message.contains("action `a`")
                && message.contains("oozie.action.max.output.data allows 1191"),
            "{message}"
        );
        let log = world.call(&["log", &text(&info["id"]), "a"]).expect(0);
        assert!(log.stdout.contains("key100=value"), "{}", log.stdout);
    }
}

#[test]
fn failures_have_oozies_codes() {
    let Some(server) = SshServer::start() else {
        return;
    };
    let world = World::of_nodes(&ssh("${host}", "<command>${command}</command>"));
    let fails = "-Dcommand=echo broken &gt;&amp;2; exit 3"
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    let at_once = "-Doozie.action.retries.max=0";
    let local = "-Doozie.action.ssh.allow.user.at.host=false";
    // Errors that need the user suspend the job: exit 4.
    for (host, command, more, exit, code, words) in [
        (
            "there",
            fails.as_str(),
            at_once,
            1,
            "E1111",
            "exit code 3: broken",
        ),
        (
            "stranger",
            "-Dcommand=true",
            at_once,
            4,
            "AUTH_FAILED",
            "Permission denied",
        ),
        (
            "closed",
            "-Dcommand=true",
            at_once,
            4,
            "COULD_NOT_CONNECT",
            "refused",
        ),
        (
            "nowhere.invalid",
            "-Dcommand=true",
            at_once,
            4,
            "COULD_NOT_RESOLVE_HOST",
            "resolve",
        ),
        ("forced", "-Dcommand=true", at_once, 4, "FNF", "127"),
        (
            "nobody@there",
            "-Dcommand=true",
            local,
            1,
            "ERR_USER_MISMATCH",
            "nobody",
        ),
        (
            "two words",
            "-Dcommand=true",
            at_once,
            1,
            "UNKNOWN_ERROR",
            "is no host",
        ),
        (
            "-oProxyCommand=true",
            "-Dcommand=true",
            at_once,
            1,
            "UNKNOWN_ERROR",
            "invalid characters",
        ),
    ] {
        let ended = world.run(&[&server.property(), &format!("-Dhost={host}"), command, more]);
        let id = text(&world.jobs()[0]["id"]);
        let info = world.info(&id);
        assert_eq!(ended.code, Some(exit), "{host}: {}", ended.stderr);
        let action = node(&info, "a");
        assert_eq!(action["error_code"], code, "{info:#}");
        let message = text(&action["error_message"]);
        assert!(message.contains(words), "{host}: {message}");
        if exit == 4 {
            world.call(&["kill", &id]).expect(0);
        }
    }
}

#[test]
fn a_command_goes_on_without_owner_and_launcher_and_is_found_again() {
    let Some(server) = SshServer::start() else {
        return;
    };
    let world = World::of_nodes(&gated());
    let owner = world.start(&[&server.property()]);
    let pid = world.await_running("a");
    let id = world.job().expect("a job");
    let launcher = world.launcher_of(&id, "a");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    assert!(is_running(pid));
    let recovery = world.spawn(&["recover", &id]);
    wait_for("the command to be found again", || {
        world.log(&id).contains("REATTACHED").then_some(())
    });
    world.open_gate("a");
    finish(recovery).expect(0);
    assert_eq!(world.effects(), ["once"], "it ran once");
    assert_eq!(data(&world.info(&id))["result"], "done");
}

#[test]
fn a_kill_ends_the_command_there() {
    let Some(server) = SshServer::start() else {
        return;
    };
    let world = World::of_nodes(&gated());
    let owner = world.start(&[&server.property()]);
    let pid = world.await_running("a");
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    assert!(!is_running(pid), "the command runs on");
    assert!(!home_of(&id).exists(), "the folder stays");
}

#[test]
fn a_command_that_somebody_ended_is_lost() {
    let Some(server) = SshServer::start() else {
        return;
    };
    let world = World::of_nodes(&gated());
    let owner = world.start(&[&server.property()]);
    let pid = world.await_running("a");
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let group = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.split(' ').nth(2))
        .and_then(|group| group.parse::<i32>().ok())
        .expect("a group");
    signal("KILL", -group);
    finish(owner).expect(4);
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(node(&info, "a")["error_code"], "HPDL_LOST", "{info:#}");
}

/// The folder of a job on the other host, which is this machine.
pub fn home_of(id: &str) -> PathBuf {
    let home = std::env::var_os("HOME").expect("a home");
    Path::new(&home).join(".hpdl/ssh").join(id)
}

#[test]
fn pig_of_2009_runs_on_its_host() {
    let Some(server) = SshServer::start() else {
        return;
    };
    let pig = r#"<hadoop-workflow name="case"><start to="p"/>
<pig name="p"><prepare><delete path="${target}"/></prepare><pig-host>there</pig-host><pig-script>/words.pig</pig-script>
<hadoop-user>ann</hadoop-user><parameters><param>In=/data/in</param><param>Out=${target}</param></parameters>
<configuration><property><name>fs.default.name</name><value>file:///</value></property>
<property><name>mapred.job.tracker</name><value>local</value></property>
<property><name>mapred.compress.map.output</name><value>true</value></property></configuration>
<transition name="OK" to="end"/><transition name="ERROR" to="bad"/></pig>
<fail name="bad"><message>${wf:errorCode('p')} ${wf:errorMessage('p')}</message></fail><end name="end"/></hadoop-workflow>"#;
    let script = "A = load '${In}';\nstore A into '${Out}';\n";
    let world = World::of(&[("workflow.xml", pig), ("words.pig", script)]);
    // A recording program replaces Pig; sshd gives commands its own PATH.
    let recorded = world.path("recorded");
    let program = Path::new("/usr/local/bin/pig");
    if program.exists() {
        println!("skipped: there is a real {}", program.display());
        return;
    }
    let text = format!(
        "#!/bin/sh\nfor a; do echo \"arg $a\"; [ -f \"$a\" ] && cat \"$a\"; done > {0}.new; echo \"user $HADOOP_USER_NAME\" >> {0}.new; mv {0}.new {0}\n",
        recorded.display()
    );
    if fs::write(program, text).is_err() {
        println!("skipped: {} cannot be written", program.display());
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let target = world.out().join("target");
    fs::create_dir(&target).expect("made");
    let property = format!("-Dtarget={}", target.display());
    let ended = world.run(&[&server.property(), &property]);
    fs::remove_file(program).expect("it is ours");
    ended.expect(0);
    let said = fs::read_to_string(&recorded).expect("Pig ran");
    assert!(said.starts_with("arg -x\narg local\narg -P\n"), "{said}");
    for part in [
        "mapred.compress.map.output=true",
        "load '/data/in'",
        &format!("store A into '{}'", target.display()),
        "user ann",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!target.exists(), "it was prepared");
}
