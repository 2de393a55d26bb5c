//! Tokens for `hpdl serve`: who their bearer is, and what they may do. A token itself is never here, only its SHA-256.

use std::fmt;

use crate::sql::{self, Connection, OptionalExtension, Row};

/// What a token allows; each role includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Requests that change nothing.
    Read,
    /// New jobs, and commands for the jobs of its user.
    Operate,
    /// Commands for everybody's jobs, and administration.
    Admin,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    /// Public: it stands in the token, in lists and in the audit.
    pub id: String,
    /// SHA-256 of the whole token.
    pub hash: Vec<u8>,
    /// The user as whom its bearer acts.
    pub user: String,
    pub role: Role,
    /// What it is for: chosen by whoever made it.
    pub name: String,
    /// Milliseconds since 1970, as the following ones.
    pub created: i64,
    /// When it ceases to be valid.
    pub expires: Option<i64>,
    pub revoked: Option<i64>,
    /// When a server last took it, to the minute.
    pub used: Option<i64>,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Read, Role::Operate, Role::Admin];

    pub fn name(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Operate => "operate",
            Role::Admin => "admin",
        }
    }

    /// The role of this name; `None` for any other name.
    pub fn from_name(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TokenRow {
    /// Whether it is accepted at `now`, in milliseconds since 1970.
    pub fn is_valid(&self, now: i64) -> bool {
        self.revoked.is_none() && self.expires.is_none_or(|expires| now < expires)
    }
}

const COLUMNS: &str = "id, hash, \"user\", role, name, created, expires, revoked, used";

fn read(row: &Row<'_>) -> sql::Result<TokenRow> {
    let role: String = row.get(3)?;
    Ok(TokenRow {
        id: row.get(0)?,
        hash: row.get(1)?,
        user: row.get(2)?,
        // A name that no version has written gives the least.
        role: Role::from_name(&role).unwrap_or(Role::Read),
        name: row.get(4)?,
        created: row.get(5)?,
        expires: row.get(6)?,
        revoked: row.get(7)?,
        used: row.get(8)?,
    })
}

/// Adds a token.
///
/// # Errors
///
/// SQLite refuses, also if there is one of this id.
pub fn insert(connection: &Connection, token: &TokenRow) -> sql::Result<()> {
    let sql = format!("INSERT INTO tokens ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    connection.execute(
        &sql,
        (
            &token.id,
            &token.hash,
            &token.user,
            token.role.name(),
            &token.name,
            token.created,
            token.expires,
            token.revoked,
            token.used,
        ),
    )?;
    Ok(())
}

/// The token of this id, valid or not.
pub fn find(connection: &Connection, id: &str) -> sql::Result<Option<TokenRow>> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row([id], read).optional()
}

/// All tokens, the oldest first.
pub fn list(connection: &Connection) -> sql::Result<Vec<TokenRow>> {
    let sql = format!("SELECT {COLUMNS} FROM tokens ORDER BY created, id");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], read)?;
    rows.collect()
}

/// Ends the validity of a token; returns whether it was not revoked before.
pub fn revoke(connection: &Connection, id: &str, time: i64) -> sql::Result<bool> {
    let sql = "UPDATE tokens SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL";
    Ok(connection.execute(sql, (id, time))? > 0)
}

/// Notes that a token was used.
pub fn note_use(connection: &Connection, id: &str, time: i64) -> sql::Result<()> {
    let sql = "UPDATE tokens SET used = ?2 WHERE id = ?1 AND coalesce(used, 0) < ?2";
    connection.execute(sql, (id, time)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_until_it_expires_or_is_revoked() {
        let connection = crate::testing::store();
        let token = TokenRow {
            id: "1f".to_owned(),
            hash: vec![7; 32],
            user: "ada".to_owned(),
            role: Role::Operate,
            name: "CI".to_owned(),
            created: 1,
            expires: Some(10),
            revoked: None,
            used: None,
        };
        insert(&connection, &token).unwrap();
        assert!(insert(&connection, &token).is_err());
        let found = find(&connection, "1f").unwrap();
        assert_eq!(found.as_ref(), Some(&token));
        assert!(token.is_valid(9) && !token.is_valid(10));
        assert_eq!(revoke(&connection, "1f", 5), Ok(true));
        assert_eq!(revoke(&connection, "1f", 6), Ok(false));
        assert_eq!(revoke(&connection, "2f", 6), Ok(false));
        note_use(&connection, "1f", 8).unwrap();
        note_use(&connection, "1f", 7).unwrap();
        let listed = list(&connection).unwrap();
        assert_eq!(listed[0].used, Some(8));
        assert_eq!(listed[0].revoked, Some(5));
        assert!(!listed[0].is_valid(6));
    }

    #[test]
    fn an_unknown_role_allows_the_least() {
        let connection = crate::testing::store();
        let sql = "INSERT INTO tokens (id, hash, \"user\", role, name, created) VALUES ('1', ?1, 'a', 'root', 'b', 0)";
        connection.execute(sql, [vec![0_u8]]).unwrap();
        let found = find(&connection, "1").unwrap().unwrap();
        assert_eq!(found.role, Role::Read);
        assert!(Role::Read < Role::Operate && Role::Operate < Role::Admin);
    }
}
