//! What a renderer may still do, tried out: a hidden command of the program, for a test.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::{Command, ExitCode};
use std::{env, thread};

use super::{Limits, child, confinement};

/// Confines itself like a renderer, then tries what a document that has taken it over would try. Prints a line for
/// each: its name, and `yes` or the error.
pub fn probe_main() -> ExitCode {
    match probe() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The exit code says it too.
            let _unheard = writeln!(io::stderr(), "{error}");
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
    let mut tried = |what: &str, result: io::Result<()>| match result {
        Ok(()) => writeln!(out, "{what}: yes"),
        Err(error) => writeln!(out, "{what}: {:?}", error.kind()),
    };
    tried("read a file", File::open("/etc/passwd").map(drop))?;
    tried("list a directory", fs::read_dir("/").map(drop))?;
    tried("write a file", File::create("/tmp/musette-probe").map(drop))?;
    tried("remove a file", fs::remove_file("/tmp/musette-probe"))?;
    tried("open a process's memory", File::open("/proc/self/mem").map(drop))?;
    tried("listen", TcpListener::bind("127.0.0.1:0").map(drop))?;
    tried("connect", TcpStream::connect("127.0.0.1:9").map(drop))?;
    tried("send datagrams", UdpSocket::bind("127.0.0.1:0").map(drop))?;
    tried("connect to a local socket", UnixStream::connect("/run/systemd/notify").map(drop))?;
    tried("make a pair of sockets", UnixDatagram::pair().map(drop))?;
    tried("start a program", Command::new("/bin/true").spawn().map(drop))?;
    tried("start a thread", thread::Builder::new().spawn(|| ()).map(drop))
}
