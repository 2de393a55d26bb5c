//! What strangers wrote stays text on every page: names, messages, properties, parameters of commands.

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_store::{
    ActionRow, JobRow, LogRow, audit, definitions,
    query::{self, ApplicationOrigin, DefinitionRow},
    tokens::{self, Role},
};

use super::{check_markup, store::write};
use crate::{serve::tests::TestServer, token};

#[test]
fn what_strangers_wrote_stays_text() {
    let server = TestServer::new();
    let store = server.session.store().unwrap();
    let hostile = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "javascript:alert(1)",
        "{{secret}}{{{secret}}}",
        "\u{1b}]0;x\u{7}\u{202e}gnp.exe",
        "</pre></main><style>*{display:none}</style>",
        "../../etc/passwd",
        "a?b#c&d=e%00%2f",
    ];
    for (number, text) in hostile.iter().enumerate() {
        let id = format!("{number:07}-261125093313444-hpdl-W");
        let job = JobRow {
            app: (*text).to_owned(),
            app_path: (*text).to_owned(),
            user: (*text).to_owned(),
            status: JobStatus::Killed,
            started: Some(1_000),
            ended: Some(2_000),
            conf: serde_json::json!({ *text: text }).to_string(),
            error_code: Some((*text).to_owned()),
            error_message: Some((*text).to_owned()),
            key: Some((*text).to_owned()),
            ..JobRow::new(&id, 1_000)
        };
        query::insert_job(&store, &job).unwrap();
        let row = ActionRow {
            status: ActionStatus::Error,
            error_code: Some((*text).to_owned()),
            error_message: Some((*text).to_owned()),
            note: Some((*text).to_owned()),
            transition: Some((*text).to_owned()),
            external_id: Some((*text).to_owned()),
            data: Some(serde_json::json!({ *text: text }).to_string()),
            work: Some(serde_json::json!({ *text: [text] }).to_string()),
            started: Some(1_000),
            attempt: 1,
            ..ActionRow::new(&id, text, text)
        };
        write(&store, &row);
        let line = LogRow {
            job_id: id.clone(),
            time: 1_000,
            node: Some((*text).to_owned()),
            event: (*text).to_owned(),
            message: Some((*text).to_owned()),
        };
        line.write(&store).unwrap();
        let node = crate::serve::console::part(text);
        let definition = DefinitionRow {
            hash: format!("{text}{number}"),
            app: (*text).to_owned(),
            hpdlc_version: (*text).to_owned(),
            created: 1_000,
            origin: ApplicationOrigin::Program,
            program: (*text).to_owned(),
            secrets: None,
        };
        store
            .execute(
                "INSERT INTO slas (job_id, node, nominal, expected_end, silent, status, is_over)
                 VALUES (?1, ?2, 1000, 2000, 0, 'MISS', 1)",
                [&id, *text],
            )
            .unwrap();
        let given = audit::AuditRow {
            time: 1_000,
            user: Some((*text).to_owned()),
            proxy: Some((*text).to_owned()),
            token: Some((*text).to_owned()),
            address: Some((*text).to_owned()),
            operation: (*text).to_owned(),
            job_id: Some(id.clone()),
            app: Some((*text).to_owned()),
            parameter: Some((*text).to_owned()),
            ..audit::AuditRow::default()
        };
        let entry = audit::begin(&store, &given).unwrap();
        let ended = audit::AuditEnd {
            status: 400,
            code: Some((*text).to_owned()),
            message: Some((*text).to_owned()),
            ..audit::AuditEnd::default()
        };
        audit::end(&store, entry, &ended).unwrap();
        let (mut row, _) = token::make(text, text, Role::Read, None).unwrap();
        row.id = (*text).to_owned();
        tokens::insert(&store, &row).unwrap();
        definitions::register(&store, &definition, &[format!("file:///{text}")]).unwrap();
        for path in [
            "/".to_owned(),
            format!("/console/jobs?q={node}"),
            format!("/console/jobs?app={node}"),
            format!("/?app={node}&state={node}"),
            format!("/console/job/{id}"),
            "/console/sla".to_owned(),
            format!("/console/sla?app={node}&state={node}"),
            "/console/audit".to_owned(),
            format!("/console/audit?user={node}&operation={node}&job={node}&result={node}"),
            format!("/console/settings?q={node}&origin={node}"),
            "/console/doctor".to_owned(),
            "/console/tokens".to_owned(),
            "/console/about".to_owned(),
            "/console/apps".to_owned(),
            format!("/console/apps?q={node}&status={node}"),
            format!("/console/app/{node}"),
            format!("/console/app/{node}?version={node}{number}&do=undeploy"),
            format!("/console/job/{id}/events"),
            format!("/console/job/{id}/properties"),
            format!("/console/job/{id}/timeline"),
            format!("/console/job/{id}/compare"),
            format!("/console/job/{id}/node/{node}"),
            format!("/console/job/{id}/output/{node}?q={node}"),
            format!("/console/job/{id}/output/{node}?find={node}"),
            format!("/console/job/{id}/command/rerun?nodes=skip&skip={node}"),
        ] {
            let page = server.get(&path);
            assert_eq!(page.status, 200, "{path}: {}", page.body);
            check_markup(&path, &page.body);
        }
        // A failure quotes what was asked for.
        for path in [
            format!("/console/job/{node}"),
            format!("/console/late?day={node}"),
            format!("/console/sla?first={node}"),
            format!("/console/audit?last={node}"),
            format!("/console/app/none{node}"),
            format!("/console/app/{node}?version=none{node}"),
        ] {
            let page = server.get(&path);
            assert!(page.status.is_client_error(), "{path}: {}", page.status);
            check_markup(&path, &page.body);
        }
        let report = server.get(&format!("/console/job/{id}/report.html"));
        let body = report
            .body
            .replacen("<style>", "", 1)
            .replacen("</style>", "", 1);
        check_markup("report", &body);
        assert!(!report.body.contains("<script"), "{text}");
    }
}
