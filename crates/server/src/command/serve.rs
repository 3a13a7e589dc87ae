use std::net::SocketAddr;

use metrics_exporter_prometheus::PrometheusBuilder;
use musette_store::Writer;
use tokio::net::TcpListener;

use super::{Failure, open};
use crate::app::{App, new_log};
use crate::delivery::Delivery;
use crate::demo;
use crate::http;
use crate::oidc::Oidc;
use crate::serving::{self, Stop};
use crate::settings::{HttpSettings, PublicLimits, ServeArgs, TestSettings};

pub async fn run(args: ServeArgs, test: TestSettings) -> Result<(), Failure> {
    let metrics = PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0])
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(Failure::refused)?;
    let listener = TcpListener::bind(&args.listen)
        .await
        .map_err(|error| Failure::Usage(format!("--listen {}: {error}", args.listen)))?;
    let address = listener.local_addr()?;
    let stop = Stop::on_signals()?;
    let store = open(&args.store).await?;
    let (writer, writer_done) = Writer::start(store.clone());
    // Before anything can be appended to it.
    store.open_log(&new_log(args.public_url.as_deref()), test.clock.now()).await?;
    let settings = http_settings(&args, address, test);
    let delivery = Delivery::new(&args.code_delivery, args.code_sender.clone(), args.demo)
        .map_err(Failure::Usage)?;
    let oidc = args.oidc.settings().map_err(Failure::Usage)?;
    let oidc = oidc.map(Oidc::new).transpose().map_err(Failure::Usage)?;
    let app =
        App::new(store.clone(), writer, test.clock, settings, delivery, oidc, metrics).await?;
    if args.demo {
        demo::fill(&store, test.clock.now()).await?;
    }
    app.join().await?;
    let following = tokio::spawn(app.clone().follow());

    let router = http::router(app.clone());
    println!("musette listening on http://{address}");
    serving::serve(listener, router, &app, stop, args.drain_delay()).await;

    following.abort();
    app.flush_sessions().await;
    app.leave().await;
    drop(app);
    // The writer ends when what was handed to it is on disk.
    if tokio::time::timeout(serving::FINISH_WITHIN, writer_done).await.is_err() {
        tracing::warn!("the writer was still busy when the time to stop was over");
    }
    store.close().await;
    Ok(())
}

fn http_settings(args: &ServeArgs, address: SocketAddr, test: TestSettings) -> HttpSettings {
    let mut hosts: Vec<String> =
        args.allowed_hosts.iter().map(|it| it.to_ascii_lowercase()).collect();
    hosts.push(address.to_string());
    hosts.push(args.listen.to_ascii_lowercase());
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        hosts.extend(
            ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{}", address.port())),
        );
    }
    HttpSettings {
        public_url: args.public_url.clone(),
        hosts,
        trusted_proxies: args.trusted_proxies.clone(),
        cors_origins: args.cors_origins.clone(),
        public_limits: if test.no_limits { PublicLimits(None) } else { args.public_limits },
        throttles: !test.no_limits,
        reuse_rules: test.reuse_rules(),
        demo: args.demo,
    }
}
