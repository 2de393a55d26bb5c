//! The built-in action types: a function for each, with a method for each element of its schema.

use hpdlc_runtime::action::Data;

use crate::{
    builder::{Builder, Value},
    outside,
};

/// Declares an action type: its function, and the methods with the elements that they write.
macro_rules! action_type {
    (
        $(#[$doc:meta])* $function:ident($($argument:ident),*) -> $type:ident {
            $($element:literal: $method:ident($($value:ident),*);)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $type;

        $(#[$doc])*
        pub fn $function($($argument: impl Value),*) -> Builder<$type> {
            $(drop($argument);)*
            outside()
        }

        impl<D> Builder<$type, D> {
            $(
                #[doc = concat!("Writes `", $element, "`.")]
                pub fn $method(self $(, $value: impl Value)*) -> Self {
                    $(drop($value);)*
                    outside()
                }
            )*
        }
    };
}

/// Declares further functions that begin an action of a type.
macro_rules! other_beginnings {
    ($($(#[$doc:meta])* $function:ident($($argument:ident),*) -> $type:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $function($($argument: impl Value),*) -> Builder<$type> {
                $(drop($argument);)*
                outside()
            }
        )*
    };
}

other_beginnings! {
    /// Runs statements of Hive by its old command line.
    hive_query(query) -> Hive;
    /// Runs statements of Hive on HiveServer2.
    hive2_query(jdbc_url, query) -> Hive2;
    /// Runs a tool of Sqoop, with an argument for each `arg`.
    sqoop_tool(tool) -> Sqoop;
}

/// What the output of an action can be read as.
#[diagnostic::on_unimplemented(
    message = "the output of an action cannot be captured as `{Self}`",
    label = "neither a struct with `#[derive(Data)]` nor `BTreeMap<String, String>`",
    note = "what is captured are lines `key=value`, and a struct has a field for each key that it reads",
    note = "an enum, a number or a text is the type of a field: `#[derive(Data)] struct Found {{ verdict: Verdict }}` reads the line `verdict=...`"
)]
pub trait Captured: Data {}

#[diagnostic::do_not_recommend]
impl<T: Data> Captured for T {}

/// Declares `capture` for types whose output can be data.
macro_rules! captures {
    ($($type:ident)*) => {
        $(
            impl<D> Builder<$type, D> {
                /// Reads its output as properties: the data of the action, a key a field.
                pub fn capture<C: Captured>(self) -> Builder<$type, C> {
                    outside()
                }
            }
        )*
    };
}

captures!(Java Shell Ssh);

action_type! {
    /// Copies files by `hadoop distcp`, from the first to the second.
    distcp(source, target) -> Distcp {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "java-opts": java_opts(value);
        "arg": arg(value);
    }
}

action_type! {
    /// Sends mail.
    email(to) -> Email {
        "cc": cc(value);
        "bcc": bcc(value);
        "subject": subject(value);
        "body": body(value);
        "content_type": content_type(value);
        "attachment": attachment(value);
    }
}

action_type! {
    /// Works on files and folders, in the order of the calls.
    fs() -> Fs {
        "name-node": name_node(value);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "delete": delete(path);
        "mkdir": mkdir(path);
        "move": rename(source, target);
        "chmod": chmod(path, permissions);
        "chgrp": chgrp(path, group);
        "recursive": recursive();
        "dir-files": dir_files(value);
        "skip-trash": skip_trash();
        "setrep": setrep(path, factor);
        "touchz": touchz(path);
    }
}

action_type! {
    /// Clones a Git repository.
    git(uri, destination) -> Git {
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "configuration/property": property(name, value);
        "branch": branch(value);
        "key-path": key_path(value);
    }
}

action_type! {
    /// Runs a script of Hive by its old command line.
    hive(script) -> Hive {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "param": param(value);
        "argument": arg(value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a script of Hive on HiveServer2.
    hive2(jdbc_url, script) -> Hive2 {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "password": password(value);
        "param": param(value);
        "argument": arg(value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a main class.
    java(main_class) -> Java {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "skip-trash": skip_trash();
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "java-opts": java_opts(value);
        "java-opt": java_opt(value);
        "arg": arg(value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a job of MapReduce, whose classes its configuration names.
    map_reduce() -> MapReduce {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "skip-trash": skip_trash();
        "prepare/mkdir": prepare_mkdir(path);
        "streaming/mapper": streaming_mapper(value);
        "streaming/reducer": streaming_reducer(value);
        "streaming/record-reader": streaming_record_reader(value);
        "streaming/record-reader-mapping": streaming_record_reader_mapping(name, value);
        "streaming/env": streaming_env(name, value);
        "pipes/map": pipes_map(value);
        "pipes/reduce": pipes_reduce(value);
        "pipes/inputformat": pipes_inputformat(value);
        "pipes/partitioner": pipes_partitioner(value);
        "pipes/writer": pipes_writer(value);
        "pipes/program": pipes_program(value);
        "job-xml": job_xml(value);
        "config-class": config_class(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a script of Pig.
    pig(script) -> Pig {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "skip-trash": skip_trash();
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "param": param(value);
        "argument": arg(value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a program, with an argument for each `arg`.
    shell(exec) -> Shell {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "argument": arg(value);
        "env-var": env(name, value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a program of Spark from this jar or script.
    spark(jar) -> Spark {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "master": master(value);
        "mode": mode(value);
        "name": name(value);
        "class": class(value);
        "spark-opts": spark_opts(value);
        "arg": arg(value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a command of Sqoop.
    sqoop(command) -> Sqoop {
        "job-tracker": job_tracker(value);
        "resource-manager": resource_manager(value);
        "name-node": name_node(value);
        "prepare/delete": prepare_delete(path);
        "prepare/mkdir": prepare_mkdir(path);
        "job-xml": job_xml(value);
        "configuration/property": property(name, value);
        "launcher": launcher(name, value);
        "arg": arg(value);
        "file": file(value);
        "archive": archive(value);
    }
}

action_type! {
    /// Runs a command on another host.
    ssh(host, command) -> Ssh {
        "arg": arg(value);
        "args": args(value);
    }
}

/// Runs another workflow of the program with these parameters: `child(report, report::Params { day: &day, limit: None }).await?`.
///
/// The first argument is the module of a `#[workflow]` or of an `include_workflow!`. The child is compiled in, and its job is one of its own,
/// as that of every sub-workflow.
///
/// ```
/// use hpdlc_flow::{Result, child, fs, workflow};
///
/// #[workflow(name_node = "file:///")]
/// async fn report(day: String, #[default(10)] limit: u64) -> Result {
///     fs().mkdir(format!("/reports/{day}/{limit}")).named("make").await
/// }
///
/// #[workflow]
/// async fn daily(day: String) -> Result {
///     child(report, report::Params { day: &day, limit: None }).await
/// }
/// # fn main() {}
/// ```
pub fn child<P>(_: &'static hpdlc_runtime::table::Program, _: P) -> Builder<SubWorkflow> {
    outside()
}

action_type! {
    /// Runs the workflow in a folder; a relative path begins at the package, or at the folder of `files`.
    sub_workflow(path) -> SubWorkflow {
        "propagate-configuration": propagate_configuration();
        "configuration/property": property(name, value);
    }
}
