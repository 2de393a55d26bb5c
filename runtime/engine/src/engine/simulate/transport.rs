//! The receivers of notifications, and the simulated network: a request arrives, is refused, or its sender dies on the way.

use std::{cell::RefCell, collections::BTreeMap, panic::resume_unwind, rc::Rc};

use hpdlc_host::{exit::RunError, home::Home};
use hpdlc_store::notifications::Notice;
use rusqlite::Connection;

use super::{
    random::Random,
    simulated_environment::{Crash, SimulatedEnvironment},
};
use crate::notify::sending::Carrier;

/// What became of one notification on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// How often somebody was asked to take it.
    pub n_tries: u32,
    /// How often it was taken.
    pub n_taken: u32,
    /// How often its sender died before it could record that it was taken.
    pub n_unrecorded: u32,
}

#[derive(Debug)]
struct Post {
    random: Random,
    /// In percent.
    refused: usize,
    dies: usize,
    n_deaths_left: usize,
    /// By the numbers of the notifications.
    deliveries: BTreeMap<i64, Delivery>,
    problem: Option<String>,
}

/// The way that all senders of a world share.
#[derive(Clone)]
pub struct SimulatedTransport {
    simulated: Rc<RefCell<SimulatedEnvironment>>,
    post: Rc<RefCell<Post>>,
}

impl SimulatedTransport {
    pub fn new(
        random: &mut Random,
        simulated: Rc<RefCell<SimulatedEnvironment>>,
    ) -> SimulatedTransport {
        let post = Post {
            refused: random.pick(&[0, 0, 30, 100]),
            dies: random.pick(&[0, 0, 10]),
            n_deaths_left: random.below(4),
            deliveries: BTreeMap::new(),
            problem: None,
            // Of its own, so that what is told changes nothing of what happens to the job.
            random: Random::new(random.next()),
        };
        SimulatedTransport {
            simulated,
            post: Rc::new(RefCell::new(post)),
        }
    }

    pub fn delivery(&self, notice: i64) -> Delivery {
        let post = self.post.borrow();
        post.deliveries.get(&notice).cloned().unwrap_or_default()
    }

    /// What did not hold on the way.
    pub fn problem(&self) -> Option<String> {
        self.post.borrow().problem.clone()
    }
}

impl Carrier for SimulatedTransport {
    fn now(&self) -> i64 {
        self.simulated.borrow().now().timestamp_millis()
    }

    fn carry(
        &mut self,
        notice: &Notice,
        _home: &Home,
        _store: &Connection,
    ) -> Result<Result<(), String>, RunError> {
        let post = &mut *self.post.borrow_mut();
        self.simulated
            .borrow_mut()
            .tell(|| format!("tells {}: {} ({})", notice.id, notice.about, notice.url));
        post.check(notice);
        if post.dies() {
            resume_unwind(Box::new(Crash));
        }
        let is_refused = post.random.percent(post.refused);
        let delivery = post.deliveries.entry(notice.id).or_default();
        delivery.n_tries += 1;
        if is_refused {
            return Ok(Err("nobody listens".to_owned()));
        }
        delivery.n_taken += 1;
        if post.dies() {
            post.deliveries.entry(notice.id).or_default().n_unrecorded += 1;
            resume_unwind(Box::new(Crash));
        }
        Ok(Ok(()))
    }
}

impl Post {
    /// Numbers have no gaps: what is told for the first time is told in the order in which it happened.
    fn check(&mut self, notice: &Notice) {
        let last = self.deliveries.last_key_value().map_or(0, |(id, _)| *id);
        let problem = if notice.id > last + 1 {
            format!("{} is told before {}", notice.id, last + 1)
        } else if notice.url.contains('$') {
            format!("{} keeps its tokens", notice.url)
        } else {
            return;
        };
        self.problem.get_or_insert(problem);
    }

    fn dies(&mut self) -> bool {
        let dies = self.n_deaths_left > 0 && self.random.percent(self.dies);
        if dies {
            self.n_deaths_left -= 1;
        }
        dies
    }
}
