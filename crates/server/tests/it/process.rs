mod crash;
mod disk;
mod nodes;
mod ready;
mod stop;
