//! Parameters of notices and campaigns.

use utoipa::IntoParams;

/// The notice in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct NoticePath {
    /// The id of the notice, which is a term version of the kind `notice`.
    pub id: i64,
}

/// The rider and one of their notices in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RiderNoticePath {
    /// The id of the user.
    #[param(rename = "userId")]
    pub user_id: String,
    /// The id of the notice.
    pub id: i64,
}

/// The rider and one of their push subscriptions in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PushSubscriptionPath {
    /// The id of the user.
    #[param(rename = "userId")]
    pub user_id: String,
    /// The id of the subscription, which the client chooses: 1 to 64 letters, digits, `-` or `_`.
    #[param(pattern = "^[A-Za-z0-9_-]{1,64}$")]
    pub id: String,
}

/// The campaign in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct CampaignPath {
    /// The id of the campaign.
    #[param(format = "uuid")]
    pub id: String,
}

/// A message of a campaign in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct CampaignMessagePath {
    /// The id of the campaign.
    #[param(format = "uuid")]
    pub id: String,
    /// The id of the message.
    #[param(format = "uuid")]
    pub message: String,
}
