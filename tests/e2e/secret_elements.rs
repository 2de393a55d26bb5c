//! No command shows a secret that is passed through every element of every action type.

use crate::harness::{Ended, World, action};

/// Contains characters that URLs, JSON and XML escape.
const BY_NAME: &str = "hunter22/&one";
/// Its property's name does not indicate a secret, but the place where it is used does.
const BY_PLACE: &str = "tiger33two";
/// A literal in the document.
const LITERAL: &str = "lion44three";
/// Short, so masked only as a whole word.
const SHORT: &str = "q7z";
const KEY: &str = "BEGIN PRIVATE KEY\nMIIEzebra55\nEND PRIVATE KEY";

/// The bodies, with `NAMED` for the secret indicated by its property's name, and `PLACED` for the other one.
const BODIES: [&str; 17] = [
    r#"<shell xmlns="uri:oozie:shell-action:1.0"><name-node>file:///</name-node><prepare><delete path="file:///tmp/NAMED"/></prepare>
       <configuration><property><name>a</name><value>NAMED</value></property><property><name>b.password</name><value>PLACED</value></property></configuration>
       <exec>true</exec><argument>NAMED</argument><argument>--token</argument><argument>PLACED</argument><env-var>A=NAMED</env-var><env-var>DB_PASSWORD=PLACED</env-var></shell>"#,
    r#"<java><name-node>file:///</name-node><configuration><property><name>c.secret</name><value>PLACED</value></property></configuration>
       <main-class>NAMED</main-class><java-opts>-Da=NAMED -Djavax.net.ssl.keyStorePassword=PLACED</java-opts><arg>NAMED</arg><arg>--password=PLACED</arg></java>"#,
    r#"<email xmlns="uri:oozie:email-action:0.2"><to>a@example.com</to><subject>NAMED</subject><body>NAMED token=PLACED</body></email>"#,
    r#"<ssh xmlns="uri:oozie:ssh-action:0.2"><host>me@host</host><command>run</command><args>NAMED</args><args>--password</args><args>PLACED</args></ssh>"#,
    r#"<git xmlns="uri:oozie:git-action:1.0"><name-node>file:///</name-node><git-uri>https://ann:PLACED@git.example.com/NAMED.git</git-uri><branch>NAMED</branch><destination-uri>file:///tmp/NAMED</destination-uri></git>"#,
    r#"<fs><delete path="file:///tmp/NAMED"/><mkdir path="file:///tmp/NAMED"/><move source="file:///tmp/NAMED" target="file:///tmp/NAMED2"/><touchz path="file:///tmp/x?token=PLACED"/></fs>"#,
    r#"<hive xmlns="uri:oozie:hive-action:1.0"><name-node>file:///</name-node><configuration><property><name>d.token</name><value>PLACED</value></property></configuration>
       <query>select 'NAMED'</query><param>p=NAMED</param><param>password=PLACED</param><argument>NAMED</argument></hive>"#,
    r#"<hive2 xmlns="uri:oozie:hive2-action:1.0"><name-node>file:///</name-node><jdbc-url>jdbc:hive2://h:1/d;user=NAMED;password=PLACED</jdbc-url><password>PLACED</password>
       <query>select 'NAMED'</query><param>p=NAMED</param><argument>--hivevar</argument><argument>password=PLACED</argument></hive2>"#,
    r#"<hive2 xmlns="uri:oozie:hive2-action:1.0"><name-node>file:///</name-node><jdbc-url>jdbc:hive2://h:1/d</jdbc-url><password>lion44three</password><query>select 1</query></hive2>"#,
    r#"<pig><name-node>file:///</name-node><script>p.pig</script><param>P=NAMED</param><param>PASSWORD=PLACED</param><argument>NAMED</argument></pig>"#,
    r#"<spark xmlns="uri:oozie:spark-action:1.0"><name-node>file:///</name-node><master>local</master><name>NAMED</name><jar>x.jar</jar>
       <spark-opts>--conf spark.a=NAMED --conf spark.db.password=PLACED</spark-opts><arg>NAMED</arg><arg>--api-key</arg><arg>PLACED</arg></spark>"#,
    r#"<sqoop xmlns="uri:oozie:sqoop-action:1.0"><name-node>file:///</name-node><command>import --connect jdbc:mysql://h/NAMED --password PLACED --table t</command></sqoop>"#,
    r#"<sqoop xmlns="uri:oozie:sqoop-action:1.0"><name-node>file:///</name-node><arg>import</arg><arg>--password</arg><arg>PLACED</arg><arg>--connect</arg><arg>jdbc:oracle:thin:scott/PLACED@h:1:x</arg><arg>NAMED</arg></sqoop>"#,
    r#"<sqoop xmlns="uri:oozie:sqoop-action:1.0"><name-node>file:///</name-node><command>import --password lion44three --table t</command></sqoop>"#,
    r#"<distcp xmlns="uri:oozie:distcp-action:1.0"><name-node>file:///</name-node><java-opts>-Dfs.s3a.secret.key=PLACED</java-opts><arg>s3a://me:PLACED@bucket/NAMED</arg><arg>file:///tmp/NAMED</arg></distcp>"#,
    r#"<map-reduce><name-node>file:///</name-node><streaming><mapper>NAMED</mapper><reducer>cat --password PLACED</reducer><env>TOKEN=PLACED</env></streaming>
       <configuration><property><name>e.password</name><value>PLACED</value></property><property><name>f</name><value>https://a:PLACED@h/?token=PLACED</value></property></configuration></map-reduce>"#,
    r#"<map-reduce><name-node>file:///</name-node><pipes><map>NAMED</map><program>NAMED</program></pipes><configuration><property><name>g</name><value>NAMED</value></property></configuration></map-reduce>"#,
];

