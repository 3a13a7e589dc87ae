//! The roles that may make each call, from the table of rights.

use musette_core::session::Role;
use serde_json::{Map, Value, json};

use crate::http::permission::{RIGHTS, RightOf};

/// Replaces the right of each operation by the roles that have it, and lists them as `x-roles`.
pub fn complete(document: &mut Value) {
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let Some(operation) = operation.as_object_mut() else { continue };
        let Some(security) = operation.get("security").and_then(Value::as_array) else { continue };
        let scopes = security.iter().find_map(|it| it.get("bearer")?.as_array());
        let Some(scopes) = scopes else { continue };
        let right = scopes.first().and_then(Value::as_str).and_then(right);
        match right {
            Some(right) => list(operation, right),
            // Any session; what it shows beyond is decided by whom it is about.
            None => {
                operation.insert("x-roles".into(), names(&Role::ALL));
            }
        }
    }
}

fn right(name: &str) -> Option<&'static RightOf> {
    RIGHTS.iter().find(|it| it.name == name)
}

fn list(operation: &mut Map<String, Value>, right: &RightOf) {
    let schemes = right.roles.iter().map(|role| json!({"bearer": [role.as_str()]}));
    operation.insert("security".into(), schemes.collect());
    operation.insert("x-roles".into(), names(right.roles));
    if !right.service_roles.is_empty() {
        // Beside the roles above.
        operation.insert("x-service-key-roles".into(), names(right.service_roles));
    }
}

fn names(roles: &[Role]) -> Value {
    roles.iter().map(|role| role.as_str()).collect()
}
