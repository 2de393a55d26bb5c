//! The receivers of notifications, and the simulated network: a request arrives, is refused, or its sender dies in between.

use std::{cell::RefCell, collections::BTreeMap, panic::resume_unwind, rc::Rc};

use hpdlc_host::{exit::RunError, home::Home};
use hpdlc_store::{notifications::Notice, sql::Connection};

use super::{
    random::Random,
    simulated_environment::{Crash, SimulatedEnvironment},
};
use crate::notify::sending::NotificationCarrier;

/// The deliveries of one notification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// How often it was sent.
    pub n_tries: u32,
    /// How often it was accepted.
    pub n_taken: u32,
    /// How often its sender died before it could record the delivery.
    pub n_unrecorded: u32,
}

#[derive(Debug)]
struct Post {
    random: Random,
    /// In percent.
    refused: usize,
    dies: usize,
    n_deaths_left: usize,
    /// By notification id.
    deliveries: BTreeMap<i64, Delivery>,
    problem: Option<String>,
    /// The last that was accepted.
    last: Option<i64>,
}

/// The transport that all senders of a world share.
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
            last: None,
            // A separate generator, so that notifications do not influence the course of the job.
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

    /// The store took no record of the last delivery.
    pub fn is_unrecorded(&self) {
        let post = &mut *self.post.borrow_mut();
        if let Some(notice) = post.last.take() {
            post.deliveries.entry(notice).or_default().n_unrecorded += 1;
        }
    }

    /// The invariant that was broken, if any.
    pub fn problem(&self) -> Option<String> {
        self.post.borrow().problem.clone()
    }
}

impl NotificationCarrier for SimulatedTransport {
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
        post.last = None;
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
        post.last = Some(notice.id);
        Ok(Ok(()))
    }
}

impl Post {
    /// Ids have no gaps: first deliveries are in the order of the changes.
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
