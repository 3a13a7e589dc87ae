//! Tests of the contract on the running program, with both stores. The folders follow the
//! addresses: `api` is the API, `command` the command line, `process` the process itself.
//!
//! Run by `make test`, or `tools/with-postgres cargo test -p musette --test it`.

/// Runs one test on both engines.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => { $(
        mod $test {
            #[test]
            fn on_sqlite() {
                super::$test($crate::store::Engine::Sqlite);
            }
            #[test]
            fn on_postgres() {
                super::$test($crate::store::Engine::Postgres);
            }
        }
    )* };
}

mod admin;
mod api;
mod app;
mod attacks;
mod campaigns;
mod case_archive;
mod command;
mod decisions;
mod evidence;
mod flags;
mod hostile;
mod integration;
mod notices;
mod openapi;
mod pdf;
mod process;
mod render;
mod request;
mod session;
mod store;
mod tidy;
mod until;
mod wire;
mod witness;
