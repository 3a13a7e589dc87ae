use std::process::ExitCode;

fn main() -> ExitCode {
    musette::command::main()
}
