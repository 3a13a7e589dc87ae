//! Counts the instructions of a request with callgrind, for the program and for bare hyper. Unlike
//! times, they do not depend on the load of the machine. Only the thread of the one connection
//! counts, so that periodic tasks do not. Valgrind has no SHA instructions, so hashes count for
//! more than they cost on most processors.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::bare;
use super::load::{Asking, Connection};
use super::served::Served;

/// The counts of the smaller number are subtracted, because lists of flags and buffers are created
/// for the first requests.
const REQUESTS: [u64; 2] = [200, 1200];
const OUTPUT: &str = "counted";

pub async fn compared() {
    println!("\n### Instructions of a request, PUT v3/features\n");
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        return println!("Not counted: there is no valgrind.");
    }
    println!("| flags | ours | hyper arranged as ours | ours, ratio to hyper |");
    println!("|--:|--:|--:|--:|");
    let mut served = Served::start();
    let counts =
        [5, 100].map(|count| (count, Asking::features(&served.address, &served.key, count)));
    let mut answers = Vec::new();
    for (_, asking) in &counts {
        answers.push(bare::file(&asking.once().await));
    }
    // Its data directory is used by the programs whose instructions are counted.
    served.stop();
    for ((count, asking), answer) in counts.iter().zip(&answers) {
        let ours = of_each(asking, |counted| {
            counted.args([env!("CARGO_BIN_EXE_musette"), "serve", "--listen", "127.0.0.1:0"]);
            served.settings(counted);
        });
        let ours = ours.await;
        let bare = of_each(asking, |counted| {
            counted.arg(std::env::current_exe().expect("this program"));
            bare::settings(counted, answer.path(), "threads");
        });
        let bare = bare.await;
        println!("| {count} | {ours:.0} | {bare:.0} | {:.2} |", ours / bare);
    }
}

async fn of_each(asking: &Asking, program: impl Fn(&mut Command)) -> f64 {
    let mut threads = Vec::new();
    for requests in REQUESTS {
        let dir = tempfile::tempdir().expect("a directory");
        let mut counted = counting(dir.path());
        program(&mut counted);
        send_requests(&mut counted, asking, requests).await;
        threads.push(by_thread(dir.path()));
    }
    let [few, many] = &threads[..] else { unreachable!() };
    let grown = many.iter().map(|(thread, count)| count - few.get(thread).unwrap_or(&0.0));
    grown.fold(0.0, f64::max) / (REQUESTS[1] - REQUESTS[0]) as f64
}

fn counting(dir: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--separate-threads=yes"]);
    command.arg(format!("--callgrind-out-file={}", dir.join(OUTPUT).display()));
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Starts the program, sends the requests, and ends it.
async fn send_requests(counted: &mut Command, asking: &Asking, requests: u64) {
    let mut child = Ending(counted.spawn().expect("it starts"));
    let mut line = String::new();
    let output = child.0.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let asking = asking.at(line.trim().rsplit('/').next().expect("an address"));
    let mut connection = Connection::open(asking.address()).await;
    for _ in 0..requests {
        connection.exchange(asking.bytes()).await;
    }
    let pid = Pid::from_child(&child.0);
    kill_process(pid, Signal::TERM).expect("it runs");
    child.0.wait().expect("it ends");
}

struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the counts by thread; the file `counted-02` contains those of the second thread.
fn by_thread(dir: &Path) -> BTreeMap<OsString, f64> {
    let files = std::fs::read_dir(dir).expect("lists").map(|file| file.expect("a file"));
    let of_threads = files.filter(|file| file.file_name() != OUTPUT);
    let counts = of_threads.map(|file| {
        let text = std::fs::read_to_string(file.path()).expect("text");
        let total = text.lines().rev().find_map(|line| line.strip_prefix("totals: "));
        (file.file_name(), total.and_then(|text| text.trim().parse().ok()).expect("a total"))
    });
    counts.collect()
}
