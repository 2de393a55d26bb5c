//! The schema for PostgreSQL: the same tables and columns, in its types.

use std::borrow::Cow;

/// What the first format has in addition: functions that SQLite has, for one SQL text; the marks of transactions (see
/// [`crate::sql::postgres`]); and the state folders that use the database.
///
/// `commits`: a row of each transaction, by which one whose connection was lost is found. `owner_commits`: the number of the last batch of
/// an owner. Times are milliseconds since 1970.
const FIRST: &str = r#"
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)';
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE greatest($1, $2) END';
CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE least($1, $2) END';
CREATE FUNCTION glob(pattern text, value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $glob$
DECLARE
    regex text := '';
    c text;
    in_class boolean := false;
BEGIN
    IF pattern IS NULL OR value IS NULL THEN
        RETURN NULL;
    END IF;
    FOREACH c IN ARRAY regexp_split_to_array(pattern, '') LOOP
        IF in_class THEN
            in_class := c <> ']';
            regex := regex || CASE WHEN c = '\' THEN '\\' ELSE c END;
        ELSIF c = '[' THEN
            in_class := true;
            regex := regex || c;
        ELSE
            regex := regex || CASE c
                WHEN '*' THEN '.*'
                WHEN '?' THEN '.'
                ELSE regexp_replace(c, '([^[:alnum:][:space:]_-])', '\\\1')
            END;
        END IF;
    END LOOP;
    IF in_class THEN
        RETURN false;
    END IF;
    RETURN value COLLATE "C" ~ ('^(?:' || regex || ')$');
END
$glob$;
CREATE TABLE commits (
    id TEXT PRIMARY KEY,
    created BIGINT NOT NULL
);
CREATE INDEX commits_by_created ON commits (created);
CREATE TABLE owner_commits (
    job_id TEXT COLLATE "C" PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    number BIGINT NOT NULL
);
CREATE TABLE hosts (
    id TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    folder TEXT NOT NULL,
    created BIGINT NOT NULL
);
"#;

/// The addition 1.10. The counts are a view: rows that all jobs of an application change would make their owners wait for each other.
const LISTS: &str = r#"
ALTER TABLE jobs ADD COLUMN owner TEXT COLLATE "C" GENERATED ALWAYS AS (CASE strpos(conf, '"user.name":"') WHEN 0 THEN "user" ELSE
    substr(substr(conf, strpos(conf, '"user.name":"') + 13), 1,
        strpos(substr(conf, strpos(conf, '"user.name":"') + 13), '"') - 1) END) STORED;
CREATE INDEX jobs_listed ON jobs (kind, created, id, status, app, owner);
CREATE INDEX jobs_by_state ON jobs (kind, status, created, id, app, owner);
CREATE INDEX jobs_by_app ON jobs (kind, app, created, id, status, owner);
CREATE INDEX jobs_by_owner ON jobs (kind, owner, created, id, status, app);
CREATE VIEW job_counts AS SELECT kind, app, owner, status, count(*) AS n FROM jobs GROUP BY kind, app, owner, status;
CREATE TABLE changes (
    job_id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    second BIGINT NOT NULL
);
CREATE INDEX changes_by_second ON changes (kind, second, job_id);
CREATE FUNCTION job_created() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes VALUES (NEW.id, NEW.kind, NEW.created / 1000);
    RETURN NULL;
END $$;
CREATE TRIGGER job_created AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION job_created();
CREATE FUNCTION job_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM changes WHERE job_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER job_deleted AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION job_deleted();
CREATE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE changes SET second = NEW.time / 1000 WHERE job_id = NEW.job_id AND second < NEW.time / 1000;
    RETURN NULL;
END $$;
CREATE TRIGGER log_changes AFTER INSERT ON log FOR EACH ROW EXECUTE FUNCTION log_changes();
"#;

/// The addition 1.12: who is alive, and who drives which job.
///
/// `hosts`: `seen` is when the host last proved that it is alive, by the server's clock; it counts as alive for `timeout` milliseconds more.
/// Sessions are named by their hosts: the name of each ends with the host's id. `keys`: secrets that all hosts share. A session that owns a
/// job has the lock of the store's and the job's number, and listens to the job's channel.
const HOSTS: &str = r#"
ALTER TABLE jobs ADD COLUMN owner_host TEXT COLLATE "C";
ALTER TABLE hosts ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hosts ADD COLUMN timeout BIGINT NOT NULL DEFAULT 0;
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);
CREATE FUNCTION living_hosts() RETURNS SETOF hosts LANGUAGE sql VOLATILE AS
    'SELECT * FROM hosts WHERE seen + timeout > (extract(epoch FROM clock_timestamp()) * 1000)::bigint';
