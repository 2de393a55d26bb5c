//! The tables, in SQLite's types: those of the first format, and what was added since.

/// The format 1.0. Times are milliseconds since 1970, states are stored by name, nodes by their XML name.
///
/// `jobs`: `hash` is the definition hash, `app_index` the index of the application in that program's table, `root_id` the job at the top of
/// the sub-workflows, which is the one that has an owner: `epoch` counts its owners.
/// `definitions`: `door` is `program` for an executable with our command line, `library` for a workflow embedded in a user's program;
/// `program` is the path of that executable when it was kept.
/// `actions`: from `attempt` on, private state of the step machine and the executors, read only by the job's own definition.
pub(super) const CREATE: &str = "
CREATE TABLE meta (
    format_major INTEGER NOT NULL,
    format_minor INTEGER NOT NULL
) STRICT;
CREATE TABLE sequences (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT;
CREATE TABLE definitions (
    hash TEXT PRIMARY KEY,
    app TEXT NOT NULL,
    hpdlc_version TEXT NOT NULL,
    created INTEGER NOT NULL,
    door TEXT NOT NULL,
    program TEXT NOT NULL
) STRICT;
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    app TEXT NOT NULL,
    app_path TEXT NOT NULL,
    \"user\" TEXT NOT NULL,
    status TEXT NOT NULL,
    run INTEGER NOT NULL,
    created INTEGER NOT NULL,
    started INTEGER,
    ended INTEGER,
    conf TEXT NOT NULL,
    hash TEXT NOT NULL,
    app_index INTEGER NOT NULL,
    root_id TEXT NOT NULL,
    parent_id TEXT,
    parent_node TEXT,
    parent_attempt INTEGER,
    depth INTEGER NOT NULL,
    last_error_node TEXT,
    error_code TEXT,
    error_message TEXT,
    epoch INTEGER NOT NULL,
    owner_pid INTEGER
) STRICT;
CREATE INDEX jobs_by_root ON jobs (root_id);
CREATE INDEX jobs_by_status ON jobs (status);
CREATE TABLE actions (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    transition TEXT,
    external_id TEXT,
    external_status TEXT,
    error_code TEXT,
    error_message TEXT,
    retries INTEGER NOT NULL,
    data TEXT,
    note TEXT,
    started INTEGER,
    ended INTEGER,
    attempt INTEGER NOT NULL,
    user_retries INTEGER NOT NULL,
    transient_retries INTEGER NOT NULL,
    strand TEXT,
    live_strands INTEGER NOT NULL,
    outcome TEXT,
    canceling INTEGER NOT NULL,
    due INTEGER,
    work TEXT,
    boot_id TEXT,
    PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    time INTEGER NOT NULL,
    node TEXT,
    event TEXT NOT NULL,
    message TEXT
) STRICT;
CREATE INDEX log_by_job ON log (job_id);
CREATE TABLE commands (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    verb TEXT NOT NULL,
    created INTEGER NOT NULL,
    handled INTEGER
) STRICT;
CREATE INDEX commands_open ON commands (job_id) WHERE handled IS NULL;
";

