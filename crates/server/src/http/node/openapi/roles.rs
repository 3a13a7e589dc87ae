//! Lists the roles that may call each operation, from the permission table.

use musette_core::session::Role;
use serde_json::{Map, Value, json};

use crate::http::access::permission::{RIGHTS, RightOf};

/// Replaces the permission of each operation by the roles that have it, and lists them as
/// `x-roles`.
pub fn complete(document: &mut Value) {
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let Some(operation) = operation.as_object_mut() else { continue };
        let Some(security) = operation.get("security").and_then(Value::as_array) else { continue };
        let scopes = security.iter().find_map(|scheme| scheme.get("bearer")?.as_array());
        let Some(scopes) = scopes else { continue };
        let right = scopes.first().and_then(Value::as_str).and_then(right);
        match right {
            Some(right) => list(operation, right),
            // Any session. The operation itself checks the person that it concerns.
            None => {
                operation.insert("x-roles".into(), names(&Role::ALL));
            }
        }
    }
}

fn right(name: &str) -> Option<&'static RightOf> {
    RIGHTS.iter().find(|right| right.name == name)
}

fn list(operation: &mut Map<String, Value>, right: &RightOf) {
    let schemes = right.roles.iter().map(|role| json!({"bearer": [role.as_str()]}));
    operation.insert("security".into(), schemes.collect());
    operation.insert("x-roles".into(), names(right.roles));
    if !right.service_roles.is_empty() {
        // In addition to the roles above.
        operation.insert("x-service-key-roles".into(), names(right.service_roles));
    }
}

fn names(roles: &[Role]) -> Value {
    roles.iter().map(|role| role.as_str()).collect()
}
