//! The operations of a node that belong to no subject: health, settings, the API document and the web applications.

pub mod apply_page;
pub mod assets;
pub mod demo;
pub mod health;
pub mod openapi;
pub mod overview;
pub mod security_txt;
pub mod settings;
