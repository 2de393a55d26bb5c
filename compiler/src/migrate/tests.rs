//! Documents before and after the migration.

mod corpus;

use expect_test::{Expect, expect};

use crate::{
    diagnostics::{Level, Sink},
    lower,
    source::SourceMap,
    syntax::xml,
};

/// The migrated text, and its losses, one per line.
fn migrate(text: &str) -> (String, String) {
    let mut sources = SourceMap::default();
    let file = sources.add("old.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let document = xml::parse(file, text, &mut sink).expect("it is well-formed");
    let new = super::migrated(&document, text, None, &mut sink);
    let said = sink
        .into_sorted()
        .iter()
        .map(|diagnostic| format!("{}\n", diagnostic.message))
        .collect();
    (new, said)
}

/// The errors by the schemas.
fn schema_errors(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("new.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    if let Some(document) = xml::parse(file, text, &mut sink) {
        lower::schema_only(&document, text, &mut sink);
    }
    sink.into_sorted()
        .iter()
        .filter(|diagnostic| diagnostic.level == Level::Error)
        .map(|diagnostic| format!("{} {}", diagnostic.rule.id(), diagnostic.message))
        .collect()
}

/// The ids of the errors of a workflow.
fn errors(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("new.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    if let Some(document) = xml::parse(file, text, &mut sink) {
        lower::workflow(&document, None, &mut sink);
    }
    sink.into_sorted()
        .iter()
        .filter(|diagnostic| diagnostic.level == Level::Error)
        .map(|diagnostic| format!("{} {}", diagnostic.rule.id(), diagnostic.message))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let (new, said) = migrate(text);
    expected.assert_eq(&format!("{new}\n---\n{said}"));
    assert_eq!(errors(&new), [] as [String; 0], "{new}");
    assert_eq!(schema_errors(&new), [] as [String; 0], "{new}");
    // A document in the newest schema is not changed.
    assert_eq!(migrate(&new), (new.clone(), String::new()));
}

#[test]
fn only_namespaces_change_between_schemas() {
    check(
        r#"<?xml version='1.0'?>
<!-- first -->
<wf:workflow-app  name='a'
    xmlns:wf = 'uri:oozie:workflow:0.4' >
  <wf:start to="s"/> <!-- odd   blanks -->
  <wf:action name="s">
    <shell xmlns="uri:oozie:shell-action:0.1"><exec><![CDATA[a<b]]></exec></shell>
    <wf:ok to="e"/><wf:error to="e"/>
  </wf:action>
  <wf:end name="e" />
</wf:workflow-app>
<!-- last -->"#,
        expect![[r#"
            <?xml version='1.0'?>
            <!-- first -->
            <wf:workflow-app  name='a'
                xmlns:wf = 'uri:oozie:workflow:1.0' >
              <wf:start to="s"/> <!-- odd   blanks -->
              <wf:action name="s">
                <shell xmlns="uri:oozie:shell-action:1.0"><exec><![CDATA[a<b]]></exec></shell>
                <wf:ok to="e"/><wf:error to="e"/>
              </wf:action>
              <wf:end name="e" />
            </wf:workflow-app>
            <!-- last -->
            ---
        "#]],
    );
}

#[test]
fn actions_of_the_schema_0_1_move_to_their_own() {
    check(
        r#"<w:workflow-app name="a" xmlns:w="uri:oozie:workflow:0.1">
  <w:start to="s"/>
  <w:action name="s">
    <w:ssh><w:host>h</w:host><w:command>c</w:command><w:args>1</w:args></w:ssh>
    <w:ok to="m"/><w:error to="m"/>
  </w:action>
  <w:action name="m">
    <w:email><w:to>a@b</w:to><w:subject>s</w:subject><w:message>m</w:message></w:email>
    <w:ok to="e"/><w:error to="e"/>
  </w:action>
  <w:end name="e"/>
</w:workflow-app>"#,
        expect![[r#"
            <w:workflow-app name="a" xmlns:w="uri:oozie:workflow:1.0">
              <w:start to="s"/>
              <w:action name="s">
                <ssh xmlns="uri:oozie:ssh-action:0.2"><host>h</host><command>c</command><args>1</args></ssh>
                <w:ok to="m"/><w:error to="m"/>
              </w:action>
              <w:action name="m">
                <email xmlns="uri:oozie:email-action:0.2"><to>a@b</to><subject>s</subject><body>m</body></email>
                <w:ok to="e"/><w:error to="e"/>
              </w:action>
              <w:end name="e"/>
            </w:workflow-app>
            ---
        "#]],
    );
    check(
        r#"<workflow-app name="a" xmlns="uri:oozie:workflow:0.1">
  <start to="h"/>
  <action name="h">
    <http><http-url>http://h/?a=1&amp;b=2</http-url><post content-type="text/plain">x &lt; y</post><wait/><capture-output/></http>
    <ok to="e"/>
    <error to="e"/>
  </action>
  <end name="e"/>
</workflow-app>"#,
        expect![[r#"
            <workflow-app name="a" xmlns="uri:oozie:workflow:1.0">
              <start to="h"/>
              <action name="h">
                <shell xmlns="uri:oozie:shell-action:1.0">
                    <exec>curl</exec>
                    <argument>--fail</argument>
                    <argument>--silent</argument>
                    <argument>--show-error</argument>
                    <argument>--header</argument>
                    <argument>Content-Type: text/plain</argument>
                    <argument>--data-binary</argument>
                    <argument>x &lt; y</argument>
                    <argument>http://h/?a=1&amp;b=2</argument>
                    <capture-output/>
                </shell>
                <ok to="e"/>
                <error to="e"/>
              </action>
              <end name="e"/>
            </workflow-app>
            ---
            an `http` action cannot be kept
            the wait for a callback cannot be kept
        "#]],
    );
}

#[test]
fn what_the_schema_1_0_lacks_is_said() {
    check(
        r#"<workflow-app name="a" xmlns="uri:oozie:workflow:0.5">
  <start to="f"/>
  <action name="f">
    <fs>
      <delete path="/a" skip-trash="true"/>
      <delete path="/b"  skip-trash='false' />
      <setrep path="hdfs://n/c" replication-factor="2"/>
    </fs>
    <ok to="e"/>
    <error to="e"/>
  </action>
  <end name="e"/>
</workflow-app>"#,
        expect![[r#"
            <workflow-app name="a" xmlns="uri:oozie:workflow:1.0">
              <start to="f"/>
              <action name="f">
                <fs>
                  <delete path="/a"/>
                  <delete path="/b" />
                </fs>
                <ok to="e"/>
                <error to="e"/>
              </action>
              <end name="e"/>
            </workflow-app>
            ---
            `skip-trash` cannot be kept
            `setrep` cannot be kept
        "#]],
    );
}

#[test]
fn other_languages_get_their_newest_namespaces() {
    for (old, new) in [
        (
            "<coordinator-app xmlns='uri:oozie:coordinator:0.1' xmlns:s='uri:oozie:sla:0.1'/>",
            "<coordinator-app xmlns='uri:oozie:coordinator:0.5' xmlns:s='uri:oozie:sla:0.1'/>",
        ),
        (
            "<bundle-app xmlns='uri:oozie:bundle:0.1'/>",
            "<bundle-app xmlns='uri:oozie:bundle:0.2'/>",
        ),
    ] {
        assert_eq!(migrate(old), (new.to_owned(), String::new()));
    }
}

#[test]
fn control_nodes_of_2009() {
    check(
        r#"<!-- before -->
<hadoop-workflow name="old ${name}">
  <!-- last comes first -->
  <end name="end"><!-- over --></end>
  <decision name="d">
    <!-- if it is large -->
    <eval name="LARGE">
      ${hdfs:dirSize('hdfs://nn:1/', "/in") gt 10 * GB}
    </eval>
    <default name="NO"/>
    <eval name="LATE">${wf:appName() == 'x' &amp;&amp; action:output('d', 'k') == concat('a', 'b', wf:conf('c'))}</eval>

    <!-- where to -->
    <transition name="LARGE" to="f"/>
    <transition name="LATE" to="no"/>
    <transition name="NO" to="end"/>
  </decision>
  <fork name="f">
    <transition to="d2"/> <!-- one -->
    <transition to="j"></transition>
  </fork>
  <decision name="d2"><eval name="A">${wf:exitState('d') == 'OK'}</eval><default name="A"/><transition name="A" to="j"/></decision>
  <join name="j">
    <!-- together -->
    <transition to="end"/>
  </join>
  <fail name="no">
    <message>${wf:errorNode()} at ${timestamp()} in #{x} run ${wf:recovery()}</message>
  </fail>
  <start to="d"/>
</hadoop-workflow>
"#,
        expect![[r#"
            <!-- before -->
            <workflow-app name="old ${name}" xmlns="uri:oozie:workflow:1.0">
              <start to="d"/>
              <decision name="d">
                <switch>
                  <!-- if it is large -->
                  <case to="f">
                  ${fs:dirSize('hdfs://nn:1/in') gt 10 * GB}
                </case>
                  <case to="no">${wf:name() == 'x' &amp;&amp; wf:actionData('d')['k'] == concat('a', concat('b', wf:conf('c')))}</case>
                  <default to="end"/>
  
                  <!-- where to -->
                </switch>
              </decision>
              <fork name="f">
                <path start="d2"/> <!-- one -->
                <path start="j"></path>
              </fork>
              <decision name="d2">
                <switch><case to="j">${(wf:transition('d') == null ? null : wf:errorCode('d') == null ? 'OK' : 'ERROR') == 'OK'}</case><default to="j"/>
                </switch>
              </decision>
              <!-- together -->
              <join name="j" to="end"/>
              <kill name="no">
                <message>${wf:lastErrorNode()} at ${timestamp()} in #{x} run ${wf:run()}</message>
              </kill>
              <!-- last comes first -->
              <!-- over -->
              <end name="end"/>
            </workflow-app>

            ---
            the state FAILED of a job that a `fail` node ends cannot be kept
            the seconds of `timestamp()` cannot be kept
            `wf:recovery()` cannot be kept
        "#]],
    );
}

#[test]
fn actions_of_2009() {
    check(
        r#"<hadoop-workflow name="old">
    <start to="mr"/>
    <hadoop name="mr">
        <prepare>
            <delete path="/out"/>
        </prepare>
        <streaming>
            <mapper>map.sh</mapper>
            <reducer>reduce.sh</reducer>
            <!-- scripts -->
            <files>
                <file>map.sh</file>
                <file>reduce.sh</file>
            </files>
            <cacheArchives><file>/a.jar#a</file></cacheArchives>
        </streaming>
        <job-xml>/job.xml</job-xml>
        <!-- the cluster -->
        <configuration>
            <property>
                <name>mapred.job.tracker</name>
                <value>${wf:conf('jt')}</value>
            </property>
            <!-- of then -->
            <property>
                <name>fs.default.name</name>
                <value>hdfs://nn:1</value>
            </property>
            <property>
                <name>user.name</name>
                <value>ann</value>
            </property>
            <property>
                <name>queue</name>
                <value>
 two
 lines</value>
            </property>
        </configuration>

        <transition name="ERROR" to="end"/>
        <transition name="OK" to="p"/> <!-- done -->
    </hadoop>
    <pig name="p">
        <pig-host>ann@h</pig-host>
        <pig-script>/s.pig</pig-script>
        <!-- who -->
        <hadoop-user>bob</hadoop-user>
        <parameters>
            <param>A=1</param>
            <param>B=${wf:conf('b')}</param>
        </parameters>
        <configuration>
            <property><name>fs.default.name</name><value>nn</value></property>
        </configuration>
        <transition name="OK" to="files"/>
        <transition name="ERROR" to="end"/>
    </pig>
    <hdfs name="files">
        <file-system>hdfs://nn:1</file-system>
        <user>ann</user>
        <commands>
            <!-- first -->
            <delete path='/tmp/x' />
            <mkdir path='archives/${wf:id()}' />
            <move source='${wf:conf("in")}' target='archives/${wf:id()}/in'></move>
        </commands>
        <transition name="OK" to="s"/>
        <transition name="ERROR" to="end"/>
    </hdfs>
    <ssh name="s"><command>c</command><host>a@h</host><args>1</args><capture-output/><transition name="OK" to="w"/><transition name="ERROR" to="end"/></ssh>
    <sub-workflow name="w">
        <host-url>http://h</host-url>
        <hadoop-workflow>child</hadoop-workflow>
        <transition name="OK" to="h"/>
        <transition name="ERROR" to="end"/>
    </sub-workflow>
    <http name="h">
        <url>http://h/${urlEncode(wf:callbackUrl('X'))}</url>
        <mode>WAIT</mode>
        <transition name="OK" to="m"/>
        <transition name="ERROR" to="end"/>
    </http>
    <email name="m">
        <to>a@b</to>
        <message/>
        <subject>${wf:appName()}</subject>
        <transition name="OK" to="end"/>
        <transition name="ERROR" to="end"/>
    </email>
    <end name="end"/>
</hadoop-workflow>
"#,
        expect![[r#"
            <workflow-app name="old" xmlns="uri:oozie:workflow:1.0">
                <start to="mr"/>
                <action name="mr">
                    <map-reduce>
                        <job-tracker>${wf:conf('jt')}</job-tracker>
                        <name-node>hdfs://nn:1</name-node>
                        <prepare>
                            <delete path="/out"/>
                        </prepare>
                        <streaming>
                            <mapper>map.sh</mapper>
                            <reducer>reduce.sh</reducer>
                            <!-- scripts -->
                        </streaming>
                        <job-xml>job.xml</job-xml>
                        <!-- the cluster -->
                        <configuration>
                            <!-- of then -->
                            <property>
                                <name>queue</name>
                                <value>
             two
             lines</value>
                            </property>
                        </configuration>
                        <file>map.sh</file>
                        <file>reduce.sh</file>
                        <archive>/a.jar#a</archive>
                    </map-reduce>
                    <ok to="p"/>

                    <error to="end"/> <!-- done -->
                </action>
                <action name="p">
                    <pig>
                        <name-node>nn</name-node>
                        <script>s.pig</script>
                        <!-- who -->
                        <param>A=1</param>
                        <param>B=${wf:conf('b')}</param>
                    </pig>
                    <ok to="files"/>
                    <error to="end"/>
                </action>
                <action name="files">
                    <fs>
                        <name-node>hdfs://nn:1</name-node>
                        <!-- first -->
                        <delete path='/tmp/x' />
                        <mkdir path='/user/${wf:user()}/archives/${wf:id()}' />
                        <move source='${wf:conf("in")}' target='/user/${wf:user()}/archives/${wf:id()}/in'></move>
                    </fs>
                    <ok to="s"/>
                    <error to="end"/>
                </action>
                <action name="s">
                    <ssh xmlns="uri:oozie:ssh-action:0.2"><host>a@h</host><command>c</command><args>1</args><capture-output/>
                    </ssh>
                    <ok to="w"/>
                    <error to="end"/></action>
                <action name="w">
                    <sub-workflow>
                        <app-path>child</app-path>
                    </sub-workflow>
                    <ok to="h"/>
                    <error to="end"/>
                </action>
                <action name="h">
                    <shell xmlns="uri:oozie:shell-action:1.0">
                        <exec>curl</exec>
                        <argument>--fail</argument>
                        <argument>--silent</argument>
                        <argument>--show-error</argument>
                        <argument>http://h/${urlEncode(wf:callback('X'))}</argument>
                    </shell>
                    <ok to="m"/>
                    <error to="end"/>
                </action>
                <action name="m">
                    <email xmlns="uri:oozie:email-action:0.2">
                        <to>a@b</to>
                        <subject>${wf:name()}</subject>
                        <body/>
                    </email>
                    <ok to="end"/>
                    <error to="end"/>
                </action>
                <end name="end"/>
            </workflow-app>

            ---
            the user of a Hadoop job cannot be kept
            the host that Pig runs on cannot be kept
            the user of a `pig` action cannot be kept
            the user of an `hdfs` action cannot be kept
            the home of the action's user, which relative paths start from cannot be kept
            the home of the action's user, which relative paths start from cannot be kept
            the system that runs a sub-workflow cannot be kept
            the name of a sub-workflow cannot be kept
            an `http` action cannot be kept
            the wait for a callback cannot be kept
        "#]],
    );
}

/// For any damaged document a migration terminates; for a valid one the result is a document.
#[test]
fn damaged_documents_of_2009() {
    const WHOLE: &str = include_str!("../lower/tests/damage/proposal.xml");
    let lines: Vec<&str> = WHOLE.lines().collect();
    let mut n_right = 0;
    for index in 0..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(index);
        let mut more = lines.clone();
        more.insert(index, lines[index]);
        for text in [fewer.join("\n"), more.join("\r\n")] {
            let mut sources = SourceMap::default();
            let file = sources.add("old.xml".to_owned(), text.clone());
            let mut sink = Sink::default();
            let Some(document) = xml::parse(file, &text, &mut sink) else {
                continue;
            };
            let new = super::migrated(&document, &text, None, &mut sink);
            if errors(&text).is_empty() {
                n_right += 1;
                assert_eq!(schema_errors(&new), [] as [String; 0], "{text}\n{new}");
            }
        }
    }
    assert!(n_right > 10, "{n_right}");
}