CREATE FUNCTION job_owners(store integer, OUT number bigint, OUT host text, OUT pid integer) RETURNS SETOF record
LANGUAGE sql VOLATILE AS $$
    SELECT objid::bigint, right(application_name, 32), pid FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = (store::bigint & 4294967295)::oid
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
$$;
CREATE FUNCTION job_channel(root text) RETURNS text LANGUAGE sql STABLE AS
    $$ SELECT 'hpdl_' || md5(current_schema() || ' ' || root) $$;
CREATE FUNCTION take_job(store integer, job bigint, root text, own text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('LISTEN %I', job_channel(root));
    FOR n IN 1..100 LOOP
        IF pg_try_advisory_lock(store, job::integer) THEN
            RETURN true;
        END IF;
        PERFORM pg_terminate_backend(owner.pid) FROM job_owners(store) AS owner
            WHERE owner.number = job AND owner.pid <> pg_backend_pid()
                AND (owner.host = own OR owner.host NOT IN (SELECT id FROM living_hosts()));
        IF NOT FOUND THEN
            RETURN false;
        END IF;
        PERFORM pg_sleep(0.02);
    END LOOP;
    RETURN false;
END $$;
CREATE FUNCTION wake_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify(job_channel(root_id), '') FROM jobs WHERE id = NEW.job_id;
    RETURN NULL;
END $$;
CREATE TRIGGER command_added AFTER INSERT ON commands FOR EACH ROW EXECUTE FUNCTION wake_owner();
CREATE TRIGGER callback_added AFTER INSERT ON callbacks FOR EACH ROW EXECUTE FUNCTION wake_owner();
"#;

/// The positions of these among the additions.
const OF_LISTS: usize = 9;
const OF_HOSTS: usize = 11;

/// The first format: `sqlite` in PostgreSQL's types, and what it needs.
pub(super) fn first_format(sqlite: &str) -> String {
    format!("{}{FIRST}", translated(sqlite))
}

/// The addition at a position.
pub(super) fn addition(n: usize, sqlite: &'static str) -> Cow<'static, str> {
    match n {
        OF_LISTS => Cow::Borrowed(LISTS),
        OF_HOSTS => Cow::Borrowed(HOSTS),
        _ => Cow::Owned(translated(sqlite)),
    }
}

/// Definitions of tables and columns of SQLite in the types of PostgreSQL. Texts are compared by their bytes, as there.
fn translated(sqlite: &str) -> String {
    sqlite
        .replace(") STRICT, WITHOUT ROWID", ")")
        .replace(") STRICT", ")")
        .replace(
            "id INTEGER PRIMARY KEY",
            "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
        )
        .replace(" INTEGER", " BIGINT")
        .replace(" TEXT", " TEXT COLLATE \"C\"")
        .replace(" BLOB", " BYTEA")
}

#[cfg(test)]
mod tests {
    use super::{super::tables::ADDED, *};

    #[test]
    fn definitions_have_the_types_of_postgres() {
        let sqlite = "CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, t TEXT, b BLOB) STRICT, WITHOUT ROWID;";
        let expected = "CREATE TABLE a (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n BIGINT NOT NULL, \
                        t TEXT COLLATE \"C\", b BYTEA);";
        assert_eq!(translated(sqlite), expected);
    }

    #[test]
    fn the_addition_with_triggers_is_the_translated_one() {
        assert!(ADDED[OF_LISTS].contains("CREATE TRIGGER"));
        let others = ADDED.iter().enumerate();
        let mut others = others.filter(|(n, _)| *n != OF_LISTS);
        assert!(others.all(|(_, added)| !added.contains("TRIGGER") && !added.contains("VIRTUAL")));
    }
}
