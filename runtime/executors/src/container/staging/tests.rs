use super::*;

#[test]
fn a_place_that_nodes_do_not_share_is_refused() {
    let access = Access::default();
    let place = |base: Option<&str>, file_system: Option<&str>| StagingPlace {
        base: base.map(str::to_owned),
        file_system: file_system.map(str::to_owned),
    };
    for (base, file_system) in [
        (None, Some("file:///")),
        (Some("/tmp/staging"), Some("hdfs://nn:8020")),
    ] {
        let refused = Staging::of(&access, &place(base, file_system), "t").err();
        let problem = refused.expect("it is refused").message;
        assert!(problem.contains("hpdl.launcher.yarn.staging"), "{problem}");
    }
    let staging = Staging::of(&access, &place(None, Some("hdfs://nn:8020")), "t").unwrap();
    let user = hpdlc_host::user::name();
    let expected = format!("/user/{user}/.hpdl/containers/t");
    assert!(staging.uri().ends_with(&expected), "{}", staging.uri());
    let own = place(Some("hdfs://nn:8020/staging/"), None);
    let staging = Staging::of(&access, &own, "t").unwrap();
    assert_eq!(staging.uri(), "hdfs://nn:8020/staging/containers/t");
}

fn local(folder: &Path, access: &Access<'static>) -> Staging<'static> {
    let uri = format!("file://{}", folder.display());
    let staging = Staging::at(access, &uri).unwrap();
    staging.make().unwrap();
    staging
}

#[test]
fn an_attempt_is_claimed_once() {
    const FIRST: &str = "container_17_0042_01_000001";
    const SECOND: &str = "container_17_0043_01_000001";
    for (first, other, application) in [
        (FIRST, SECOND, Some("application_17_0042")),
        (FIRST, OWNER, Some("application_17_0042")),
        (OWNER, FIRST, None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let staging = local(folder.path(), &Access::default());
        assert_eq!(staging.claimer().unwrap(), None);
        assert!(staging.claim(first).unwrap());
        assert!(!staging.claim(other).unwrap());
        // Its first answer may have been lost.
        assert!(staging.claim(first).unwrap());
        assert_eq!(staging.claimer().unwrap().as_deref(), application);
    }
}

#[test]
fn a_claim_and_an_end_of_a_former_version_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let staging = local(folder.path(), &Access::default());
    fs::write(folder.path().join(CLAIM), "container_17_0042_01_000001").unwrap();
    assert!(staging.claim("container_17_0042_01_000001").unwrap());
    assert!(!staging.claim("container_17_0043_01_000001").unwrap());
    let claimer = staging.claimer().unwrap();
    assert_eq!(claimer.as_deref(), Some("application_17_0042"));
    fs::write(folder.path().join("exit.json.new"), "{").unwrap();
    assert_eq!(staging.exit().unwrap(), None);
    let exit = r#"{"code":3,"signal":null,"error":null,"ended":5}"#;
    fs::write(folder.path().join(EXIT), exit).unwrap();
    assert_eq!(staging.exit().unwrap().unwrap().code, Some(3));
}

#[test]
fn an_end_is_read_as_it_was_stored() {
    for error in [None, Some("no such\nfile")] {
        let folder = tempfile::tempdir().unwrap();
        let staging = local(&folder.path().join("it"), &Access::default());
        assert_eq!(staging.exit().unwrap(), None);
        let record = ExitRecord {
            code: error.is_none().then_some(7),
            signal: None,
            error: error.map(str::to_owned),
            exceeded: Some(60),
            ended: 1_795_606_562_973,
        };
        for _ in 0..2 {
            let scratch = folder.path().join("scratch");
            staging.store_exit(&record, &scratch).unwrap();
            assert_eq!(staging.exit().unwrap().as_ref(), Some(&record));
        }
    }
}

#[test]
fn a_container_names_its_application() {
    for (container, expected) in [
        ("container_17_0042_01_000001", Some("application_17_0042")),
        (
            "container_e02_17_0042_01_000001",
            Some("application_17_0042"),
        ),
        ("container", None),
    ] {
        assert_eq!(application_of(container).as_deref(), expected);
    }
}

#[test]
fn resources_are_uris() {
    let path = Path::new("/a b/100%/ä#1");
    assert_eq!(encoded(path), Path::new("/a%20b/100%25/%C3%A4%231"));
}

#[test]
fn the_end_of_a_long_output_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (file, to) = (folder.path().join("out"), folder.path().join("cut"));
    fs::write(&file, "0123456789abcde").unwrap();
    cut(&file, &to, 15, 5).unwrap();
    let text = fs::read_to_string(&to).unwrap();
    assert_eq!(
        text,
        "... 10 bytes before are in the container's log only\nabcde"
    );
}

#[test]
fn a_digest_is_that_of_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f");
    fs::write(&file, "abc").unwrap();
    let (name, length) = digest(&file).unwrap();
    assert!(name.starts_with("ba7816bf8f01cfea"), "{name}");
    assert_eq!(length, 3);
}
