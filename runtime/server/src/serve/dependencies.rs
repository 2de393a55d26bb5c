//! `show=missing-dependencies`: the data for which actions of a coordinator wait (`CoordActionMissingDependenciesXCommand`).

use hpdlc_runtime::fleet::Masks;

use crate::{
    api::job::{MissingDependencies, MissingOfAction, MissingOfDataset},
    serve::{
        call::Call,
        failure::Failure,
        found::{self, MissingData, Named, named},
        query::Version,
        reply::{self, Reply},
        selection,
    },
};

pub(crate) fn missing(call: &Call) -> Reply {
    call.version.expect(Version::V2)?;
    let nothing = || {
        Failure::coded(
            "E1029",
            "Coord action missing dependencies error. Action(s) are missing.",
        )
    };
    let connection = call.server.store()?;
    let (job, rows) = match named(&call.rest) {
        Named::CoordinatorAction(job, number) => {
            let (job, action) = found::expect_action(call, &connection, job, number)?;
            (job, vec![action])
        }
        Named::Coordinator(id) => {
            let job = found::expect_job(call, &connection, id)?;
            let list = call
                .parameters
                .filled("action-list")
                .map(|it| ("action", it));
            let dates = call.parameters.filled("date").map(|it| ("date", it));
            let selected = list
                .or(dates)
                .and_then(|(kind, scope)| selection::of(kind, scope))
                .ok_or_else(nothing)?;
            let rows = selection::rows(call, &connection, &job, &selected)?;
            if rows.is_empty()
                && let Some((_, scope)) = list
            {
                return Err(Failure::no_action(&format!("{id}@{scope}")));
            }
            (job, rows)
        }
        _ => return Err(nothing()),
    };
    if rows.is_empty() {
        return Err(nothing());
    }
    let mask = call.server.mask(&connection, &job)?;
    let numbers: Vec<u64> = rows.iter().map(|row| row.record.number).collect();
    let found = found::missing(call, &job, &numbers)?;
    // As Oozie, which leaves out what waits for nothing.
    let waiting = found.iter().filter(|(_, missing)| !missing.is_empty());
    let masked = |(number, missing): &(u64, Vec<MissingData>)| of_action(*number, missing, &mask);
    reply::json(&MissingDependencies {
        missing_dependencies: waiting.map(masked).collect(),
    })
}

/// An action with its missing data by dataset; it is blocked on the first.
fn of_action(number: u64, missing: &[MissingData], mask: &Masks) -> MissingOfAction {
    let mut datasets: Vec<(&str, Vec<&str>)> = Vec::new();
    for data in missing {
        match datasets.iter_mut().find(|(name, _)| *name == data.dataset) {
            Some((_, uris)) => uris.push(&data.uri),
            None => datasets.push((&data.dataset, vec![&data.uri])),
        }
    }
    let masked = |uris: Vec<&str>| uris.into_iter().map(|uri| mask.text(uri)).collect();
    let datasets = datasets.into_iter().map(|(name, uris)| MissingOfDataset {
        data_set: mask.text(name),
        missing_dependencies: masked(uris),
    });
    MissingOfAction {
        id: number,
        blocked_on: missing
            .first()
            .map(|data| mask.text(&data.uri))
            .unwrap_or_default(),
        data_sets: datasets.collect(),
    }
}
