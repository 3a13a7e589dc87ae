//! A URL that names several PostgreSQL servers, of which one takes writes: `postgres://musette@db1,db2,db3/musette`.
//! The driver knows one address. So each is asked twice a second whether it is the primary, and new connections go to
//! that one; those to another one are given up when they are next taken out of the pool.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{ConnectOptions as _, PgPool};

use super::breaker::Breaker;
use super::error::StoreError;

const ASK_AGAIN: Duration = Duration::from_millis(500);
/// A server that takes longer is none to wait for.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);
/// What only a primary has. It rises with each promotion, so that of two that both believe to be the primary, as after
/// a partition, the newer one is known.
const TIMELINE: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END";
const ATTRIBUTE: &str = "target_session_attrs";

/// The servers of a URL, in their order.
#[derive(Clone)]
pub(crate) struct Hosts(Vec<PgConnectOptions>);

/// The timeline of the primary, once it is known.
type Known = Arc<RwLock<Option<String>>>;

struct Server {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
}

impl Server {
    /// Timeline of the primary; none for any other host, or where nobody answers.
    async fn timeline(&mut self) -> Option<String> {
        let asked = async {
            let connection = match &mut self.connection {
                Some(connection) => connection,
                none => none.insert(self.options.connect().await?),
            };
            sqlx::query_scalar::<_, Option<String>>(TIMELINE).fetch_one(connection).await
        };
        let Ok(Ok(timeline)) = tokio::time::timeout(ANSWERS_WITHIN, asked).await else {
            self.connection = None;
            return None;
        };
        timeline
    }
}

/// The hosts, ports and database that a URL names, without its user, password and parameters.
///
/// # Errors
/// When the URL is malformed.
pub fn shown_database(url: &str) -> Result<String, StoreError> {
    Ok(Hosts::parse(url)?.shown())
}

impl Hosts {
    /// Reads `postgres://user:password@host:port,host:port/database?…`.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        let refuse = |text: String| StoreError::from(sqlx::Error::Configuration(text.into()));
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut kept = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some((ATTRIBUTE, "read-write" | "primary")) => {}
                // One server is asked for nothing.
                Some((ATTRIBUTE, "any")) if !hosts.contains(',') => {}
                Some((ATTRIBUTE, other)) => {
                    return Err(refuse(format!(
                        "{ATTRIBUTE}={other}: Musette writes, so it must be read-write or primary"
                    )));
                }
                _ => kept.push(pair),
            }
        }
        let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
        let mut all = Vec::new();
        for host in hosts.split(',') {
            if host.is_empty() && hosts.contains(',') {
                return Err(refuse("a host between two commas is empty".into()));
            }
            let options: PgConnectOptions =
                format!("{scheme}://{user}{host}{path}{query}").parse()?;
            all.push(options.application_name("musette"));
        }
        Ok(Self(all))
    }

    /// Hosts, ports and database: what may be shown. Users, passwords and parameters may not.
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
        self.0.iter().map(|it| Server { options: it.clone(), connection: None }).collect()
    }

    /// Puts the primary first. Whoever waits for a connection would else wait for the first one, which may be away.
    pub(crate) async fn with_primary_first(mut self) -> Self {
        if self.0.len() > 1
            && let Some((index, _)) = primary(&mut self.servers()).await
        {
            self.0.rotate_left(index);
        }
        self
    }

    /// Whether any of them takes connections.
    pub(crate) async fn answers(&self) -> Result<(), StoreError> {
        use sqlx::Connection as _;
        let connects = self
            .0
            .iter()
            .map(|options| async move { options.connect().await?.close().await }.boxed());
        let ((), _) = futures_util::future::select_ok(connects).await?;
        Ok(())
    }

    /// A pool for reading and one for writing.
    pub(crate) fn pools(
        &self,
        options: impl Fn() -> PgPoolOptions,
        sizes: [(u32, &Arc<Breaker>); 2],
    ) -> [PgPool; 2] {
        let known = (self.0.len() > 1).then(Known::default);
        let pools = sizes.map(|(size, breaker)| {
            let options = watched(options().max_connections(size), known.as_ref(), breaker);
            options.connect_lazy_with(self.0[0].clone())
        });
        if let Some(known) = known {
            drop(tokio::spawn(follow(self.servers(), known, pools.clone())));
        }
        pools
    }
}

