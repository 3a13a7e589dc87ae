//! Measures how fast documents are rendered: `cargo bench --bench render [-- OUT_DIR]`.
//!
//! With a folder, the images and the text are written there for inspection.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use musette_render::{Limits, Rendered, render};

const DOCUMENTS: [&str; 4] = ["english", "arabic", "colour", "scan"];
const ROUNDS: usize = 5;
/// The limit of processor time for a page, which is rendered by one thread.
const LIMIT_MS: f64 = 60.0;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/documents");
    // Cargo adds --bench to the arguments.
    let out = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).map(PathBuf::from);
    println!(
        "\n### Pages rendered at publishing, best of {ROUNDS}, means of a page (limit {LIMIT_MS} ms)\n"
    );
    println!(
        "| document | pages | ms | ratio to the limit | pages a second | bytes at 1x | at 2x |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for name in DOCUMENTS {
        let pdf = fs::read(folder.join(format!("{name}.pdf")))?;
        let mut best = f64::INFINITY;
        let mut rendered = render(&pdf, &Limits::default())?;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            rendered = render(&pdf, &Limits::default())?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        report(name, &rendered, best);
        if let Some(out) = &out {
            dump(&out.join(name), &rendered)?;
        }
    }
    Ok(())
}

fn report(name: &str, rendered: &Rendered, seconds: f64) {
    let pages = rendered.pages.len();
    let single: usize = rendered.pages.iter().map(|page| page.image_1x.len()).sum();
    let double: usize = rendered.pages.iter().map(|page| page.image_2x.len()).sum();
    let per_page = seconds * 1000.0 / pages as f64;
    let rate = pages as f64 / seconds;
    println!(
        "| {name} | {pages} | {per_page:.1} | {:.2} | {rate:.1} | {} | {} |",
        per_page / LIMIT_MS,
        single / pages,
        double / pages
    );
}

fn dump(folder: &Path, rendered: &Rendered) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    for (number, page) in (1..).zip(&rendered.pages) {
        fs::write(folder.join(format!("{number}.webp")), &page.image_1x)?;
        fs::write(folder.join(format!("{number}@2x.webp")), &page.image_2x)?;
        fs::write(folder.join(format!("{number}.json")), serde_json::to_vec_pretty(&page.lines)?)?;
    }
    fs::write(folder.join("text.txt"), &rendered.text)?;
    fs::write(
        folder.join("blocks.txt"),
        format!("{:#?}\n{:#?}", rendered.findings, rendered.blocks),
    )?;
    Ok(())
}
