mod backup;
mod export;
mod openapi;
mod publish;
mod settings;
mod users;
