mod crash;
mod disk;
mod errors;
mod nodes;
mod ready;
mod slow_readers;
mod stop;
