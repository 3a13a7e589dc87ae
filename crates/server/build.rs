//! The web applications are built before the server. Without them, the program serves only the API.

fn main() -> std::io::Result<()> {
    for folder in ["../../apps/rider/dist", "../../apps/console/dist", "../../demo"] {
        std::fs::create_dir_all(folder)?;
        println!("cargo:rerun-if-changed={folder}");
    }
    // Tests start the debug program thousands of times. At a fixed address, each start applies
    // 280,000 fewer relocations: a short command has 1,372 page faults instead of 2,298
    // (docs/decisions/0016).
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    Ok(())
}
