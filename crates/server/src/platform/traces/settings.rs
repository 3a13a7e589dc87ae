//! Settings of traces: `--otlp-endpoint`, and the variables of OpenTelemetry.

use clap::Args;
use opentelemetry::KeyValue;
use opentelemetry::trace::SpanContext;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;

use super::export::ExportClient;
use crate::platform::random;

const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
/// The path at which an OTLP receiver accepts traces.
const PATH: &str = "/v1/traces";

/// Settings of traces.
#[derive(Debug, Clone, Default, Args)]
pub struct TraceArgs {
    /// URL to send traces to by OTLP over HTTP, such as http://127.0.0.1:4318; by default
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`
    #[arg(long, env = "MUSETTE_OTLP_ENDPOINT", value_name = "URL", value_parser = endpoint, hide_env_values = true)]
    pub otlp_endpoint: Option<String>,
    /// Share of requests to trace if the caller does not decide, from 0 to 1; by default from
    /// `OTEL_TRACES_SAMPLER`
    #[arg(long, env = "MUSETTE_TRACE_SHARE", value_name = "SHARE", value_parser = share)]
    pub trace_share: Option<f64>,
}

/// The exporter of traces and its settings.
pub struct TraceSettings {
    pub exporter: SpanExporter,
    pub resource: Resource,
    pub sampling: Sampling,
}

/// Decides which requests are traced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// The share of the requests that start a trace, or of all requests.
    share: f64,
    /// Whether the decision of a caller's trace context takes precedence.
    is_by_caller: bool,
}

fn endpoint(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match rest {
        Some(host) if !host.is_empty() && !host.contains([' ', '@', '?', '#']) => {
            Ok(text.trim_end_matches('/').to_owned())
        }
        _ => Err("it must begin with http:// or https:// and must not contain credentials: put those into OTEL_EXPORTER_OTLP_HEADERS".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it must be a number from 0 to 1".into())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl TraceArgs {
    /// Returns the endpoint as shown to operators. None if traces are off.
    pub fn endpoint(&self) -> Option<String> {
        let is = |name: &str, value: &str| {
            variable(name).is_some_and(|text| text.eq_ignore_ascii_case(value))
        };
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return None;
        }
        self.otlp_endpoint.clone().or_else(|| ENDPOINTS.into_iter().find_map(variable))
    }

    /// Returns the settings. None if traces are off.
    pub fn settings(&self) -> Result<Option<TraceSettings>, String> {
        let sampling = self.sampling()?;
        if self.endpoint().is_none() {
            return Ok(None);
        }
        let builder = SpanExporter::builder().with_http().with_http_client(ExportClient::new()?);
        let builder = match &self.otlp_endpoint {
            None => builder,
            Some(url) if url.ends_with(PATH) => builder.with_endpoint(url.clone()),
            Some(url) => builder.with_endpoint(format!("{url}{PATH}")),
        };
        // Rejected here, because the exporter would ignore these variables and use the built-in
        // protocol.
        for name in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
            if let Some(other) = variable(name).filter(|protocol| protocol != "http/protobuf") {
                return Err(format!("{name} is {other}, but only http/protobuf is supported"));
            }
        }
        let exporter = builder
            .with_protocol(Protocol::HttpBinary)
            .build()
            .map_err(|error| format!("--otlp-endpoint: {error}"))?;
        Ok(Some(TraceSettings { exporter, resource: resource(), sampling }))
    }

    fn sampling(&self) -> Result<Sampling, String> {
        if let Some(share) = self.trace_share {
            return Ok(Sampling { share, is_by_caller: true });
        }
        Sampling::parse(variable("OTEL_TRACES_SAMPLER"), variable("OTEL_TRACES_SAMPLER_ARG"))
    }
}

/// Returns the resource of the spans. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take
/// precedence.
fn resource() -> Resource {
    let from_environment = Resource::builder().build();
    let is_named = variable("OTEL_SERVICE_NAME").is_some()
        || variable("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|text| text.contains("service.name="));
    let mut own = vec![
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", random::uuid()),
    ];
    if !is_named {
        own.push(KeyValue::new("service.name", "musette"));
    }
    own.retain(|attribute| {
        attribute.key.as_str() == "service.name" || from_environment.get(&attribute.key).is_none()
    });
    Resource::builder().with_attributes(own).build()
}

impl Sampling {
    fn parse(name: Option<String>, argument: Option<String>) -> Result<Self, String> {
        let name = name.as_deref().unwrap_or("parentbased_always_on");
        let share = match name.trim_start_matches("parentbased_") {
            "always_on" => 1.0,
            "always_off" => 0.0,
            "traceidratio" => share(argument.as_deref().unwrap_or("1"))
                .map_err(|why| format!("OTEL_TRACES_SAMPLER_ARG: {why}"))?,
            _ => return Err(format!("OTEL_TRACES_SAMPLER: the sampler {name} is not supported")),
        };
        Ok(Self { share, is_by_caller: name.starts_with("parentbased_") })
    }

    /// Returns whether a new span is recorded.
    pub fn takes(self, parent: Option<&SpanContext>) -> bool {
        match parent {
            Some(parent) if self.is_by_caller => parent.is_sampled(),
            _ => self.share >= 1.0 || self.share > 0.0 && random::unit() < self.share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sampling, endpoint, share};
    use crate::platform::traces::context::parse;

    fn sampling(name: &str, argument: Option<&str>) -> Result<Sampling, String> {
        Sampling::parse(Some(name.to_owned()), argument.map(str::to_owned))
    }

    #[test]
    fn a_caller_decides_unless_the_sampler_says_otherwise() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let sampled = parse(&format!("00-{trace}-00f067aa0ba902b7-01")).expect("a context");
        let unsampled = parse(&format!("00-{trace}-00f067aa0ba902b7-00")).expect("a context");
        for (name, argument, [with, without, alone]) in [
            ("parentbased_always_on", None, [true, false, true]),
            ("parentbased_always_off", None, [true, false, false]),
            ("parentbased_traceidratio", Some("0"), [true, false, false]),
            ("always_on", None, [true, true, true]),
            ("always_off", None, [false, false, false]),
            ("traceidratio", Some("1"), [true, true, true]),
        ] {
            let sampling = sampling(name, argument).expect("a sampler");
            assert_eq!(sampling.takes(Some(&sampled)), with, "{name}");
            assert_eq!(sampling.takes(Some(&unsampled)), without, "{name}");
            assert_eq!(sampling.takes(None), alone, "{name}");
        }
        assert!(sampling("jaeger_remote", None).is_err());
        assert!(sampling("traceidratio", Some("2")).is_err());
        let some = Sampling { share: 0.25, is_by_caller: true };
        let traced = (0..10_000).filter(|_| some.takes(None)).count();
        assert!((2_000..3_000).contains(&traced), "{traced}");
    }

    #[test]
    fn rejects_malformed_endpoints_and_shares() {
        assert_eq!(endpoint("http://c:4318/"), Ok("http://c:4318".to_owned()));
        for bad in ["c:4318", "grpc://c", "http://", "http://u:p@c:4318", "http://c/?x"] {
            assert!(endpoint(bad).is_err(), "{bad}");
        }
        assert!(share("1.01").is_err() && share("-1").is_err() && share("NaN").is_err());
    }
}
