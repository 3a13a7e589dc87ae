//! A hidden command for a test of the confinement: it tries what a renderer can still do.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::{Command, ExitCode};
use std::{env, thread};

use super::{Limits, child, confinement};

/// Confines itself like a renderer, then tries what a malicious document might do after taking
/// control. Prints a line for each attempt: its name, and `yes` or the error.
pub fn probe_main() -> ExitCode {
    match probe() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The exit code reports the failure too.
            let _not_written = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn probe() -> io::Result<()> {
    child::limit(&Limits::default())?;
    let missing = confinement::confine()?;
    let mut out = io::stdout().lock();
    writeln!(out, "missing protections: {}", missing.join("; "))?;
    writeln!(out, "variables: {}", env::vars_os().count())?;
    let mut report = |what: &str, result: io::Result<()>| match result {
        Ok(()) => writeln!(out, "{what}: yes"),
        Err(error) => writeln!(out, "{what}: {:?}", error.kind()),
    };
    report("read a file", File::open("/etc/passwd").map(drop))?;
    report("list a directory", fs::read_dir("/").map(drop))?;
    report("write a file", File::create("/tmp/musette-probe").map(drop))?;
    report("remove a file", fs::remove_file("/tmp/musette-probe"))?;
    report("open a process's memory", File::open("/proc/self/mem").map(drop))?;
    report("listen", TcpListener::bind("127.0.0.1:0").map(drop))?;
    report("connect", TcpStream::connect("127.0.0.1:9").map(drop))?;
    report("send datagrams", UdpSocket::bind("127.0.0.1:0").map(drop))?;
    report("connect to a local socket", UnixStream::connect("/run/systemd/notify").map(drop))?;
    report("make a pair of sockets", UnixDatagram::pair().map(drop))?;
    report("start a program", Command::new("/bin/true").spawn().map(drop))?;
    report("start a thread", thread::Builder::new().spawn(|| ()).map(drop))
}
