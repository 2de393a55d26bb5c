use crate::{
    analysis::{
        GivenProperty, JobProperties,
        testing::{analyse, document, short_diagnostics},
    },
    source::Span,
};

/// The rules that an action with that body violates.
fn rules(diagnostics: &str) -> Vec<&str> {
    diagnostics
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .filter(|rule| !rule.starts_with("H08"))
        .collect()
}

fn around(action: &str) -> String {
    format!(
        r#"<start to="a"/><action name="a">{action}<ok to="end"/><error to="end"/></action><end name="end"/>"#
    )
}

#[track_caller]
fn check(vectors: &[(&str, &[&str])]) {
    for (action, expected) in vectors {
        let said = short_diagnostics(&around(action));
        assert_eq!(rules(&said), *expected, "for `{action}`: {said}");
    }
}

/// Like [`check`], for `action` in a workflow with these parameters and these given properties.
#[track_caller]
fn check_known(action: &str, defaults: &[(&str, &str)], given: &[(&str, &str)], expected: &[&str]) {
    let parameters: String = defaults
        .iter()
        .map(|(name, value)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        })
        .collect();
    let parameters = match parameters.as_str() {
        "" => String::new(),
        some => format!("<parameters>{some}</parameters>"),
    };
    let given = JobProperties {
        is_complete: !given.is_empty(),
        zone: None,
        controls: None,
        properties: given
            .iter()
            .map(|(name, value)| {
                let property = GivenProperty {
                    value: (*value).to_owned(),
                    span: None::<Span>,
                };
                ((*name).to_owned(), property)
            })
            .collect(),
    };
    let text = document(&format!("{parameters}{}", around(action)));
    let (_, _, said) = analyse(&text, &given);
    assert_eq!(rules(&said), *expected, "for `{action}`: {said}");
}

const BAD: &[&str] = &["malformed_fs_values"];
const GOOD: &[&str] = &[];

fn chmod(permissions: &str) -> String {
    format!(
        r#"<fs><name-node>hdfs://nn</name-node><chmod path="/a" permissions="{permissions}"/></fs>"#
    )
}

#[test]
fn permissions_are_octal_or_as_ls_shows_them() {
    for (permissions, expected) in [
        ("755", GOOD),
        ("-rwxr-xr-x", GOOD),
        ("${mode}", GOOD),
        ("0755", BAD),
        ("758", BAD),
        ("rwxr-xr-x", BAD),
        ("u+x", BAD),
        ("", BAD),
    ] {
        check(&[(&chmod(permissions), expected)]);
    }
}

