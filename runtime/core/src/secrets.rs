//! Which properties hold secrets, and text without them. The compiler and the running job mask alike.

/// What stands for a secret.
pub const MASK: &str = "********";

/// Shorter values are not looked for in other text: they would mask half of it.
const MIN_LENGTH: usize = 4;

/// The name of a property that holds a secret.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["password", "passwd", "secret", "token", "credential"];
    words.iter().any(|word| name.contains(word))
        || name
            .split(['.', '-', '_'])
            .any(|part| part == "key" || part == "apikey")
        || name.ends_with("accesskey")
        || name.ends_with("privatekey")
}

/// Text that begins like an address, with parameters or without.
pub fn is_address(text: &str) -> bool {
    text.contains("://") || text.starts_with("jdbc:")
}

/// An address without the secrets that its parameters hold, such as `jdbc:hive2://host/;user=a;password=b`. Other text is as it
/// was.
pub fn masked_address(text: &str) -> String {
    if !is_address(text) {
        return text.to_owned();
    }
    let mut parts = text.split_inclusive([';', '?', '&']);
    // Before the first parameter stands the path.
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let parameter = part.trim_end_matches([';', '?', '&']);
        match parameter.split_once('=') {
            Some((name, _)) if is_secret_name(name) => {
                masked.push_str(&format!("{name}={MASK}{}", &part[parameter.len()..]));
            }
            Some(_) | None => masked.push_str(part),
        }
    }
    masked
}

/// Secret values, to be masked wherever they appear in other text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Longest first, so that one that contains another is masked whole.
    values: Vec<String>,
}

impl Secrets {
    /// The values whose names tell that they are secret.
    pub fn of<'a>(properties: impl IntoIterator<Item = (&'a str, &'a str)>) -> Secrets {
        let mut values: Vec<String> = properties
            .into_iter()
            .filter(|(name, value)| value.len() >= MIN_LENGTH && is_secret_name(name))
            .map(|(_, value)| value.to_owned())
            .collect();
        values.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
        values.dedup();
        Secrets { values }
    }

    /// Text without any secret value.
    pub fn masked(&self, text: &str) -> String {
        self.values
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret, MASK))
    }
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
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["keyspace", "monkey", "user.name", "keys"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn parameters_of_addresses_are_masked() {
        for (text, expected) in [
            (
                "jdbc:hive2://h:1/db;user=ann;password=a=b;ssl=true",
                "jdbc:hive2://h:1/db;user=ann;password=********;ssl=true",
            ),
            (
                "jdbc:postgresql://h/db?user=ann&password=hunter22",
                "jdbc:postgresql://h/db?user=ann&password=********",
            ),
            (
                "jdbc:derby:db;password=hunter22;create=true",
                "jdbc:derby:db;password=********;create=true",
            ),
            ("hdfs://nn:8020/password=1", "hdfs://nn:8020/password=1"),
            ("hdfs://nn:8020/day=1", "hdfs://nn:8020/day=1"),
            (
                "select 1; password=no address",
                "select 1; password=no address",
            ),
        ] {
            assert_eq!(masked_address(text), expected);
        }
    }

    #[test]
    fn a_secret_that_contains_another_is_masked_whole() {
        let secrets = Secrets::of([
            ("a.password", "hunter"),
            ("b.password", "hunter-two"),
            ("c.password", "abc"),
            ("place", "field"),
        ]);
        assert_eq!(
            secrets.masked("hunter-two and hunter in the field, abc"),
            "******** and ******** in the field, abc"
        );
    }
}
