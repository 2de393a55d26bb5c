//! The environment of a shell action's process: its arguments, variables, folder and files.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{
    harness::{World, action, node},
    run, run_nodes, sh,
};

fn script(body: &str, files: &[(&str, &str)]) -> World {
    let workflow = crate::harness::workflow(&action(
        "a",
        &format!("<shell xmlns='uri:oozie:shell-action:1.0'>{body}</shell>"),
        "end",
    ));
    let mut all = vec![("workflow.xml", workflow.as_str())];
    all.extend(files);
    World::of(&all)
}

#[test]
fn arguments_arrive_one_by_one_and_unchanged() {
    let world = script(
        "<exec>args.sh</exec><argument>${out}/args</argument><argument>a b</argument><argument></argument><argument>$HOME 'x' \"y\" *</argument><argument>${word}</argument><file>args.sh</file>",
        &[(
            "args.sh",
            "#!/bin/sh\nfile=$1; shift; printf '[%s]' \"$0\" \"$@\" > \"$file\"\n",
        )],
    );
    run(&world, &["-Dword=<b>&amp;</b>"], 0);
    let args = fs::read_to_string(world.out().join("args")).expect("it ran");
    let (name, args) = args.split_once(']').expect("a name");
    assert!(name.ends_with("args.sh"), "{name}");
    assert_eq!(args, "[a b][][$HOME 'x' \"y\" *][<b>&amp;</b>]");
}

