//! Pseudo-random numbers determined by a seed (SplitMix64).

pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64, case: u64) -> Random {
        let mut random = Random {
            state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ case,
        };
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("usize has at most 64 bits");
        usize::try_from(self.next() % limit).expect("it is below a usize")
    }

    /// True once in `n` times on average.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn of<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }

    pub fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }
}
