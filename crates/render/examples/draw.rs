//! Renders a document as publishing does, and writes the results into a folder, for `make
//! test-documents`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use musette_render::{Limits, render_in_child_of};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [program, document, folder] = arguments.as_slice() else {
        return Err("draw PROGRAM DOCUMENT FOLDER".into());
    };
    let pdf = fs::read(document)?;
    let folder = Path::new(folder);
    let limits = Limits::default();
    match render_in_child_of(Path::new(program), &pdf, &limits, &|_| {}).await {
        Ok(rendered) => {
            for (number, page) in (1..).zip(&rendered.pages) {
                fs::write(folder.join(format!("{number}.webp")), &page.image_1x)?;
                fs::write(folder.join(format!("{number}@2x.webp")), &page.image_2x)?;
            }
            fs::write(folder.join("document.json"), serde_json::to_vec(&rendered)?)?;
        }
        Err(error) => {
            let failure =
                serde_json::json!({ "code": error.code(), "sentence": error.to_string() });
            fs::write(folder.join("refusal.json"), failure.to_string())?;
        }
    }
    Ok(())
}
