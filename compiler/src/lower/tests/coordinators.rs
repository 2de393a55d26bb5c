//! The models of coordinators, included files and bundles.

use std::{collections::BTreeSet, fmt::Write as _};

use expect_test::{Expect, expect};

use crate::{
    diagnostics::Sink,
    model::{
        BundleApp, CoordinatorApp, Template,
        coordinator::{Instances, LogicKind, LogicNode},
    },
    source::SourceMap,
    syntax::xml,
};

/// Lowers `text`, and returns the result and the rules of the diagnostics.
fn lowered<T>(
    text: &str,
    lower: impl FnOnce(&xml::XmlDocument<'_>, &mut Sink) -> T,
) -> (T, Vec<&'static str>) {
    let mut sources = SourceMap::default();
    let file = sources.add("document.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let tree = xml::parse(file, text, &mut sink).expect("the test's document is well-formed");
    let app = lower(&tree, &mut sink);
    let rules = sink.into_sorted();
    (app, rules.iter().map(|said| said.rule.id()).collect())
}

/// The text, or why it is invalid.
fn shown(template: &Template) -> String {
    if template.is_invalid {
        return format!("({})", template.text.as_str());
    }
    template.text.as_str().to_owned()
}

fn optional(template: &Option<Template>) -> String {
    template.as_ref().map_or("-".to_owned(), shown)
}

fn logic(nodes: &[LogicNode]) -> String {
    let mut text = String::new();
    for node in nodes {
        let kind = match &node.kind {
            LogicKind::And => "and".to_owned(),
            LogicKind::Or => "or".to_owned(),
            LogicKind::Combine => "combine".to_owned(),
            LogicKind::DataIn(dataset) => format!("data-in {}", shown(dataset)),
        };
        let attributes = [&node.name, &node.min, &node.wait].map(optional).join(" ");
        write!(text, "[{kind} {attributes}{}]", logic(&node.nodes)).expect("a String takes all");
    }
    text
}

fn summary(app: &CoordinatorApp) -> String {
    let mut text = String::new();
    let mut line = |words: &[String]| text.push_str(&format!("{}\n", words.join(" | ")));
    let root = [
        &app.name,
        &app.frequency,
        &app.start,
        &app.end,
        &app.timezone,
    ];
    line(&[format!("{:?}", app.version), root.map(shown).join(" | ")]);
    let controls = &app.controls;
    let controls = [
        &controls.timeout,
        &controls.concurrency,
        &controls.execution,
        &controls.throttle,
    ];
    line(&[controls.map(optional).join(" | ")]);
    for parameter in &app.parameters {
        let default = parameter
            .default
            .as_ref()
            .map(|default| default.value.as_str());
        line(&[
            "parameter".to_owned(),
            parameter.name.value.clone(),
            format!("{default:?}"),
        ]);
    }
    for include in &app.includes {
        line(&["include".to_owned(), shown(include)]);
    }
    for dataset in &app.datasets {
        line(&[
            "dataset".to_owned(),
            dataset.name.value.clone(),
            shown(&dataset.frequency),
            shown(&dataset.initial_instance),
            shown(&dataset.timezone),
            shown(&dataset.uri_template),
            optional(&dataset.done_flag),
        ]);
    }
    for dataset in &app.async_datasets {
        line(&["async".to_owned(), dataset.value.clone()]);
    }
    for event in &app.input_events {
        let instances = match &event.instances {
            Instances::Each(instances) => instances
                .iter()
                .map(shown)
                .collect::<Vec<String>>()
                .join(", "),
            Instances::Range { start, end } => format!("{} to {}", shown(start), shown(end)),
        };
        line(&[
            "in".to_owned(),
            event.name.value.clone(),
            shown(&event.dataset),
            instances,
        ]);
    }
    if let Some(input_logic) = &app.input_logic {
        line(&["logic".to_owned(), logic(&input_logic.nodes)]);
    }
    for event in &app.output_events {
        let instances: Vec<String> = event.instances.iter().map(shown).collect();
        line(&[
            "out".to_owned(),
            event.name.value.clone(),
            shown(&event.dataset),
            instances.join(", "),
            optional(&event.nocleanup),
        ]);
    }
    if let Some(workflow) = &app.workflow {
        line(&["workflow".to_owned(), shown(&workflow.app_path)]);
        for property in &workflow.configuration.properties {
            line(&[
                "property".to_owned(),
                shown(&property.name),
                shown(&property.value),
            ]);
        }
    }
    if let Some(sla) = &app.sla {
        let texts: Vec<String> = sla.templates().map(shown).collect();
        line(&["sla".to_owned(), texts.join(", ")]);
    }
    text
}

#[track_caller]
fn check(text: &str, rules: &[&str], expect: Expect) {
    let (app, said) = lowered(text, |tree, sink| {
        crate::lower::coordinator(tree, None, sink)
    });
    let said: BTreeSet<&str> = said.into_iter().collect();
    assert_eq!(said.into_iter().collect::<Vec<&str>>(), rules);
    expect.assert_eq(&summary(&app));
}

#[test]
fn coordinator_with_everything() {
    check(
        r#"<c:coordinator-app xmlns:c="uri:oozie:coordinator:0.5" name="n" frequency=" ${coord:days(1)} " start="s" end="e" timezone="UTC">
  <c:parameters>
    <c:property><c:name>a</c:name></c:property>
    <c:property><c:name>b</c:name><c:value/></c:property>
  </c:parameters>
  <c:controls><c:timeout> 10 </c:timeout><c:concurrency/><c:execution>LIFO</c:execution><c:throttle>3</c:throttle></c:controls>
  <c:datasets>
    <c:include> ${more} </c:include>
    <c:dataset name="d" frequency="60" initial-instance="i" timezone="UTC">
      <c:uri-template>/a&amp;b/${YEAR}</c:uri-template><c:done-flag></c:done-flag>
    </c:dataset>
    <c:async-dataset name="l" sequence-type="integer" initial-version="1"><c:uri-template>x</c:uri-template></c:async-dataset>
  </c:datasets>
  <c:input-events>
    <c:data-in name="i" dataset="d"><c:instance>${coord:current(0)}</c:instance><c:instance>x</c:instance></c:data-in>
    <c:data-in name="j" dataset="d"><c:start-instance>a</c:start-instance><c:end-instance>b</c:end-instance></c:data-in>
  </c:input-events>
  <c:input-logic>
    <c:or name="r" min="1" wait="2"><c:and><c:data-in dataset="i"/></c:and><c:combine><c:data-in dataset="i" min="3"/><c:data-in dataset="j"/></c:combine></c:or>
  </c:input-logic>
  <c:output-events><c:data-out name="o" dataset="d" nocleanup="true"><c:instance>y</c:instance></c:data-out></c:output-events>
  <c:action>
    <c:workflow>
      <c:app-path>/app</c:app-path>
      <c:configuration><c:property><c:name>p</c:name><c:value></c:value></c:property></c:configuration>
    </c:workflow>
    <s:info xmlns:s="uri:oozie:sla:0.2"><s:nominal-time>t</s:nominal-time><s:should-end>${2 * HOURS}</s:should-end></s:info>
  </c:action>
</c:coordinator-app>"#,
        &[],
        expect![[r#"
            V0_5 | n |  ${coord:days(1)}  | s | e | UTC
            10 |  | LIFO | 3
            parameter | a | None
            parameter | b | Some("")
            include | ${more}
            dataset | d | 60 | i | UTC | /a&b/${YEAR} | 
            async | l
            in | i | d | ${coord:current(0)}, x
            in | j | d | a to b
            logic | [or r 1 2[and - - -[data-in i - - -]][combine - - -[data-in i - 3 -][data-in j - - -]]]
            out | o | d | y | true
            workflow | /app
            property | p | 
            sla | t, ${2 * HOURS}
        "#]],
    );
}

#[test]
fn what_is_missing_is_reported_by_the_tables_alone() {
    check(
        r#"<coordinator-app xmlns="uri:oozie:coordinator:9" frequency="${1"><datasets><dataset/></datasets><input-events><data-in name="i"/></input-events><output-events><data-out/></output-events><action/></coordinator-app>"#,
        &["H0202", "H0207", "H0217", "H0401"],
        expect![[r#"
            V0_5 | () | (${1) | () | () | ()
            - | - | - | -
            dataset |  | () | () | () | () | -
            in | i | () | 
            out |  | () |  | -
        "#]],
    );
}

#[test]
fn included_files_keep_their_datasets_and_the_first_namespace() {
    let (file, said) = lowered(
        r#"<datasets><include>x</include><dataset name="a"/><dataset name="b" xmlns="uri:x"/></datasets>"#,
        crate::lower::included_file,
    );
    assert_eq!(said, [] as [&str; 0]);
    let names: Vec<&str> = file
        .datasets
        .iter()
        .map(|dataset| dataset.name.value.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(file.includes.len(), 1);
    assert_eq!(file.namespaced, Some(file.datasets[1].tag_span));
}

fn bundle_summary(app: &BundleApp) -> String {
    let mut text = format!(
        "{:?} | {} | {}\n",
        app.version,
        shown(&app.name),
        optional(&app.kick_off_time)
    );
    for coordinator in &app.coordinators {
        let configuration: Vec<String> = coordinator
            .configuration
            .properties
            .iter()
            .map(|property| format!("{}={}", shown(&property.name), shown(&property.value)))
            .collect();
        let attributes = [&coordinator.critical, &coordinator.enabled].map(optional);
        let words = [
            shown(&coordinator.name),
            attributes.join(" "),
            shown(&coordinator.app_path),
            configuration.join(","),
        ];
        writeln!(text, "{}", words.join(" | ")).expect("a String takes all");
    }
    text
}

#[test]
fn bundle_with_everything() {
    let (app, said) = lowered(
        r#"<bundle-app xmlns="uri:oozie:bundle:0.2" name="b">
  <controls><kick-off-time> 2026-01-01T00:00Z </kick-off-time></controls>
  <coordinator name="${one}" critical="true" enabled="false">
    <app-path> /a </app-path>
    <configuration><property><name>p</name><value>${bundle:conf('q')}</value></property></configuration>
  </coordinator>
  <coordinator name="two"/>
</bundle-app>"#,
        |tree, sink| crate::lower::bundle(tree, None, sink),
    );
    assert_eq!(said, ["H0207"]);
    expect![[r#"
        V0_2 | b | 2026-01-01T00:00Z
        ${one} | true false | /a | p=${bundle:conf('q')}
        two | - - | () | 
    "#]]
    .assert_eq(&bundle_summary(&app));
}
