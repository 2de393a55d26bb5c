//! Documents in the dialect of 2009.

use expect_test::{Expect, expect};

use crate::{
    lower::tests::{lower, short},
    model::{ActionKind, NodeKind},
};

const ACTIONS: &str = r#"<hadoop-workflow name="all">
  <start to="mr"/>
  <hadoop name="mr">
    <prepare><delete path="/out"/></prepare>
    <streaming>
      <mapper>map.sh</mapper><reducer>reduce.sh</reducer>
      <files><file>map.sh</file></files>
      <cacheFiles><file>/f#f</file></cacheFiles>
      <cacheArchives><file>/a.jar#a</file></cacheArchives>
    </streaming>
    <job-xml>job.xml</job-xml>
    <configuration>
      <property><name>mapred.job.tracker</name><value>jt:1</value></property>
      <property><name>fs.default.name</name><value>hdfs://nn:1</value></property>
      <property><name>user.name</name><value>ann</value></property>
    </configuration>
    <transition name="OK" to="p"/><transition name="ERROR" to="broken"/>
  </hadoop>
  <pig name="p">
    <pig-host>ann@h</pig-host><pig-script>s.pig</pig-script><hadoop-user>bob</hadoop-user>
    <parameters><param>A=1</param></parameters>
    <transition name="OK" to="files"/><transition name="ERROR" to="broken"/>
  </pig>
  <hdfs name="files">
    <file-system>hdfs://nn:1</file-system><user>ann</user>
    <commands><delete path="a"/><mkdir path="b"/><move source="c" target="d"/></commands>
    <transition name="OK" to="s"/><transition name="ERROR" to="broken"/>
  </hdfs>
  <ssh name="s">
    <host>ann@h</host><command>c</command><args>1</args><args>2</args><capture-output/>
    <transition name="OK" to="child"/><transition name="ERROR" to="broken"/>
  </ssh>
  <sub-workflow name="child">
    <hadoop-workflow>child-wf</hadoop-workflow>
    <transition name="OK" to="web"/><transition name="ERROR" to="broken"/>
  </sub-workflow>
  <http name="web">
    <url>http://h/</url><post content-type="text/plain">x</post><mode>WAIT</mode><capture-output/>
    <transition name="OK" to="mail"/><transition name="ERROR" to="broken"/>
  </http>
  <email name="mail">
    <to>a@b</to><subject>s</subject><message/>
    <transition name="OK" to="choose"/><transition name="ERROR" to="broken"/>
  </email>
  <decision name="choose">
    <eval name="YES">${wf:recovery() gt 0}</eval>
    <default name="NO"/>
    <transition name="NO" to="end"/>
    <transition name="YES" to="broken"/>
  </decision>
  <fail name="broken"><message>no</message></fail>
  <end name="end"/>
</hadoop-workflow>"#;

#[test]
fn every_element_has_its_place_in_the_model() {
    let (app, diagnostics) = lower(ACTIONS, None);
    assert_eq!(short(ACTIONS, &diagnostics), "");
    let app = app.expect("it is a workflow");
    let action = |name: &str| {
        let id = app.node_named(name).expect("there is a node of that name");
        match &app.node(id).kind {
            NodeKind::Action(action) => &action.kind,
            other => panic!("{other:?} is no action"),
        }
    };
    let ActionKind::MapReduce(hadoop) = action("mr") else {
        panic!("it is `map-reduce`")
    };
    let text = |template: &Option<crate::model::Template>| {
        let template = template.as_ref().expect("it is there");
        template.text.as_str().to_owned()
    };
    assert_eq!(text(&hadoop.settings.name_node), "hdfs://nn:1");
    assert_eq!(text(&hadoop.settings.resource_manager), "jt:1");
    assert_eq!(hadoop.settings.configuration.properties.len(), 1);
    assert_eq!((hadoop.files.len(), hadoop.archives.len()), (2, 1));
    let ActionKind::Pig(pig) = action("p") else {
        panic!("it is `pig`")
    };
    assert_eq!(text(&pig.host), "ann@h");
    assert_eq!(pig.params.len(), 1);
    let ActionKind::Fs(hdfs) = action("files") else {
        panic!("it is `fs`")
    };
    assert!(hdfs.of_proposal);
    assert_eq!(hdfs.operations.len(), 3);
    assert_eq!(text(&hdfs.settings.name_node), "hdfs://nn:1");
    let ActionKind::Http(http) = action("web") else {
        panic!("it is `http`")
    };
    assert!(http.waits_for_callback && http.capture_output && http.post.is_some());
    let id = app.node_named("choose").expect("there is one");
    let NodeKind::Decision(decision) = &app.node(id).kind else {
        panic!("it is a decision")
    };
    assert_eq!(decision.cases[0].to.value, "broken");
    assert_eq!(
        decision.default.as_ref().map(|to| to.value.as_str()),
        Some("end")
    );
    let id = app.node_named("broken").expect("there is one");
    assert_eq!(app.node(id).kind.element(), "fail");
}