/// The additions of each minor version.
///
/// 1.1, for reruns and answers to commands. `commands`: `answer` is why a command was refused. `jobs`: `parent_run` is the run of the
/// parent to which a sub-workflow's job belongs. `actions`: `run` is the earlier run in which a skipped action ran, `skip` whether it has
/// been reached (`TAKEN`) or not (`WAITS`), `retry_wait` the intended wait before `due`. `runs` and `past_actions` keep what a rerun has
/// replaced. `registrations`: the definition of a URI.
///
/// 1.2, for notifications and callbacks: `callbacks` has the received ones; `notifications` has those to be sent, with times in
/// milliseconds; `root_id` is the job whose owner sends it, `ended` when it was delivered, or given up because of `problem`.
///
/// 1.3, for service levels, and for coordinators and bundles.
/// `slas`: `node` is empty for the job itself; times and durations in milliseconds; the names of the events so far, with the times of their
/// detection; `due` is the time of the next check, `silent` means without alerts. `notifications`: `mail` is a JSON object, for a mail
/// instead of a URL.
/// The rows of coordinators and bundles in `jobs` have kind `C` and `B`, and the nearest state of a workflow, so that commands for
/// workflows can show, purge and recover them; their own state is in `coordinators` and `bundles`. A workflow of an action has its id,
/// `C@3`, as `parent_id`, a coordinator of a bundle the bundle's, and its name there as `parent_node`.
/// `coordinator_revisions`: the definitions and properties of actions; an update adds one: `texts` are those of the document.
/// `coordinator_actions`: from `since` on, private state of the state machine. `unprepared`: workflow jobs whose properties their own
/// executable has to complete before they start.
///
/// 1.4, for actions that the launcher starts by itself: `ahead` of `actions`.
///
/// 1.5, for `run --key`: `key` of `jobs`, which several jobs of one application may have.
///
/// 1.6, for stores of many jobs: indexes of their times, and of the commands of each.
///
/// 1.7, for the secrets of nodes: `secrets` of `definitions`.
///
/// 1.8, for the life cycle of deployed applications: `applications`, whose times are milliseconds.
///
/// 1.9, for who may use `hpdl serve`: `tokens`, of which only the SHA-256 is stored, and `audit`, the commands that servers were given;
/// `ended` and what follows it is empty while a command is carried out. Times are milliseconds.
///
/// 1.10, for lists of 100,000 jobs: indexes that have all that lists filter and sort by, so that passing over a job reads nothing of its
/// row; `owner`, the user that the client named (SQLite is built without JSON, and a name has no quotes); `job_counts`, how many jobs there
/// are of each kind, application, owner and state; `changes`, the second of the last line of a job's log. Triggers keep the last two, also
/// for older executables. A second is what lists show: so the actions of a fast job do not write a line there each.
///
/// 1.11, for who looks after tokens: `used` of `tokens`, in milliseconds; and an index of the workflows that their client has given an
/// external id.
///
/// 1.12, for several hosts: `owner_host` of `jobs`, the id of the host of `owner_pid`; none for a store in a file. `boot_id` of `actions`
/// ends with `@` and the id of the host where the attempt runs.
///
/// 1.13, for encrypted values: `key` of `meta`, a word that the key in use has sealed. The major version is 2 then: older executables would
/// take sealed texts for what they are not.
pub(super) const ADDED: [&str; 13] = [
    "
ALTER TABLE commands ADD COLUMN answer TEXT;
ALTER TABLE jobs ADD COLUMN parent_run INTEGER;
ALTER TABLE actions ADD COLUMN run INTEGER;
ALTER TABLE actions ADD COLUMN skip TEXT;
ALTER TABLE actions ADD COLUMN retry_wait INTEGER;
CREATE TABLE runs (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    run INTEGER NOT NULL,
    status TEXT NOT NULL,
    started INTEGER,
    ended INTEGER,
    conf TEXT NOT NULL,
    hash TEXT NOT NULL,
    error_code TEXT,
    error_message TEXT,
    PRIMARY KEY (job_id, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE past_actions (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    job_run INTEGER NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    transition TEXT,
    external_id TEXT,
    external_status TEXT,
    error_code TEXT,
    error_message TEXT,
    retries INTEGER NOT NULL,
    data TEXT,
    note TEXT,
    started INTEGER,
    ended INTEGER,
    attempt INTEGER NOT NULL,
    run INTEGER,
    skip TEXT,
    PRIMARY KEY (job_id, job_run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE registrations (
    uri TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
",
    "
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    root_id TEXT NOT NULL,
    about TEXT NOT NULL,
    url TEXT NOT NULL,
    proxy TEXT,
    timeout INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    max_tries INTEGER NOT NULL,
    \"interval\" INTEGER NOT NULL,
    created INTEGER NOT NULL,
    due INTEGER NOT NULL,
    ended INTEGER,
    problem TEXT
) STRICT;
CREATE INDEX notifications_open ON notifications (root_id, due) WHERE ended IS NULL;
CREATE INDEX notifications_by_job ON notifications (job_id);
CREATE TABLE callbacks (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    run INTEGER NOT NULL,
    node TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    PRIMARY KEY (job_id, run, node, attempt)
) STRICT, WITHOUT ROWID;
",
    "
ALTER TABLE notifications ADD COLUMN mail TEXT;
CREATE TABLE slas (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    node TEXT NOT NULL,
    nominal INTEGER NOT NULL,
    expected_start INTEGER,
    expected_end INTEGER NOT NULL,
    expected_duration INTEGER,
    alert_events TEXT,
    alert_contact TEXT,
    notification_message TEXT,
    upstream_apps TEXT,
    silent INTEGER NOT NULL,
    status TEXT NOT NULL,
    actual_start INTEGER,
    actual_end INTEGER,
    start_event TEXT,
    start_event_time INTEGER,
    duration_event TEXT,
    duration_event_time INTEGER,
    end_event TEXT,
    end_event_time INTEGER,
    is_over INTEGER NOT NULL,
    due INTEGER,
    PRIMARY KEY (job_id, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX slas_due ON slas (due) WHERE due IS NOT NULL;
CREATE TABLE coordinators (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    frequency TEXT NOT NULL,
    timezone TEXT NOT NULL,
    start_time INTEGER NOT NULL,
    end_time INTEGER NOT NULL,
    pause_time INTEGER,
    next_time INTEGER,
    concurrency INTEGER,
    last_number INTEGER NOT NULL,
    is_done INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    clock TEXT
) STRICT;
CREATE TABLE coordinator_revisions (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL,
    created INTEGER NOT NULL,
    conf TEXT NOT NULL,
    texts TEXT NOT NULL,
    PRIMARY KEY (job_id, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE coordinator_actions (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    status TEXT NOT NULL,
    nominal_time INTEGER NOT NULL,
    created INTEGER NOT NULL,
    workflow_id TEXT,
    revision INTEGER NOT NULL,
    run INTEGER NOT NULL,
    error_code TEXT,
    error_message TEXT,
    since INTEGER NOT NULL,
    timeout INTEGER,
    inputs TEXT NOT NULL,
    command TEXT,
    keeps_workflow INTEGER NOT NULL,
    PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX coordinator_actions_by_status ON coordinator_actions (job_id, status);
CREATE INDEX coordinator_actions_commanded ON coordinator_actions (job_id) WHERE command IS NOT NULL;
CREATE TABLE bundles (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    kick_off_time INTEGER,
    pause_time INTEGER,
    state TEXT NOT NULL
) STRICT;
CREATE TABLE unprepared (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_parent ON jobs (parent_id) WHERE parent_id IS NOT NULL;
",
    "ALTER TABLE actions ADD COLUMN ahead INTEGER;",
    "
ALTER TABLE jobs ADD COLUMN key TEXT;
CREATE INDEX jobs_by_key ON jobs (key) WHERE key IS NOT NULL;
",
    "
CREATE INDEX jobs_by_created ON jobs (created, id);
CREATE INDEX commands_by_job ON commands (job_id);
",
    "ALTER TABLE definitions ADD COLUMN secrets TEXT;",
    "
CREATE TABLE applications (
    name TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    status TEXT NOT NULL,
    deployed INTEGER NOT NULL,
    changed INTEGER NOT NULL
) STRICT;
CREATE INDEX applications_by_hash ON applications (hash);
",
    "
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    \"user\" TEXT NOT NULL,
    role TEXT NOT NULL,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER
) STRICT;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    \"user\" TEXT,
    proxy TEXT,
    token TEXT,
    address TEXT,
    operation TEXT NOT NULL,
    job_id TEXT,
    app TEXT,
    parameter TEXT,
    ended INTEGER,
    status INTEGER,
    code TEXT,
    message TEXT
) STRICT;
CREATE INDEX audit_by_job ON audit (job_id) WHERE job_id IS NOT NULL;
",
    "
ALTER TABLE jobs ADD COLUMN owner TEXT AS (CASE instr(conf, '\"user.name\":\"') WHEN 0 THEN user ELSE
    substr(substr(conf, instr(conf, '\"user.name\":\"') + 13), 1,
        instr(substr(conf, instr(conf, '\"user.name\":\"') + 13), '\"') - 1) END) VIRTUAL;
CREATE INDEX jobs_listed ON jobs (kind, created, id, status, app, owner);
CREATE INDEX jobs_by_state ON jobs (kind, status, created, id, app, owner);
CREATE INDEX jobs_by_app ON jobs (kind, app, created, id, status, owner);
CREATE INDEX jobs_by_owner ON jobs (kind, owner, created, id, status, app);
CREATE TABLE job_counts (
    kind TEXT NOT NULL,
    app TEXT NOT NULL,
    owner TEXT NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (kind, app, owner, status)
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
    job_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    second INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX changes_by_second ON changes (kind, second, job_id);
INSERT INTO job_counts SELECT kind, app, owner, status, count(*) FROM jobs GROUP BY kind, app, owner, status;
INSERT INTO changes SELECT id, kind, coalesce((SELECT max(time) FROM log WHERE job_id = jobs.id), created) / 1000 FROM jobs;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
    INSERT INTO job_counts VALUES (NEW.kind, NEW.app, NEW.owner, NEW.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO changes VALUES (NEW.id, NEW.kind, NEW.created / 1000);
END;
CREATE TRIGGER jobs_recounted AFTER UPDATE OF kind, app, user, conf, status ON jobs
WHEN OLD.status <> NEW.status OR OLD.app <> NEW.app OR OLD.kind <> NEW.kind OR OLD.owner <> NEW.owner BEGIN
    UPDATE job_counts SET n = n - 1
        WHERE kind = OLD.kind AND app = OLD.app AND owner = OLD.owner AND status = OLD.status;
    DELETE FROM job_counts
        WHERE kind = OLD.kind AND app = OLD.app AND owner = OLD.owner AND status = OLD.status AND n = 0;
    INSERT INTO job_counts VALUES (NEW.kind, NEW.app, NEW.owner, NEW.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER jobs_uncounted AFTER DELETE ON jobs BEGIN
    UPDATE job_counts SET n = n - 1
        WHERE kind = OLD.kind AND app = OLD.app AND owner = OLD.owner AND status = OLD.status;
    DELETE FROM job_counts
        WHERE kind = OLD.kind AND app = OLD.app AND owner = OLD.owner AND status = OLD.status AND n = 0;
    DELETE FROM changes WHERE job_id = OLD.id;
END;
CREATE TRIGGER log_changes AFTER INSERT ON log
WHEN NOT EXISTS (SELECT 1 FROM changes WHERE job_id = NEW.job_id AND second >= NEW.time / 1000) BEGIN
    UPDATE changes SET second = NEW.time / 1000 WHERE job_id = NEW.job_id;
END;
",
    "
ALTER TABLE tokens ADD COLUMN used INTEGER;
CREATE INDEX jobs_by_external_id ON jobs (created, id) WHERE kind = 'W' AND instr(conf, '\"oozie.wf.external.id\":') > 0;
",
    "ALTER TABLE jobs ADD COLUMN owner_host TEXT;",
    "ALTER TABLE meta ADD COLUMN key TEXT;",
];
