use super::*;
use crate::rpc::testing::{
    AUTH, INTEGRITY, PRIVACY, ScriptedAnswer, Spoiling, serve, serve_with, token,
};

const REGISTER: &str = "registerApplicationMaster";
const ALLOCATE: &str = "allocate";
const FINISH: &str = "finishApplicationMaster";

fn allocated(id: u64) -> ScriptedAnswer {
    ScriptedAnswer::Reply(
        ALLOCATE,
        MessageWriter::default().number(2, id).into_bytes(),
    )
}

fn registered() -> ScriptedAnswer {
    ScriptedAnswer::Reply(REGISTER, Vec::new())
}

fn finished(is_unregistered: u64) -> ScriptedAnswer {
    let answer = MessageWriter::default().number(1, is_unregistered);
    ScriptedAnswer::Reply(FINISH, answer.into_bytes())
}

fn master(address: &str) -> ApplicationMaster {
    ApplicationMaster::new(vec![address.to_owned()], token())
}

fn response_id(request: &[u8]) -> Option<u64> {
    wire::number(request, 4).unwrap()
}

#[test]
fn a_life_without_trouble() {
    for protection in [AUTH, INTEGRITY, PRIVACY] {
        let script = vec![
            registered(),
            allocated(1),
            allocated(2),
            finished(0),
            finished(1),
        ];
        let (address, server) = serve_with(protection, script);
        let mut master = master(&address);
        assert_eq!(master.register(), Ok(Heartbeat::Heard));
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert_eq!(master.finish(FinalStatus::Failed, "exit code 7"), Ok(false));
        assert_eq!(master.finish(FinalStatus::Failed, "exit code 7"), Ok(true));
        let requests = server.join().unwrap();
        assert_eq!(response_id(&requests[1]), Some(0));
        assert_eq!(response_id(&requests[2]), Some(1));
        assert_eq!(wire::text(&requests[4], 1).unwrap(), "exit code 7");
        assert_eq!(wire::number(&requests[4], 3).unwrap(), Some(2));
    }
}

#[test]
fn answers_that_come_together_are_each_for_their_call() {
    for protection in [AUTH, INTEGRITY, PRIVACY] {
        let allocated = |id| MessageWriter::default().number(2, id).into_bytes();
        let answers = vec![
            (REGISTER, Vec::new()),
            (ALLOCATE, allocated(7)),
            (ALLOCATE, allocated(8)),
        ];
        let (address, server) = serve_with(protection, vec![ScriptedAnswer::Together(answers)]);
        let mut master = master(&address);
        assert_eq!(master.register(), Ok(Heartbeat::Heard));
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert_eq!(response_id(&server.join().unwrap()[2]), Some(7));
        assert_eq!(master.response_id, 8);
    }
}

#[test]
fn an_answer_whose_protection_is_spoilt_is_none_and_a_new_connection_goes_on() {
    for protection in [INTEGRITY, PRIVACY] {
        for (spoiling, problem) in [
            (Spoiling::Mac, "its MAC is wrong"),
            (Spoiling::Repeated, "number 1 was expected"),
            (Spoiling::Unprotected, "agreed on (no such attempt)"),
        ] {
            let (address, server) = serve_with(
                protection,
                vec![
                    ScriptedAnswer::Spoil(ALLOCATE, spoiling),
                    allocated(1),
                    finished(1),
                ],
            );
            let mut master = master(&address);
            master.is_registered = true;
            if let Spoiling::Repeated = spoiling {
                assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
            }
            let Ok(Heartbeat::Unheard(said)) = master.heartbeat() else {
                panic!("{protection} {spoiling:?}");
            };
            assert!(said.contains(problem), "{protection}: {said}");
            assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
            assert_eq!(master.finish(FinalStatus::Succeeded, ""), Ok(true));
            server.join().unwrap();
        }
    }
}

#[test]
fn long_requests_and_answers_arrive_whole() {
    for protection in [AUTH, INTEGRITY, PRIVACY] {
        let long = "diagnostics ".repeat(6_000);
        let answer = MessageWriter::default().number(1, 1).text(15, &long);
        let (address, server) = serve_with(
            protection,
            vec![ScriptedAnswer::Reply(FINISH, answer.into_bytes())],
        );
        let mut master = master(&address);
        master.is_registered = true;
        assert_eq!(master.finish(FinalStatus::Failed, &long), Ok(true));
        let requests = server.join().unwrap();
        assert!(wire::text(&requests[0], 1).unwrap() == long);
    }
}