/// The place and the timeline of the primary.
async fn primary(servers: &mut [Server]) -> Option<(usize, String)> {
    let timelines = join_all(servers.iter_mut().map(Server::timeline)).await;
    let found = timelines.into_iter().enumerate().filter_map(|(at, it)| Some((at, it?)));
    // Hexadecimal digits, always eight.
    found.max_by(|one, other| one.1.cmp(&other.1))
}

/// Asks until the pools are closed.
async fn follow(mut servers: Vec<Server>, known: Known, pools: [PgPool; 2]) {
    let mut current = None;
    while !pools[0].is_closed() {
        if let Some(found) = primary(&mut servers).await
            && current.as_ref() != Some(&found)
        {
            let options = &servers[found.0].options;
            tracing::info!(host = options.get_host(), "the database's primary");
            for pool in &pools {
                pool.set_connect_options(options.clone());
            }
            *known.write().unwrap_or_else(std::sync::PoisonError::into_inner) =
                Some(found.1.clone());
            current = Some(found);
        }
        tokio::time::sleep(ASK_AGAIN).await;
    }
}

/// Says of each connection that somebody gets that there is one. Of several hosts, connections that are not to the
/// primary are closed before: it costs the round trip that the driver's own check would take.
fn watched(options: PgPoolOptions, known: Option<&Known>, breaker: &Arc<Breaker>) -> PgPoolOptions {
    let of_new = (known.cloned(), Arc::clone(breaker));
    let of_kept = of_new.clone();
    options
        .test_before_acquire(known.is_none())
        .after_connect(move |connection, _| {
            let (known, breaker) = of_new.clone();
            async move {
                if !is_wanted(connection, known).await {
                    return Err(sqlx::Error::PoolTimedOut);
                }
                breaker.got();
                Ok(())
            }
            .boxed()
        })
        .before_acquire(move |connection, _| -> BoxFuture<'_, _> {
            let (known, breaker) = of_kept.clone();
            async move {
                let is_wanted = is_wanted(connection, known).await;
                if is_wanted {
                    breaker.got();
                }
                Ok(is_wanted)
            }
            .boxed()
        })
}

/// Whether to give this connection out. Of one host, every one.
async fn is_wanted(connection: &mut PgConnection, known: Option<Known>) -> bool {
    match known {
        Some(known) => is_primary(connection, &known).await,
        None => true,
    }
}

async fn is_primary(connection: &mut PgConnection, known: &Known) -> bool {
    let asked = sqlx::query_scalar::<_, Option<String>>(TIMELINE).fetch_one(connection);
    let Ok(Ok(Some(timeline))) = tokio::time::timeout(ANSWERS_WITHIN, asked).await else {
        return false;
    };
    // A newer one was promoted a moment ago.
    let known = known.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    known.as_ref().is_none_or(|known| *known <= timeline)
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    fn hosts(url: &str) -> Vec<(String, u16)> {
        let hosts = Hosts::parse(url).expect("a URL");
        hosts.0.iter().map(|it| (it.get_host().to_owned(), it.get_port())).collect()
    }

    #[test]
    fn several_hosts_are_several_servers() {
        let one = "postgres://musette:p%40ss@db1:5433/musette?sslmode=verify-full";
        assert_eq!(hosts(one), [("db1".into(), 5433)]);
        let three = "postgres://musette:p%40ss@db1,db2:6432,10.0.0.3/musette?target_session_attrs=read-write";
        let found = [("db1".into(), 5432), ("db2".into(), 6432), ("10.0.0.3".into(), 5432)];
        assert_eq!(hosts(three), found);
        let hosts = Hosts::parse("postgres://u@a,b/musette").expect("a URL");
        assert!(hosts.0.iter().all(|it| it.get_database() == Some("musette")));
        assert!(hosts.0.iter().all(|it| it.get_username() == "u"));
        for refused in [
            "postgres://u@a,b/musette?target_session_attrs=any",
            "postgres://u@a/musette?target_session_attrs=standby",
            "postgres://u@a,,b/musette",
            "postgres://u@a:port,b/musette",
        ] {
            assert!(Hosts::parse(refused).is_err(), "{refused}");
        }
    }
}