fn document() -> String {
    let nodes: Vec<String> = (0..)
        .zip(BODIES)
        .map(|(n, body)| {
            let body = body
                .replace("NAMED", "${wf:conf('db.password')}")
                .replace("PLACED", "${innocent}");
            let next = match n + 1 {
                n if n == BODIES.len() => "gate".to_owned(),
                n => format!("n{n}"),
            };
            action(&format!("n{n}"), &body, &next)
        })
        .collect();
    format!(
        r#"<!-- hpdlc: allow(missing_files) -->
<workflow-app name="case-${{secret}}" xmlns="uri:oozie:workflow:1.0">
<start to="first"/>
<decision name="first"><switch><case to="failed">${{wf:conf('db.password') eq ''}}</case><default to="n0"/></switch></decision>
{}
<decision name="gate"><switch><case to="failed">${{wf:conf('api.token') eq ''}}</case><default to="end"/></switch></decision>
<kill name="failed"><message>${{wf:conf('db.password')}} ${{wf:conf('api.token')}} ${{wf:conf('ssh.private.key')}}</message></kill>
<end name="end"/>
</workflow-app>
"#,
        nodes.concat()
    )
}

fn shows(text: &str) -> Option<&'static str> {
    let encoded = ["hunter22%2F%26one", "hunter22%2f%26one"];
    [BY_NAME, BY_PLACE, LITERAL, "hunter22", "MIIEzebra55"]
        .into_iter()
        .chain(encoded)
        .find(|secret| text.contains(secret))
        .or_else(|| {
            let words = |c: char| !c.is_alphanumeric() && c != '_';
            text.split(words).find(|word| *word == SHORT).map(|_| SHORT)
        })
}

#[track_caller]
fn hides(command: &str, ended: &Ended) {
    let text = format!("{}{}", ended.stdout, ended.stderr);
    if let Some(secret) = shows(&text) {
        let line = text.lines().find(|line| shows(line).is_some());
        panic!("{command} shows {secret}: {line:?}");
    }
}

