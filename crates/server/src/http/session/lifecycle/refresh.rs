//! Refreshes a session by the rules of `musette-core`. The change is on disk before the response is
//! sent.

use musette_core::instant::Instant;
use musette_core::session::{
    Lifetimes, PresentedToken, RefreshToken, RefreshVerdict, RoleGrant, Rotation, judge,
};
use musette_store::{RotateTo, SessionRotation, SessionsToEnd, StoreError};

use crate::node::app::App;
use crate::sessions::GrantedTokens;
use crate::sessions::keys::Grant;

/// How often a request that loses a race for a session reads the winner's row and tries again.
const ATTEMPTS_MAX: usize = 8;

/// The reason why a refresh returns no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshRefusal {
    Invalid,
    Expired,
    Reused,
    Ended,
}

/// An authentic token, and the state of its session.
pub struct Standing {
    pub token: RefreshToken,
    pub sid: String,
    pub row: SessionRotation,
    pub verdict: RefreshVerdict,
}

/// Returns the session of a refresh token. None if this server did not issue the token.
pub async fn find(
    app: &App,
    text: &str,
    instance: Option<&str>,
) -> Result<Option<Standing>, StoreError> {
    let Ok(token) = RefreshToken::parse(text) else { return Ok(None) };
    let sid = hex::encode(token.sid);
    let row = app.sessions.rotator.find(sid.clone()).await?;
    // An unknown session costs the same work as a wrong secret of an existing one, so timing
    // reveals nothing.
    let salt = row.as_ref().map(|row| row.salt.as_str()).unwrap_or_default();
    let salt = hex::decode(salt).unwrap_or_default();
    let is_genuine = app.live.load().keys.is_genuine(&token, &salt);
    let Some(row) = row.filter(|_| is_genuine) else { return Ok(None) };
    let generation = u32::try_from(row.generation)
        .map_err(|_| StoreError::Corrupt("a session's generation".into()))?;
    let acknowledged_at = match row.acked_at {
        Some(at) if row.acked_generation >= row.generation => Some(Instant::from_millis(at)),
        _ => app.sessions.acknowledged_here(&sid, row.generation),
    };
    let session = Rotation {
        generation,
        acknowledged_at,
        repeats: u32::try_from(row.repeats).unwrap_or(u32::MAX),
        instance: row.instance.as_deref(),
        idle_until: Instant::from_millis(row.idle_until),
        absolute_until: Instant::from_millis(row.absolute_until),
        ended: row.ended_at.is_some(),
    };
    let shown = PresentedToken { generation: token.generation, instance };
    let verdict = judge(&session, &shown, &app.sessions.rules, app.now());
    Ok(Some(Standing { token, sid, row, verdict }))
}

/// Returns the next tokens, or the same ones for a retry. `instance` distinguishes browser
/// profiles.
pub async fn refresh(
    app: &App,
    text: &str,
    instance: Option<&str>,
) -> Result<Result<GrantedTokens, RefreshRefusal>, StoreError> {
    let instance =
        instance.map(|instance| app.live.load().keys.keyed_hash(&["instance", instance]));
    for _ in 0..ATTEMPTS_MAX {
        let Some(standing) = find(app, text, instance.as_deref()).await? else {
            return Ok(Err(RefreshRefusal::Invalid));
        };
        let refusal = match standing.verdict {
            RefreshVerdict::Rotate | RefreshVerdict::Repeat | RefreshVerdict::RepeatCounted => None,
            RefreshVerdict::Ahead => Some(RefreshRefusal::Invalid),
            RefreshVerdict::Expired => Some(RefreshRefusal::Expired),
            RefreshVerdict::Ended => Some(RefreshRefusal::Ended),
            RefreshVerdict::Reused => Some(RefreshRefusal::Reused),
        };
        if let Some(refusal) = refusal {
            if refusal == RefreshRefusal::Reused {
                end_reused(app, &standing).await?;
            }
            return Ok(Err(refusal));
        }
        let roles = standing.row.roles();
        if let Some(generation) = advance(app, &standing, &roles, instance.clone()).await? {
            return grant(app, &standing, &roles, generation).map(Ok);
        }
    }
    Err(StoreError::timed_out())
}

/// Returns the generation of the tokens to issue. None if another request was faster, so that the
/// row must be read again.
async fn advance(
    app: &App,
    standing: &Standing,
    roles: &[RoleGrant],
    instance: Option<String>,
) -> Result<Option<i64>, StoreError> {
    let Standing { sid, row, .. } = standing;
    let (advanced, generation) = match standing.verdict {
        RefreshVerdict::Rotate => {
            let now = app.now();
            let absolute_until = Instant::from_millis(row.absolute_until);
            let to = RotateTo {
                sid: sid.clone(),
                generation: standing.token.generation,
                instance,
                idle_until: now.plus(Lifetimes::of(roles).idle).min(absolute_until),
                now,
            };
            (app.sessions.rotator.rotate(to).await?, row.generation + 1)
        }
        RefreshVerdict::RepeatCounted => {
            let repeats_max = app.sessions.rules.repeats_max;
            let counted = app.store.count_repeat(sid, row.generation, repeats_max).await?;
            (counted, row.generation)
        }
        // The client takes these tokens for the only valid ones.
        _ => (app.store.confirm_generation(sid, row.generation).await?, row.generation),
    };
    Ok(advanced.then_some(generation))
}

fn grant(
    app: &App,
    standing: &Standing,
    roles: &[RoleGrant],
    generation: i64,
) -> Result<GrantedTokens, StoreError> {
    let row = &standing.row;
    let salt = hex::decode(&row.salt)
        .ok()
        .ok_or_else(|| StoreError::Corrupt("a session's salt".into()))?;
    let generation = u32::try_from(generation)
        .map_err(|_| StoreError::Corrupt("a session's generation".into()))?;
    let until = Instant::from_millis(row.absolute_until);
    let grant = Grant {
        user_id: &row.user_id,
        roles,
        sid: standing.token.sid,
        salt: &salt,
        generation,
        absolute_until: until,
        access_ttl: None,
    };
    let tokens = app.live.load().keys.tokens(&grant, app.settings.issuer(), app.now());
    Ok(GrantedTokens { tokens, sid: standing.sid.clone(), until })
}

/// Ends a session whose refresh token was reused: two clients have the token, and one of them may
/// be a thief.
pub async fn end_reused(app: &App, standing: &Standing) -> Result<(), StoreError> {
    let subject = Some(standing.row.subject.clone());
    let ending = SessionsToEnd::One { sid: &standing.sid };
    app.end_sessions(ending, "refresh_token_reused", subject).await?;
    metrics::counter!("musette_refresh_tokens_reused_total").increment(1);
    tracing::warn!("a refresh token was reused: its session was ended");
    Ok(())
}
