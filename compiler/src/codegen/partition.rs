//! Assigns nodes to files, by a hash of their name (hash partitioning).
//!
//! rustc's incremental builds reuse unchanged files. Therefore the file depends only on the node's name and the number of
//! files, which changes only by doubling: a new node does not move others, unless the number doubles; then about half of
//! the nodes of each file move to one new file.

use crate::codegen::fingerprint;

const NODES_PER_FILE: usize = 64;

/// The partition of one application's nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partition {
    /// A power of two.
    n_files: usize,
}

impl Partition {
    pub(crate) fn new(n_nodes: usize) -> Partition {
        Partition {
            n_files: n_nodes.div_ceil(NODES_PER_FILE).max(1).next_power_of_two(),
        }
    }

    pub(crate) fn n_files(self) -> usize {
        self.n_files
    }

    /// The file for the node of this name, below [`Partition::n_files`].
    pub(crate) fn file_of(self, node_name: &str) -> usize {
        let hash = fingerprint::of_text(node_name);
        // FNV's low bits depend on few bits of the input, so the upper half is mixed in.
        let folded = (hash ^ (hash >> 32)) & 0xffff_ffff;
        usize::try_from(folded).expect("usize has at least 32 bits") & (self.n_files - 1)
    }

    /// The module name of a file. A single file has no number.
    pub(crate) fn module_name(self, file: usize) -> String {
        if self.n_files == 1 {
            "nodes".to_owned()
        } else {
            format!("nodes_{file:02}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_files_only_doubles() {
        let n_files = [0, 1, 64, 65, 128, 129, 1_000, 5_000].map(|n| Partition::new(n).n_files());
        assert_eq!(n_files, [1, 1, 1, 2, 2, 4, 16, 128]);
    }

    #[test]
    fn doubling_moves_a_node_only_to_the_file_that_splits_off() {
        let (small, large) = (Partition { n_files: 8 }, Partition { n_files: 16 });
        for number in 0..1_000 {
            let name = format!("step-{number}");
            assert_eq!(large.file_of(&name) % 8, small.file_of(&name), "{name}");
        }
    }

    #[test]
    fn files_are_filled_evenly() {
        let partition = Partition::new(1_000);
        let mut counts = vec![0_u32; partition.n_files()];
        for number in 0..1_000 {
            counts[partition.file_of(&format!("step-{number}"))] += 1;
        }
        assert!(
            counts.iter().all(|count| (30..=100).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn single_file_has_no_number() {
        assert_eq!(Partition::new(3).module_name(0), "nodes");
        assert_eq!(Partition::new(300).module_name(5), "nodes_05");
    }
}
