//! Settings of outside anchors.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::client::check_url;
use super::time_stamps::TimeStamping;
use super::witness_policy::WitnessPolicy;
use crate::platform::backups::interval;
use crate::platform::clock::Clock;

/// Parties outside of the company that confirm the log's checkpoints.
#[derive(Debug, Clone, Args)]
pub struct AnchorArgs {
    /// Time-stamping authorities (RFC 3161) that confirm when a checkpoint existed
    #[arg(long, env = "MUSETTE_TSA", value_name = "URL,…", value_delimiter = ',', value_parser = check_url)]
    pub tsa: Vec<String>,
    /// Interval at which each authority is asked, if the log has grown
    #[arg(long, env = "MUSETTE_TSA_EVERY", value_name = "INTERVAL", value_parser = interval, default_value = "1h")]
    pub tsa_every: Duration,
    /// Policy file (C2SP tlog-policy) of witnesses; those with a URL are asked to cosign the log
    #[arg(long, env = "MUSETTE_WITNESS_POLICY", value_name = "FILE")]
    pub witness_policy: Option<PathBuf>,
    /// Sign each checkpoint with a second key, of ML-DSA-44, which a quantum computer cannot forge
    #[arg(long, env = "MUSETTE_LOG_ML_DSA")]
    pub log_ml_dsa: bool,
}

impl AnchorArgs {
    /// Reads the policy of witnesses. None if no file is set.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not a policy.
    pub fn policy(&self) -> Result<Option<Arc<WitnessPolicy>>, String> {
        self.witness_policy.as_deref().map(WitnessPolicy::read).transpose()
    }

    /// Returns the time stamping. None if no authority is set.
    pub fn time_stamping(&self, clock: Clock) -> Option<TimeStamping> {
        let mut urls = self.tsa.clone();
        urls.sort_unstable();
        urls.dedup();
        (!urls.is_empty()).then(|| TimeStamping::new(urls, self.tsa_every, clock))
    }
}
