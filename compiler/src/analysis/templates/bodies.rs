//! The texts of each action type, beside what types share.
//!
//! Every field is named, so that none can be forgotten here.

use super::{Phase, Uses, Wanted, fs_paths};
use crate::model::{
    ActionKind, Template,
    action::{
        Distcp, Email, FsOperation, Git, Hive, Hive2, Http, Java, MapReduce, Pig, Shell, Spark,
        Sqoop, Ssh,
        fs::FsOperationKind,
        http::HttpPost,
        java::JavaOpts,
        map_reduce::{MapReduceProgram, Pipes, Streaming},
        sqoop::SqoopCommand,
    },
};

impl<'a> Uses<'a> {
    /// The texts of a body, without its settings and its `prepare`.
    pub(super) fn body(&mut self, kind: &'a ActionKind) {
        match kind {
            ActionKind::Distcp(distcp) => self.distcp(distcp),
            ActionKind::Email(email) => self.email(email),
            ActionKind::Fs(fs) => {
                for operation in &fs.operations {
                    self.fs_operation(operation);
                }
            }
            ActionKind::Git(git) => self.git(git),
            ActionKind::Hive(hive) => self.hive(hive),
            ActionKind::Hive2(hive2) => self.hive2(hive2),
            ActionKind::Http(http) => self.http(http),
            ActionKind::Java(java) => self.java(java),
            ActionKind::MapReduce(map_reduce) => self.map_reduce(map_reduce),
            ActionKind::Pig(pig) => self.pig(pig),
            ActionKind::Shell(shell) => self.shell(shell),
            ActionKind::Spark(spark) => self.spark(spark),
            ActionKind::Sqoop(sqoop) => self.sqoop(sqoop),
            ActionKind::Ssh(ssh) => self.ssh(ssh),
            ActionKind::SubWorkflow(sub_workflow) => self.paths([&sub_workflow.app_path]),
            ActionKind::Unknown(_) => {}
        }
    }