#[test]
fn no_command_shows_a_secret_that_stands_in_an_element() {
    let world = World::of(&[("workflow.xml", &document()), ("p.pig", "")]);
    let properties = [
        format!("-Ddb.password={BY_NAME}"),
        format!("-Dsecret={BY_NAME}"),
        format!("-Dinnocent={BY_PLACE}"),
        format!("-Dapi.token={SHORT}"),
        format!("-Dssh.private.key={KEY}"),
        "-Drepository=https://ann:hunter22%2F%26one@git.example.com/a".to_owned(),
    ];
    let properties: Vec<&str> = properties.iter().map(String::as_str).collect();
    let with = |command: &[&str]| world.call(&[command, &properties].concat());
    let dryrun = with(&["dryrun"]);
    assert!(
        dryrun.stdout.matches("********").count() > 60,
        "{}",
        dryrun.stdout
    );
    hides("dryrun", &dryrun);
    for command in [
        &["dryrun", "--json"][..],
        &["settings"],
        &["settings", "--json"],
    ] {
        hides(&command.join(" "), &with(command));
    }
    let id = world.submit(&properties);
    let id = id.as_str();
    let svg = world.path("t.svg").display().to_string();
    let picture = world.path("g.svg").display().to_string();
    for command in [
        &["info", id][..],
        &["info", id, "--json"],
        &["jobs"],
        &["jobs", "--json"],
        &["log", id],
        &["graph", id],
        &["graph", id, "-o", &picture],
        &["timeline", id, "-o", &svg],
        &["settings", id],
        &["params"],
        &["definition"],
        &["definition", id],
        &["log", id, "n8"],
        &["jobs", "--status", "PREP"],
        &["params", "--json"],
        &["doctor"],
        &["kill", id],
        &["info", id],
        &["rerun", id, "--dry-run"],
        &["rerun", id, "--failed", "--dry-run"],
        &["resume", id],
        &["recover", id],
        &["actions", id],
        &["update", id],
        &["log", id],
        &["purge", "--older-than", "1000d", "--dry-run"],
    ] {
        hides(&command.join(" "), &world.call(command));
    }
    for file in [svg, picture] {
        let text = std::fs::read_to_string(&file).expect("it was drawn");
        assert_eq!(shows(&text), None, "{file}");
    }
    // The message of a refusal does not contain it.
    hides("run", &with(&["run", "-Duser.name=hunter22/&one"]));
    let raw = world.call(&["definition", "--raw"]).expect(0);
    assert_eq!(raw.stdout, document());
}

/// For a job whose nodes another executable has.
#[test]
fn an_executable_masks_the_secrets_of_nodes_that_it_does_not_have() {
    let failing = |word: &str| {
        let body = format!(
            "<shell xmlns=\"uri:oozie:shell-action:1.0\"><configuration><property><name>db.password</name><value>${{innocent}}</value></property>\
             <property><name>x.token</name><value>{LITERAL}</value></property></configuration><exec>sh</exec><argument>-c</argument>\
             <argument>echo {word} >&amp;2; exit 1</argument></shell>"
        );
        action("a", &body, "end")
    };
    let one = World::of_nodes(&failing("${innocent} lion44three"));
    let mut other = World::of_nodes(&failing("nothing"));
    other.move_home(vec!["env".to_owned()], one.home().to_owned());
    let placed = format!("-Dinnocent={BY_PLACE}");
    hides("run", &one.run(&[&placed]).expect(1));
    let id = one.job().expect("a job");
    let id = id.as_str();
    for world in [&one, &other] {
        for command in [
            &["info", id][..],
            &["info", id, "--json"],
            &["log", id],
            &["log", id, "a"],
            &["jobs"],
            &["jobs", "--json"],
            &["timeline", id],
            &["graph", id],
            &["definition", id],
            &["settings", id],
            &["rerun", id, "--dry-run"],
            &["kill", id],
            &["doctor"],
        ] {
            hides(&command.join(" "), &world.call(command));
        }
    }
}

/// Output of the compiler for the same document.
#[test]
fn no_page_of_the_compiler_shows_a_secret_that_stands_in_the_document() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = folder.path().join("app");
    std::fs::create_dir(&app).expect("a folder");
    std::fs::write(app.join("workflow.xml"), document()).expect("a file");
    std::fs::write(app.join("p.pig"), "").expect("a file");
    let page = folder.path().join("page.html").display().to_string();
    let picture = folder.path().join("g.svg").display().to_string();
    for words in [
        &["check", "app"][..],
        &["check", "app", "--format", "json"],
        &["graph", "app"],
        &["graph", "app", "-o", &picture],
        &["report", "app", "-o", &page],
    ] {
        let output = std::process::Command::new(crate::harness::hpdlc())
            .args(words)
            .current_dir(folder.path())
            .output()
            .expect("it can be started");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().find(|line| shows(line).is_some());
        assert_eq!(line, None, "{words:?}");
    }
    for file in [page, picture] {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let line = text.lines().find(|line| shows(line).is_some());
        assert_eq!(line, None, "{file}");
    }
}
