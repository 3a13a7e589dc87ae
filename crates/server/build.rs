//! The web applications are built before; without them the program serves the API alone.

fn main() -> std::io::Result<()> {
    for folder in ["../../apps/rider/dist", "../../apps/console/dist", "../../demo"] {
        std::fs::create_dir_all(folder)?;
        println!("cargo:rerun-if-changed={folder}");
    }
    Ok(())
}