    fn lists(&mut self, lists: &[&'a [Template]]) {
        for list in lists {
            self.text(*list);
        }
    }

    fn distcp(&mut self, distcp: &'a Distcp) {
        let Distcp {
            settings: _,
            prepare: _,
            java_opts,
            args,
        } = distcp;
        self.text(java_opts);
        self.text(args);
    }

    fn email(&mut self, email: &'a Email) {
        let Email {
            to,
            cc,
            bcc,
            subject,
            body,
            content_type,
            attachment,
        } = email;
        self.text([to]);
        self.text(cc.iter().chain(bcc));
        self.text([subject]);
        self.text(body.iter().chain(content_type).chain(attachment));
    }

    fn git(&mut self, git: &'a Git) {
        let Git {
            settings: _,
            prepare: _,
            git_uri,
            branch,
            key_path,
            destination_uri,
        } = git;
        self.uris([git_uri]);
        self.text(branch.iter().chain(key_path));
        self.uris([destination_uri]);
    }

    fn hive(&mut self, hive: &'a Hive) {
        let Hive {
            settings: _,
            prepare: _,
            source,
            params,
            arguments,
            files,
            archives,
        } = hive;
        self.text([source.template()]);
        self.lists(&[params, arguments, files, archives]);
    }

    fn hive2(&mut self, hive2: &'a Hive2) {
        let Hive2 {
            settings: _,
            prepare: _,
            jdbc_url,
            password,
            source,
            params,
            arguments,
            files,
            archives,
        } = hive2;
        self.uris([jdbc_url]);
        self.text(password);
        self.text([source.template()]);
        self.lists(&[params, arguments, files, archives]);
    }

    fn http(&mut self, http: &'a Http) {
        let Http {
            url,
            post,
            waits_for_callback: _,
            mode,
            capture_output: _,
        } = http;
        self.uris([url]);
        self.text(mode);
        if let Some(HttpPost { content_type, body }) = post {
            self.text([content_type, body]);
        }
    }

    fn java(&mut self, java: &'a Java) {
        let Java {
            settings: _,
            prepare: _,
            main_class,
            java_opts,
            args,
            files,
            archives,
            capture_output: _,
        } = java;
        self.text([main_class]);
        match java_opts {
            JavaOpts::None => {}
            JavaOpts::Text(text) => self.text([text]),
            JavaOpts::List(options) => self.text(options),
        }
        self.lists(&[args, files, archives]);
    }

    fn map_reduce(&mut self, map_reduce: &'a MapReduce) {
        let MapReduce {
            settings: _,
            prepare: _,
            program,
            config_class,
            files,
            archives,
        } = map_reduce;
        match program {
            MapReduceProgram::Classes => {}
            MapReduceProgram::Streaming(streaming) => self.streaming(streaming),
            MapReduceProgram::Pipes(pipes) => self.pipes(pipes),
        }
        self.text(config_class);
        self.lists(&[files, archives]);
    }

    fn streaming(&mut self, streaming: &'a Streaming) {
        let Streaming {
            mapper,
            reducer,
            record_reader,
            record_reader_mappings,
            env,
        } = streaming;
        self.text(mapper.iter().chain(reducer).chain(record_reader));
        self.lists(&[record_reader_mappings, env]);
    }

    fn pipes(&mut self, pipes: &'a Pipes) {
        let Pipes {
            map,
            reduce,
            input_format,
            partitioner,
            writer,
            program,
        } = pipes;
        let classes = [map, reduce, input_format, partitioner, writer, program];
        self.text(classes.into_iter().flatten());
    }

    fn pig(&mut self, pig: &'a Pig) {
        let Pig {
            settings: _,
            prepare: _,
            host,
            script,
            params,
            arguments,
            files,
            archives,
        } = pig;
        self.text(host);
        self.text([script]);
        self.lists(&[params, arguments, files, archives]);
    }

    fn shell(&mut self, shell: &'a Shell) {
        let Shell {
            settings: _,
            prepare: _,
            exec,
            arguments,
            env_vars,
            files,
            archives,
            capture_output: _,
        } = shell;
        self.text([exec]);
        self.lists(&[arguments, env_vars, files, archives]);
    }

    fn spark(&mut self, spark: &'a Spark) {
        let Spark {
            settings: _,
            prepare: _,
            master,
            mode,
            name,
            class,
            jar,
            spark_opts,
            args,
            files,
            archives,
        } = spark;
        self.text([master]);
        self.text(mode);
        self.text([name]);
        self.text(class);
        self.text([jar]);
        self.text(spark_opts);
        self.lists(&[args, files, archives]);
    }

    fn sqoop(&mut self, sqoop: &'a Sqoop) {
        let Sqoop {
            settings: _,
            prepare: _,
            command,
            files,
            archives,
        } = sqoop;
        match command {
            SqoopCommand::Text(text) => self.text([text]),
            SqoopCommand::Args(args) => self.text(args),
        }
        self.lists(&[files, archives]);
    }

    fn ssh(&mut self, ssh: &'a Ssh) {
        let Ssh {
            host,
            command,
            arguments,
            capture_output: _,
        } = ssh;
        self.text([host, command]);
        self.text(arguments.templates());
    }

    fn fs_operation(&mut self, operation: &'a FsOperation) {
        self.paths(fs_paths(operation));
        let mut flag = |flag: &'a Option<Template>| {
            if let Some(flag) = flag {
                self.push(flag, Phase::Workflow, Wanted::Boolean);
            }
        };
        match &operation.kind {
            FsOperationKind::Delete { skip_trash, .. } => flag(skip_trash),
            FsOperationKind::Chmod {
                permissions,
                dir_files,
                ..
            } => {
                flag(dir_files);
                self.text([permissions]);
            }
            FsOperationKind::Chgrp {
                group, dir_files, ..
            } => {
                flag(dir_files);
                self.text([group]);
            }
            FsOperationKind::Setrep { factor, .. } => {
                self.push(factor, Phase::Workflow, Wanted::Integer);
            }
            FsOperationKind::Mkdir { .. }
            | FsOperationKind::Move { .. }
            | FsOperationKind::Touchz { .. } => {}
        }
    }
}
