mod backup;
mod export;
mod import;
mod openapi;
mod publish;
mod settings;
mod users;