#[test]
fn paths_begin_at_the_root_or_with_a_scheme() {
    let mkdir =
        |path: &str| format!(r#"<fs><name-node>hdfs://nn</name-node><mkdir path="{path}"/></fs>"#);
    for (path, expected) in [
        ("/data", GOOD),
        ("file:/data", GOOD),
        ("${root}/data", GOOD),
        ("${wf:appPath()}/data", GOOD),
        ("  ${root}/data", GOOD),
        ("data/${day}", BAD),
        ("data", BAD),
        ("./data", BAD),
    ] {
        check(&[(&mkdir(path), expected)]);
    }
}

#[test]
fn paths_have_a_file_system() {
    const LINT: &[&str] = &["fs_paths_without_scheme"];
    let fs = |operation: &str| format!("<fs>{operation}</fs>");
    for operation in [
        r#"<mkdir path="/x"/>"#,
        r#"<mkdir path="/x/${day}"/>"#,
        r#"<delete path="/x"/>"#,
        r#"<move source="/x" target="/y"/>"#,
        r#"<chmod path="/x" permissions="755"/>"#,
        r#"<touchz path="/x"/>"#,
    ] {
        check(&[(&fs(operation), LINT)]);
        let on_name_node = format!("<name-node>hdfs://nn</name-node>{operation}");
        check(&[(&fs(&on_name_node), GOOD)]);
    }
    check(&[(&fs(r#"<move source="file:/x" target="/y"/>"#), GOOD)]);
    let mkdir = fs(r#"<mkdir path="${root}/${wf:id()}"/>"#);
    check_known(&mkdir, &[], &[], GOOD);
    // A job may be given another value.
    check_known(&mkdir, &[("root", "/data")], &[], GOOD);
    check_known(&mkdir, &[], &[("root", "/data")], LINT);
    check_known(&mkdir, &[], &[("root", "hdfs://nn/data")], GOOD);
    let mkdir = fs(r#"<mkdir path="${nameNode}${root}"/>"#);
    check_known(
        &mkdir,
        &[("nameNode", "hdfs://nn")],
        &[("root", "/data")],
        GOOD,
    );
    // Independent of the name-node.
    let setrep = |path: &str| {
        around(&format!(
            r#"<fs><name-node>hdfs://nn</name-node><setrep path="{path}" replication-factor="2"/></fs>"#
        ))
    };
    let found = short_diagnostics(&setrep("/x"));
    assert!(
        found.contains("fs_paths_without_scheme the path of `setrep`"),
        "{found}"
    );
    let found = short_diagnostics(&setrep("hdfs://nn/x"));
    assert!(!found.contains("fs_paths"), "{found}");
}

#[test]
fn values_of_properties_are_judged_where_they_are_certain() {
    const LINT: &[&str] = &["malformed_defaults"];
    let action = chmod("${mode}");
    check_known(&action, &[("mode", "755")], &[], GOOD);
    check_known(&action, &[("mode", "u+x")], &[], LINT);
    check_known(&action, &[("mode", "")], &[], GOOD);
    check_known(&action, &[("mode", "u+x")], &[("mode", "755")], GOOD);
    check_known(&action, &[("mode", "755")], &[("mode", "0755")], BAD);
    check_known(&action, &[("mode", "${m}55"), ("m", "7")], &[], GOOD);
    check_known(&action, &[("mode", "${m}55"), ("m", "9")], &[], LINT);
    check_known(&action, &[("mode", "${unknown}")], &[], GOOD);
    let action = chmod("${wf:conf('the.mode')}");
    check_known(&action, &[], &[("the.mode", "0755")], BAD);
    check_known(&action, &[], &[("the.mode", "700")], GOOD);
}

#[test]
fn retries_are_numbers() {
    let document = |max: &str, given: &[(&str, &str)], expected: &[&str]| {
        let given = JobProperties {
            is_complete: true,
            zone: None,
            controls: None,
            properties: given
                .iter()
                .map(|(name, value)| {
                    let value = (*value).to_owned();
                    ((*name).to_owned(), GivenProperty { value, span: None })
                })
                .collect(),
        };
        let nodes = format!(
            r#"<start to="a"/><action name="a" retry-max="{max}" retry-interval="1">
<fs><name-node>hdfs://nn</name-node><mkdir path="/a"/></fs><ok to="end"/><error to="end"/></action><end name="end"/>"#
        );
        let (_, _, said) = analyse(&super::super::testing::document(&nodes), &given);
        assert_eq!(rules(&said), *expected, "for `{max}`: {said}");
    };
    document("${n}", &[("n", "2")], GOOD);
    document("${n}", &[("n", "two")], &["H0515"]);
    document("${n}", &[("n", "2.0")], &["H0515"]);
    document("${n}0", &[("n", "x")], &["malformed_retries"]);
    document("three", &[], &["malformed_retries"]);
    document("3", &[], GOOD);
}

#[test]
fn hosts_have_no_blanks_and_no_empty_parts() {
    let ssh = |host: &str| {
        format!(
            r#"<ssh xmlns="uri:oozie:ssh-action:0.2"><host>{host}</host><command>ls</command></ssh>"#
        )
    };
    for (host, expected) in [
        ("me@host", GOOD),
        ("host", GOOD),
        ("${host}", GOOD),
        ("@host", &["H0612"]),
        ("me@", &["H0612"]),
        ("me@host -p 2222", &["H0612"]),
    ] {
        check(&[(&ssh(host), expected)]);
    }
}

#[test]
fn addresses_of_mails_come_from_properties_too() {
    let email = r#"<email xmlns="uri:oozie:email-action:0.2"><to>${to}</to><cc>${cc}</cc><subject>s</subject><body>b</body></email>"#;
    check_known(email, &[], &[("to", "a@b.org,"), ("cc", "d@b.org")], GOOD);
    check_known(
        email,
        &[],
        &[("to", "a@b.org;c@d.org"), ("cc", "d@b.org")],
        &["H0612"],
    );
    check_known(email, &[], &[("to", " "), ("cc", "d@b.org")], &["H0612"]);
    check_known(email, &[("to", "@b")], &[], &["malformed_defaults"]);
}

#[test]
fn settings_are_numbers_or_switches() {
    let shell = |name: &str, value: &str| {
        format!(
            r#"<shell xmlns="uri:oozie:shell-action:1.0"><configuration><property><name>{name}</name><value>{value}</value></property></configuration><exec>x</exec></shell>"#
        )
    };
    const BAD: &[&str] = &["malformed_settings"];
    for (name, value, expected) in [
        ("oozie.launcher.memory.mb", "2048", GOOD),
        ("oozie.launcher.memory.mb", "2g", BAD),
        ("oozie.launcher.mapreduce.map.memory.mb", "2 GB", BAD),
        ("mapreduce.job.reduces", "${n}", GOOD),
        ("mapreduce.job.reduces", "1.5", BAD),
        ("mapreduce.job.reduces", "0x10", GOOD),
        ("mapreduce.job.reduces", "-1", GOOD),
        ("oozie.use.system.libpath", "True", GOOD),
        ("oozie.use.system.libpath", "yes", BAD),
        ("mapreduce.map.speculative", "1", BAD),
        ("hpdl.action.timeout", "90", GOOD),
        ("hpdl.action.timeout", "${seconds}", GOOD),
        ("hpdl.action.timeout", "5m", BAD),
        ("hpdl.action.timeout", "-1", BAD),
        ("priority", "high", GOOD),
        ("my.own", "yes", GOOD),
    ] {
        check(&[(&shell(name, value), expected)]);
    }
}

#[test]
fn lists_of_nodes_name_nodes() {
    const LINT: &[&str] = &["undefined_listed_nodes"];
    let action = "<shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>x</exec></shell>";
    let list = "oozie.suspend.on.nodes";
    check_known(action, &[(list, "a, end")], &[], GOOD);
    check_known(action, &[(list, "*")], &[], GOOD);
    check_known(action, &[(list, "a,b")], &[], LINT);
    check_known(action, &[], &[(list, "b")], LINT);
    check_known(
        action,
        &[],
        &[("oozie.wf.rerun.skip.nodes", "x,y")],
        &[LINT[0], LINT[0]],
    );
    check_known(action, &[(list, "${nodes}")], &[], GOOD);
}
