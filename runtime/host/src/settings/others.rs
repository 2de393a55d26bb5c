//! Settings of Oozie that have no effect here, with the reason: what `settings` shows for the rest of a site's file.
//!
//! Together with [`all`](super::all) this covers every setting of Oozie: supported, or without effect. Those that would change
//! the result of a job are refused when the job is submitted.

/// Settings with a common prefix.
struct SettingGroup {
    /// A complete name, or a common prefix if it ends with a dot.
    name: &'static str,
    why: &'static str,
}

const fn group(name: &'static str, why: &'static str) -> SettingGroup {
    SettingGroup { name, why }
}

const NO_SERVER: &str = "no job needs a server: each has a process of its own";
const NO_LOGIN: &str = "hpdl.server.auth says who may use `hpdl serve`; who may run the executable may do everything with its jobs";
const NO_DATABASE: &str = "the store is a file of the state folder";
const NO_CLUSTER_OF_SERVERS: &str = "there are no servers to coordinate";
const COMPILED_IN: &str = "decided when the application is built";
const BY_CLIENT: &str = "the installed client of Hadoop has its own files, in HADOOP_CONF_DIR";
const PURGE: &str = "`purge --older-than` removes jobs";
const NO_LIMIT: &str =
    "there is no such limit here; `hpdlc check --oozie-strict` holds a document to those of Oozie";
const CHECKED: &str = "forks and joins are checked when the application is built";
const LOGS: &str = "`log` shows what happened in a job and what its actions printed";

