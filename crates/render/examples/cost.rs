//! Measures what publishing a document costs: `cargo run --release -p musette-render --example cost
//! -- DOCUMENT...` renders each in a child process with the limits of publishing.
//!
//! With `efforts` as the first argument, it encodes page images with several settings of libwebp
//! instead.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use musette_render::{CHILD_COMMAND, Limits, Rendered, child_main, render, render_in_child};
use webp::{Decoder, Encoder, WebPConfig};

/// Ticks of processor time per second in `/proc`, on all common kernels.
const TICKS: f64 = 100.0;

/// Method and effort of libwebp.
const EFFORTS: [(i32, f32); 7] =
    [(0, 0.0), (1, 20.0), (2, 20.0), (1, 25.0), (2, 50.0), (4, 75.0), (6, 75.0)];

/// Maximum number of pages of a document whose images are encoded with each setting.
const PAGES_MAX: usize = 6;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [command, limits] if command == CHILD_COMMAND => return child_main(limits),
        [mode, documents @ ..] if mode == "efforts" => compare_efforts(documents),
        documents => measure_all(documents),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn name_of(document: &str) -> &str {
    Path::new(document).file_stem().and_then(|name| name.to_str()).unwrap_or(document)
}

fn measure_all(documents: &[String]) -> Outcome<()> {
    println!(
        "| document | pages | s by the clock | s of processor time | ms a page | MiB at most | tries | bytes at 1x | at 2x |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for document in documents {
        let pdf = fs::read(document)?;
        let children = Children::default();
        let (start, before) = (Instant::now(), processor_time_of_children()?);
        let result = thread::scope(|scope| {
            scope.spawn(|| children.watch());
            let limits = Limits::default();
            let result = runtime.block_on(render_in_child(&pdf, &limits, &|_| {}, None));
            children.is_done.store(true, Ordering::Relaxed);
            result
        });
        let (clock, used) = (start.elapsed().as_secs_f64(), processor_time_of_children()? - before);
        let (mib, tries) = (children.peak_kib.into_inner() / 1024, children.count.into_inner());
        match result {
            Ok(Rendered { pages, .. }) => {
                let single: usize = pages.iter().map(|page| page.image_1x.len()).sum();
                let double: usize = pages.iter().map(|page| page.image_2x.len()).sum();
                let count = pages.len();
                println!(
                    "| {} | {count} | {clock:.1} | {used:.1} | {:.0} | {mib} | {tries} | {} | {} |",
                    name_of(document),
                    used * 1000.0 / count as f64,
                    single / count,
                    double / count
                );
            }
            Err(error) => println!(
                "| {} | {} | {clock:.1} | {used:.1} | | {mib} | {tries} | | |",
                name_of(document),
                error.code()
            ),
        }
    }
    Ok(())
}

/// Returns the user and system time of the children that ended, in seconds.
fn processor_time_of_children() -> Outcome<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no name in /proc/self/stat")?;
    // The fields 16 and 17; the name is the second.
    let ticks: Vec<f64> =
        fields.split_whitespace().skip(13).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / TICKS)
}

/// The memory of the children that count towards the limit.
#[derive(Default)]
struct Children {
    is_done: AtomicBool,
    count: AtomicUsize,
    peak_kib: AtomicU64,
}

impl Children {
    fn watch(&self) {
        let mut last = String::new();
        while !self.is_done.load(Ordering::Relaxed) {
            let path = format!("/proc/self/task/{}/children", std::process::id());
            let children = fs::read_to_string(path).unwrap_or_default();
            for child in children.split_whitespace() {
                if child != last {
                    child.clone_into(&mut last);
                    self.count.fetch_add(1, Ordering::Relaxed);
                }
                let status = fs::read_to_string(format!("/proc/{child}/status"));
                let status = status.unwrap_or_default();
                let data = status.lines().find_map(|line| line.strip_prefix("VmData:"));
                let kib = data.and_then(|data| data.trim().strip_suffix(" kB"));
                let kib = kib.and_then(|kib| kib.parse().ok()).unwrap_or(0);
                self.peak_kib.fetch_max(kib, Ordering::Relaxed);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn compare_efforts(documents: &[String]) -> Outcome<()> {
    println!("| document | method, effort | ms a page at 1x | at 2x | bytes at 1x | at 2x |");
    println!("|---|---|--:|--:|--:|--:|");
    for document in documents {
        let pdf = fs::read(document)?;
        let limits = Limits { fast_images: true, ..Limits::default() };
        let rendered = render(&pdf, &limits)?;
        let step = rendered.pages.len().div_ceil(PAGES_MAX);
        let pages: Vec<_> = rendered.pages.iter().step_by(step).collect();
        for (method, effort) in EFFORTS {
            let mut milliseconds = [0.0; 2];
            let mut bytes = [0; 2];
            for page in &pages {
                for (size, image) in [&page.image_1x, &page.image_2x].into_iter().enumerate() {
                    let image = Decoder::new(image).decode().ok_or("no image")?;
                    let mut config = WebPConfig::new().map_err(|()| "no configuration")?;
                    (config.lossless, config.method, config.quality) = (1, method, effort);
                    let encoder = Encoder::from_rgb(&image, image.width(), image.height());
                    let start = thread_time()?;
                    let file = encoder.encode_advanced(&config).map_err(|_| "not encoded")?;
                    milliseconds[size] += thread_time()? - start;
                    bytes[size] += file.len();
                }
            }
            let count = pages.len();
            println!(
                "| {} | {method}, {effort} | {:.0} | {:.0} | {} | {} |",
                name_of(document),
                milliseconds[0] / count as f64,
                milliseconds[1] / count as f64,
                bytes[0] / count,
                bytes[1] / count
            );
        }
    }
    Ok(())
}

/// Returns the processor time of this thread in milliseconds.
fn thread_time() -> Outcome<f64> {
    let schedule = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = schedule.split_whitespace().next().ok_or("no time")?.parse()?;
    Ok(nanoseconds / 1e6)
}
