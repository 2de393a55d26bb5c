use hpdlc_core::secrets::Secrets;

use super::*;
use crate::{
    analysis::{self, JobProperties},
    diagnostics::Sink,
    lower,
};

/// A tree of these documents, as read by the command.
fn tree(files: &[(&str, &str)]) -> (Vec<Document>, Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let mut documents = Vec::new();
    for (path, text) in files {
        let file = sources.add((*path).to_owned(), (*text).to_owned());
        let tree = xml::parse(file, text, &mut sink);
        let app = tree
            .as_ref()
            .and_then(|tree| lower::workflow(tree, None, &mut sink));
        let checked = app.map(|app| {
            let facts = analysis::workflow(&app, &JobProperties::default(), &mut sink);
            let secrets = analysis::secrets(&app, &JobProperties::default());
            Checked {
                picture: graph::of_workflow(&app, &facts, &secrets),
                properties: facts
                    .properties
                    .iter()
                    .map(|property| (property.name.clone(), property.is_required()))
                    .collect(),
                secrets,
                needs: analysis::needs(&app, &facts, &JobProperties::default()),
            }
        });
        documents.push(Document {
            path: (*path).to_owned(),
            files: BTreeSet::from([file]),
            survey: tree.as_ref().map(survey),
            checked,
            starts: BTreeSet::new(),
        });
    }
    (documents, sink.into_sorted(), sources)
}

const FINE: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="fine &lt;script>"><start to="a"/>
<action name="a"><fs><mkdir path="${out}/${wf:id()}"/></fs><ok to="end"/><error to="end"/></action><end name="end"/></workflow-app>"#;

const HIVE: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="hive"><start to="a"/>
<action name="a"><hive xmlns="uri:oozie:hive-action:1.0"><script>${script}</script></hive><ok to="end"/><error to="end"/></action><end name="end"/></workflow-app>"#;

const FTP: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="ftp"><start to="a"/>
<action name="a"><fs><mkdir path="ftp://host/x"/></fs><ok to="end"/><error to="end"/></action><end name="end"/></workflow-app>"#;

const WRONG: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="wrong"><start to="a"/>
<action name="a"><shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec><argument>hunter22${</argument></shell><ok to="nowhere"/><error to="end"/></action>
<end name="end"/></workflow-app>"#;

const COORDINATOR: &str = r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="daily" frequency="${coord:days(1)}" start="${start}" end="${start}" timezone="UTC"><action><workflow><app-path>a</app-path></workflow></action></coordinator-app>"#;

/// Whether every element is closed, in order, and attributes are quoted.
fn assert_well_formed(page: &str) {
    const EMPTY: [&str; 2] = ["meta", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').expect("every tag ends");
        rest = after;
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n'])
            .next()
            .unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "before {:.80}", rest);
        } else if !tag.starts_with('!') && !tag.ends_with('/') && !EMPTY.contains(&name) {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            open.push(name);
        }
        if name == "style" && !tag.starts_with('/') {
            rest = &rest[rest.find("</style>").expect("the style ends")..];
        }
    }
    assert_eq!(open, [] as [&str; 0]);
}

