//! Pages of the administration: what they tell, and to whom.

use std::{collections::BTreeMap, fs};

use hpdlc_store::{
    audit::{self, AuditEnd, AuditRow},
    tokens::{self, Role},
};

use super::store::with_failure;
use crate::{
    serve::{
        policy::Mode,
        tests::{
            TestServer,
            kinds::{self, WORKFLOW},
        },
    },
    token,
};

#[test]
fn settings_say_their_origin_and_no_secret() {
    let server = kinds::server();
    let site = "<configuration>\n<property><name>hpdl.kill.grace</name><value>77</value></property>\n\
        <property><name>hpdl.kill.grase</name><value>1</value></property>\n\
        <property><name>my.password</name><value>hunter22</value></property></configuration>";
    fs::write(server.session.home.site_file(), site).unwrap();
    let page = server.get("/console/settings").body;
    for part in [
        "77",
        "hpdl-site.xml:2",
        "built-in: 10",
        "did you mean hpdl.kill.grace?",
        "no effect",
        "HADOOP_CONF_DIR",
        "http://localhost:11000/oozie",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("hunter22"), "{page}");
    let found = server
        .get("/console/settings?q=KILL+grace&origin=site")
        .body;
    assert!(
        found.contains("77") && !found.contains("my.password"),
        "{found}"
    );
    let none = server.get("/console/settings?q=hunter22").body;
    assert!(
        none.contains("No setting fits"),
        "a secret cannot be searched for"
    );
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_type() {
    let server = kinds::server();
    let findings = |page: &str| page.split("<tbody>").nth(1).map(str::to_owned);
    let page = server.get("/console/doctor").body;
    let before = findings(&page);
    assert!(
        page.contains("jobs.db") && page.contains("Next step"),
        "{page}"
    );
    let store = server.session.store().unwrap();
    store
        .execute(
            "UPDATE actions SET status = 'NONSENSE' WHERE job_id = ?1",
            [WORKFLOW],
        )
        .unwrap();
    let page = server.get("/console/doctor").body;
    assert_eq!(findings(&page), before, "the last check is fresh");
    assert!(page.contains("/console/doctor?again=1"), "{page}");
    let page = server.get("/console/doctor?again=1").body;
    assert!(
        findings(&page) != before && page.contains("Problems:"),
        "{page}"
    );
}

fn entered(server: &TestServer, user: &str, operation: &str, status: u16) {
    let store = server.session.store().unwrap();
    let row = AuditRow {
        time: 1_000,
        user: Some(user.to_owned()),
        operation: operation.to_owned(),
        job_id: Some(WORKFLOW.to_owned()),
        parameter: Some("password hunter22".to_owned()),
        ..AuditRow::default()
    };
    let id = audit::begin(&store, &row).unwrap();
    let end = AuditEnd {
        status,
        ..AuditEnd::default()
    };
    audit::end(&store, id, &end).unwrap();
}

#[test]
fn the_audit_is_found_by_user_command_job_and_result_in_pages() {
    let server = kinds::server();
    entered(&server, "ada", "kill", 401);
    for _ in 0..100 {
        entered(&server, "bob", "suspend", 200);
    }
    let page = server.get("/console/audit").body;
    assert!(
        page.contains("1 to 100 of 101") && page.contains("from=100"),
        "{page}"
    );
    assert!(page.contains(&format!("href=\"/oozie/console/job/{WORKFLOW}\"")));
    assert!(!page.contains("hunter22"), "{page}");
    let last = server.get("/console/audit?from=100").body;
    assert!(
        last.contains("101 to 101 of 101") && last.contains("REFUSED"),
        "{last}"
    );
    for (query, n) in [
        ("user=ada", "1 to 1 of 1"),
        ("user=eve", "No command fits"),
        ("operation=suspend", "of 100"),
        ("result=refused", "1 to 1 of 1"),
        ("job=1", "of 101"),
        ("job=0000077", "No command fits"),
        ("first=1970-01-02", "No command fits"),
        ("last=1970-01-01&result=done", "of 100"),
    ] {
        let page = server.get(&format!("/console/audit?{query}")).body;
        assert!(page.contains(n), "{query}: {page}");
    }
}

#[test]
fn audit_and_tokens_are_for_administrators() {
    let server = with_failure().with_other_mode(Mode::Token);
    let store = server.session.store().unwrap();
    let mut secrets = Vec::new();
    for (role, status) in [(Role::Read, 401), (Role::Operate, 401), (Role::Admin, 200)] {
        let (row, token) = token::make("build <1>", "ada", role, None).unwrap();
        tokens::insert(&store, &row).unwrap();
        let headers = [("Authorization".to_owned(), format!("Bearer {token}"))];
        secrets.push(token);
        for page in ["audit", "tokens"] {
            let answer = server.send("GET", &format!("/oozie/console/{page}"), &headers, "");
            assert_eq!(answer.status, status, "{role} {page}");
        }
        // What everybody may see.
        for page in ["about", "settings", "doctor", "sla", "apps"] {
            let answer = server.send("GET", &format!("/oozie/console/{page}"), &headers, "");
            assert_eq!(answer.status, 200, "{role} {page}");
        }
        if status == 200 {
            let page = server
                .send("GET", "/oozie/console/tokens", &headers, "")
                .body;
            for part in ["build &lt;1&gt;", "operate", "yours", "VALID", "never"] {
                assert!(page.contains(part), "{part}: {page}");
            }
            assert!(page.contains(&format!("hpdl token revoke {}", row.id)));
            for token in &secrets {
                let secret = token.rsplit('_').next().unwrap();
                assert!(!page.contains(secret), "{page}");
            }
        }
    }
}

#[test]
fn the_server_says_what_it_is_and_how_it_is() {
    let server = TestServer::with_site(BTreeMap::new());
    let page = server.get("/console/about").body;
    for part in [
        env!("CARGO_PKG_VERSION"),
        "NORMAL",
        "simple",
        "v0, v1, v2",
        "href=\"/openapi.json\"",
        "jobs.db",
        "Apache-2.0",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    server.put("/v1/admin/status?systemmode=SAFEMODE");
    let page = server.get("/console/about").body;
    assert!(
        page.contains("SAFEMODE") && page.contains("Commands are refused"),
        "{page}"
    );
}
