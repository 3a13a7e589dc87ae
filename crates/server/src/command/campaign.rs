use clap::{Args, Subcommand};
use musette_core::campaigns::CampaignAction;
use musette_store::{Campaign, Store};
use serde_json::{Value, json};

use super::event::CommandEvent;
use super::{Failure, open};
use crate::decisions::RANDOM;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum CampaignCommand {
    /// List campaigns, newest first
    List(StoreArgs),
    /// Print a campaign with its progress
    Status(CampaignArgs),
    /// Start a draft; a running server sends its messages
    Start(CampaignArgs),
    /// Pause a running campaign
    Pause(CampaignArgs),
    /// Resume a paused campaign
    Resume(CampaignArgs),
    /// Cancel a campaign that has not ended
    Cancel(CampaignArgs),
}

#[derive(Debug, Args)]
pub struct CampaignArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// ID of the campaign
    id: String,
}

pub async fn run(command: CampaignCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        CampaignCommand::List(args) => {
            let store = open(&args).await?;
            list(&store).await
        }
        CampaignCommand::Status(args) => {
            let store = open(&args.store).await?;
            let campaign = find(&store, &args.id).await?;
            print(&store, &campaign).await
        }
        CampaignCommand::Start(args) => act(args, CampaignAction::Start, test).await,
        CampaignCommand::Pause(args) => act(args, CampaignAction::Pause, test).await,
        CampaignCommand::Resume(args) => act(args, CampaignAction::Resume, test).await,
        CampaignCommand::Cancel(args) => act(args, CampaignAction::Cancel, test).await,
    }
}

fn summary(campaign: &Campaign) -> Value {
    json!({
        "id": campaign.id,
        "status": campaign.status.as_str(),
        "term_id": campaign.definition.term_id,
        "started_at": campaign.started_at.map(|at| at.to_string()),
    })
}

async fn list(store: &Store) -> Result<(), Failure> {
    // All UUIDs sort before it.
    for campaign in store.campaigns("g", i64::MAX).await? {
        out!("{}", summary(&campaign));
    }
    Ok(())
}

async fn find(store: &Store, id: &str) -> Result<Campaign, Failure> {
    let campaign = store.campaign(id).await?;
    campaign.ok_or_else(|| Failure::Refused(format!("the campaign '{id}' does not exist")))
}

async fn print(store: &Store, campaign: &Campaign) -> Result<(), Failure> {
    let counts = store.count_messages(&campaign.id).await?;
    let messages = counts.into_iter().map(|count| {
        json!({
            "step": count.step, "status": count.status, "outcome": count.outcome,
            "messages": count.messages,
        })
    });
    let mut printed = summary(campaign);
    printed["messages"] = messages.collect();
    out!("{printed}");
    Ok(())
}

async fn act(
    args: CampaignArgs,
    action: CampaignAction,
    test: TestSettings,
) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let campaign = find(&store, &args.id).await?;
    let is_start = matches!(action, CampaignAction::Start | CampaignAction::Resume);
    let passes = match is_start {
        true => {
            let catalog = store.catalog().await?;
            let term = catalog.get(campaign.definition.term_id);
            let term = term.ok_or_else(|| Failure::Refused("the term is missing".to_owned()))?;
            let planned = store.campaign_passes(&campaign.id).await?;
            campaign.new_passes(term, &planned, now)
        }
        false => Vec::new(),
    };
    if !store.set_campaign_status(&campaign, action, &passes, now).await? {
        let status = campaign.status.as_str();
        return Err(Failure::Refused(format!("the campaign '{}' is {status}", args.id)));
    }
    if !is_start {
        store.close_batches(&campaign, false, RANDOM, now).await?;
    }
    let event = CommandEvent::new(match action {
        CampaignAction::Start => "campaign_started",
        CampaignAction::Pause => "campaign_paused",
        CampaignAction::Resume => "campaign_resumed",
        CampaignAction::Cancel => "campaign_cancelled",
    });
    event.detail(args.id.clone()).record(&store, now).await?;
    let campaign = find(&store, &args.id).await?;
    print(&store, &campaign).await
}
