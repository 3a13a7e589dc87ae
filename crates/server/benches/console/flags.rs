//! Two hundred flags, some with experiments, which are saved several times.

use serde_json::{Value, json};

use super::ApiClient;

pub const FLAGS: usize = 200;
pub const EXPERIMENTS: usize = 20;
const VERSIONS: usize = 40;
const ENVIRONMENT: &str = "/api/admin/v1/environments/production";

fn flag(i: usize) -> Value {
    let split = json!({
        "id": "test", "name": "Which is better",
        "when": {"all": []},
        "serve": {"experiment": {
            "key": format!("test-{i}"), "unit": "userId", "seed": format!("seed-{i}"),
            "coverage": 100_000, "weights": {"on": 50_000, "off": 50_000}, "sticky": false,
            "bucketVersion": 1, "minBucketVersion": 0, "phase": 1, "status": "running",
            "hypothesis": "One of them is", "primaryMetric": "orders"
        }}
    });
    let some = json!({
        "id": "some", "name": "Germany first",
        "when": {"all": [{"attr": "country", "op": "eq", "value": "de"}]},
        "serve": {"variation": "on"}
    });
    json!({
        "key": format!("flag-{i}"), "type": "boolean", "on": true, "salt": format!("salt-{i}"),
        "tags": ["bench"], "owner": "a team", "clientVisible": true, "archived": false,
        "variations": [{"key": "on", "value": true}, {"key": "off", "value": false}],
        "offVariation": "off", "defaultVariation": "off", "baselineVariation": "off",
        "prerequisites": [], "overrides": [],
        "rules": [if i < EXPERIMENTS { split } else { some }]
    })
}

/// Returns a document; versions differ in the owner of the last flag.
pub fn document(owner: &str) -> Value {
    let mut flags: Vec<Value> = (0..FLAGS).map(flag).collect();
    flags[FLAGS - 1]["owner"] = owner.into();
    json!({
        "schema": "musette.flags/1", "environment": "production", "version": 0,
        "attributes": [{"name": "country", "type": "string"}],
        "segments": [], "layers": [],
        "holdouts": [{
            "key": "quarter", "salt": "quarter", "unit": "userId", "percent": 5,
            "status": "running", "priority": 1, "scope": "experiments",
            "applies": {"mode": "global", "exceptFlags": [], "tags": []}
        }],
        "flags": flags
    })
}

/// Saves all versions.
pub fn fill(client: &ApiClient) {
    let path = format!("{ENVIRONMENT}/flags");
    let mut etag = client.etag(&path);
    for version in 0..VERSIONS {
        etag = client.put(&path, &etag, &document(&format!("team {version}")).to_string());
    }
}