#[test]
fn a_job_goes_on_where_nobody_can_read_what_is_said() {
    let world = script("<exec>true</exec>", &[]);
    let nobody = || {
        fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux has it")
    };
    let mut run = world.command(&["run"]);
    let status = run
        .stdout(nobody())
        .stderr(nobody())
        .status()
        .expect("it starts");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn env_vars_are_set_and_split_at_the_first_equals_sign() {
    let line = r#"test "$A" = 1=2 && test "$B" = "x y" && test -f "$OOZIE_ACTION_CONF_XML""#;
    run_nodes(
        &sh(
            "a",
            line,
            "<env-var>A=1=2</env-var><env-var>B=${word}</env-var>",
            "end",
        ),
        &["-Dword=x y"],
        0,
    );
}

#[test]
fn secrets_of_whoever_runs_the_job_are_not_the_actions_unless_they_are_passed() {
    let mut world = World::of_nodes(&sh("a", "env > ${out}/env", "", "end"));
    for (name, value) in [
        ("DB_PASSWORD", "one"),
        ("API_TOKEN", "two"),
        ("REGION", "x"),
    ] {
        world.set(name, value);
    }
    for (pass, expected) in [
        ("", vec!["REGION=x"]),
        ("API_TOKEN", vec!["API_TOKEN=two", "REGION=x"]),
    ] {
        world
            .run(&[&format!("-Dhpdl.action.environment.pass={pass}")])
            .expect(0);
        let env = fs::read_to_string(world.out().join("env")).expect("it ran");
        let mut found: Vec<&str> = env
            .lines()
            .filter(|line| {
                ["DB_", "API_", "REGION"]
                    .iter()
                    .any(|name| line.starts_with(name))
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{pass}");
    }
}

#[test]
fn an_env_var_without_a_value_fails_the_job() {
    for text in ["A=${nothing}", "${word}", "${nothing}=x"] {
        let nodes = sh("a", "true", &format!("<env-var>{text}</env-var>"), "end");
        let info = run_nodes(&nodes, &["-Dnothing=", "-Dword=A"], 3);
        let failed = node(&info, "a");
        assert_eq!(failed["status"], "FAILED", "{text}");
        assert_eq!(failed["error_code"], "JA010", "{text}");
    }
}

#[test]
fn files_are_found_under_their_names() {
    let world = script(
        "<exec>sh</exec><argument>-c</argument><argument>cat one.txt 2.txt three four.txt > ${out}/all</argument>\
         <file>data/one.txt</file><file>data/two.txt#2.txt,data/three.txt#three</file><file>${out}/four.txt</file>",
        &[
            ("data/one.txt", "1"),
            ("data/two.txt", "2"),
            ("data/three.txt", "3"),
        ],
    );
    fs::write(world.out().join("four.txt"), "4").expect("a file");
    run(&world, &[], 0);
    assert_eq!(
        fs::read_to_string(world.out().join("all")).expect("it ran"),
        "1234"
    );
}

#[test]
fn a_file_that_does_not_exist_takes_the_error_edge() {
    let info = run_nodes(
        &sh("a", "true", "<file>${out}/none.txt</file>", "end"),
        &[],
        1,
    );
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA008", "{failed:#}");
    assert!(
        failed["error_message"]
            .as_str()
            .is_some_and(|text| text.contains("none.txt"))
    );
}

#[test]
fn only_the_base_name_of_exec_counts() {
    let world = script(
        "<exec>/opt/somewhere/here.sh</exec><file>here.sh</file>",
        &[("here.sh", "#!/bin/sh\nexit 0\n")],
    );
    run(&world, &[], 0);
}

/// The configuration that a command finds in its folder if its action has these elements.
fn action_xml(elements: &str, arguments: &[&str]) -> BTreeMap<String, String> {
    let world = script(
        &format!(
            "{elements}<exec>cp</exec><argument>action.xml</argument><argument>${{out}}/action.xml</argument>"
        ),
        &[],
    );
    run(&world, arguments, 0);
    configuration(&world.out().join("action.xml"))
}

/// The properties in a Hadoop configuration file.
fn configuration(file: &Path) -> BTreeMap<String, String> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let found = hpdlc_core::configuration::parse(&text).expect("it is a configuration");
    found.to_map()
}

#[test]
fn the_configuration_of_an_action_is_a_file_beside_it() {
    let found = action_xml(
        "<configuration><property><name>color</name><value>${first} &amp; green</value></property></configuration>",
        &["-Dfirst=blue"],
    );
    assert_eq!(found["color"], "blue & green");
}

#[test]
fn prepare_runs_before_every_attempt() {
    let nodes = sh("a", "test -d ${out}/made -a ! -e ${out}/made/old; n=$?; touch ${out}/made/old ${out}/ran; exit $n", "", "end")
        .replace(
            "<exec>",
            "<prepare><delete path='file://${out}/made'/><mkdir path='file://${out}/made'/></prepare><exec>",
        );
    let world = World::of_nodes(&nodes);
    fs::create_dir(world.out().join("made")).expect("a folder");
    fs::write(world.out().join("made/old"), "").expect("a file");
    run(&world, &[], 0);
    assert!(world.out().join("ran").exists());
}

#[test]
fn a_process_reads_nothing_and_works_in_a_folder_of_its_own() {
    let info = run_nodes(
        &sh(
            "a",
            r#"test -z "$(cat)" && pwd | sed "s/^/folder=/""#,
            "<capture-output/>",
            "end",
        ),
        &[],
        0,
    );
    let id = info["id"].as_str().expect("an id");
    let folder = node(&info, "a")["data"]["folder"]
        .as_str()
        .expect("a folder");
    assert!(folder.ends_with(&format!("work/{id}/a/1")), "{folder}");
}

#[test]
fn the_files_of_lib_are_in_the_folder_and_on_the_path() {
    let line = "test -e a.jar && test -e libx.so.1 && test -e b.txt && case $LD_LIBRARY_PATH in $PWD*) ;; *) exit 1 ;; esac";
    let world = script(
        "<exec>lib/tool.sh</exec><argument>${line}</argument><file>lib/tool.sh</file><file>lib/tool.sh,x#b.txt</file><file>x#b.txt</file><file>lib/libx.so.1#other</file>",
        &[
            ("lib/tool.sh", "#!/bin/sh\neval \"$1\"\n"),
            ("lib/a.jar", ""),
            ("lib/libx.so.1", ""),
            ("x", ""),
        ],
    );
    run(&world, &[&format!("-Dline={line}")], 0);
}

#[test]
fn a_script_from_elsewhere_needs_no_right_to_be_run() {
    let world = script(
        "<exec>tool.sh</exec><file>${out}/run.sh#tool.sh</file>",
        &[],
    );
    let file = world.out().join("run.sh");
    fs::write(&file, "#!/bin/sh\ntest -x tool.sh\n").expect("written");
    run(&world, &[], 0);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(file).expect("it is there").permissions(),
    );
    assert_eq!(mode & 0o111, 0, "it is not ours to change");
}

#[test]
fn a_script_that_names_no_interpreter_is_one_of_sh() {
    let world = script(
        "<exec>plain</exec><argument>a  b</argument><env-var>C=d</env-var><file>plain</file><capture-output/>",
        &[("plain", "echo said=\"$1|$C|$#\"\n")],
    );
    let (_, info) = run(&world, &[], 0);
    assert_eq!(node(&info, "a")["data"]["said"], "a  b|d|1", "{info:#}");
}

#[test]
fn the_files_of_the_library_path_are_in_the_folder_behind_those_of_the_action() {
    let line = "test -e more.jar && test \"$(cat both)\" = own && case $LD_LIBRARY_PATH in $PWD*) ;; *) exit 1 ;; esac";
    let body = "<launcher><queue>fast</queue><vcores>2</vcores></launcher>\
        <configuration><property><name>oozie.launcher.oozie.libpath</name><value>${out}/second</value></property></configuration>";
    let world = script(
        &format!(
            "{body}<exec>tool.sh</exec><argument>{}</argument><file>both</file>",
            line.replace('&', "&amp;")
        ),
        &[("both", "own")],
    );
    let put = |name: &str, text: &str| {
        let file = world.out().join(name);
        hpdlc_tests::folder::write(&file, text);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(file, mode).expect("it is ours");
    };
    put("first/more.jar", "");
    put("first/both", "of the path");
    put("second/libx.so", "");
    put("second/tool.sh", "#!/bin/sh\neval \"$1\"\n");
    let path = format!("-Doozie.libpath={}", world.out().join("first").display());
    let (_, info) = run(&world, &[&path], 0);
    let log = world.log(&crate::harness::text(&info["id"]));
    for name in ["queue", "vcores"] {
        let warning = format!("oozie.launcher.{name} has no effect: the program runs on this");
        assert!(log.contains(&warning), "{name}: {log}");
    }
    fs::remove_dir_all(world.out().join("first")).expect("it is ours");
    let failed = world.run(&[&path]).expect(1);
    let said = failed.stdout + &failed.stderr;
    assert!(said.contains("oozie.libpath: there is no folder"), "{said}");
}

#[test]
fn the_launchers_variables_are_the_processes_and_stand_below_its_own() {
    let world = script(
        "<launcher><env>COLOR=blue:SIZE=b=c</env></launcher><exec>sh</exec><argument>-c</argument><argument>test \"$COLOR $SIZE\" = 'blue 3'</argument><env-var>SIZE=3</env-var>",
        &[],
    );
    run(&world, &[], 0);
    let world = script(
        "<launcher><env>COLOR</env></launcher><exec>true</exec>",
        &[],
    );
    let (_, info) = run(&world, &[], 1);
    assert_eq!(node(&info, "a")["error_code"], "IllegalArgumentException");
}

#[test]
fn the_configuration_names_the_user_and_the_cluster() {
    let found = action_xml(
        "<resource-manager>rm:8032</resource-manager><name-node>hdfs://nn:8020</name-node>",
        &[],
    );
    assert_eq!(found["fs.default.name"], "hdfs://nn:8020");
    assert_eq!(found["yarn.resourcemanager.address"], "rm:8032");
    assert!(!found["user.name"].is_empty());
}

/// An action that requests a Hadoop configuration folder if `wish` is `true`, and copies the folder that `HADOOP_CONF_DIR` names
/// to `conf`. Its property `a` is `action`; the installed `yarn-site.xml` has this text.
fn hadoops_folder(installed: &str) -> World {
    let mut world = script(
        "<configuration><property><name>oozie.action.shell.setup.hadoop.conf.dir</name><value>${wish}</value></property><property><name>a</name><value>action</value></property></configuration><exec>sh</exec><argument>-c</argument><argument>cp -r \"$HADOOP_CONF_DIR\" ${out}/conf; test \"$YARN_CONF_DIR\" = \"$HADOOP_CONF_DIR\" || echo apart &gt; ${out}/apart</argument>",
        &[],
    );
    let folder = world.path("installed");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("yarn-site.xml"), installed).expect("a file");
    world.set("HADOOP_CONF_DIR", &folder.display().to_string());
    world
}

/// The text of Hadoop's installed file.
const INSTALLED: &str = "<configuration><property><name>a</name><value>installed</value></property><property><name>b</name><value>installed</value></property></configuration>";

#[test]
fn hadoops_folder_has_the_actions_properties_over_the_installed_ones() {
    let mut world = hadoops_folder(INSTALLED);
    run(&world, &["-Dwish=true"], 0);
    let conf = world.out().join("conf");
    for name in [
        "core-site.xml",
        "hdfs-site.xml",
        "mapred-site.xml",
        "yarn-site.xml",
    ] {
        let found = configuration(&conf.join(name));
        assert_eq!(
            (&*found["a"], &*found["b"]),
            ("action", "installed"),
            "{name}"
        );
    }
    assert!(conf.join("log4j.properties").exists());
    assert!(!world.out().join("apart").exists());
    world.afresh();
    run(&world, &["-Dwish=false"], 0);
    assert!(!world.out().join("conf/core-site.xml").exists());
}

#[test]
fn the_log_of_hadoops_folder_is_the_authors() {
    let mut world = hadoops_folder(INSTALLED);
    let setting = |name: &str, value: &str| {
        format!("-Doozie.action.shell.setup.hadoop.conf.dir.{name}={value}")
    };
    let own = setting("log4j.content", "log4j.rootLogger=ERROR,A");
    run(&world, &["-Dwish=true", &own], 0);
    let file = world.out().join("conf/log4j.properties");
    let text = fs::read_to_string(&file).expect("it was made");
    assert_eq!(text, "log4j.rootLogger=ERROR,A");
    world.afresh();
    let none = setting("write.log4j.properties", "false");
    run(&world, &["-Dwish=true", &own, &none], 0);
    assert!(!file.exists());
    assert!(world.out().join("conf/core-site.xml").exists());
}

#[test]
fn an_installed_file_that_is_no_configuration_is_ja018() {
    let world = hadoops_folder("<configuration>");
    let (_, info) = run(&world, &["-Dwish=true"], 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018", "{failed:#}");
    let message = failed["error_message"].as_str().expect("a message");
    assert!(message.contains("installed/yarn-site.xml"), "{message}");
    assert!(!world.out().join("conf").exists(), "it was started");
}

#[test]
fn a_job_that_may_not_open_enough_files_says_so_and_goes_on_where_it_may() {
    let mut nodes = String::from("<fork name=\"all\">");
    let names: Vec<String> = (0..60).map(|n| format!("n{n:02}")).collect();
    for name in &names {
        nodes.push_str(&format!("<path start='{name}'/>"));
    }
    nodes.push_str("</fork>");
    for name in &names {
        nodes.push_str(&crate::harness::bare("step.sh", name, "0.5", "met"));
    }
    nodes.push_str("<join name='met' to='end'/>");
    let mut world = World::of_nodes(&nodes);
    let home = world.home().to_owned();
    let limited = ["prlimit", "--nofile=48"].map(str::to_owned);
    world.move_home(limited.to_vec(), home.clone());
    let ended = world.run(&[]).expect(5);
    for words in [
        "Too many open files",
        "ulimit -n",
        "hpdl.local.processes.max",
        "recover",
    ] {
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    world.move_home(vec!["env".to_owned()], home);
    world.call(&["recover"]).expect(0);
    assert_eq!(world.effects(), names);
}
