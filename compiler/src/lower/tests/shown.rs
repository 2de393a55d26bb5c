//! Prints the bodies of actions, one text per line.

use std::fmt::Write as _;

use crate::model::{
    ActionKind, Template,
    action::{
        HiveSource, PrepareOperation, map_reduce::MapReduceProgram, sqoop::SqoopCommand,
        ssh::SshArguments,
    },
};

/// Lines of names and texts.
#[derive(Default)]
pub(super) struct Shown(pub(super) String);

impl Shown {
    pub(super) fn text(&mut self, name: &str, text: &Template) {
        writeln!(self.0, "{name}: {:?}", text.text.as_str()).expect("writing to a string");
    }

    fn optional(&mut self, name: &str, text: &Option<Template>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    fn list(&mut self, name: &str, texts: &[Template]) {
        if !texts.is_empty() {
            let texts: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
            writeln!(self.0, "{name}: {texts:?}").expect("writing to a string");
        }
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            writeln!(self.0, "{name}").expect("writing to a string");
        }
    }

    fn source(&mut self, source: &HiveSource) {
        match source {
            HiveSource::Script(script) => self.text("script", script),
            HiveSource::Query(query) => self.text("query", query),
        }
    }

    pub(super) fn body(&mut self, kind: &ActionKind) {
        match kind {
            ActionKind::Distcp(distcp) => {
                self.optional("java-opts", &distcp.java_opts);
                self.list("args", &distcp.args);
            }
            ActionKind::Email(email) => {
                self.text("to", &email.to);
                self.optional("cc", &email.cc);
                self.optional("bcc", &email.bcc);
                self.text("subject", &email.subject);
                self.optional("body", &email.body);
                self.optional("content type", &email.content_type);
                self.optional("attachment", &email.attachment);
            }
            ActionKind::Git(git) => {
                self.text("git-uri", &git.git_uri);
                self.optional("branch", &git.branch);
                self.optional("key-path", &git.key_path);
                self.text("destination-uri", &git.destination_uri);
            }
            ActionKind::Hive(hive) => {
                self.source(&hive.source);
                self.list("params", &hive.params);
                self.list("arguments", &hive.arguments);
                self.list("files", &hive.files);
                self.list("archives", &hive.archives);
            }
            ActionKind::Hive2(hive2) => {
                self.text("jdbc-url", &hive2.jdbc_url);
                self.optional("password", &hive2.password);
                self.source(&hive2.source);
                self.list("params", &hive2.params);
                self.list("arguments", &hive2.arguments);
                self.list("files", &hive2.files);
                self.list("archives", &hive2.archives);
            }
            ActionKind::Http(http) => {
                self.text("url", &http.url);
                if let Some(post) = &http.post {
                    self.text("content type", &post.content_type);
                    self.text("post", &post.body);
                }
                self.flag("waits", http.waits_for_callback);
                self.flag("capture", http.capture_output);
            }
            ActionKind::MapReduce(map_reduce) => {
                match &map_reduce.program {
                    MapReduceProgram::Classes => {}
                    MapReduceProgram::Streaming(streaming) => {
                        self.optional("mapper", &streaming.mapper);
                        self.optional("reducer", &streaming.reducer);
                        self.optional("record-reader", &streaming.record_reader);
                        self.list("mappings", &streaming.record_reader_mappings);
                        self.list("env", &streaming.env);
                    }
                    MapReduceProgram::Pipes(pipes) => {
                        self.optional("map", &pipes.map);
                        self.optional("reduce", &pipes.reduce);
                        self.optional("inputformat", &pipes.input_format);
                        self.optional("partitioner", &pipes.partitioner);
                        self.optional("writer", &pipes.writer);
                        self.optional("program", &pipes.program);
                    }
                }
                self.optional("config-class", &map_reduce.config_class);
                self.list("files", &map_reduce.files);
                self.list("archives", &map_reduce.archives);
            }
            ActionKind::Pig(pig) => {
                self.text("script", pig.script.template());
                self.list("params", &pig.params);
                self.list("arguments", &pig.arguments);
                self.list("files", &pig.files);
                self.list("archives", &pig.archives);
            }
            ActionKind::Rust(rust) => {
                self.text("function", &rust.function);
                self.list("arguments", &rust.arguments);
            }
            ActionKind::Spark(spark) => {
                self.text("master", &spark.master);
                self.optional("mode", &spark.mode);
                self.text("name", &spark.name);
                self.optional("class", &spark.class);
                self.text("jar", &spark.jar);
                self.optional("spark-opts", &spark.spark_opts);
                self.list("args", &spark.args);
                self.list("files", &spark.files);
                self.list("archives", &spark.archives);
            }
            ActionKind::Sqoop(sqoop) => {
                match &sqoop.command {
                    SqoopCommand::Text(command) => self.text("command", command),
                    SqoopCommand::Args(args) => self.list("args", args),
                }
                self.list("files", &sqoop.files);
                self.list("archives", &sqoop.archives);
            }
            ActionKind::Ssh(ssh) => {
                self.text("host", &ssh.host);
                self.text("command", &ssh.command);
                match &ssh.arguments {
                    SshArguments::Flattened(list) => self.list("flattened", list),
                    SshArguments::Preserved(list) => self.list("preserved", list),
                }
                self.flag("capture", ssh.capture_output);
            }
            // Tested in `model`.
            _ => panic!("no test of this module has a `{}`", kind.name()),
        }
    }

    pub(super) fn settings(&mut self, kind: &ActionKind) {
        if let Some(settings) = kind.settings() {
            self.optional("resource-manager", &settings.resource_manager);
            self.optional("name-node", &settings.name_node);
            self.list("job-xml", &settings.job_xml);
            for property in &settings.configuration.properties {
                self.text(property.name.text.as_str(), &property.value);
            }
        }
        for operation in kind.prepare().into_iter().flatten() {
            match operation {
                PrepareOperation::Delete(path) => self.text("delete", path),
                PrepareOperation::Mkdir(path) => self.text("mkdir", path),
            }
        }
    }
}
