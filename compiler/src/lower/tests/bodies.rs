//! The bodies of the action types that are built.

use expect_test::{Expect, expect};

use super::{lower, short, with_body};

#[track_caller]
fn check_body(version: &str, body: &str, expected: Expect) {
    let text = with_body(version, body);
    let (_, diagnostics) = lower(&text, None);
    expected.assert_eq(&short(&text, &diagnostics));
}

const OLD: &str = "<job-tracker>j</job-tracker><name-node>n</name-node>";

#[test]
fn java_bodies() {
    let java = |rest: &str| format!("<java><main-class>M</main-class>{rest}</java>");
    check_body(
        "0.4",
        &java("<java-opt>a</java-opt><java-opt>b</java-opt><arg/>"),
        expect![""],
    );
    check_body(
        "0.4",
        &java("<java-opts>a</java-opts><java-opts>b</java-opts>"),
        expect![[r#"
            2:58: H0208 repeated `java-opts` element in the `java` element
        "#]],
    );
    check_body(
        "0.4",
        &java("<java-opts>a</java-opts><java-opt>b</java-opt>"),
        expect![[r#"
            2:58: H0209 the `java` element has both `java-opts` and `java-opt`
        "#]],
    );
    check_body(
        "0.3",
        &format!("<java>{OLD}<main-class>M</main-class><java-opt>a</java-opt></java>"),
        expect![[r#"
            2:86: H0205 `uri:oozie:workflow:0.3` has no `java-opt` element here
        "#]],
    );
}

#[test]
fn shell_bodies() {
    let shell = |version: &str, rest: &str| {
        format!("<shell xmlns='uri:oozie:shell-action:{version}'>{rest}</shell>")
    };
    check_body(
        "0.5",
        &shell("0.1", "<exec>a</exec>"),
        expect![[r#"
        2:2: H0207 missing `job-tracker` element in the `shell` element
        2:2: H0207 missing `name-node` element in the `shell` element
    "#]],
    );
    check_body(
        "0.5",
        &shell(
            "0.1",
            &format!("{OLD}<job-xml>a</job-xml><job-xml>b</job-xml><exec>a</exec>"),
        ),
        expect![[r#"
            2:116: H0208 repeated `job-xml` element in the `shell` element
        "#]],
    );
    check_body(
        "0.5",
        &shell(
            "0.2",
            &format!("{OLD}<job-xml>a</job-xml><job-xml>b</job-xml><exec>a</exec>"),
        ),
        expect![""],
    );
    check_body(
        "0.5",
        &shell(
            "0.3",
            "<exec>a</exec><argument/><env-var>A=1</env-var><file>f</file><archive>z</archive><capture-output/>",
        ),
        expect![""],
    );
    check_body(
        "0.5",
        &shell("0.3", "<exec>a</exec><arg>b</arg>"),
        expect![[r#"
            2:58: H0204 the `arg` element cannot stand in the `shell` element
        "#]],
    );
    check_body(
        "0.5",
        &shell("0.3", "<argument>b</argument><exec>a</exec><env-var/>"),
        expect![[r#"
            2:44: H0206 the `argument` element must stand after `exec`
        "#]],
    );
    check_body(
        "0.5",
        &shell("0.3", "<launcher/><exec>a<b/></exec>"),
        expect![[r#"
            2:44: H0205 `uri:oozie:shell-action:0.3` has no `launcher` element here
            2:62: H0204 unknown element `b` in the `exec` element
        "#]],
    );
    check_body(
        "0.5",
        &shell("1.0", "<launcher><queue>q</queue></launcher><exec>a</exec>"),
        expect![""],
    );
    check_body(
        "0.5",
        &shell(
            "0.3",
            "<prepare><delete path='p' skip-trash='true'/><touch/></prepare><exec>a</exec>",
        ),
        expect![[r#"
            2:69: H0215 unknown attribute `skip-trash` on the `delete` element
            2:89: H0204 unknown element `touch` in the `prepare` element
        "#]],
    );
    check_body(
        "0.5",
        &shell("0.3", "<exec>a</exec><capture-output>no</capture-output>"),
        expect![[r#"
            2:73: H0214 unexpected text in the `capture-output` element
        "#]],
    );
    check_body(
        "0.5",
        &shell("0.3", "<exec>a</exec><exec>b</exec> c "),
        expect![[r#"
            2:58: H0208 repeated `exec` element in the `shell` element
            2:71: H0214 unexpected text in the `shell` element
        "#]],
    );
    check_body(
        "0.5",
        &shell("0.3", "<execc>a</execc>"),
        expect![[r#"
        2:44: H0204 unknown element `execc` in the `shell` element
    "#]],
    );
}

#[test]
fn fs_bodies() {
    let all = "<name-node>n</name-node><delete path='p'/><mkdir path='p'/><move source='a' target='b'/><chmod path='p' permissions='755' dir-files='false'/>";
    check_body(
        "0.3",
        &format!("<fs>{all}</fs>"),
        expect![[r#"
        2:6: H0205 `uri:oozie:workflow:0.3` has no `name-node` element here
    "#]],
    );
    check_body(
        "0.4",
        &format!("<fs>{all}<touchz path='p'/></fs>"),
        expect![""],
    );
    check_body(
        "0.4",
        "<fs><chgrp path='p' group='g'><recursive/></chgrp></fs>",
        expect![[r#"
            2:6: H0205 `uri:oozie:workflow:0.4` has no `chgrp` element here
        "#]],
    );
    check_body(
        "0.4.5",
        "<fs><chgrp path='p' group='g'><recursive/></chgrp></fs>",
        expect![""],
    );
    check_body(
        "0.3",
        "<fs><chmod path='p' permissions='755'><recursive/></chmod></fs>",
        expect![[r#"
            2:40: H0205 `uri:oozie:workflow:0.3` has no `recursive` element here
        "#]],
    );
    let dropped =
        "<fs><delete path='p' skip-trash='false'/><setrep path='p' replication-factor='2'/></fs>";
    check_body(
        "0.4.5",
        dropped,
        expect![[r#"
        2:22: H0216 `uri:oozie:workflow:0.4.5` has no `skip-trash` attribute on `delete`
        2:43: H0205 `uri:oozie:workflow:0.4.5` has no `setrep` element here
    "#]],
    );
    check_body("0.5", dropped, expect![""]);
    check_body(
        "1.0",
        dropped,
        expect![[r#"
        2:22: features_missing_from_schema the `skip-trash` attribute is not in `uri:oozie:workflow:1.0`
        2:43: features_missing_from_schema the `setrep` element is not in `uri:oozie:workflow:1.0`
    "#]],
    );
    check_body(
        "0.5",
        "<fs><delete path='p' skip-trash='${t}'/><setrep path='p' replication-factor='many'/></fs>",
        expect![[r#"
            2:34: H0218 the `skip-trash` attribute must be `true` or `false`, and is `${t}`
            2:78: H0218 the `replication-factor` attribute must be a whole number from -32768 to 32767, and is `many`
        "#]],
    );
    check_body(
        "0.5",
        "<fs><move/><delete path='p'>x</delete><mkdir pth='p'/></fs>",
        expect![[r#"
            2:6: H0217 missing `source` attribute on the `move` element
            2:6: H0217 missing `target` attribute on the `move` element
            2:29: H0214 unexpected text in the `delete` element
            2:46: H0215 unknown attribute `pth` on the `mkdir` element
        "#]],
    );
    check_body(
        "0.5",
        "<fs><delete path='p'/><name-node>n</name-node></fs>",
        expect![[r#"
            2:6: H0206 the `delete` element must stand after `name-node`
        "#]],
    );
}

#[test]
fn sub_workflow_bodies() {
    check_body(
        "0.5",
        "<sub-workflow><app-path>p</app-path><propagate-configuration/></sub-workflow>",
        expect![""],
    );
    check_body(
        "0.5",
        "<sub-workflow><job-tracker>j</job-tracker></sub-workflow>",
        expect![[r#"
            2:2: H0207 missing `app-path` element in the `sub-workflow` element
            2:16: H0204 the `job-tracker` element cannot stand in the `sub-workflow` element
        "#]],
    );
}
