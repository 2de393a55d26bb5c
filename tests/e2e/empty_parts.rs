//! Operations on paths that lose a part, because a property in them is empty: refused before anything is done.

use std::fs;

use crate::{
    harness::{World, action, node},
    run, sh,
};

/// What must stay, below `out/data`.
fn kept(world: &World) -> std::path::PathBuf {
    let file = world.out().join("data/kept");
    fs::create_dir_all(file.parent().expect("it lies below")).expect("a folder");
    fs::write(&file, "").expect("a file");
    file
}

fn check(nodes: &str) {
    let mut world = World::of_nodes(nodes);
    for (properties, is_refused) in [
        (vec!["-Dold="], true),
        (vec!["-Dold= "], true),
        (vec!["-Dold=./"], true),
        (vec!["-Dold=x"], false),
        (vec!["-Dold=", "-Dhpdl.path.empty.parts=allow"], false),
    ] {
        let kept = kept(&world);
        let out = world.out_property();
        let mut dryrun = vec!["dryrun", &out];
        dryrun.extend(&properties);
        let dry = world.call(&dryrun).expect(i32::from(is_refused));
        assert_eq!(
            dry.stdout.contains("`${old}` in the path"),
            is_refused,
            "{}",
            dry.stdout
        );
        if is_refused {
            let (_, info) = run(&world, &properties, 1);
            assert_eq!(
                node(&info, "a")["error_code"],
                "HPDL_EMPTY_PATH_PART",
                "{info:#}"
            );
            assert!(kept.exists(), "{properties:?}");
        } else {
            let ended = world.run(&properties);
            assert!(
                !ended.stdout.contains("HPDL_EMPTY_PATH_PART"),
                "{}",
                ended.stdout
            );
        }
        world.afresh();
    }
}

fn fs_action(operations: &str) -> String {
    action(
        "a",
        &format!("<fs><name-node>file:///</name-node>{operations}</fs>"),
        "end",
    )
}

#[test]
fn an_fs_action_does_nothing_where_a_part_of_a_path_is_empty() {
    // The first operation would be fine.
    check(&fs_action(
        "<mkdir path='${out}/made'/><delete path='${out}/data/${old}'/>",
    ));
    check(&fs_action(
        "<move source='${out}/data/kept' target='${out}/${old}/there'/>",
    ));
    check(&fs_action(
        "<chmod path='${out}/data/${old}' permissions='700'/>",
    ));
}

#[test]
fn a_prepare_deletes_nothing_where_a_part_of_a_path_is_empty() {
    let nodes = sh("a", "true", "", "end").replace(
        "<exec>",
        "<prepare><delete path='${out}/data/${old}'/></prepare><exec>",
    );
    check(&nodes);
}
