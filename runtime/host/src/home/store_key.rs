//! The keys that encrypt values in the job store: the setting `hpdl.store.key`.

use std::{env, fmt};

use base64::{Engine, prelude::BASE64_STANDARD};
use hpdlc_core::secrets::references;

use crate::{
    comma_list,
    exit::RunError,
    home::{Home, site_file},
    secret_values,
};

/// The setting, of the site.
pub const SETTING: &str = "hpdl.store.key";

/// The variable that overrides the setting, and may have the keys themselves.
pub const VARIABLE: &str = "HPDL_STORE_KEY";

/// Bytes of a key.
pub const LENGTH: usize = 32;

const HOW: &str = "make one by: openssl rand -hex 32";

/// The keys of the store: the first one encrypts, all of them decrypt. None if the store is not encrypted.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct StoreKeys(Vec<[u8; LENGTH]>);

impl StoreKeys {
    /// What the variable or the site's file says.
    ///
    /// # Errors
    ///
    /// Exit 2 if a key cannot be read, is none, or is written in the site's file itself.
    pub(super) fn find(home: &Home) -> Result<StoreKeys, RunError> {
        if let Some(text) = env::var_os(VARIABLE).filter(|text| !text.is_empty()) {
            return StoreKeys::parse(&text.to_string_lossy(), VARIABLE);
        }
        let site = site_file::read(home)?;
        let Some(text) = site.get(SETTING).filter(|text| !text.trim().is_empty()) else {
            return Ok(StoreKeys::default());
        };
        if !references::occurs_in(text) {
            return Err(RunError::usage(format!(
                "setting {SETTING} does not refer to a key; a key in the settings file would be read with it"
            ))
            .with_help(format!(
                "put the key into a file of mode 600, and set {SETTING} to ${{file:/path/of/it}}; or into a variable, and set it to ${{env:NAME}}; {HOW}"
            )));
        }
        StoreKeys::parse(text, SETTING)
    }

    /// Keys separated by commas: 64 hexadecimal digits or base64.
    fn parse(text: &str, name: &str) -> Result<StoreKeys, RunError> {
        let text = secret_values::resolved(text)
            .map_err(|unread| RunError::usage(format!("{name}: {unread}")))?;
        let keys: Option<Vec<_>> = comma_list::entries(&text).map(key).collect();
        match keys {
            Some(keys) if !keys.is_empty() => Ok(StoreKeys(keys)),
            Some(_) | None => Err(RunError::usage(format!(
                "{name} has a key that is not 32 bytes in hexadecimal digits or base64"
            ))
            .with_help(HOW)),
        }
    }

    /// Keys for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn of(keys: &[[u8; LENGTH]]) -> StoreKeys {
        StoreKeys(keys.to_vec())
    }

    /// All of them, the one that encrypts first.
    pub fn all(&self) -> &[[u8; LENGTH]] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn key(text: &str) -> Option<[u8; LENGTH]> {
    let bytes = if text.len() == 2 * LENGTH {
        hex::decode(text).ok()?
    } else {
        BASE64_STANDARD.decode(text).ok()?
    };
    bytes.try_into().ok()
}

/// A key is not shown.
impl fmt::Debug for StoreKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreKeys({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hexadecimal_or_base64() {
        let hex = "00".repeat(31) + "fF";
        let mut expected = [0; LENGTH];
        expected[31] = 0xff;
        let base64 = BASE64_STANDARD.encode([7; LENGTH]);
        for (text, keys) in [
            (hex.clone(), Some(vec![expected])),
            (
                format!("{base64}, {hex}"),
                Some(vec![[7; LENGTH], expected]),
            ),
            (hex[2..].to_owned(), None),
            (hex.replace('f', "g"), None),
            ("é".repeat(32), None),
            (",".to_owned(), None),
            ("${file:/no/such/file}".to_owned(), None),
        ] {
            let found = StoreKeys::parse(&text, SETTING).ok();
            assert_eq!(found, keys.map(StoreKeys), "{text}");
        }
    }

    #[test]
    fn a_key_in_the_settings_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let set = |value: &str| {
            let text = format!(
                "<configuration><property><name>{SETTING}</name><value>{value}</value></property></configuration>"
            );
            std::fs::write(folder.path().join("hpdl-site.xml"), text).unwrap();
            Home::of(folder.path().to_owned())
        };
        let key = "ab".repeat(32);
        assert!(set(&key).unwrap_err().message.contains("does not refer"));
        let file = folder.path().join("key");
        std::fs::write(&file, format!("{key}\n")).unwrap();
        let home = set(&format!("${{file:{}}}", file.display())).unwrap();
        assert_eq!(home.store_keys().all(), [[0xab; LENGTH]]);
        assert_eq!(format!("{:?}", home.store_keys()), "StoreKeys(1)");
    }
}
