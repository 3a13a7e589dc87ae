//! The web application is built before; without it the program serves the API alone.

fn main() -> std::io::Result<()> {
    for folder in ["../../apps/rider/dist", "../../demo"] {
        std::fs::create_dir_all(folder)?;
        println!("cargo:rerun-if-changed={folder}");
    }
    Ok(())
}
