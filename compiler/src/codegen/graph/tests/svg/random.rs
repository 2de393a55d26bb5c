//! Property-based tests: invariants of every picture, on random graphs, including invalid ones with cycles and unreachable nodes.

use super::*;

/// A small pseudorandom number generator: the same sequence for the same seed on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        // xorshift64*, by Vigna.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).expect("31 bits fit") % end
    }

    fn is_one_of(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

fn random_picture(numbers: &mut Numbers) -> Picture {
    const SHAPES: [Shape; 8] = [
        Shape::End,
        Shape::Kill,
        Shape::Decision,
        Shape::Fork,
        Shape::Join,
        Shape::Action(Family::Cluster),
        Shape::Action(Family::Application),
        Shape::Block,
    ];
    const NAMES: [&str; 5] = [
        "a",
        "load",
        "decision-reference_extraction",
        "日本語",
        "x<y&z",
    ];
    let n_nodes = 1 + numbers.below(30);
    let nodes = (0..n_nodes)
        .map(|number| PictureNode {
            name: number.to_string(),
            shape: if number == 0 {
                Shape::Start
            } else {
                SHAPES[numbers.below(SHAPES.len())]
            },
            title: format!("{}{number}", NAMES[numbers.below(NAMES.len())]),
            subtitle: numbers.is_one_of(2).then(|| "shell".to_owned()),
            target: numbers
                .is_one_of(4)
                .then(|| "hdfs://nn/apps/load".to_owned()),
            pair: numbers.is_one_of(3).then(|| numbers.below(12)),
            is_reached: !numbers.is_one_of(5),
            is_supported: !numbers.is_one_of(5),
            state: None,
        })
        .collect();
    let mut arrows: Vec<Arrow> = (0..numbers.below(2 * n_nodes + 1))
        .map(|_| {
            let (one, other) = (numbers.below(n_nodes), numbers.below(n_nodes));
            // Most lead forward; some lead back or to their own source.
            let leads_back = numbers.is_one_of(20);
            Arrow {
                from: if leads_back {
                    one.max(other)
                } else {
                    one.min(other)
                },
                to: if leads_back {
                    one.min(other)
                } else {
                    one.max(other)
                },
                kind: if numbers.is_one_of(4) {
                    ArrowKind::Error
                } else {
                    ArrowKind::Flow
                },
                label: numbers
                    .is_one_of(4)
                    .then(|| "wf:conf('a') eq 'b'".to_owned()),
                is_taken: false,
            }
        })
        .collect();
    arrows.sort_by_key(|arrow| arrow.from);
    Picture {
        title: "random".to_owned(),
        nodes,
        arrows,
    }
}

#[test]
fn every_node_is_drawn_once_apart_from_others_and_the_text_is_xml() {
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    for round in 0..60 {
        let picture = random_picture(&mut numbers);
        let all_lines = round % 3 == 0;
        let plan = plan::plan(&picture, all_lines);
        let placement = place::place(&picture, &plan);
        assert_sound(&picture, &plan, &placement);
        let options = Options {
            error_edges: all_lines,
            ..BARE
        };
        let text = svg(&picture, options);
        assert_well_formed(&text);
        assert_eq!(
            text.matches(r#"<g class="node "#).count(),
            picture.nodes.len()
        );
        assert_eq!(text, svg(&picture, options), "it is drawn alike each time");
    }
}

#[test]
fn folding_keeps_the_ends_of_arrows_in_the_picture() {
    let mut numbers = Numbers(0x0fed_cba9_8765_4321);
    for _ in 0..80 {
        let picture = random_picture(&mut numbers);
        let folded = collapse::collapsed(&picture, 1 + numbers.below(10));
        let n_nodes = folded.nodes.len();
        assert!(n_nodes <= picture.nodes.len() && n_nodes > 0);
        assert!(
            folded
                .arrows
                .iter()
                .all(|arrow| arrow.from < n_nodes && arrow.to < n_nodes)
        );
        assert_well_formed(&svg(&folded, BARE));
    }
}
