use std::process::ExitCode;

fn main() -> ExitCode {
    musette::main()
}