#[test]
fn page_has_every_document_with_its_verdict() {
    let (documents, diagnostics, sources) = tree(&[
        ("a/workflow.xml", FINE),
        ("b & c/workflow.xml", FTP),
        ("d/workflow.xml", WRONG),
        ("e/coordinator.xml", COORDINATOR),
        ("f/workflow.xml", "<workflow-app"),
    ]);
    let page = page(
        "tree",
        &documents,
        &[],
        &diagnostics,
        &sources,
        &Secrets::default(),
    );
    assert_well_formed(&page);
    for (path, verdict) in [
        ("a/workflow.xml", "fine"),
        ("b &amp; c/workflow.xml", "1 not supported yet"),
        ("d/workflow.xml", "2 errors"),
        ("e/coordinator.xml", "1 not supported yet"),
        ("f/workflow.xml", "1 error"),
    ] {
        let at = page
            .find(&format!("<span class=\"path\">{path}</span>"))
            .unwrap_or_else(|| panic!("{path} is missing"));
        let line = page[at..].lines().next().unwrap_or_default();
        assert!(line.contains(&format!(">{verdict}</span>")), "{line}");
    }
    assert_eq!(page.matches("<svg ").count(), 3);
    assert_eq!(
        summary(&documents, &[], &diagnostics),
        "5 documents in 5 applications: 1 runs today, 2 use what is not supported yet, 2 have errors"
    );
    // Every link has a target.
    for (at, _) in page.match_indices("href=\"#") {
        let target = page[at + 7..].split('"').next().unwrap_or_default();
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
    assert!(!page.contains("<script"));
}

#[test]
fn page_names_what_documents_use_and_need() {
    let (documents, diagnostics, sources) = tree(&[
        ("a/workflow.xml", FINE),
        ("b/workflow.xml", HIVE),
        ("c/coordinator.xml", COORDINATOR),
    ]);
    let page = page(
        "tree",
        &documents,
        &[],
        &diagnostics,
        &sources,
        &Secrets::default(),
    );
    for row in [
        "<tr><td><code>fs</code></td><td>yes</td><td class=\"number\">1</td><td class=\"number\">1</td></tr>",
        "<tr><td><code>hive</code></td><td>yes</td><td class=\"number\">1</td><td class=\"number\">1</td></tr>",
        "<tr><td><code>wf:id</code></td><td>yes</td><td class=\"number\">1</td><td class=\"number\">1</td></tr>",
        "<tr><td><code>uri:oozie:coordinator:0.4</code></td><td class=\"number\">1</td></tr>",
        "<tr><td><code>out</code></td><td class=\"number\">1</td></tr>",
        "<tr><td><code>script</code></td><td class=\"number\">1</td></tr>",
        "<tr><td><code>start</code></td><td class=\"number\">1</td></tr>",
    ] {
        assert!(page.contains(row), "{row}");
    }
    assert_eq!(
        page,
        super::page(
            "tree",
            &documents,
            &[],
            &diagnostics,
            &sources,
            &Secrets::default()
        )
    );
}

#[test]
fn applications_have_their_properties_files_and_tell_what_they_need() {
    let (documents, diagnostics, sources) = tree(&[
        ("a/coordinator.xml", COORDINATOR),
        ("a/workflow.xml", HIVE),
        ("b/workflow.xml", FINE),
    ]);
    let file = |path: &str, names: &[&str]| PropertiesFile {
        path: path.to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        starts: None,
        documents: BTreeSet::new(),
    };
    let properties = [
        file("a/job.properties", &["start", "queue"]),
        file("b/job.properties", &["nameNode"]),
    ];
    let page = page(
        "tree",
        &documents,
        &properties,
        &diagnostics,
        &sources,
        &Secrets::default(),
    );
    assert_well_formed(&page);
    let section = |title: &str| {
        let start = page
            .find(&format!("<h3>{title} "))
            .unwrap_or_else(|| panic!("{title} is missing"));
        let rest = &page[start..];
        &rest[..rest.find("</section>").expect("it ends")]
    };
    let first = section("a/coordinator.xml");
    for text in [
        "needs Hive",
        "<code>a/job.properties</code> gives the property that is needed<",
        ">a/workflow.xml<",
    ] {
        assert!(first.contains(text), "{text}: {first}");
    }
    let second = section("b/workflow.xml");
    assert!(
        second.contains("runs on one machine; may need HDFS"),
        "{second}"
    );
    assert!(!second.contains("job.properties"), "{second}");
    assert!(
        page.contains("<b>2</b> applications<br><span class=\"muted\">0 run on one machine"),
        "{page}"
    );
}

#[test]
fn secrets_are_masked_in_messages() {
    let (mut documents, diagnostics, sources) = tree(&[("a/workflow.xml", WRONG)]);
    if let Some(checked) = &mut documents[0].checked {
        checked.secrets = Secrets::of([("password", "hunter22")]);
    }
    let given = Secrets::of([("token", "<argument>")]);
    let page = page("tree", &documents, &[], &diagnostics, &sources, &given);
    assert!(page.contains("********") && !page.contains("hunter22"));
    assert!(!page.contains("&lt;argument>"));
}

#[test]
fn repeated_messages_are_short_lines() {
    let mut text = WRONG.to_owned();
    for number in 0..9 {
        text = text.replace(
            "<end name=\"end\"/>",
            &format!("<kill name=\"k{number}\"><message>${{</message></kill><end name=\"end\"/>"),
        );
    }
    let (documents, diagnostics, sources) = tree(&[("a/workflow.xml", &text)]);
    let page = page(
        "tree",
        &documents,
        &[],
        &diagnostics,
        &sources,
        &Secrets::default(),
    );
    assert_well_formed(&page);
    assert!(
        page.contains("<summary>7 more of the same</summary>"),
        "{page}"
    );
}

#[test]
fn empty_tree_has_a_page() {
    let page = page(
        "tree",
        &[],
        &[],
        &[],
        &SourceMap::default(),
        &Secrets::default(),
    );
    assert_well_formed(&page);
}
