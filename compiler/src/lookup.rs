//! Hash tables that can only be looked up, never iterated, so that their order cannot affect the output.
#![expect(
    clippy::disallowed_types,
    reason = "the only place of a HashMap, which gives no way to iterate over it"
)]

use std::{
    borrow::Borrow,
    collections::HashMap,
    hash::{BuildHasher, BuildHasherDefault, Hash, Hasher},
};

use foldhash::fast::RandomState;

/// A table with keys that the input may choose, where a sorted map would be too slow. Its hasher has a seed of the process, and takes a
/// third of the time of the standard one for texts of this length.
#[derive(Debug)]
pub(crate) struct Lookup<K, V, S = RandomState>(HashMap<K, V, S>);

impl<K, V, S: Default> Default for Lookup<K, V, S> {
    fn default() -> Lookup<K, V, S> {
        Lookup(HashMap::default())
    }
}

/// A table with addresses of shared objects, or small numbers, as keys.
pub(crate) type AddressLookup<K, V> = Lookup<K, V, BuildHasherDefault<AddressHasher>>;

impl<K: Hash + Eq, V, S: BuildHasher> Lookup<K, V, S> {
    /// The stored key, and its value.
    pub(crate) fn get_key_value<Q>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.get_key_value(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, value);
    }

    /// The value of `key`, which `new` creates if there is none yet.
    pub(crate) fn get_or_insert_with(&mut self, key: K, new: impl FnOnce() -> V) -> &V {
        self.0.entry(key).or_insert_with(new)
    }
}

/// Hashes addresses and small numbers. They are not chosen by an attacker, so it need not resist collisions as the standard
/// hasher does, which took longer than everything that was done with the result.
#[derive(Debug, Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // 2^64 divided by the golden ratio (Fibonacci hashing); addresses differ in their middle bits, tables use the
        // highest and lowest.
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(u64::try_from(number).unwrap_or(u64::MAX));
    }

    fn write_isize(&mut self, number: isize) {
        self.write_usize(number.cast_unsigned());
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_value_of_a_key_stays() {
        let mut table: AddressLookup<(usize, bool), u32> = Lookup::default();
        for address in 0..1_000_u32 {
            let key = (usize::try_from(address).unwrap() * 64, address % 2 == 0);
            assert_eq!(*table.get_or_insert_with(key, || address), address);
            assert_eq!(*table.get_or_insert_with(key, || 9_999), address);
        }
    }

    #[test]
    fn keys_are_found_by_what_they_lend() {
        let mut table: Lookup<String, u32> = Lookup::default();
        table.insert("a".to_owned(), 1);
        assert_eq!(table.get_key_value("a"), Some((&"a".to_owned(), &1)));
        assert_eq!(table.get_key_value("b"), None);
    }
}