#[test]
fn a_protection_that_is_not_known_ends_the_master_with_its_name() {
    let refused = ScriptedAnswer::RefuseToken("", "");
    for (protection, name) in [
        ("qop=\"auth-conf\",cipher=\"3des,des\"", "offers 3des, des"),
        ("qop=\"auth-new\"", "but auth-new"),
    ] {
        let (address, server) = serve_with(protection, vec![refused.clone()]);
        let Err(MasterError::Unsupported(problem)) = master(&address).register() else {
            panic!("{protection}");
        };
        assert!(problem.contains(name), "{problem}");
        server.join().unwrap();
    }
}

#[test]
fn a_resource_manager_that_was_restarted_is_registered_with_again() {
    let not_registered =
        "org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException";
    for protection in [AUTH, INTEGRITY, PRIVACY] {
        let (address, server) = serve_with(
            protection,
            vec![
                registered(),
                allocated(1),
                ScriptedAnswer::Hang(ALLOCATE),
                ScriptedAnswer::Refuse(ALLOCATE, not_registered, "AM is not registered"),
                registered(),
                allocated(1),
                ScriptedAnswer::Refuse(FINISH, not_registered, "AM is not registered"),
                registered(),
                finished(1),
            ],
        );
        let mut master = master(&address);
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert!(matches!(master.heartbeat(), Ok(Heartbeat::Unheard(_))));
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
        assert_eq!(master.finish(FinalStatus::Succeeded, ""), Ok(false));
        assert_eq!(master.finish(FinalStatus::Succeeded, ""), Ok(true));
        let requests = server.join().unwrap();
        assert_eq!(
            response_id(&requests[5]),
            Some(0),
            "as after every registration"
        );
    }
}

#[test]
fn lost_answers_change_nothing() {
    let invalid = "org.apache.hadoop.yarn.exceptions.InvalidApplicationMasterRequestException";
    let (address, server) = serve(vec![
        ScriptedAnswer::Hang(REGISTER),
        ScriptedAnswer::Refuse(
            REGISTER,
            invalid,
            "Application Master is already registered : a",
        ),
        ScriptedAnswer::Refuse(
            ALLOCATE,
            invalid,
            "Invalid responseId in AllocateRequest from application attempt: a, expect responseId to be 4, but get 0",
        ),
        allocated(5),
    ]);
    let mut master = master(&address);
    assert!(matches!(master.register(), Ok(Heartbeat::Unheard(_))));
    assert_eq!(master.register(), Ok(Heartbeat::Heard));
    assert!(matches!(master.heartbeat(), Ok(Heartbeat::Unheard(_))));
    assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
    let requests = server.join().unwrap();
    assert_eq!(response_id(&requests[3]), Some(4));
}

#[test]
fn an_attempt_that_is_over_is_gone() {
    let (address, server) = serve(vec![
        registered(),
        ScriptedAnswer::Refuse(
            ALLOCATE,
            "org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException",
            "Application attempt a doesn't exist",
        ),
    ]);
    let gone = master(&address).heartbeat().unwrap_err();
    assert!(matches!(gone, MasterError::Gone(_)), "{gone:?}");
    server.join().unwrap();
}

#[test]
fn a_token_that_is_refused_again_and_again_is_of_an_attempt_that_is_gone() {
    let refused = ScriptedAnswer::RefuseToken(
        "org.apache.hadoop.security.token.SecretManager$InvalidToken",
        "appattempt_1 not found in AMRMTokenSecretManager.",
    );
    let (address, server) = serve(vec![refused.clone(), refused.clone(), refused]);
    let mut master = master(&address);
    for _ in 1..MAX_REFUSALS {
        assert!(matches!(master.register(), Ok(Heartbeat::Unheard(_))));
    }
    assert!(matches!(master.register(), Err(MasterError::Gone(_))));
    server.join().unwrap();
}

#[test]
fn the_active_one_of_several_is_found_and_a_new_token_is_kept() {
    let rolled = MessageWriter::default()
        .bytes(1, b"attempt")
        .bytes(2, &[1; 20])
        .text(3, "NEW");
    let answer = MessageWriter::default().number(2, 1).message(12, rolled);
    let (address, server) = serve(vec![
        registered(),
        ScriptedAnswer::Reply(ALLOCATE, answer.into_bytes()),
    ]);
    // Nobody listens on the first.
    let mut master = ApplicationMaster::new(vec!["127.0.0.1:1".to_owned(), address], token());
    assert!(matches!(master.heartbeat(), Ok(Heartbeat::Unheard(_))));
    assert_eq!(master.heartbeat(), Ok(Heartbeat::Heard));
    assert_eq!(master.token.kind, "NEW");
    server.join().unwrap();
}

#[test]
fn without_addresses_it_says_so() {
    let mut master = ApplicationMaster::new(Vec::new(), token());
    assert!(matches!(
        master.register(),
        Err(MasterError::Unsupported(_))
    ));
}
