//! `hpdl serve --auth kerberos` with a KDC on this machine: `curl --negotiate`, the cookie, and who is refused. Skipped where there is no KDC.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use hpdlc_tests::hpdl;

use crate::{
    harness::{World, wait_for},
    serve::{Server, gated},
};

const REALM: &str = "SITE.TEST";
const PRINCIPAL: &str = "HTTP/localhost@SITE.TEST";

/// A KDC, which ends with this.
struct Kdc {
    folder: PathBuf,
    process: Child,
}

impl Drop for Kdc {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|path| path.join(program).is_file())
}

/// A program with the configuration of the KDC in `folder`.
fn command(folder: &Path, program: &str, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(words)
        .env("KRB5_CONFIG", folder.join("krb5.conf"))
        .env("KRB5_KDC_PROFILE", folder.join("kdc.conf"))
        .env(
            "KRB5CCNAME",
            format!("FILE:{}", folder.join("tickets").display()),
        )
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

#[track_caller]
fn done(folder: &Path, program: &str, words: &[&str]) -> String {
    let ended: Output = command(folder, program, words)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        ended.status.success(),
        "{program} {words:?}: {}",
        text(&ended.stderr)
    );
    text(&ended.stdout)
}

impl Kdc {
    /// With the key of the server in `http.keytab`, and those of ada and of another service in `ada.keytab`.
    fn start(folder: &Path) -> Kdc {
        fs::create_dir_all(folder).expect("a folder");
        // Free until the KDC has it.
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let of = |name: &str| folder.join(name).display().to_string();
        let client = format!(
            "[libdefaults]\n default_realm = {REALM}\n dns_lookup_kdc = false\n dns_lookup_realm = false\n rdns = false\n \
             dns_canonicalize_hostname = false\n[realms]\n {REALM} = {{\n  kdc = 127.0.0.1:{port}\n }}\n"
        );
        let kdc = format!(
            "[kdcdefaults]\n kdc_listen = 127.0.0.1:{port}\n kdc_tcp_listen = 127.0.0.1:{port}\n[realms]\n {REALM} = {{\n  \
             database_name = {}\n  key_stash_file = {}\n  acl_file = {}\n }}\n[logging]\n kdc = FILE:{}\n",
            of("principal"),
            of("stash"),
            of("acl"),
            of("kdc.log"),
        );
        fs::write(folder.join("krb5.conf"), client).expect("written");
        fs::write(folder.join("kdc.conf"), kdc).expect("written");
        done(
            folder,
            "kdb5_util",
            &["create", "-s", "-r", REALM, "-P", "master"],
        );
        for words in [
            format!("addprinc -randkey {PRINCIPAL}"),
            "addprinc -randkey ada".to_owned(),
            "addprinc -randkey etl/admin".to_owned(),
            format!("ktadd -k {} {PRINCIPAL}", of("http.keytab")),
            format!("ktadd -k {} ada etl/admin", of("ada.keytab")),
        ] {
            done(folder, "kadmin.local", &["-r", REALM, "-q", &words]);
        }
        let process = command(folder, "krb5kdc", &["-n", "-r", REALM])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("krb5kdc can be started");
        let kdc = Kdc {
            folder: folder.to_owned(),
            process,
        };
        wait_for("a ticket of the KDC", || {
            kdc.become_user("ada").then_some(())
        });
        kdc
    }

    /// Gets a ticket of a principal; whether there is one.
    fn become_user(&self, principal: &str) -> bool {
        let words = ["-k", "-t", "ada.keytab", principal];
        let ended = command(&self.folder, "kinit", &words).output();
        ended.is_ok_and(|it| it.status.success())
    }

    /// What curl prints of an answer, the head first.
    #[track_caller]
    fn curl(&self, words: &[&str]) -> String {
        let always = ["--silent", "--show-error", "--include", "--max-time", "30"];
        done(&self.folder, "curl", &[&always[..], words].concat())
    }
}

/// Writes the site's settings.
fn set(world: &World, settings: &[(&str, &str)]) {
    let settings: String = settings
        .iter()
        .map(|(name, value)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        })
        .collect();
    let site = format!("<configuration>{settings}</configuration>");
    fs::write(world.home().join("hpdl-site.xml"), site).expect("written");
}

