//! Places that pages lead to: what was looked for in an output, and where in the XML something went wrong.

use std::fs;

use hpdlc_store::LogRow;

use super::store::{FAILED, with_failure};

#[test]
fn what_is_looked_for_in_an_output_is_marked_and_its_other_parts_are_linked() {
    let server = with_failure();
    let path = server
        .session
        .home
        .attempt(FAILED, 0, "load", 1)
        .with_extension("out");
    // The needle is in the first, the third and the last part of an output of some megabytes.
    let mut text = "A <script>Needle</script>, password hunter22\n".to_owned();
    let filler = "nothing to see in this line of the output\n";
    for needle in ["x NEEDLE y\n", "the last needle\n"] {
        text.push_str(&filler.repeat(15_000));
        text.push_str(needle);
    }
    fs::write(&path, &text).unwrap();
    let get = |path: &str| {
        let page = server.send("GET", path, &[], "");
        assert_eq!(page.status, 200, "{path}");
        page.body
    };
    let link = |page: &str, rel: &str| {
        let at = page.find(&format!("\" rel=\"{rel}\">{rel}")).or_else(|| {
            let name = if rel == "prev" {
                "previous part"
            } else {
                "next part"
            };
            page.find(&format!("\" rel=\"{rel}\">{name}"))
        })?;
        let start = page[..at].rfind("href=\"")? + "href=\"".len();
        Some(page[start..at].replace("&amp;", "&"))
    };
    let address = format!("/oozie/console/job/{FAILED}/output/load");
    let first = get(&format!("{address}?find=needle"));
    assert!(
        first.contains("A &lt;script&gt;<mark>Needle</mark>&lt;/script&gt;, password ********")
    );
    assert!(first.contains("marked below: 1 here") && link(&first, "prev").is_none());
    let second = get(&link(&first, "next").unwrap());
    assert!(second.contains("x <mark>NEEDLE</mark> y"));
    let third = get(&link(&second, "next").unwrap());
    assert!(third.contains("the last <mark>needle</mark>") && link(&third, "next").is_none());
    let back = get(&link(&third, "prev").unwrap());
    assert!(back.contains("x <mark>NEEDLE</mark> y"));
    // A page is a part, whatever the size of the file.
    assert!(second.len() < 600_000, "{}", second.len());
    for (text, told) in [
        ("hunter22", "is not in this part"),
        ("%3Cscript%3E", "<mark>&lt;script&gt;</mark>"),
        ("%22%3E%3Cb%3E", "“&quot;&gt;&lt;b&gt;” is not in this part"),
    ] {
        let page = get(&format!("{address}?at=0&find={text}"));
        assert!(page.contains(told), "{text}");
    }
    // Whoever asks for a place within a secret gets its line from the beginning.
    let within = text.find("nter22").unwrap();
    let page = get(&format!("{address}?at={within}"));
    assert!(page.contains("A &lt;script&gt;") && !page.contains("nter22"));
    // The lines that a search lists lead to their parts.
    let listed = get(&format!("{address}?q=last+needle"));
    assert!(listed.contains("&amp;find=last+needle"), "{listed}");
}

#[test]
fn the_place_that_an_error_names_is_marked_in_the_xml() {
    let server = with_failure();
    let store = server.session.store().unwrap();
    for (message, expected) in [
        (
            "`<x>` is not given (workflow.xml:3:16)",
            Some("               ^ <b class=\"bad-text\">JA"),
        ),
        ("workflow.xml:99999999999999999999:1", None),
        ("elsewhere.xml:3:1", None),
    ] {
        let message = format!("JA: {message}, password hunter22");
        store
            .execute(
                "UPDATE actions SET error_message = ?2 WHERE job_id = ?1",
                (FAILED, &message),
            )
            .unwrap();
        let page = server.get(&format!("/console/job/{FAILED}/node/load")).body;
        assert_eq!(
            page.contains("<span class=\"line fault\">"),
            expected.is_some(),
            "{message}"
        );
        if let Some(expected) = expected {
            assert!(page.contains(expected), "{page}");
            assert!(page.contains("`&lt;x&gt;` is not given"));
            assert!(
                page.contains("<span class=\"line faulty\"><span class=\"n\">3</span>"),
                "{page}"
            );
        }
        assert!(!page.contains("hunter22"));
    }
}

#[test]
fn a_timeline_says_when_another_process_took_the_job_over() {
    let server = with_failure();
    let store = server.session.store().unwrap();
    let path = format!("/console/job/{FAILED}/timeline");
    assert!(
        !server
            .get(&path)
            .body
            .contains("<h2 class=\"below\">Owners")
    );
    let started: i64 = store
        .query_row("SELECT started FROM jobs WHERE id = ?1", [FAILED], |row| {
            row.get(0)
        })
        .unwrap();
    let line = LogRow {
        job_id: FAILED.to_owned(),
        time: started + 500,
        node: Some("<load> hunter22".to_owned()),
        event: "ATTACHED".to_owned(),
        message: None,
    };
    line.write(&store).unwrap();
    let page = server.get(&path).body;
    assert!(
        page.contains("its owner had died; &lt;load&gt; ******** was still running"),
        "{page}"
    );
    assert!(page.contains("<line class=\"owner\""), "{page}");
}
