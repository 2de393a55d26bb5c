use std::collections::BTreeMap;

use super::{
    command_line::{CommandLine, Surroundings},
    *,
};
use crate::ToolKind;
use crate::tool::call::testing::{self, ground, map, tool};

/// The fixed elements, and those under test.
fn spark(master: &str, mode: Option<&str>) -> Spark {
    Spark {
        master: master.to_owned(),
        mode: mode.map(str::to_owned),
        name: "sums".to_owned(),
        jar: "app.jar".to_owned(),
        ..Spark::default()
    }
}

fn around<'a>() -> Surroundings<'a> {
    Surroundings {
        folder: "/w",
        jar: "app.jar",
        ..Surroundings::default()
    }
}

fn properties(list: &[(&str, &str)]) -> BTreeMap<String, String> {
    list.iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn line(spark: &Spark, around: &Surroundings<'_>) -> CommandLine {
    spark.command_line(spark.options(), around)
}

/// The command line as one text; `LOG` stands for what always follows the options.
#[track_caller]
fn check(spark: &Spark, around: &Surroundings<'_>, expected: &str) {
    let words = line(spark, around).arguments.join(" ");
    let log = "--conf spark.executor.extraJavaOptions=-Dlog4j.configuration=spark-log4j.properties \
               --conf spark.driver.extraJavaOptions=-Dlog4j.configuration=spark-log4j.properties";
    assert_eq!(words.replace(log, "LOG"), expected);
}

#[test]
fn where_it_runs_decides_what_is_shipped() {
    let around = Surroundings {
        files: ["spark-log4j.properties", "hdfs://nn/lib/a.jar#a.jar"]
            .map(str::to_owned)
            .into(),
        archives: vec!["hdfs://nn/b.zip#b".to_owned()],
        ..around()
    };
    let here = "LOG --verbose app.jar";
    let client = "--conf spark.executor.extraClassPath=$PWD/* --conf spark.driver.extraClassPath=/w/*:/w LOG \
                  --files spark-log4j.properties,hdfs://nn/lib/a.jar#a.jar --archives hdfs://nn/b.zip#b --verbose app.jar";
    let cluster = client.replace("/w/*:/w", "$PWD/*");
    for (master, mode, rest) in [
        ("local[*]", None, here),
        ("local", Some("client"), here),
        ("spark://h:7077", Some("cluster"), here),
        ("mesos://h:5050", None, here),
        ("k8s://https://h", Some("cluster"), here),
        ("yarn", None, here),
        ("yarn", Some("client"), client),
        ("yarn-client", None, client),
        ("yarn", Some("cluster"), &cluster),
        ("yarn-cluster", None, &cluster),
    ] {
        let mode_words = mode.map_or_else(String::new, |mode| format!(" --deploy-mode {mode}"));
        check(
            &spark(master, mode),
            &around,
            &format!("--master {master}{mode_words} --name sums {rest}"),
        );
    }
}

#[test]
fn elements_stand_in_their_order() {
    let spark = Spark {
        class: Some("a.Main".to_owned()),
        options: "--executor-memory 1g --conf spark.x=a b".to_owned(),
        args: ["one", "", "two words"].map(str::to_owned).into(),
        ..spark("local[2]", None)
    };
    let mut around = around();
    around.configuration = properties(&[
        ("mapred.x", "0"),
        ("oozie.", "0"),
        ("oozie.a", "1"),
        ("oozie.launcher.b", "2"),
        ("oozie.spark.c", "3"),
        ("oozie.d", "4 5"),
    ]);
    let words = line(&spark, &around).arguments;
    let log = |side| format!("spark.{side}.extraJavaOptions={}", options::LOG_SETTINGS);
    assert_eq!(
        words,
        [
            "--master",
            "local[2]",
            "--name",
            "sums",
            "--class",
            "a.Main",
            "--conf",
            "spark.oozie.a=1",
            "--conf",
            "spark.oozie.d=4 5",
            "--executor-memory",
            "1g",
            "--conf",
            "spark.x=a b",
            "--conf",
            &log("executor"),
            "--conf",
            &log("driver"),
            "--verbose",
            "app.jar",
            "one",
            "",
            "two words",
        ]
    );
}

#[test]
fn tags_are_those_of_the_action_and_its_own() {
    let mut around = around();
    around.tags = Some("oozie-1");
    let expected = |tags: &str| {
        format!("--master local --name sums --conf spark.yarn.tags={tags} LOG --verbose app.jar")
    };
    check(&spark("local", None), &around, &expected("oozie-1"));
    let own = Spark {
        options: "--conf spark.yarn.tags=mine".to_owned(),
        ..spark("local", None)
    };
    check(&own, &around, &expected("mine,oozie-1"));
}

#[test]
fn files_are_shipped_once() {
    let mut around = around();
    around.files = vec!["a.txt".to_owned(), "hdfs://nn/x#b.txt".to_owned()];
    let own = Spark {
        options: "--files hdfs://nn/c/a.txt,d,k.keytab --files=e/b.txt --archives z.zip --keytab /k/k.keytab"
            .to_owned(),
        ..spark("yarn", Some("cluster"))
    };
    let words = line(&own, &around).arguments.join(" ");
    assert!(
        words.ends_with("--files a.txt,hdfs://nn/x#b.txt,d --archives z.zip --verbose app.jar"),
        "{words}"
    );
    // Without YARN, Spark itself ships these files.
    let own = Spark {
        options: "--files a,b".to_owned(),
        ..spark("local", None)
    };
    check(
        &own,
        &around,
        "--master local --name sums LOG --files a,b --verbose app.jar",
    );
}

#[test]
fn class_paths_are_joined_on_yarn() {
    let own = Spark {
        options: "--driver-class-path a --conf spark.executor.extraClassPath=b --conf spark.driver.extraClassPath=c"
            .to_owned(),
        ..spark("yarn-cluster", None)
    };
    check(
        &own,
        &around(),
        "--master yarn-cluster --name sums --conf spark.executor.extraClassPath=b:$PWD/* \
         --conf spark.driver.extraClassPath=a:c:$PWD/* LOG --verbose app.jar",
    );
}

#[test]
fn defaults_are_below_what_is_given() {
    let mut around = around();
    around.installed = properties(&[
        ("spark.a", "installed"),
        ("spark.b", "installed"),
        ("spark.driver.extraJavaOptions", "-Dx=1"),
    ]);
    // Spark reads its own file if no other is given; only values that `--conf` would override are merged into that option.
    let alone = line(&spark("local", None), &around);
    assert_eq!(alone.properties, BTreeMap::new());
    let driver = "spark.driver.extraJavaOptions=-Dx=1 -Dlog4j.configuration=spark-log4j.properties";
    assert!(
        alone.arguments.iter().any(|word| word == driver),
        "{alone:?}"
    );

    around.given = properties(&[
        ("spark.b", "given"),
        ("spark.executor.extraClassPath", "/e"),
    ]);
    let with = line(&spark("yarn", Some("cluster")), &around);
    assert_eq!(
        with.properties,
        properties(&[
            ("spark.a", "installed"),
            ("spark.b", "given"),
            ("spark.driver.extraJavaOptions", "-Dx=1"),
            ("spark.executor.extraClassPath", "/e"),
        ])
    );
    let words = with.arguments.join(" ");
    assert!(
        words.contains("spark.executor.extraClassPath=/e:$PWD/*"),
        "{words}"
    );
    assert!(
        words.ends_with(
            "--properties-file spark-defaults-oozie-generated.properties --verbose app.jar"
        ),
        "{words}"
    );
}

#[test]
fn verbose_is_said_once() {
    let own = Spark {
        options: "--verbose".to_owned(),
        ..spark("local", None)
    };
    check(
        &own,
        &around(),
        "--master local --name sums --verbose LOG app.jar",
    );
}

#[test]
fn hadoops_files_have_the_actions_properties_where_that_is_wished() {
    let mut tool = tool(
        ToolKind::Spark,
        [("master", "yarn"), ("name", "sums"), ("jar", "app.jar")],
    );
    let wish = (HADOOP_FOLDER_WISHED, "true");
    for (configuration, n_files) in [(map([("a", "b")]), 0), (map([("a", "b"), wish]), 4)] {
        tool.configuration = configuration;
        let mut ground = ground(&tool);
        ground.site = map([("a", "installed"), ("c", "d")]);
        let call = testing::call(&tool, &ground);
        let of_hadoop: Vec<_> = call
            .files
            .iter()
            .filter(|(name, _)| name.starts_with("oozie-hadoop-conf-0/"))
            .collect();
        assert_eq!(of_hadoop.len(), n_files);
        for (_, text) in of_hadoop {
            let has = |name: &str, value: &str| {
                text.contains(&format!("<name>{name}</name>\n    <value>{value}</value>"))
            };
            assert!(has("a", "b") && has("c", "d"), "{text}");
        }
        let folder = call
            .environment
            .iter()
            .find(|(name, _)| name == "HADOOP_CONF_DIR");
        let expected = (n_files > 0).then_some("/w/oozie-hadoop-conf-0");
        assert_eq!(folder.map(|(_, folder)| folder.as_str()), expected);
    }
}

#[test]
fn what_a_reader_would_take_apart_is_quoted() {
    assert_eq!(super::quoted("-Xmx1g"), "-Xmx1g");
    assert_eq!(super::quoted("-Da=b c"), r#""-Da=b c""#);
    assert_eq!(super::quoted(r#"-Da="b\"#), r#""-Da=\"b\\""#);
}
