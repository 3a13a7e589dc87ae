//! Requests statements of parties outside of the company about the log.

use std::sync::Arc;
use std::time::Instant;

use super::{Runs, Task};
use crate::evidence::anchors::{MEASURE_EVERY, TimeStamping, WitnessPolicy, Witnesses};
use crate::node::app::App;

/// Requests time stamps.
pub fn request_time_stamps(app: &Arc<App>, time_stamping: &Arc<TimeStamping>) -> Task {
    let (app, stamping) = (Arc::clone(app), Arc::clone(time_stamping));
    Task::every("request_time_stamps", time_stamping.every(), move || {
        let (app, stamping) = (Arc::clone(&app), Arc::clone(&stamping));
        async move { stamping.run(&app.store).await }
    })
}

/// Sets the metric of the age of the newest time stamp.
pub fn measure_time_stamps(time_stamping: &Arc<TimeStamping>) -> Task {
    let stamping = Arc::clone(time_stamping);
    Task::every("measure_time_stamps", MEASURE_EVERY, move || {
        stamping.measure();
        std::future::ready(Ok(()))
    })
}

/// Asks the witnesses of the policy for cosignatures until the server stops.
pub async fn ask_witnesses(app: Arc<App>, policy: Arc<WitnessPolicy>) {
    let node = app.live.node().to_owned();
    let Some(mut witnesses) = Witnesses::new(policy, node, app.clock) else { return };
    let mut runs = Runs::of("ask_witnesses");
    loop {
        let event = witnesses.next().await;
        let began = Instant::now();
        let handled = witnesses.handle(event, &app.store).await;
        runs.record(began, &handled);
    }
}
