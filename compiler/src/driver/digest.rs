//! Short content hashes: the first 16 hex digits of SHA-256.

use sha2::{Digest as _, Sha256};

/// Hashes a sequence of fields; the boundaries between fields are part of the hash.
#[derive(Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds a field.
    pub fn field(&mut self, bytes: impl AsRef<[u8]>) -> &mut Digest {
        let bytes = bytes.as_ref();
        self.0
            .update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// 16 hex digits.
    pub fn finish(&self) -> String {
        hex::encode(&self.0.clone().finalize()[..8])
    }
}

/// The digest of a single field.
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    Digest::default().field(bytes).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_of_fields_count() {
        let one = Digest::default().field("ab").field("c").finish();
        let other = Digest::default().field("a").field("bc").finish();
        assert_ne!(one, other);
        assert_eq!(one.len(), 16);
        assert_eq!(one, Digest::default().field("ab").field("c").finish());
    }
}
