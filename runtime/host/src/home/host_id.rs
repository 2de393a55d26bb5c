//! The id of a state folder among those that use one database: that of a *host*.

use std::io;

use super::{Home, secret};

impl Home {
    /// The id of this state folder, 32 hexadecimal digits; `None` for a store in a file, which has one host.
    ///
    /// # Errors
    ///
    /// Its file cannot be read or created.
    pub fn host(&self) -> io::Result<Option<String>> {
        if self.store_location().is_file() {
            return Ok(None);
        }
        let bytes = secret::of(&self.host_id())?;
        Ok(Some(hex::encode(&bytes[..16])))
    }
}
