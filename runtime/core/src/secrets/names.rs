//! Names that indicate a secret: a broad rule for masking, a strict one for lints and for text of unknown meaning.

/// Words for the container or a property of a secret: the value is a location or a fact, not the secret itself.
const NO_SECRETS: [&str; 27] = [
    "alias",
    "class",
    "count",
    "counts",
    "delimiter",
    "dir",
    "directory",
    "enabled",
    "expiry",
    "field",
    "file",
    "folder",
    "format",
    "id",
    "index",
    "length",
    "location",
    "name",
    "path",
    "principal",
    "provider",
    "report",
    "size",
    "type",
    "uri",
    "url",
    "version",
];

/// Words before `key` that make it a secret.
const SECRET_KEYS: [&str; 9] = [
    "access",
    "account",
    "api",
    "auth",
    "encryption",
    "private",
    "s3",
    "secret",
    "signing",
];

/// Whether a property name indicates a secret. False positives are harmless.
pub fn is_secret_name(name: &str) -> bool {
    if !may_be_secret(name) {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let words_inside = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "credential",
    ];
    words_inside.iter().any(|word| lower.contains(word))
        || lower
            .split(['.', '-', '_'])
            .any(|part| part == "key" || part == "apikey")
        || lower.ends_with("accesskey")
        || lower.ends_with("privatekey")
        || words(name).last().is_some_and(|word| word == "pass")
}

/// Whether a name has one of the words without which none is a secret: nearly all names have none.
fn may_be_secret(name: &str) -> bool {
    const WORDS: [&[u8]; 5] = [b"pass", b"secret", b"token", b"credential", b"key"];
    let mut rests = (0..name.len()).map(|at| &name.as_bytes()[at..]);
    rests.any(|rest| {
        let has = |word: &&[u8]| {
            let start = rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        WORDS.iter().any(has)
    })
}

/// Whether a value under this name is meant to be secret: stricter than [`is_secret_name`], for lints and for text of unknown
/// meaning.
pub fn tells_secret(name: &str) -> bool {
    if !is_secret_name(name) {
        return false;
    }
    let words = words(name);
    let Some(last) = words.last() else {
        return false;
    };
    if NO_SECRETS.contains(&last.as_str()) {
        return false;
    }
    words.iter().enumerate().any(|(at, word)| {
        matches!(
            word.as_str(),
            "password" | "passwd" | "secret" | "token" | "passwords" | "secrets" | "passphrase"
        ) || ["accesskey", "privatekey", "apikey", "secretkey"].contains(&word.as_str())
            || (word == "key" && at > 0 && SECRET_KEYS.contains(&words[at - 1].as_str()))
            || word.ends_with("password")
    })
}

/// The words of `db_password`, `dbPassword`, and `db.password`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_inside = false;
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            is_inside = false;
            continue;
        }
        let begins = c.is_uppercase() && was_lower;
        was_lower = c.is_lowercase() || c.is_numeric();
        let lower = c.to_lowercase();
        match words.last_mut().filter(|_| is_inside && !begins) {
            Some(word) => word.extend(lower),
            None => words.push(lower.collect()),
        }
        is_inside = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_secrets() {
        for name in [
            "db.password",
            "AUTH_TOKEN",
            "aws.secret.access.key",
            "api-key",
            "fs.s3a.access.key",
            "smtpPass",
            "db_pass",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["keyspace", "monkey", "user.name", "keys", "bypass"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "dbPassword",
            "DB_PASSWORD",
            "hive.password",
            "authToken",
            "aws.secret.access.key",
            "apiKey",
            "api-key",
            "dbpassword",
            "fs.s3a.secret.key",
            "userPasswd",
            "Ddb.password",
        ] {
            assert!(tells_secret(name), "{name}");
        }
    }

    #[test]
    fn names_of_places_and_facts() {
        for name in [
            "union_count_report_key",
            "primaryKey",
            "passwordFile",
            "password_file",
            "token_count",
            "tokenizer",
            "tokens",
            "hadoop.security.credential.provider.path",
            "passwordAlias",
            "secretName",
            "key",
            "groupByKey",
            "queue",
            "credentials",
            "tokenUrl",
        ] {
            assert!(!tells_secret(name), "{name}");
        }
    }
}
