//! The documents of proxy submissions, as a table: `tests.txt` has a job type with its properties, and what is made of them.

use super::*;
use crate::serve::tests::TestServer;

/// Of every submission by the client; a vector may take one away by `-NAME`.
const USUAL: [(&str, &str); 4] = [
    ("yarn.resourcemanager.address", "rm:8032"),
    ("fs.default.name", "hdfs://nn"),
    ("oozie.libpath", "hdfs://nn/lib"),
    ("user.name", "ann"),
];

/// What is the same in all documents.
const FRAME: [&str; 2] = [
    "<workflow-app xmlns=\"uri:oozie:workflow:0.2\" name=\"oozie-WORD\">\n  <start to=\"WORD1\" />\n  <action name=\"WORD1\">\n",
    "    <ok to=\"end\" />\n    <error to=\"fail\" />\n  </action>\n  <kill name=\"fail\">\n    <message>WORD failed, error message[${wf:errorMessage(wf:lastErrorNode())}]</message>\n  </kill>\n  <end name=\"end\" />\n</workflow-app>\n",
];

fn answer(job: JobType, properties: &Properties) -> String {
    let text = match document(job, properties) {
        Ok(text) => text,
        Err(failure) => return format!("{}\n", failure.message),
    };
    assert!(
        !text.replace("\r\n", "").contains('\n'),
        "lines end as JDOM ends them"
    );
    let mut text = text.replace("\r\n", "\n");
    for part in FRAME {
        let part = part.replace("WORD", job.word());
        assert!(text.contains(&part), "{text}");
        text = text.replace(&part, "");
    }
    text
}

#[test]
fn documents_are_those_of_oozie() {
    let table = include_str!("tests.txt");
    let mut n = 0;
    for vector in table.split("\n\n").filter(|it| !it.trim().is_empty()) {
        let (given, expected) = vector.split_once("\n=>\n").expect(vector);
        let mut lines = given.lines().filter(|line| !line.starts_with('#'));
        let job = JobType::parse(lines.next().unwrap()).unwrap();
        let mut properties: Properties = USUAL
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        for line in lines {
            match (line.strip_prefix('-'), line.split_once('=')) {
                (Some(name), _) => assert!(properties.remove(name).is_some(), "{line}"),
                (None, Some((name, value))) => {
                    properties.insert(name.to_owned(), value.replace("\\n", "\n"));
                }
                (None, None) => panic!("{line}"),
            }
        }
        assert_eq!(
            answer(job, &properties).trim_end(),
            expected.trim_end(),
            "{given}"
        );
        n += 1;
    }
    assert!(n > 10, "{n}");
}

#[test]
fn other_types_are_refused() {
    for word in ["", "wf", "PIG", "spark", "map-reduce"] {
        let message = JobType::parse(word).unwrap_err().message;
        let expected = format!("E0303: Invalid parameter value, [jobtype] = [{word}]");
        assert_eq!(message, expected);
    }
}

#[test]
fn the_application_of_a_proxy_submission_is_its_first_library() {
    let path = |properties: &[(&str, &str)]| {
        let pairs = properties.iter();
        let properties = pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        application_path(&properties.collect()).map_err(|failure| failure.code.unwrap_or_default())
    };
    let libraries = ("oozie.libpath", "hdfs://nn/a , hdfs://nn/b");
    assert_eq!(path(&[libraries]), Ok(None));
    assert_eq!(
        path(&[("oozie.proxysubmission", "false"), libraries]),
        Ok(None)
    );
    let first = Ok(Some("hdfs://nn/a".to_owned()));
    assert_eq!(path(&[("oozie.proxysubmission", "true"), libraries]), first);
    for libraries in ["", " , "] {
        let given = [
            ("oozie.proxysubmission", "TRUE"),
            ("oozie.libpath", libraries),
        ];
        assert_eq!(path(&given), Err("E0405".to_owned()));
    }
}

#[test]
fn a_submission_is_refused_as_by_oozie() {
    let site = [("hpdl.server.compiler".to_owned(), "none".to_owned())];
    let server = TestServer::with_site(site.into());
    let here = std::env::temp_dir().display().to_string();
    let own = [
        ("yarn.resourcemanager.address", "rm:8032"),
        ("fs.default.name", "file:///"),
        ("oozie.proxysubmission", "true"),
    ];
    let libraries = ("oozie.libpath", here.as_str());
    let coordinator = ("oozie.coord.application.path", here.as_str());
    for (path, more, status, code, part) in [
        (
            "v1/jobs?jobtype=pig",
            vec![libraries],
            400,
            "E0307",
            "has no compiler",
        ),
        (
            "v2/jobs?jobtype=pig&action=fly",
            vec![libraries],
            400,
            "E0307",
            "has no compiler",
        ),
        (
            "v1/jobs?jobtype=spark",
            vec![libraries],
            400,
            "E0303",
            "[jobtype] = [spark]",
        ),
        (
            "v1/jobs?jobtype=",
            vec![libraries],
            400,
            "E0303",
            "[jobtype] = []",
        ),
        ("v1/jobs?jobtype=pig", vec![], 400, "E0405", "lib path"),
        (
            "v1/jobs?jobtype=pig",
            vec![("oozie.libpath", "/nowhere/lib")],
            401,
            "E0504",
            "[/nowhere/lib]",
        ),
        (
            "v1/jobs?jobtype=sqoop",
            vec![libraries],
            400,
            "E0803",
            "oozie.sqoop.command is not specified",
        ),
        (
            "v1/jobs?jobtype=pig",
            vec![libraries, coordinator],
            400,
            "E0401",
            "oozie.wf.application.path",
        ),
        (
            "v1/jobs?jobtype=pig",
            vec![("oozie.proxysubmission", "false")],
            400,
            "E0307",
            "oozie.jobs.api.generated.xml",
        ),
        // Version 0 knows workflows alone.
        (
            "v0/jobs?jobtype=pig",
            vec![libraries],
            400,
            "E0307",
            "no executable is registered",
        ),
    ] {
        let mut properties: Properties = own
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        properties.extend(
            more.iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
        let body = crate::api::configuration::text(&properties);
        let answer = server.send("POST", &format!("/oozie/{path}&user.name=ann"), &xml, &body);
        assert_eq!(answer.status, status, "{path} {more:?}: {}", answer.body);
        assert_eq!(
            answer.code(),
            Some(code),
            "{path} {more:?}: {}",
            answer.body
        );
        let message = answer.header("oozie-error-message").unwrap();
        assert!(message.contains(part), "{path} {more:?}: {message}");
    }
}
