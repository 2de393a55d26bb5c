//! Oozie's settings, and those with the prefix of its former name.

use super::{KnownSetting, job, job_only, site_only};
use crate::settings::USER_RETRY_CODES;

/// Sorted by name.
pub(super) const SETTINGS: &[KnownSetting] = &[
    job(
        "hws.action.notification.url",
        "",
        "called for nodes, with $wfId, $nodeName, $nodeStatus (2009)",
    ),
    job(
        "hws.workflow.notification.url",
        "",
        "called at the end of the job, with $wfId, $wfstatus (2009)",
    ),
    job(
        "oozie.action.external.stats.write",
        "false",
        "whether a pig action keeps the statistics of its script for hadoop:counters",
    ),
    job(
        "oozie.action.fs.glob.max",
        "50000",
        "files that one pattern may match",
    ),
    job(
        "oozie.action.keep.action.dir",
        "false",
        "whether the files that an action has put on the cluster's file system are kept after its end",
    ),
    job(
        "oozie.action.mapreduce.uber.jar.enable",
        "true",
        "whether oozie.mapreduce.uber.jar may be set",
    ),
    job(
        "oozie.action.max.output.data",
        "1048576",
        "the most bytes of captured output; with more the action ends in ERROR, JA018",
    ),
    job(
        "oozie.action.null.args.allowed",
        "true",
        "false: an arg without text is no argument of java, spark and distcp",
    ),
    job(
        "oozie.action.retries.max",
        "3",
        "attempts after a transient failure; oozie.wf.action.max.retries comes before it",
    ),
    job(
        "oozie.action.retry.interval",
        "10",
        "seconds between them; oozie.wf.action.retry.interval comes before it",
    ),
    job(
        "oozie.action.retry.policy",
        "periodic",
        "whether that interval doubles each time: periodic, exponential",
    ),
    job(
        "oozie.action.rootlogger.log.level",
        "INFO",
        "how much the tools of pig, hive, spark and sqoop actions log",
    ),
    job(
        "oozie.action.shell.setup.hadoop.conf.dir",
        "false",
        "true: HADOOP_CONF_DIR of a shell action is a folder with its own properties",
    ),
    job(
        "oozie.action.shell.setup.hadoop.conf.dir.log4j.content",
        "",
        "log4j.properties in that folder; by default all goes to standard error",
    ),
    job(
        "oozie.action.shell.setup.hadoop.conf.dir.write.log4j.properties",
        "true",
        "whether log4j.properties is in that folder",
    ),
    job(
        "oozie.action.spark.setup.hadoop.conf.dir",
        "false",
        "true: HADOOP_CONF_DIR of a spark action is a folder with its own properties",
    ),
    job(
        "oozie.action.sqoop.shellsplitter",
        "false",
        "whether the command of a sqoop action is taken apart as a shell does it, and not at blanks alone",
    ),
    job(
        "oozie.action.ssh.allow.user.at.host",
        "true",
        "whether an ssh action may name another user than the job's",
    ),
    job(
        "oozie.action.ssh.check.initial.retry.wait.time",
        "3000",
        "milliseconds before a broken connection of an ssh action is retried; doubled each time",
    ),
    job(
        "oozie.action.ssh.check.retries.max",
        "3",
        "how often that is tried",
    ),
    job(
        "oozie.action.ssh.delete.remote.tmp.dir",
        "true",
        "whether the folder of an ssh action on the other host is removed at its end",
    ),
    job_only(
        "oozie.archives",
        "",
        "of a job that `oozie pig` and its relatives submit: archives of the action, with commas",
    ),
    site_only(
        "oozie.authentication.kerberos.keytab",
        "",
        "file with the key of hpdl serve, with hpdl.server.auth=kerberos",
    ),
    site_only(
        "oozie.authentication.kerberos.name.rules",
        "",
        "how principals become names of users, in the form of hadoop.security.auth_to_local, which it replaces",
    ),
    site_only(
        "oozie.authentication.kerberos.principal",
        "",
        "the name of hpdl serve, with its realm: HTTP/etl.example@EXAMPLE",
    ),
    site_only(
        "oozie.authentication.simple.anonymous.allowed",
        "true",
        "whether hpdl serve answers requests without a user, with simple authentication",
    ),
    job_only(
        "oozie.coord.action.notification.proxy",
        "",
        "the proxy for the URL of a coordinator's actions",
    ),
    job(
        "oozie.coord.action.notification.url",
        "",
        "the URL that is called for every state of a coordinator's action",
    ),
    job(
        "oozie.coord.execution.none.tolerance",
        "1",
        "minutes that an action of a coordinator of execution NONE may be late",
    ),
    job_only(
        "oozie.default.configuration.path",
        "",
        "files on local disks with properties for those that a job is not given, above config-default.xml, separated by commas",
    ),
    job(
        "oozie.email.attachment.enabled",
        "true",
        "whether messages are sent with their attachments",
    ),
    job(
        "oozie.email.from.address",
        "oozie@localhost",
        "who sends messages",
    ),
    job(
        "oozie.email.smtp.auth",
        "false",
        "whether to log in at the mail server",
    ),
    job(
        "oozie.email.smtp.host",
        "localhost",
        "the mail server; mail about missed SLAs is sent only where it is set",
    ),
    job(
        "oozie.email.smtp.password",
        "",
        "the password there; one of the site is stored with no job",
    ),
    job("oozie.email.smtp.port", "25", "its port"),
    job(
        "oozie.email.smtp.socket.timeout.ms",
        "10000",
        "milliseconds for connecting to it, and for each of its answers",
    ),
    job(
        "oozie.email.smtp.starttls.enable",
        "false",
        "whether the connection is encrypted after the greeting; a server that offers no STARTTLS is not used then",
    ),
    job("oozie.email.smtp.username", "", "whom to log in as"),
    job_only(
        "oozie.files",
        "",
        "of a job that `oozie pig` and its relatives submit: files of the action, with commas",
    ),
    job("oozie.hive.log.level", "INFO", "how much Hive itself logs"),
    job_only(
        "oozie.hive.script",
        "",
        "the text of the script of a hive action, in place of its file",
    ),
    job(
        "oozie.job.acl",
        "",
        "who may see and end the jobs on the cluster: users, a blank, groups",
    ),
    job(
        "oozie.launcher.default.memory.mb",
        "2048",
        "megabytes of a container of an action (hpdl.launcher=yarn), where its launcher says nothing",
    ),
    job(
        "oozie.launcher.default.priority",
        "",
        "the priority of its application, where its launcher says nothing",
    ),
    job(
        "oozie.launcher.default.queue",
        "default",
        "the queue of its application, where its launcher says nothing",
    ),
    job(
        "oozie.launcher.default.vcores",
        "1",
        "virtual cores of the container, where its launcher says nothing",
    ),
    job(
        "oozie.libpath",
        "",
        "folders of libraries, separated by commas, for java and for actions that tools of Hadoop do",
    ),
    job(
        "oozie.notification.proxy",
        "",
        "[http@|socks@]host:port; oozie.wf.workflow.notification.proxy comes before it",
    ),
    job(
        "oozie.notification.url.connection.timeout",
        "10000",
        "milliseconds for connecting to the server of a notification, and again for its answer",
    ),
    job("oozie.pig.log.level", "INFO", "how much Pig itself logs"),
    job_only(
        "oozie.pig.script",
        "",
        "the text of the script of a pig action, in place of its file",
    ),
    site_only(
        "oozie.processing.timezone",
        "UTC",
        "the zone that dates of coordinators are read and written in: UTC, GMT+hhmm or GMT-hhmm",
    ),
    job_only(
        "oozie.proxysubmission",
        "false",
        "whether a submission without an application has the first folder of oozie.libpath in its place",
    ),
    site_only(
        "oozie.service.AuthorizationService.admin.groups",
        "",
        "groups of the system whose users may command all jobs and change hpdl serve, with commas between; with it, no list of users counts",
    ),
    site_only(
        "oozie.service.AuthorizationService.authorization.enabled",
        "false",
        "whether hpdl serve takes commands for a job from its owner, those in oozie.job.acl and administrators alone; with tokens it does unless this is false",
    ),
    site_only(
        "oozie.service.AuthorizationService.default.group.as.acl",
        "false",
        "whether group.name of a job without oozie.job.acl says who may command it",
    ),
    site_only(
        "oozie.service.AuthorizationService.security.enabled",
        "false",
        "the older name of oozie.service.AuthorizationService.authorization.enabled",
    ),
    site_only(
        "oozie.service.CallableQueueService.queue.size",
        "10000",
        "what oozie.service.coord.materialization.throttling.factor is a part of",
    ),
    site_only(
        "oozie.service.HadoopAccessorService.hadoop.configurations",
        "",
        "folders of configurations for hadoop:conf, host:port=folder separated by commas; * for all others, without one the client's own",
    ),
    site_only(
        "oozie.service.HadoopAccessorService.supported.filesystems",
        "*",
        "schemes that paths may have, separated by commas; * for all that are known",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.default",
        "0",
        "user retries of actions that have no retry-max",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.error.code",
        USER_RETRY_CODES,
        "error codes that user retries apply to",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext",
        "",
        "more of them; ALL for every one",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.interval",
        "10",
        "minutes between user retries where the action has no retry-interval",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.inteval",
        "10",
        "the same as ...user.retry.interval, as Oozie spells it",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.max",
        "3",
        "the most user retries; limits retry-max",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.policy",
        "periodic",
        "of actions that have no retry-policy: periodic, exponential",
    ),
    job(
        "oozie.service.SparkConfigurationService.spark.configurations",
        "",
        "folders with a spark-defaults.conf, for each resource manager: HOST:PORT=FOLDER or *=FOLDER, separated by commas",
    ),
    job(
        "oozie.service.SparkConfigurationService.spark.configurations.ignore.spark.yarn.jar",
        "true",
        "whether spark.yarn.jar in those files does not count",
    ),
    job(
        "oozie.service.WorkflowAppService.system.libpath",
        "",
        "the root of the sharelib, where a name has no hpdl.sharelib.NAME; of folders lib_TIMESTAMP the newest counts",
    ),
    site_only(
        "oozie.service.coord.default.concurrency",
        "1",
        "how many actions of a coordinator run at once where it does not say it; -1 for any number",
    ),
    site_only(
        "oozie.service.coord.default.max.timeout",
        "86400",
        "minutes that an action of a coordinator waits for its data at most, unless it waits for ever",
    ),
    site_only(
        "oozie.service.coord.default.throttle",
        "12",
        "how many actions of a coordinator wait at once where it does not say it",
    ),
    job(
        "oozie.service.coord.input.check.requeue.interval",
        "60000",
        "milliseconds until data that a coordinator waits for is looked for again",
    ),
    site_only(
        "oozie.service.coord.materialization.throttling.factor",
        "0.05",
        "which part of oozie.service.CallableQueueService.queue.size the actions of a coordinator that wait at once may be",
    ),
    site_only(
        "oozie.service.coord.normal.default.timeout",
        "120",
        "minutes that an action of a coordinator waits for its data where it does not say it; -1 for ever",
    ),
    job(
        "oozie.service.coord.push.check.requeue.interval",
        "600000",
        "the same for data on local disks, which is watched",
    ),
    site_only(
        "oozie.serviceAuthorizationService.admin.users",
        "",
        "users who may command all jobs and change hpdl serve, with commas between, beside those in adminusers.txt next to the site's file",
    ),
    job(
        "oozie.sla.disable.alerts.older.than",
        "48",
        "hours after the nominal time after which no SLA alerts are sent; 0 for no limit",
    ),
    job(
        "oozie.sla.service.SLAService.alert.events",
        "END_MISS",
        "events of which alerts are sent for SLAs without alert-events, separated by commas",
    ),
    job(
        "oozie.spark.log.level",
        "INFO",
        "how much Spark itself logs",
    ),
    job_only(
        "oozie.sqoop.command",
        "",
        "of a job that `oozie sqoop` submits: the words of the command, a line each",
    ),
    job(
        "oozie.sqoop.log.level",
        "INFO",
        "how much Sqoop itself logs",
    ),
    job_only(
        "oozie.sqoop.options",
        "",
        "of a job that `oozie sqoop` submits: options of Hadoop before the command, a line each",
    ),
    job_only(
        "oozie.suspend.on.nodes",
        "",
        "names of nodes before which the job is suspended, with commas; * for all",
    ),
    job(
        "oozie.use.system.libpath",
        "false",
        "whether actions get the sharelib of their type",
    ),
    job(
        "oozie.wf.action.max.retries",
        "",
        "a job's own oozie.action.retries.max",
    ),
    job(
        "oozie.wf.action.notification.url",
        "",
        "called for nodes, with $jobId, $nodeName, $status",
    ),
    job(
        "oozie.wf.action.retry.interval",
        "",
        "a job's own oozie.action.retry.interval",
    ),
    job_only(
        "oozie.wf.rerun.disablechild",
        "false",
        "whether a job of a sub-workflow may not be rerun by itself",
    ),
    job_only(
        "oozie.wf.rerun.failnodes",
        "",
        "of a rerun: only what did not end OK runs again",
    ),
    job_only(
        "oozie.wf.rerun.skip.nodes",
        "",
        "of a rerun: names of nodes that do not run again, with commas",
    ),
    job(
        "oozie.wf.workflow.notification.proxy",
        "",
        "a job's own oozie.notification.proxy",
    ),
    job(
        "oozie.wf.workflow.notification.url",
        "",
        "called for the job's states, with $jobId, $status, $parentId",
    ),
];
