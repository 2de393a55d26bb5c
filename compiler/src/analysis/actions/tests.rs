//! A table of bodies for each type: what is said of them, without that the type is not built yet.

use expect_test::{Expect, expect};

use crate::analysis::testing::short_diagnostics;

/// What is said of an action with this body, in its lines from the second of the document on.
#[track_caller]
fn check(body: &str, expect: Expect) {
    check_nodes(
        &format!(
            "<start to='a'/><action name='a'>\n{body}\n<ok to='end'/><error to='end'/></action><end name='end'/>"
        ),
        expect,
    );
}

#[track_caller]
fn check_nodes(nodes: &str, expect: Expect) {
    expect.assert_eq(&short_diagnostics(nodes));
}

fn pig(content: &str) -> String {
    format!("<pig><script>s.pig</script>{content}</pig>")
}

fn hive(content: &str) -> String {
    format!("<hive xmlns='uri:oozie:hive-action:1.0'><script>s.q</script>{content}</hive>")
}

fn shell(content: &str) -> String {
    format!("<shell xmlns='uri:oozie:shell-action:1.0'>{content}</shell>")
}

fn spark(master: &str, mode: &str) -> String {
    format!(
        "<spark xmlns='uri:oozie:spark-action:1.0'><master>{master}</master><mode>{mode}</mode><name>n</name><jar>j</jar></spark>"
    )
}

fn email(to: &str) -> String {
    format!(
        "<email xmlns='uri:oozie:email-action:0.2'><to>{to}</to><cc>c@x</cc><subject>s</subject><body>b</body></email>"
    )
}

fn git(uri: &str, destination: &str) -> String {
    format!(
        "<git xmlns='uri:oozie:git-action:1.0'><name-node>s3://n</name-node><git-uri>{uri}</git-uri><destination-uri>{destination}</destination-uri></git>"
    )
}

#[test]
fn texts_that_are_needed_and_empty() {
    for body in [
        shell("<exec> </exec>"),
        "<java><main-class/></java>".to_owned(),
        "<pig><script/></pig>".to_owned(),
        "<hive xmlns='uri:oozie:hive-action:1.0'><script></script></hive>".to_owned(),
        "<hive2 xmlns='uri:oozie:hive2-action:1.0'><jdbc-url/><query/></hive2>".to_owned(),
        "<sqoop xmlns='uri:oozie:sqoop-action:1.0'><command/></sqoop>".to_owned(),
        "<ssh xmlns='uri:oozie:ssh-action:0.2'><host/><command/></ssh>".to_owned(),
        "<sub-workflow><app-path/></sub-workflow>".to_owned(),
        email(""),
    ] {
        let said = short_diagnostics(&format!(
            "<start to='a'/><action name='a'>{body}<ok to='end'/><error to='end'/></action><end name='end'/>"
        ));
        let n_found = said.lines().filter(|line| line.contains(" H0601 ")).count();
        assert_eq!(n_found, 1, "{body}\n{said}");
        assert!(!said.contains(" H0606 "), "{said}");
    }
    check(&shell("<exec>${x}</exec>"), expect![""]);
}

