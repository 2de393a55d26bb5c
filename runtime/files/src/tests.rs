use std::{fs, os::unix::fs::symlink, path::Path};

use hpdlc_core::el::{error::ElErrorKind, scope::FileFacts};

use super::{Access, PathError, Uri, local_path};

#[test]
fn the_forms_of_a_local_path() {
    for (uri, path) in [
        ("/x", "/x"),
        ("file:/x", "/x"),
        ("file:///x", "/x"),
        ("FILE:///x", "/x"),
        ("file://localhost/x", "/x"),
        ("file://localhost", "/"),
        ("file://", "/"),
        ("//x//y/", "/x/y"),
        ("file:////x///y", "/x/y"),
        ("/a/./b/../c", "/a/c"),
        ("/../a", "/a"),
        ("/a:b/c", "/a:b/c"),
        ("/a%20b?c#d", "/a%20b?c#d"),
    ] {
        assert_eq!(local_path(uri).as_deref(), Ok(Path::new(path)), "{uri}");
    }
}

#[test]
fn what_is_no_local_path_says_why() {
    let scheme = |scheme: &str| PathError::UnsupportedScheme {
        scheme: scheme.to_owned(),
    };
    let relative = |path: &str| PathError::Relative {
        path: path.to_owned(),
    };
    for (uri, error) in [
        ("hdfs://nn:8020/x", scheme("hdfs")),
        ("hdfs:x", scheme("hdfs")),
        ("s3a://bucket/x", scheme("s3a")),
        ("a:b/c", scheme("a")),
        ("x/y", relative("x/y")),
        ("file:x", relative("x")),
        ("", relative("")),
        (" /x", relative(" /x")),
        (
            "file://other/x",
            PathError::OtherHost {
                host: "other".to_owned(),
            },
        ),
    ] {
        assert_eq!(local_path(uri), Err(error), "{uri}");
    }
    let message = scheme("hdfs").to_string();
    assert_eq!(
        message.ends_with("; `hpdlc build --full` makes one that can"),
        cfg!(not(feature = "full")),
        "{message}"
    );
    let message = scheme("ftp").to_string();
    assert!(
        message.contains("`hdfs`, ") && !message.contains("--full"),
        "{message}"
    );
}

#[test]
fn a_uri_has_the_parts_that_hadoop_sees() {
    let uri = Uri::parse("hdfs://nn:8020/a:b");
    assert_eq!(
        (uri.scheme, uri.authority, uri.path),
        (Some("hdfs"), Some("nn:8020"), "/a:b")
    );
    assert_eq!(Uri::parse("hdfs:///a").authority, Some(""));
    assert_eq!(Uri::parse("hdfs:/a").authority, None);
}

#[test]
fn the_functions_of_prefix_fs() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::create_dir_all(root.join("dir/sub")).expect("made");
    fs::write(root.join("dir/one"), "12345").expect("written");
    fs::write(root.join("dir/two"), "123").expect("written");
    fs::write(root.join("dir/sub/three"), "1234567").expect("written");
    symlink("nowhere", root.join("dangling")).expect("linked");
    let files = Access::default();
    let uri = |name: &str| format!("file://{}/{name}", root.display());

    for (name, expected) in [
        ("dir", true),
        ("dir/*", true),
        ("dir/{one,x}", true),
        ("dir/x*", false),
        ("missing", false),
        ("missing/x", false),
        ("dangling", false),
    ] {
        assert_eq!(files.exists(&uri(name)), Ok(expected), "fs:exists {name}");
    }
    for (name, is_dir, file_size, dir_size, block_size) in [
        ("dir", true, 0, 8, 0),
        ("dir/one", false, 5, -1, 33_554_432),
        ("dir/one/x", false, -1, -1, -1),
        ("missing", false, -1, -1, -1),
        ("dir/*", false, -1, -1, -1),
    ] {
        assert_eq!(files.is_dir(&uri(name)), Ok(is_dir), "fs:isDir {name}");
        assert_eq!(
            files.file_size(&uri(name)),
            Ok(file_size),
            "fs:fileSize {name}"
        );
        assert_eq!(
            files.dir_size(&uri(name)),
            Ok(dir_size),
            "fs:dirSize {name}"
        );
        assert_eq!(
            files.block_size(&uri(name)),
            Ok(block_size),
            "fs:blockSize {name}"
        );
    }
}

#[test]
fn a_question_that_cannot_be_answered_fails_the_job() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("1"), "").expect("written");
    fs::write(folder.path().join("2"), "").expect("written");
    let files = Access {
        glob_max: 1,
        ..Access::default()
    };
    for (glob, part) in [
        ("ftp://nn/x".to_owned(), "scheme `ftp`"),
        ("x".to_owned(), "path `x` is not absolute"),
        ("/tmp/[".to_owned(), "a `[` is not closed"),
        (
            format!("{}/*", folder.path().display()),
            "oozie.action.fs.glob.max",
        ),
        (format!("/{}", "x".repeat(300)), "cannot look at"),
    ] {
        let error = files.exists(&glob).expect_err(&glob);
        assert_eq!(error.kind, ElErrorKind::Function, "{glob}");
        assert!(
            error.message.contains("fs:exists") && error.message.contains(part),
            "{error}"
        );
    }
    for error in [
        files.is_dir("x").expect_err("relative"),
        files.file_size("x").expect_err("relative"),
        files.dir_size("x").expect_err("relative"),
        files.block_size("x").expect_err("relative"),
    ] {
        assert_eq!(error.kind, ElErrorKind::Function, "{error}");
    }
}