#[test]
fn a_ticket_lets_in_and_its_cookie_repeats_it() {
    let needed = ["krb5kdc", "kdb5_util", "kadmin.local", "kinit", "curl"];
    if let Some(missing) = needed.into_iter().find(|program| !is_there(program)) {
        println!("skipped: {missing} is not installed");
        return;
    }
    let world = gated();
    let kdc = Kdc::start(&world.home().with_file_name("kdc"));
    let keytab = kdc.folder.join("http.keytab").display().to_string();
    let settings = [
        ("oozie.authentication.kerberos.keytab", keytab.as_str()),
        ("oozie.authentication.kerberos.principal", PRINCIPAL),
    ];
    set(&world, &settings);
    let server = Server::start_with(&world, &["--auth", "kerberos"]);
    let port = server.address.rsplit(':').next().expect("a port");
    let url = |path: &str| format!("http://localhost:{port}/oozie{path}");
    let jar = kdc.folder.join("jar").display().to_string();

    // Nothing without a ticket.
    let refused = kdc.curl(&[&url("/v2/jobs")]);
    assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");
    assert!(
        refused
            .to_lowercase()
            .contains("www-authenticate: negotiate\r\n"),
        "{refused}"
    );
    let refused = kdc.curl(&[&url("/v2/jobs?user.name=ada")]);
    assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");
    let refused = kdc.curl(&["-H", "Authorization: Negotiate YIIB", &url("/v2/jobs")]);
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");

    // A ticket, and the server's proof.
    let let_in = kdc.curl(&["--negotiate", "-u", ":", "-c", &jar, &url("/v2/jobs")]);
    let head = let_in.to_lowercase();
    assert!(head.contains("http/1.1 200 "), "{let_in}");
    assert!(head.contains("www-authenticate: negotiate oy"), "{let_in}");
    let cookie = "set-cookie: hadoop.auth=\"u=ada&p=ada@site.test&t=kerberos&e=";
    assert!(head.contains(cookie), "{let_in}");

    // The cookie alone.
    let again = kdc.curl(&["-b", &jar, &url("/v2/jobs")]);
    assert!(again.starts_with("HTTP/1.1 200 "), "{again}");
    let command = ["-b", &jar, "-X", "PUT"];
    let mode = url("/v2/admin/status?systemmode=NORMAL");
    let refused = kdc.curl(&[&command[..], &[&mode]].concat());
    assert!(
        refused.contains("User [ada] does not have admin privileges"),
        "{refused}"
    );
    let forged = fs::read_to_string(&jar)
        .expect("a jar")
        .replace("u=ada", "u=root");
    fs::write(kdc.folder.join("forged"), forged).expect("written");
    let refused = kdc.curl(&["-b", "forged", &url("/v2/jobs")]);
    assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");

    // A principal with two components is named by a rule, or not at all.
    assert!(kdc.become_user("etl/admin"));
    drop(server);
    let rules = (
        "hadoop.security.auth_to_local",
        "RULE:[1:$1@$0](.*@SITE.TEST)s/@.*//",
    );
    set(&world, &[&settings[..], &[rules]].concat());
    let server = Server::start_with(&world, &["--auth", "kerberos"]);
    let port = server.address.rsplit(':').next().expect("a port");
    let jobs = format!("http://localhost:{port}/oozie/v2/jobs");
    let refused = kdc.curl(&["--negotiate", "-u", ":", &jobs]);
    assert!(
        refused.contains("no rule gives etl/admin@SITE.TEST a name"),
        "{refused}"
    );
}

#[test]
fn a_server_that_cannot_accept_tickets_does_not_start() {
    let world = gated();
    let start = || {
        let ended = Command::new(hpdl())
            .args(["serve", "--listen", "127.0.0.1:0", "--auth", "kerberos"])
            .envs(hpdlc_tests::command::home_variables(world.home()))
            .env_remove("HPDL_SITE")
            .stdin(Stdio::null())
            .output()
            .expect("hpdl can be started");
        let text = String::from_utf8_lossy(&ended.stderr).into_owned();
        (ended.status.code(), text)
    };
    let (code, text) = start();
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("oozie.authentication.kerberos.keytab"),
        "{text}"
    );
    set(
        &world,
        &[
            (
                "oozie.authentication.kerberos.keytab",
                "/nowhere/http.keytab",
            ),
            ("oozie.authentication.kerberos.principal", PRINCIPAL),
        ],
    );
    let (code, text) = start();
    assert_eq!(code, Some(5), "{text}");
    assert!(
        text.contains("/nowhere/http.keytab") && text.contains("libgssapi_krb5"),
        "{text}"
    );
}