#[test]
fn options_that_the_launcher_gives() {
    check(
        &pig("<argument>-v</argument><argument>-f</argument><argument>${x}</argument>"),
        expect![[r#"
            2:61: H0602 option `-f` of Pig cannot be given here
        "#]],
    );
    check(
        &hive("<argument>--hiveconf</argument><argument>-v</argument>"),
        expect![[r#"
            2:71: H0602 option `--hiveconf` of Hive cannot be given here
        "#]],
    );
    check(
        "<hive2 xmlns='uri:oozie:hive2-action:1.0'><jdbc-url>u</jdbc-url><query>q</query><argument>-u</argument><argument>--hiveconf</argument></hive2>",
        expect![[r#"
            2:91: H0602 option `-u` of beeline cannot be given here
        "#]],
    );
}

#[test]
fn assignments() {
    check(
        &hive(
            "<param>a=1</param><param>a</param><param>=1</param><param>${x}</param><param>a=</param><param>a${x}</param>",
        ),
        expect![[r#"
            2:86: H0603 `param` is no assignment: `a`
            2:102: H0603 `param` is no assignment: `=1`
        "#]],
    );
    check(
        &shell(
            "<exec>x</exec><env-var>A=1</env-var><env-var>A</env-var><env-var>A=</env-var><env-var>A=${x}</env-var><env-var>${x}</env-var>",
        ),
        expect![[r#"
            2:88: H0603 `env-var` is no assignment: `A`
            2:108: H0603 `env-var` is no assignment: `A=`
        "#]],
    );
    check(&pig("<param>a</param>"), expect![""]);
}

#[test]
fn masters_and_modes_of_spark() {
    for (master, mode) in [
        ("yarn", "cluster"),
        ("yarn-client", "client"),
        ("yarn-cluster", "cluster"),
        ("local[*]", "client"),
        ("spark://h:7077", "cluster"),
        ("${master}", "cluster"),
        ("local", "${mode}"),
    ] {
        check(&spark(master, mode), expect![""]);
    }
    check(
        &spark("yarm", "cluster"),
        expect![[r#"
        2:51: H0604 unknown Spark master `yarm`
    "#]],
    );
    check(
        &spark("", "client"),
        expect![[r#"
        2:51: H0604 unknown Spark master ``
    "#]],
    );
    check(
        &spark("yarn", "Cluster"),
        expect![[r#"
        2:70: H0604 unknown Spark mode `Cluster`
    "#]],
    );
    check(
        &spark("local[2]", "cluster"),
        expect![[r#"
        2:74: H0604 mode `cluster` does not go with master `local[2]`
    "#]],
    );
    check(
        &spark("yarn-cluster", "client"),
        expect![[r#"
        2:78: H0604 mode `client` does not go with master `yarn-cluster`
    "#]],
    );
}

#[test]
fn sources_and_targets_of_distcp() {
    let distcp =
        |content: &str| format!("<distcp xmlns='uri:oozie:distcp-action:1.0'>{content}</distcp>");
    check(
        &distcp(""),
        expect![[r#"
        2:2: H0605 `distcp` without a source and a target
    "#]],
    );
    check(
        &distcp("<arg>${a} ${b}</arg>"),
        expect![[r#"
        2:2: H0605 `distcp` without a source and a target
    "#]],
    );
    check(&distcp("<arg>a</arg><arg>b</arg>"), expect![""]);
    check(
        &distcp(
            "<configuration><property><name>oozie.launcher.action.main.class</name><value>X</value></property></configuration>",
        ),
        expect![""],
    );
}

#[test]
fn addresses() {
    for good in [
        "a@x",
        " a@x , b@y,",
        "root",
        "${to}",
        "Ada Lovelace &lt;ada@x&gt;",
        "\"a b\"@x",
    ] {
        check(&email(good), expect![""]);
    }
    check(
        &email("a@x;b@y"),
        expect![[r#"
        2:47: H0606 invalid email address `a@x;b@y`
    "#]],
    );
    check(
        &email("a@x,,b y@z"),
        expect![[r#"
        2:51: H0606 invalid email address ``
        2:52: H0606 invalid email address `b y@z`
    "#]],
    );
    check(
        &email("@x, a@, a@b@c"),
        expect![[r#"
        2:47: H0606 invalid email address `@x`
        2:51: H0606 invalid email address `a@`
        2:55: H0606 invalid email address `a@b@c`
    "#]],
    );
}

#[test]
fn uris_of_git() {
    for good in [
        "https://h/r",
        "${uri}",
        "ssh://git@h/r",
        "file:/r",
        "git${x}",
    ] {
        check(&git(good, "${nn}/d"), expect![""]);
    }
    check(
        &git("git@h:r", "/data/d"),
        expect![[r#"
            2:77: H0607 `git-uri` without a scheme: `git@h:r`
            2:111: H0607 `destination-uri` without a scheme: `/data/d`
        "#]],
    );
    check(
        &git("repo", "/data/${d}"),
        expect![[r#"
            2:77: H0607 `git-uri` without a scheme: `repo`
            2:108: H0607 `destination-uri` without a scheme: `/data/${d}`
        "#]],
    );
}

#[test]
fn properties_that_no_action_may_set() {
    let property = |name: &str, value: &str| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    };
    check(
        &shell(&format!(
            "<configuration>{}{}{}</configuration><exec>x</exec>",
            property("user.name", "x"),
            property("fs.default.name", "${nn}"),
            property("mapred.job.tracker", "x"),
        )),
        expect![[r#"
            2:74: H0608 property `user.name` cannot be set in the configuration of an action
            2:133: H0608 property `fs.default.name` cannot be set in the configuration of an action
        "#]],
    );
    // `fs` has no launcher.
    check(
        &format!(
            "<fs><configuration>{}</configuration><mkdir path='file:/x'/></fs>",
            property("user.name", "x")
        ),
        expect![""],
    );
    let global = format!(
        "<global><configuration>\n{}</configuration></global>",
        property("yarn.resourcemanager.address", "rm")
    );
    for (body, expect) in [
        ("<fs><mkdir path='file:/x'/></fs>", expect![""]),
        (
            "<java><main-class>M</main-class></java>",
            expect![[r#"
            2:17: H0608 property `yarn.resourcemanager.address` cannot be set in the configuration of an action
        "#]],
        ),
    ] {
        check_nodes(
            &format!(
                "{global}<start to='a'/><action name='a'>{body}<ok to='end'/><error to='end'/></action><end name='end'/>"
            ),
            expect,
        );
    }
}

#[test]
fn words_of_sqoop() {
    let sqoop =
        |content: &str| format!("<sqoop xmlns='uri:oozie:sqoop-action:1.0'>{content}</sqoop>");
    check(&sqoop("<command> import --table t </command>"), expect![""]);
    check(
        &sqoop("<command>import --query \"a b\"</command>"),
        expect![[r#"
            2:67: misread_sqoop_commands quotes in a `command` of Sqoop quote nothing
        "#]],
    );
    check(
        &sqoop("<command>${x} import\n  --table t</command>"),
        expect![[r#"
            2:63: misread_sqoop_commands a `command` of Sqoop is split at blanks alone
        "#]],
    );
    check(&sqoop("<arg>\"a b\"</arg>"), expect![""]);
    check(
        &sqoop(
            "<configuration><property><name>oozie.action.sqoop.shellsplitter</name><value>true</value></property></configuration><command>a 'b c'</command>",
        ),
        expect![""],
    );
}

#[test]
fn classes_of_both_interfaces() {
    let job = |content: &str, properties: &[(&str, &str)]| {
        let properties: String = properties
            .iter()
            .map(|(name, value)| {
                format!("<property><name>{name}</name><value>{value}</value></property>")
            })
            .collect();
        format!("<map-reduce>\n<configuration>{properties}</configuration>{content}</map-reduce>")
    };
    check(
        &job(
            "",
            &[
                ("mapred.mapper.new-api", "true"),
                ("mapreduce.job.map.class", "M"),
                ("mapred.reducer.class", "R"),
            ],
        ),
        expect![""],
    );
    check(
        &job(
            "",
            &[
                ("mapred.mapper.class", "M"),
                ("mapred.mapper.new-api", "true"),
            ],
        ),
        expect![[r#"
            3:32: H0610 `mapred.mapper.class` cannot be set beside `mapred.mapper.new-api`
        "#]],
    );
    check(
        &job(
            "",
            &[
                ("mapreduce.job.map.class", "M"),
                ("mapreduce.job.reduce.class", "R"),
                ("mapred.reducer.new-api", "${new}"),
            ],
        ),
        expect![[r#"
            3:32: unused_map_reduce_classes the class of `mapreduce.job.map.class` is not used
        "#]],
    );
    check(
        &job(
            "<config-class>C</config-class>",
            &[("mapreduce.job.map.class", "M")],
        ),
        // It may say by which interface the job is.
        expect![""],
    );
}
