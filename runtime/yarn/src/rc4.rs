//! The cipher RC4. It is broken, and the only one of DIGEST-MD5's that is not a variant of DES: servers that want privacy of tokens'
//! connections have nothing better.

/// A stream of key bytes, at a place that moves on with each byte.
pub struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    pub fn new(key: &[u8]) -> Rc4 {
        let mut state: [u8; 256] = std::array::from_fn(|at| at.to_le_bytes()[0]);
        let mut j = 0_u8;
        for (i, key) in (0..state.len()).zip(key.iter().cycle()) {
            j = j.wrapping_add(state[i]).wrapping_add(*key);
            state.swap(i, usize::from(j));
        }
        Rc4 { state, i: 0, j: 0 }
    }

    /// Encrypts what is plain, and decrypts what is encrypted.
    pub fn apply(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            self.i = self.i.wrapping_add(1);
            let (i, at_i) = (usize::from(self.i), self.state[usize::from(self.i)]);
            self.j = self.j.wrapping_add(at_i);
            let (j, at_j) = (usize::from(self.j), self.state[usize::from(self.j)]);
            self.state.swap(i, j);
            *byte ^= self.state[usize::from(at_i.wrapping_add(at_j))];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of RFC 6229: a key, and what the stream has at places.
    type Vector = (&'static [u8], [(usize, u128); 4]);

    const VECTORS: [Vector; 2] = [
        (
            &[1, 2, 3, 4, 5],
            [
                (0, 0xb239_6305_f03d_c027_ccc3_524a_0a11_18a8),
                (16, 0x6982_944f_18fc_82d5_89c4_03a4_7a0d_0919),
                (240, 0x28cb_1132_c96c_e286_421d_caad_b8b6_9eae),
                (4096, 0xff25_b589_9599_6707_e51f_bdf0_8b34_d875),
            ],
        ),
        (
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
            [
                (0, 0x9ac7_cc9a_609d_1ef7_b293_2899_cde4_1b97),
                (16, 0x5248_c495_9014_126a_6e8a_84f1_1d1a_9e1c),
                (240, 0x0659_02e4_b620_f6cc_36c8_589f_6643_2f2b),
                (4096, 0xa36a_4c30_1ae8_ac13_610c_cbc1_2256_cacc),
            ],
        ),
    ];

    #[test]
    fn the_stream_is_that_of_the_standard() {
        for (key, places) in VECTORS {
            let mut stream = vec![0; 4112];
            let (first, rest) = stream.split_at_mut(7);
            let mut cipher = Rc4::new(key);
            cipher.apply(first);
            cipher.apply(rest);
            for (at, expected) in places {
                let found = &stream[at..at + 16];
                assert_eq!(found, expected.to_be_bytes(), "{} bytes at {at}", key.len());
            }
        }
    }
}
