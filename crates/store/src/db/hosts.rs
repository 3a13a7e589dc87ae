//! Supports a URL that names several PostgreSQL servers, one of which accepts writes:
//! `postgres://musette@db1,db2,db3/musette`. The driver supports one address. So this module
//! queries each server twice a second for its role, and new connections go to the primary.
//! Connections to another server are closed when they are next taken out of the pool.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{ConnectOptions as _, PgPool};

use super::breaker::Breaker;
use super::error::StoreError;

const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// A server that takes longer is treated as unreachable.
const QUERY_TIMEOUT: Duration = Duration::from_secs(1);
/// Selects the timeline, which only a primary has. It increases with each promotion. If two servers
/// both consider themselves primary, as after a partition, it identifies the newer one.
const SELECT_TIMELINE: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END";
/// Selects the lowest of the limits of the server, the database and the role.
const SELECT_CONNECTION_LIMIT: &str = "SELECT least(
        current_setting('max_connections')::bigint
            - current_setting('superuser_reserved_connections')::bigint
            - coalesce(current_setting('reserved_connections', true), '0')::bigint,
        (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
        (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user))";
const ATTRIBUTE: &str = "target_session_attrs";

/// The servers of a URL, in their order.
#[derive(Clone)]
pub(crate) struct Hosts(Vec<PgConnectOptions>);

/// The timeline of the current primary; `None` until it has been detected.
type PrimaryTimeline = Arc<RwLock<Option<String>>>;

struct Server {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
}

impl Server {
    /// Returns the timeline if this server is the primary; `None` for any other server or without
    /// an answer.
    async fn timeline(&mut self) -> Option<String> {
        let query = async {
            let connection = match &mut self.connection {
                Some(connection) => connection,
                none => none.insert(self.options.connect().await?),
            };
            sqlx::query_scalar::<_, Option<String>>(SELECT_TIMELINE).fetch_one(connection).await
        };
        let Ok(Ok(timeline)) = tokio::time::timeout(QUERY_TIMEOUT, query).await else {
            self.connection = None;
            return None;
        };
        timeline
    }
}

/// Returns the hosts, ports and database of a URL, without its user, password and parameters.
///
/// # Errors
/// If the URL is malformed.
pub fn shown_database(url: &str) -> Result<String, StoreError> {
    Ok(Hosts::parse(url)?.shown())
}

impl Hosts {
    /// Reads `postgres://user:password@host:port,host:port/database?…`.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        let invalid = |text: String| StoreError::from(sqlx::Error::Configuration(text.into()));
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut parameters = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some((ATTRIBUTE, "read-write" | "primary")) => {}
                // With one server, "any" needs no check.
                Some((ATTRIBUTE, "any")) if !hosts.contains(',') => {}
                Some((ATTRIBUTE, other)) => {
                    return Err(invalid(format!(
                        "{ATTRIBUTE}={other}: Musette writes, so it must be read-write or primary"
                    )));
                }
                _ => parameters.push(pair),
            }
        }
        let query = if parameters.is_empty() {
            String::new()
        } else {
            format!("?{}", parameters.join("&"))
        };
        let mut all = Vec::new();
        for host in hosts.split(',') {
            if host.is_empty() && hosts.contains(',') {
                return Err(invalid("a host between two commas is empty".into()));
            }
            let options: PgConnectOptions =
                format!("{scheme}://{user}{host}{path}{query}").parse()?;
            all.push(options.application_name("musette"));
        }
        Ok(Self(all))
    }

    /// Formats hosts, ports and database, which may be shown. Users, passwords and parameters may
    /// not.
    fn shown(&self) -> String {
        let address = |options: &PgConnectOptions| match options.get_socket() {
            Some(socket) => socket.display().to_string(),
            None if options.get_host().contains(':') => {
                format!("[{}]:{}", options.get_host(), options.get_port())
            }
            None => format!("{}:{}", options.get_host(), options.get_port()),
        };
        let hosts: Vec<String> = self.0.iter().map(address).collect();
        let database = self.0.first().and_then(PgConnectOptions::get_database).unwrap_or("–");
        format!("PostgreSQL at {}, database {database}", hosts.join(", "))
    }

    fn servers(&self) -> Vec<Server> {
        self.0.iter().map(|options| Server { options: options.clone(), connection: None }).collect()
    }

    /// Moves the primary to the front. Otherwise a caller would wait for the first server, which
    /// may be down.
    pub(crate) async fn with_primary_first(mut self) -> Self {
        if self.0.len() > 1
            && let Some((index, _)) = primary(&mut self.servers()).await
        {
            self.0.rotate_left(index);
        }
        self
    }

    /// Checks that at least one server accepts connections.
    pub(crate) async fn check_any_answers(&self) -> Result<(), StoreError> {
        use sqlx::Connection as _;
        let connects = self
            .0
            .iter()
            .map(|options| async move { options.connect().await?.close().await }.boxed());
        let ((), _) = futures_util::future::select_ok(connects).await?;
        Ok(())
    }

    /// Reads the lowest connection limit that applies to the user. A limit of -1 means none.
    pub(crate) async fn connection_limit(&self) -> Result<i64, StoreError> {
        use sqlx::Connection as _;
        let mut connection = self.0[0].connect().await?;
        let limit = sqlx::query_scalar(SELECT_CONNECTION_LIMIT).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(limit)
    }

    /// Creates a pool for reading and one for writing.
    pub(crate) fn pools(
        &self,
        options: impl Fn() -> PgPoolOptions,
        sizes: [(u32, &Arc<Breaker>); 2],
    ) -> [PgPool; 2] {
        let known_timeline = (self.0.len() > 1).then(PrimaryTimeline::default);
        let pools = sizes.map(|(size, breaker)| {
            let options =
                with_checks(options().max_connections(size), known_timeline.as_ref(), breaker);
            options.connect_lazy_with(self.0[0].clone())
        });
        if let Some(known_timeline) = known_timeline {
            drop(tokio::spawn(follow(self.servers(), known_timeline, pools.clone())));
        }
        pools
    }
}

