//! The distance of boxes from the first ones.

/// By box: the longest path to it, in lines. Boxes in and after cycles count from the first of them.
pub fn ranks(n_boxes: usize, lines: &[(usize, usize)]) -> Vec<usize> {
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); n_boxes];
    let mut n_open = vec![0; n_boxes];
    for &(from, to) in lines.iter().filter(|(from, to)| from != to) {
        targets[from].push(to);
        n_open[to] += 1;
    }
    let mut ranks = vec![0; n_boxes];
    let mut is_done = vec![false; n_boxes];
    let mut ready: Vec<usize> = (0..n_boxes).rev().filter(|&b| n_open[b] == 0).collect();
    let mut next_unordered = 0;
    loop {
        while let Some(from) = ready.pop() {
            if std::mem::replace(&mut is_done[from], true) {
                continue;
            }
            for &to in &targets[from] {
                if !is_done[to] {
                    ranks[to] = ranks[to].max(ranks[from] + 1);
                    n_open[to] -= 1;
                    if n_open[to] == 0 {
                        ready.push(to);
                    }
                }
            }
        }
        // The remaining boxes are in or after a cycle: its first box is treated as if it had no predecessors.
        while next_unordered < n_boxes && is_done[next_unordered] {
            next_unordered += 1;
        }
        if next_unordered == n_boxes {
            return ranks;
        }
        ready.push(next_unordered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_longest_ways_and_cycles_end() {
        assert_eq!(ranks(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]), [0, 1, 2, 3]);
        assert_eq!(ranks(3, &[(0, 1), (1, 2), (2, 1), (2, 2)]), [0, 1, 2]);
        assert_eq!(ranks(2, &[(0, 1), (1, 0)]), [0, 1]);
    }
}
