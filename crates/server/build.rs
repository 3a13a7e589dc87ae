//! The web applications are built before; without them the program serves the API alone.

fn main() -> std::io::Result<()> {
    for folder in ["../../apps/rider/dist", "../../apps/console/dist", "../../demo"] {
        std::fs::create_dir_all(folder)?;
        println!("cargo:rerun-if-changed={folder}");
    }
    // Tests start the debug program thousands of times. At a fixed address it has 280,000 fewer relocations to apply at
    // each start: a short command has 1,372 page faults instead of 2,298 (docs/decisions/0016).
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    Ok(())
}
