//! hpdlc's own settings.

use super::{KnownSetting, job, job_only, job_word, site_only, site_word};

/// Sorted by name.
pub(super) const SETTINGS: &[KnownSetting] = &[
    job(
        "hpdl.action.environment.pass",
        "",
        "variables of the owner's environment, separated by commas, that actions get although their names say that they hold a secret",
    ),
    job_word(
        "hpdl.action.lost",
        &["suspend", "retry", "error"],
        "what to do with an action whose end is not known",
    ),
    job(
        "hpdl.action.timeout",
        "0",
        "seconds that an action may take, 0 for as long as it takes; sub-workflows have none; the action's own configuration comes before it",
    ),
    site_only(
        "hpdl.callback.base.url",
        "",
        "the beginning of callback URLs, where others reach this host by another address",
    ),
    site_only(
        "hpdl.callback.listen",
        "127.0.0.1",
        "host, or host:port, at which callbacks are listened for; the port is chosen once where none is given",
    ),
    job_word(
        "hpdl.drain",
        &["auto", "always", "never"],
        "whether an owner waits for running actions at SIGTERM before it exits: auto where they end with the owner (a container, a systemd unit with KillMode=control-group), always, never",
    ),
    job(
        "hpdl.drain.timeout",
        "600",
        "seconds that it waits; let the container or unit be killed no earlier",
    ),
    job(
        "hpdl.email.smtp.ssl.enable",
        "false",
        "whether the connection to the mail server begins with TLS, as on port 465",
    ),
    job(
        "hpdl.fs.timeout",
        "60",
        "seconds that one request to a remote file system may take",
    ),
    job(
        "hpdl.hadoop.history.wait",
        "15",
        "seconds to wait until the job history knows a job that has ended; then the action fails (MR002, SQOOP001)",
    ),
    job(
        "hpdl.hadoop.history.webapp.address",
        "",
        "host:port or URL of the history of MapReduce jobs, where Hadoop's own files do not say it",
    ),
    job(
        "hpdl.hadoop.streaming.jar",
        "",
        "the JAR of Hadoop's streaming, where it is not below HADOOP_HOME or beside `mapred`",
    ),
    job(
        "hpdl.hive2.query.tag",
        "true",
        "whether a hive2 action names its queries by hive.query.tag, without which Hive 3 and later does not tell which jobs belong to a query; false for a server that forbids it",
    ),
    site_only(
        "hpdl.host.timeout",
        "300",
        "seconds after which the other hosts of a database take over the jobs of one that cannot reach it; it has ended its local processes by then",
    ),
    job(
        "hpdl.host.url.timeout",
        "3600",
        "seconds that the instance of a sub-workflow with host-url may not answer before the child is lost",
    ),
    site_only(
        "hpdl.host.url.token.file",
        "",
        "a file with the token that instances of host-url want",
    ),
    job(
        "hpdl.http.callback.timeout",
        "86400",
        "seconds that an http action waits for its callback",
    ),
    job(
        "hpdl.http.timeout",
        "60",
        "seconds for connecting to the server of an http action, and again for its answer",
    ),
    job(
        "hpdl.kill.grace",
        "10",
        "seconds that a process has to end after SIGTERM before it gets SIGKILL",
    ),
    job_word(
        "hpdl.launcher",
        &["local", "yarn"],
        "where the programs of shell and java actions and the clients of Hadoop's tools run: on this machine (local), or each in a container of the cluster (yarn)",
    ),
    job(
        "hpdl.launcher.yarn.node.label",
        "",
        "the label of the nodes whose containers are used; none for the default of the queue",
    ),
    job(
        "hpdl.launcher.yarn.scheduler.address",
        "",
        "host:port of the resource manager's scheduler as nodes reach it, several with commas, where the resource manager does not say it",
    ),
    job(
        "hpdl.launcher.yarn.staging",
        "",
        "URI of the folder for what containers get and leave; .hpdl in the user's home on the file system of the action by default",
    ),
    job(
        "hpdl.local.processes.max",
        "64",
        "local processes of one job at once",
    ),
    job(
        "hpdl.notification.retries",
        "3",
        "how often a notification is tried again that failed",
    ),
    job(
        "hpdl.notification.retry.interval",
        "60",
        "seconds between its tries",
    ),
    job(
        "hpdl.on.failure",
        "",
        "what to call when a job was killed, failed or needs attention: a URL with $jobId, $appName, $kind, $status, $nodeName, $errorCode, $errorMessage, $user, $parentId, or a command for sh with HPDL_JOB_ID, HPDL_APP_NAME and so on in its environment",
    ),
    job(
        "hpdl.on.failure.timeout",
        "60",
        "seconds after which the command of hpdl.on.failure is ended",
    ),
    job_word(
        "hpdl.path.empty.parts",
        &["refuse", "allow"],
        "what to do with an operation on a path such as /data/${old} where old is empty",
    ),
    job_only(
        "hpdl.proxyuser",
        "false",
        "user.name may be another user, who is then that of Hadoop jobs",
    ),
    site_only(
        "hpdl.server.auth",
        "",
        "who may use hpdl serve: simple (user.name says who calls), token, kerberos; simple on this machine alone and token beyond it where it is not set",
    ),
    site_only(
        "hpdl.server.compiler",
        "",
        "the file of the hpdlc that compiles applications which are submitted to hpdl serve and not registered; by default the one beside hpdl, else on PATH; none compiles nothing; the variable HPDL_SERVER_COMPILER comes before it",
    ),
    site_only(
        "hpdl.server.compiler.bytes",
        "67108864",
        "the most bytes that are fetched of such an application",
    ),
    site_only(
        "hpdl.server.compiler.entries",
        "10000",
        "the most files and folders that are fetched of it",
    ),
    site_only(
        "hpdl.server.compiler.memory",
        "8192",
        "the address space that each process of the compiler may take, in MiB",
    ),
    site_only(
        "hpdl.server.compiler.parallel",
        "2",
        "how many applications hpdl serve compiles at once",
    ),
    site_only(
        "hpdl.server.compiler.roots",
        "",
        "the folders of this machine, with commas between, below which submitted applications may be; everywhere where it is empty, but never in the state folder",
    ),
    site_only(
        "hpdl.server.compiler.timeout",
        "120",
        "seconds after which a compilation is ended and the submission refused",
    ),
    site_only(
        "hpdl.server.connections.max",
        "512",
        "open connections of hpdl serve at once; a further one takes the place of the one that has been silent for longest",
    ),
    site_only(
        "hpdl.server.hosts",
        "",
        "names by which hpdl serve may be called beside localhost and addresses, with commas between",
    ),
    site_word(
        "hpdl.server.log.format",
        &["text", "json"],
        "how hpdl serve logs: text, json",
    ),
    site_only(
        "hpdl.server.log.level",
        "info",
        "what hpdl serve logs: error, warn, info (commands and refusals), debug (every request)",
    ),
    site_only(
        "hpdl.server.program.timeout",
        "10",
        "seconds after which an executable that hpdl serve asks for a graph, a document, values or a plan is ended",
    ),
    site_only(
        "hpdl.server.tls.cert",
        "",
        "file with the certificate of hpdl serve and those that it depends on, in PEM; with it the server speaks HTTPS alone",
    ),
    site_only(
        "hpdl.server.tls.key",
        "",
        "file with the key of that certificate, in PEM, not encrypted",
    ),
    job(
        "hpdl.sla.notification.url",
        "",
        "called for events of SLAs, with $event, $jobId, $nodeName and more",
    ),
    job(
        "hpdl.ssh.config",
        "~/.ssh/config",
        "the configuration of ssh actions, read before that of the system",
    ),
    site_only(
        "hpdl.store.key",
        "",
        "what encrypts values in the job store: a reference to 32 bytes in hexadecimal digits or base64, ${file:/path} or ${env:NAME}; several, separated by commas, all decrypt and the first encrypts; the variable HPDL_STORE_KEY overrides it",
    ),
    site_only(
        "hpdl.store.url",
        "",
        "the database with the job store, postgres://USER@HOST/DATABASE, with the parameters of libpq and schema=NAME; without it the store is a file of the state folder; the variable HPDL_STORE_URL overrides it",
    ),
    job(
        "hpdl.tool.beeline",
        "",
        "the file of the program `beeline`, where PATH has none or another",
    ),
    job(
        "hpdl.tool.hadoop",
        "",
        "the file of the program `hadoop`, where PATH has none or another",
    ),
    job(
        "hpdl.tool.hive",
        "",
        "the file of the program `hive`, where PATH has none or another",
    ),
    job(
        "hpdl.tool.mapred",
        "",
        "the file of the program `mapred`, where PATH has none or another",
    ),
    job(
        "hpdl.tool.pig",
        "",
        "the file of the program `pig`, where PATH has none or another",
    ),
    job(
        "hpdl.tool.spark-submit",
        "",
        "the file of the program `spark-submit`, where PATH has none or another",
    ),
    job(
        "hpdl.tool.sqoop",
        "",
        "the file of the program `sqoop`, where PATH has none or another",
    ),
    job(
        "hpdl.yarn.poll.interval",
        "2",
        "seconds between two requests for the state of an application on YARN; where it is not set, a container (hpdl.launcher=yarn) is asked for after 0.25 s at first and every 2 s at last",
    ),
    job(
        "hpdl.yarn.webapp.address",
        "",
        "host:port or URL of the resource manager's web pages, several with commas, where Hadoop's own files do not say it",
    ),
];