/// The diagnostics of a document whose nodes start on the second line.
#[track_caller]
fn check(nodes: &str, expect: Expect) {
    let text = format!(
        "<hadoop-workflow name='w'><start to='e'/>\n{nodes}\n<end name='e'/></hadoop-workflow>"
    );
    expect.assert_eq(&short(&text, &lower(&text, None).1));
}

#[test]
fn elements_of_oozie_are_told_apart() {
    check(
        "<kill name='k'><message>m</message></kill>\n<action name='a'><shell/></action>\n<fork name='f'><path start='e'/></fork>",
        expect![[r#"
            2:2: H0204 unknown element `kill` in the `hadoop-workflow` element
            3:2: H0204 unknown element `action` in the `hadoop-workflow` element
            4:2: H0207 missing `transition` element in the `fork` element
            4:17: H0204 unknown element `path` in the `fork` element
        "#]],
    );
}

#[test]
fn what_is_missing_or_too_much_is_said_once() {
    check(
        "<hdfs name='h'><file-sistem>f</file-sistem><user>u</user><user>u</user><commands/>text<transition name='OK' to='e'/></hdfs>\n<join/>\n<fail name='x' too='y'><message/></fail>",
        expect![[r#"
            2:2: H0207 missing transition `ERROR` in the `hdfs` element
            2:17: H0204 unknown element `file-sistem` in the `hdfs` element
            2:59: H0208 repeated `user` element in the `hdfs` element
            2:83: H0214 unexpected text in the `hdfs` element
            3:2: H0207 missing `transition` element in the `join` element
            3:2: H0217 missing `name` attribute on the `join` element
            4:16: H0215 unknown attribute `too` on the `fail` element
        "#]],
    );
}

#[test]
fn transitions_have_the_names_that_something_takes() {
    check(
        "<decision name='d'><eval name='ONE'>true</eval><default name='TWO'/><transition name='ON' to='e'/><transition name='TWO' to='e'/><transition name='TWO' to='e'/></decision>\n<ssh name='s'><host>h</host><command>c</command><transition name='OK' to='e'/><transition name='ERR' to='${x}'/></ssh>\n<ssh name='t u'><host>h</host><command>c</command><transition name='YES' to='e'/></ssh>",
        expect![[r#"
            2:32: H0207 missing transition `ONE` in the `decision` element
            2:131: H0208 repeated transition `TWO` in the `decision` element
            3:97: H0218 the `name` attribute must be `OK` or `ERROR`, and is `ERR`
            3:106: H0220 expression in the `to` attribute
            4:2: H0207 missing transition `OK` in the `ssh` element
            4:2: H0207 missing transition `ERROR` in the `ssh` element
            4:12: H0219 invalid node name `t u`
            4:69: H0218 the `name` attribute must be `OK` or `ERROR`, and is `YES`
        "#]],
    );
}

#[test]
fn other_systems_modes_and_namespaces_are_refused() {
    check(
        "<sub-workflow name='c'><host-url>http://h</host-url><hadoop-workflow>w</hadoop-workflow><transition name='OK' to='e'/><transition name='ERROR' to='e'/></sub-workflow>\n<http name='h'><url>u</url><mode>LATER</mode><transition name='OK' to='e'/><transition name='ERROR' to='e'/></http>",
        expect![[r#"
            2:25: H0805 sub-workflows on another workflow system are not supported
            3:34: H0218 the `mode` element must be `CONTINUE` or `WAIT`, and is `LATER`
        "#]],
    );
    let text = "<hadoop-workflow name='w' xmlns='uri:oozie:workflow:0.1'><start to='e'/><end name='e'/></hadoop-workflow>";
    expect![[r#"
        1:2: H0202 `hadoop-workflow` stands in a namespace
    "#]]
    .assert_eq(&short(text, &lower(text, None).1));
}

#[test]
fn defaults_are_those_of_the_configuration_beside_it() {
    let text = "<hadoop-workflow name='w'><start to='e'/><end name='e'/></hadoop-workflow>";
    let defaults =
        "<configuration><property><name>a</name><value>1</value></property></configuration>";
    let (app, diagnostics) = lower(text, Some(defaults));
    assert_eq!(diagnostics, []);
    assert_eq!(app.expect("it is a workflow").config_default.len(), 1);
}