/// The longest matching name wins.
const GROUPS: &[SettingGroup] = &[
    group("oozie.", "hpdlc reads no such setting"),
    group("oozie.action.launcher.", BY_CLIENT),
    group(
        "oozie.action.ship.launcher.jar",
        "there is no launcher on the cluster",
    ),
    group("oozie.actions.", COMPILED_IN),
    group("oozie.authentication.", NO_LOGIN),
    group("oozie.base.url", NO_SERVER),
    group("oozie.configuration.", BY_CLIENT),
    group(
        "oozie.coord.actions.default.length",
        "`actions` lists all actions of a coordinator",
    ),
    group(
        "oozie.coord.default.",
        "of the server; a coordinator's own <controls> count",
    ),
    group(
        "oozie.credentials.",
        "credentials are those of the user who runs the executable",
    ),
    group("oozie.db.", NO_DATABASE),
    group("oozie.external_monitoring.", NO_SERVER),
    group(
        "oozie.filesystems.",
        "local disks, HDFS and object stores are built in",
    ),
    group("oozie.hcat.", BY_CLIENT),
    group("oozie.http.", NO_SERVER),
    group("oozie.https.", NO_SERVER),
    group("oozie.instrumentation.", NO_SERVER),
    group("oozie.jms.", NO_SERVER),
    group("oozie.jmx_monitoring.", NO_SERVER),
    group(
        "oozie.launcher.",
        "of actions: read from their configuration and from the job's properties",
    ),
    group(
        "oozie.service.ActionCheckerService.",
        "the end of a process is seen at once; hpdl.yarn.poll.interval is about the cluster",
    ),
    group(
        "oozie.service.ActionService.",
        "action types are compiled in; extensions are named in hpdl.toml",
    ),
    group("oozie.service.AuthorizationService.", NO_LOGIN),
    group("oozie.service.BundleStatusTransitService.", NO_SERVER),
    group("oozie.service.CallableQueueService.", NO_SERVER),
    group(
        "oozie.service.CallbackService.",
        "hpdl.callback.listen and hpdl.callback.base.url say where callbacks come in",
    ),
    group("oozie.service.ConfigurationService.", BY_CLIENT),
    group(
        "oozie.service.CoordMaterializeTriggerService.",
        "a coordinator makes its actions when they are due",
    ),
    group("oozie.service.DagXLogInfoService.", LOGS),
    group("oozie.service.DBLiteWorkflowStoreService.", NO_DATABASE),
    group(
        "oozie.service.ELService.",
        "the functions of the expression language are compiled in; extensions are named in hpdl.toml",
    ),
    group(
        "oozie.service.EventHandlerService.",
        "hpdl.on.failure, notification URLs and SLA alerts report events",
    ),
    group("oozie.service.HadoopAccessorService.", BY_CLIENT),
    group("oozie.service.HCatAccessorService.", BY_CLIENT),
    group("oozie.service.InstrumentationService.", NO_SERVER),
    group("oozie.service.JMSAccessorService.", NO_SERVER),
    group("oozie.service.JMSTopicService.", NO_SERVER),
    group(
        "oozie.service.JobsConcurrencyService.",
        NO_CLUSTER_OF_SERVERS,
    ),
    group("oozie.service.JPAService.", NO_DATABASE),
    group("oozie.service.KerberosService.", BY_CLIENT),
    group("oozie.service.LiteWorkflowAppService.", NO_LIMIT),
    group("oozie.service.MetricsInstrumentationService.", NO_SERVER),
    group(
        "oozie.service.PartitionDependencyManagerService.",
        BY_CLIENT,
    ),
    group("oozie.service.PauseTransitService.", NO_SERVER),
    group(
        "oozie.service.ProxyUserService.",
        "hpdl serve alone reads it, for `doAs`; in a job hpdl.proxyuser decides who the user of Hadoop may be",
    ),
    group("oozie.service.PurgeService.", PURGE),
    group(
        "oozie.service.RecoveryService.",
        "`recover --watch` recovers jobs whose process died",
    ),
    group("oozie.service.SchedulerService.", NO_SERVER),
    group(
        "oozie.service.SchemaService.",
        "the schemas are compiled in",
    ),
    group(
        "oozie.service.ShareLibService.",
        "`oozie.service.WorkflowAppService.system.libpath` and hpdl.sharelib.NAME say where libraries are",
    ),
    group("oozie.service.StatusTransitService.", NO_SERVER),
    group("oozie.service.StoreService.", NO_DATABASE),
    group(
        "oozie.service.URIHandlerService.",
        "the kinds of addresses that data may have are built in",
    ),
    group(
        "oozie.service.UUIDService.",
        "ids are numbers of the state folder",
    ),
    group("oozie.service.WorkflowAppService.", NO_LIMIT),
    group(
        "oozie.service.WorkflowSchemaService.",
        "the schemas are compiled in",
    ),
    group("oozie.service.WorkflowStoreService.", NO_DATABASE),
    group("oozie.service.XLogService.", LOGS),
    group("oozie.service.XLogStreamingService.", LOGS),
    group("oozie.service.ZKLocksService.", NO_CLUSTER_OF_SERVERS),
    group(
        "oozie.service.ZKXLogStreamingService.",
        NO_CLUSTER_OF_SERVERS,
    ),
    group(
        "oozie.service.coord.",
        "coordinators of any size and age are handled alike",
    ),
    group("oozie.services", NO_SERVER),
    group("oozie.services.ext", NO_SERVER),
    group(
        "oozie.sla.service.",
        "SLAs are judged by the job's own process",
    ),
    group(
        "oozie.subworkflow.classpath.inheritance",
        "a sub-workflow has the libraries of its own folder",
    ),
    group("oozie.system.", NO_SERVER),
    group("oozie.systemmode", NO_SERVER),
    group("oozie.validate.ForkJoin", CHECKED),
    group("oozie.wf.validate.ForkJoin", CHECKED),
    group(
        "oozie.wf.subworkflow.classpath.inheritance",
        "a sub-workflow has the libraries of its own folder",
    ),
    group("oozie.zookeeper.", NO_CLUSTER_OF_SERVERS),
];

/// Why a setting of Oozie has no effect here; `None` for a setting that is not one of Oozie's, such as one of Hadoop.
pub fn without_meaning(name: &str) -> Option<&'static str> {
    GROUPS
        .iter()
        .filter(|group| {
            name == group.name || (group.name.ends_with('.') && name.starts_with(group.name))
        })
        .max_by_key(|group| group.name.len())
        .map(|group| group.why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::all;

    #[test]
    fn every_setting_of_oozie_has_its_answer() {
        for (name, word) in [
            ("oozie.service.JPAService.jdbc.url", "store"),
            ("oozie.service.PurgeService.older.than", "purge"),
            ("oozie.services", "server"),
            ("oozie.services.ext", "server"),
            (
                "oozie.service.ELService.ext.functions.workflow",
                "extensions",
            ),
            ("oozie.wf.validate.ForkJoin", "checked"),
            ("oozie.some.new.setting", "no such setting"),
        ] {
            let why = without_meaning(name);
            assert!(why.is_some_and(|why| why.contains(word)), "{name}: {why:?}");
        }
        for name in ["fs.defaultFS", "oozie", "hpdl.kill.grace", "oozied.x"] {
            assert_eq!(without_meaning(name), None, "{name}");
        }
    }

    #[test]
    fn no_group_names_what_is_honoured() {
        for group in GROUPS {
            assert!(
                all().all(|known| known.name != group.name),
                "{}",
                group.name
            );
        }
    }
}
