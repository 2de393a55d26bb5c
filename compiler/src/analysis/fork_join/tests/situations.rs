//! The situations of `TestLiteWorkflowAppParser`, and the ones where the answers differ on purpose.

use expect_test::expect;

use super::check;

#[test]
fn fork_and_join_are_accepted() {
    check("fork f a b\n a j k\n b j k\n join j end", None, expect![""]);
}

#[test]
fn branches_that_meet_before_the_join_are_refused() {
    check(
        "fork f a b\n a c k\n b c k\n c j k\n join j end",
        Some("E0743"),
        expect![[r#"
            H0311 node `c` is reached by more than one branch
        "#]],
    );
}

#[test]
fn meeting_after_a_forgotten_join_is_one_mistake() {
    check(
        "fork f a b\n a c k\n b c k\n c end k",
        Some("E0730"),
        expect![[r#"
            H0311 node `c` is reached by more than one branch
        "#]],
    );
}

#[test]
fn error_transition_into_a_sibling_is_accepted() {
    check("fork f a b\n a j b\n b j k\n join j end", None, expect![""]);
}

#[test]
fn shared_error_handler_is_accepted() {
    check(
        "fork f a b\n a j h\n b j h\n h j k\n join j end",
        None,
        expect![""],
    );
    check(
        "fork f a b\n a j h\n b j h\n h k k\n join j c\n c end h",
        None,
        expect![""],
    );
}

#[test]
fn decision_in_a_branch_is_accepted() {
    check(
        "fork f d b\n ? d x y\n x z k\n y z k\n z j k\n b j k\n join j end",
        None,
        expect![""],
    );
    check(
        "fork f d b\n ? d j j x\n x j k\n b j k\n join j end",
        None,
        expect![""],
    );
    check(
        "fork f d b\n ? d k e\n ? e k j\n b k j\n join j end",
        None,
        expect![""],
    );
}

#[test]
fn decision_that_jumps_into_a_sibling_is_refused() {
    check(
        "fork f d b\n ? d b x\n x j k\n b j k\n join j end",
        Some("E0743"),
        expect![[r#"
            H0311 node `b` is reached by more than one branch
        "#]],
    );
}

#[test]
fn end_inside_a_fork_is_refused() {
    check(
        "fork f d b\n ? d end x\n x j k\n b j k\n join j end",
        Some("E0737"),
        expect![[r#"
            H0309 `end` is reached inside fork `f`
        "#]],
    );
    check(
        "fork f a b\n a end k\n b end k",
        Some("E0730"),
        expect![[r#"
            H0309 `end` is reached inside fork `f`
        "#]],
    );
    check(
        "fork f g c\n fork g a b\n a i k\n b i k\n join i end\n c j k\n join j end",
        Some("E0737"),
        expect![[r#"
            H0309 `end` is reached inside fork `f`
        "#]],
    );
}

#[test]
fn handler_that_leads_from_several_forks_to_the_end_is_one_mistake() {
    check(
        "fork f a b\n a i h\n b i h\n join i g\n fork g x y\n x j h\n y j h\n join j end\n h end k",
        Some("E0737"),
        expect![[r#"
            H0309 `end` is reached inside 2 forks
        "#]],
    );
}

#[test]
fn decision_between_two_forks_is_accepted() {
    check(
        "? d f g\n fork f a b\n a i k\n b i k\n join i end\n fork g x y\n x j k\n y j k\n join j end",
        None,
        expect![""],
    );
}

#[test]
fn different_joins_of_one_fork_are_refused() {
    check(
        "fork f a b c\n a i k\n b j k\n c j k\n join i end\n join j end",
        Some("E0730"),
        expect![[r#"
            H0306 branches of fork `f` reach 2 different joins
        "#]],
    );
    check(
        "fork f g c\n fork g a b\n a i k\n b j k\n c j k\n join i j\n join j end",
        Some("E0757"),
        expect![[r#"
            H0306 branches of fork `g` reach 2 different joins
        "#]],
    );
}

#[test]
fn different_forks_of_one_join_are_refused() {
    check(
        "fork f g c\n fork g a b\n a j k\n b j k\n c j k\n join j end",
        Some("E0730"),
        expect![[r#"
            H0308 join `j` is reached from 2 different forks
        "#]],
    );
    check(
        "fork f c g\n fork g a b\n a j k\n b j k\n c j k\n join j e\n e end i\n join i end",
        Some("E0758"),
        expect![[r#"
            H0308 join `j` is reached from 2 different forks
        "#]],
    );
}

#[test]
fn join_without_an_open_fork_is_refused() {
    check(
        "a j k\n join j end",
        Some("E0730"),
        expect![[r#"
        H0307 join `j` has no fork
    "#]],
    );
    check(
        "fork f a b\n a j k\n b j k\n join j i\n join i end",
        Some("E0730"),
        expect![[r#"
            H0307 join `i` has no fork
        "#]],
    );
}

#[test]
fn repeated_path_is_refused_unless_it_leads_to_a_join_or_a_kill() {
    check(
        "fork f a a\n a j k\n join j end",
        Some("E0744"),
        expect![[r#"
            H0310 fork `f` starts `a` more than once
        "#]],
    );
    check("fork f j j\n join j end", None, expect![""]);
    check("fork f k k a\n a j k\n join j end", None, expect![""]);
}

#[test]
fn fork_into_kills_alone_is_refused() {
    check(
        "fork f a b\n a k k\n b k k",
        Some("E0730"),
        expect![[r#"
        H0305 fork `f` has no join
    "#]],
    );
    check(
        "fork f g a b\n fork g x y\n x k k\n y k k\n a i k\n b j k\n join i end\n join j end",
        Some("E0733"),
        expect![[r#"
            H0306 branches of fork `f` reach 2 different joins
            H0305 fork `g` has no join
        "#]],
    );
    check(
        "fork f a g\n a j k\n fork g b c\n b k k\n c k k\n join j end",
        Some("E0730"),
        expect![[r#"
            H0305 fork `g` has no join
        "#]],
    );
}

#[test]
fn chained_decisions_may_converge() {
    check("? d e a\n ? e a b\n a end k\n b a k", None, expect![""]);
}

// What Oozie overlooks because it enters a node once.

#[test]
fn end_behind_a_part_that_was_seen_outside_is_refused() {
    // The error transition of `b` leads to `h`, which Oozie has left with the question whether a fork is open behind it.
    check(
        "s f h\n h end k\n fork f a b\n a j k\n b j h\n join j end",
        Some("E0737"),
        expect![[r#"
            H0309 `end` is reached inside fork `f`
        "#]],
    );
    check(
        "? s h f\n h end k\n fork f a b\n a j k\n b j h\n join j end",
        None,
        expect![[r#"
            H0309 `end` is reached inside fork `f`
        "#]],
    );
}

#[test]
fn join_behind_a_part_that_was_seen_outside_is_refused() {
    check(
        "? s f h\n fork f a b\n a j k\n b j h\n h j k\n join j end",
        None,
        expect![[r#"
            H0307 join `j` can be reached outside of fork `f`
        "#]],
    );
}

#[test]
fn branches_behind_a_decision_are_accepted_as_alternatives() {
    check(
        "? s f end\n fork f a b\n a c k\n b c k\n c j k\n join j end",
        None,
        expect![[r#"
            shared_branch_nodes two branches of fork `f` can reach node `c`
        "#]],
    );
}