/// Returns the index and the timeline of the primary.
async fn primary(servers: &mut [Server]) -> Option<(usize, String)> {
    let timelines = join_all(servers.iter_mut().map(Server::timeline)).await;
    let primaries =
        timelines.into_iter().enumerate().filter_map(|(index, timeline)| Some((index, timeline?)));
    // Timelines always have eight hexadecimal digits, so they compare as texts.
    primaries.max_by(|one, other| one.1.cmp(&other.1))
}

/// Polls the servers until the pools are closed.
async fn follow(mut servers: Vec<Server>, known_timeline: PrimaryTimeline, pools: [PgPool; 2]) {
    let mut current = None;
    while !pools[0].is_closed() {
        if let Some(primary) = primary(&mut servers).await
            && current.as_ref() != Some(&primary)
        {
            let options = &servers[primary.0].options;
            tracing::info!(host = options.get_host(), "connected to the primary of the database");
            for pool in &pools {
                pool.set_connect_options(options.clone());
            }
            *known_timeline.write().unwrap_or_else(std::sync::PoisonError::into_inner) =
                Some(primary.1.clone());
            current = Some(primary);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Reports each connection that a caller gets to the breaker. If the URL has several servers, it
/// closes connections that are not to the primary first. This costs the round trip that the
/// driver's own check would take.
fn with_checks(
    options: PgPoolOptions,
    known_timeline: Option<&PrimaryTimeline>,
    breaker: &Arc<Breaker>,
) -> PgPoolOptions {
    let for_new = (known_timeline.cloned(), Arc::clone(breaker));
    let for_pooled = for_new.clone();
    options
        .test_before_acquire(known_timeline.is_none())
        .after_connect(move |connection, _| {
            let (known_timeline, breaker) = for_new.clone();
            async move {
                if !is_usable(connection, known_timeline).await {
                    return Err(sqlx::Error::PoolTimedOut);
                }
                breaker.record_connection();
                Ok(())
            }
            .boxed()
        })
        .before_acquire(move |connection, _| -> BoxFuture<'_, _> {
            let (known_timeline, breaker) = for_pooled.clone();
            async move {
                let is_usable = is_usable(connection, known_timeline).await;
                if is_usable {
                    breaker.record_connection();
                }
                Ok(is_usable)
            }
            .boxed()
        })
}

/// Returns whether a caller may get this connection. With a single server, every connection is
/// usable.
async fn is_usable(connection: &mut PgConnection, known_timeline: Option<PrimaryTimeline>) -> bool {
    match known_timeline {
        Some(known_timeline) => is_primary(connection, &known_timeline).await,
        None => true,
    }
}

async fn is_primary(connection: &mut PgConnection, known_timeline: &PrimaryTimeline) -> bool {
    let query = sqlx::query_scalar::<_, Option<String>>(SELECT_TIMELINE).fetch_one(connection);
    let Ok(Ok(Some(timeline))) = tokio::time::timeout(QUERY_TIMEOUT, query).await else {
        return false;
    };
    // A newer primary may have been promoted a moment ago.
    let known_timeline = known_timeline.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    known_timeline.as_ref().is_none_or(|known| *known <= timeline)
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    fn hosts(url: &str) -> Vec<(String, u16)> {
        let hosts = Hosts::parse(url).expect("a URL");
        hosts.0.iter().map(|options| (options.get_host().to_owned(), options.get_port())).collect()
    }

    #[test]
    fn parses_each_host_as_a_server() {
        let one = "postgres://musette:p%40ss@db1:5433/musette?sslmode=verify-full";
        assert_eq!(hosts(one), [("db1".into(), 5433)]);
        let three = "postgres://musette:p%40ss@db1,db2:6432,10.0.0.3/musette?target_session_attrs=read-write";
        let expected = [("db1".into(), 5432), ("db2".into(), 6432), ("10.0.0.3".into(), 5432)];
        assert_eq!(hosts(three), expected);
        let hosts = Hosts::parse("postgres://u@a,b/musette").expect("a URL");
        assert!(hosts.0.iter().all(|options| options.get_database() == Some("musette")));
        assert!(hosts.0.iter().all(|options| options.get_username() == "u"));
        for invalid in [
            "postgres://u@a,b/musette?target_session_attrs=any",
            "postgres://u@a/musette?target_session_attrs=standby",
            "postgres://u@a,,b/musette",
            "postgres://u@a:port,b/musette",
        ] {
            assert!(Hosts::parse(invalid).is_err(), "{invalid}");
        }
    }
}
