//! The build script: `examples/generated`.

use std::{fs, path::Path};

use crate::{
    copy::PackageCopy,
    program::{ProgramEnd, Workplace},
};

fn example(test: &str) -> PackageCopy {
    PackageCopy::of("generated", "folder-backup", test)
}

/// Has the program back up a folder with a file, and keep one archive.
fn back_up(workplace: &Workplace, program: &Path) -> ProgramEnd {
    fs::create_dir_all(workplace.path("letters/old")).expect("creates");
    fs::write(workplace.path("letters/old/to-ada"), "Dear Ada,\n").expect("writes");
    workplace.run(program, &["now", "letters", "target", "1"])
}

fn n_archives(workplace: &Workplace) -> usize {
    fs::read_dir(workplace.path("target"))
        .expect("reads")
        .count()
}

#[test]
fn program_follows_its_workflow() {
    let copy = example("generated");
    let workplace = Workplace::new();
    let program = copy.program();
    for _ in 0..2 {
        let ended = back_up(&workplace, &program);
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        assert!(ended.stdout.contains(" SUCCEEDED"), "{ended:#?}");
        assert_eq!(n_archives(&workplace), 1, "the older one is removed");
    }
    // The sub-workflow's XML, and a new file: the build script watches the folder.
    copy.replace(
        "backup/rotate/workflow.xml",
        "<exec>remove-old.sh</exec>",
        "<exec>keep-all.sh</exec>",
    );
    copy.replace(
        "backup/rotate/workflow.xml",
        "<file>remove-old.sh</file>",
        "<file>keep-all.sh</file>",
    );
    copy.write("backup/rotate/keep-all.sh", "#!/bin/sh\necho removed=0\n");
    let ended = back_up(&workplace, &copy.program());
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert_eq!(n_archives(&workplace), 2);

    copy.write(
        "backup/rotate/keep-all.sh",
        "#!/bin/sh\necho no rotation today >&2\nexit 3\n",
    );
    let ended = back_up(&workplace, &copy.program());
    assert!(
        ended.stdout.contains(" KILLED") && ended.stdout.contains("rotate failed"),
        "{ended:#?}"
    );
}

#[test]
fn build_script_says_what_check_says() {
    let copy = example("generated-mistakes");
    copy.replace(
        "backup/workflow.xml",
        "<ok to=\"verify\"/>",
        "<ok to=\"verfy\"/>",
    );
    copy.replace(
        "backup/rotate/workflow.xml",
        "<start to=\"remove\"/>",
        "<start to=\"remov\"/>",
    );
    let checked = copy.checked("backup/workflow.xml");
    let built = copy.build();
    assert!(!built.is_success);
    assert!(checked.len() >= 2, "{checked:#?}");
    for line in &checked {
        // `path:line:column: error[code]: message`
        let [path, line_number, column, heading] = line.splitn(4, ':').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        assert!(
            built.stderr.contains(heading.trim()),
            "{heading} in {}",
            built.stderr
        );
        // A build script runs in the folder of its package, rustc in that of the workspace.
        let path = path
            .strip_prefix("examples/generated/")
            .expect("it is the application of the example");
        assert!(
            built
                .stderr
                .contains(&format!("--> {path}:{line_number}:{column}")),
            "{line} in {}",
            built.stderr
        );
    }
}
