//! `config-class` with real Java: a class that only uses Oozie's interface.

use std::fs;

use crate::{
    cluster::Cluster,
    harness::{World, action, node, text},
    java, on, properties, run, share, workflow_on_cluster,
};

/// Sources with Oozie's interface, which is not put into the JAR: the action provides it.
const SOURCES: [(&str, &str); 3] = [
    (
        "org/apache/oozie/action/hadoop/OozieActionConfigurator.java",
        "package org.apache.oozie.action.hadoop;\n\
         public interface OozieActionConfigurator {\n\
         void configure(org.apache.hadoop.mapred.JobConf conf) throws OozieActionConfiguratorException;\n}\n",
    ),
    (
        "org/apache/oozie/action/hadoop/OozieActionConfiguratorException.java",
        "package org.apache.oozie.action.hadoop;\n\
         public class OozieActionConfiguratorException extends Exception {\n\
         public OozieActionConfiguratorException(String message) { super(message); }\n\
         public OozieActionConfiguratorException(String message, Throwable cause) { super(message, cause); }\n\
         public OozieActionConfiguratorException(Throwable cause) { super(cause); }\n}\n",
    ),
    (
        "own/Configurator.java",
        "package own;\n\
         import org.apache.hadoop.io.*;\nimport org.apache.hadoop.mapred.*;\nimport org.apache.hadoop.mapred.lib.*;\n\
         import org.apache.oozie.action.hadoop.*;\n\
         public class Configurator implements OozieActionConfigurator {\n\
         public void configure(JobConf conf) throws OozieActionConfiguratorException {\n\
         if (conf.getBoolean(\"own.refuses\", false)) {\n\
         throw new OozieActionConfiguratorException(new IllegalStateException(\"it was told to refuse\"));\n}\n\
         conf.setMapperClass(TokenCountMapper.class);\nconf.setReducerClass(LongSumReducer.class);\n\
         conf.setOutputKeyClass(Text.class);\nconf.setOutputValueClass(LongWritable.class);\n\
         conf.set(\"mapred.output.dir\", conf.get(\"own.base\") + \"/out\");\n\
         conf.set(\"mapreduce.job.tags\", \"own\");\n}\n}\n",
    ),
];

/// An application whose action names that class.
fn world(cluster: &Cluster, class: &str) -> World {
    let body = format!(
        "<map-reduce><configuration>\
         <property><name>mapred.input.dir</name><value>${{folder}}/in</value></property>\
         <property><name>own.base</name><value>${{folder}}</value></property>\
         <property><name>own.refuses</name><value>${{refuses}}</value></property>\
         </configuration><config-class>{class}</config-class></map-reduce>"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = folder.path().join("app");
    let jar = app.join("lib/own.jar");
    java::pack(cluster, &SOURCES, "own", &jar);
    let document = workflow_on_cluster(&action("a", &body, "end"));
    fs::write(app.join("workflow.xml"), document).expect("a file");
    on(cluster, World::of_folder(&app))
}

#[test]
fn a_class_completes_the_job() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "historyserver"]) else {
        return;
    };
    let world = world(&cluster, "own.Configurator");
    let mut properties = properties(&cluster, "config-class");
    let folder = crate::folder_of(&cluster, &properties);
    cluster.write(&format!("{folder}/in/text"), "b a\na b a\n");
    properties.push("-Drefuses=false".to_owned());
    let info = run(&world, &properties, 0);
    assert_eq!(
        cluster.read(&format!("{folder}/out/part-00000")),
        "a\t3\nb\t2\n"
    );
    // It is found by its tag, which the class has tried to remove.
    let id = text(&node(&info, "a")["external_id"]).replace("job_", "application_");
    let all = crate::applications(&cluster, "hpdl-");
    let found = all.iter().find(|app| app["id"] == id.as_str());
    let tags = text(&found.expect("it has our tag")["applicationTags"]);
    assert!(tags.split(',').any(|tag| tag == "own"), "{tags}");
}

#[test]
fn a_class_that_refuses_or_is_missing_ends_the_action() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    for (class, words) in [
        ("own.Configurator", "it was told to refuse"),
        ("own.Missing", "there is no class `own.Missing`"),
        ("java.lang.Object", "does not have the interface"),
    ] {
        let world = world(&cluster, class);
        let mut properties = properties(&cluster, "config-class-refuses");
        properties.push("-Drefuses=true".to_owned());
        let info = run(&world, &properties, 1);
        let failed = node(&info, "a");
        assert_eq!(failed["error_code"], "JA018", "{failed:#}");
        assert!(text(&failed["error_message"]).contains(words), "{failed:#}");
    }
}
