//! A log that forks, many requests at once, and a witness that is killed again and again: all
//! cosignatures must belong to one history.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::hash::Hash;
use musette_core::log::note::Note;

use super::{ORIGIN, TestWitness, checkpoint_path, extension, root, text_of, verify_cosignatures};
use crate::request::Request;

const KILLS: u32 = 12;
const CLIENTS: u8 = 4;

/// The histories that the log proposed, and those that the witness signed.
#[derive(Default)]
struct Histories {
    proposed: Mutex<HashMap<[u8; 32], Vec<Hash>>>,
    signed: Mutex<Vec<(Vec<Hash>, Vec<u8>)>>,
    largest_signed: AtomicU64,
}

impl Histories {
    /// Returns the history of the checkpoint that the witness serves, or `None` while it is down.
    fn served(&self, address: &str) -> Option<Vec<Hash>> {
        let path = checkpoint_path(ORIGIN);
        let answer = Request::new("GET", format!("http://{address}{path}")).try_send().ok()?;
        if answer.status == 404 {
            return Some(Vec::new());
        }
        assert_eq!(answer.status, 200);
        let note = Note::parse(std::str::from_utf8(&answer.body).expect("UTF-8")).expect("a note");
        let head = Checkpoint::parse(note.text()).expect("a checkpoint");
        let proposed = self.proposed.lock().expect("no panic");
        Some(proposed[&head.root.0].clone())
    }

    /// Proposes a fork of this client, which no other client proposes.
    fn extend(&self, address: &str, client: u8, number: u64) -> Option<()> {
        let old = self.served(address)?;
        let mut new = old.clone();
        for index in 0..=number % 5 {
            new.push(Hash::leaf(&[&[client][..], &number.to_be_bytes(), &[index as u8]].concat()));
        }
        self.proposed.lock().expect("no panic").insert(root(&new).0, new.clone());
        let largest = self.largest_signed.load(Ordering::SeqCst);
        let request = Request::new("POST", format!("http://{address}/add-checkpoint"));
        let answer = request.bytes(extension(old.len(), &new).as_bytes()).try_send().ok()?;
        match answer.status {
            200 => {
                let size = new.len() as u64;
                assert!(size >= largest, "signed {size} after {largest}");
                self.largest_signed.fetch_max(size, Ordering::SeqCst);
                self.signed.lock().expect("no panic").push((new, answer.body));
            }
            409 | 422 => {}
            other => panic!("unexpected status {other}"),
        }
        Some(())
    }
}

#[test]
fn never_signs_two_histories_although_it_is_killed() {
    let histories = Histories::default();
    let mut witness = TestWitness::start();
    let keys = witness.keys();
    for round in 0..KILLS {
        let is_over = AtomicBool::new(false);
        let address = witness.address.clone();
        let directory = thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (histories, is_over, address) = (&histories, &is_over, &address);
                scope.spawn(move || {
                    let mut number = u64::from(round) << 32;
                    while !is_over.load(Ordering::SeqCst) {
                        number += 1;
                        if histories.extend(address, client, number).is_none() {
                            thread::sleep(Duration::from_millis(1));
                        }
                    }
                });
            }
            // Some requests must succeed before the kill; its instant is different each time.
            let before = histories.signed.lock().expect("no panic").len();
            let started = Instant::now();
            while histories.signed.lock().expect("no panic").len() < before + 3 {
                assert!(started.elapsed() < Duration::from_secs(60), "nothing is signed");
                thread::sleep(Duration::from_micros(u64::from(round) * 371 + 100));
            }
            let directory = witness.kill();
            is_over.store(true, Ordering::SeqCst);
            directory
        });
        witness = TestWitness::start_in(directory, &[]);
        let served = histories.served(&witness.address).expect("it runs");
        let largest = histories.largest_signed.load(Ordering::SeqCst);
        assert!(served.len() as u64 >= largest, "forgot a signed tree");
    }
    let mut signed = histories.signed.into_inner().expect("no panic");
    assert!(signed.len() >= 3 * KILLS as usize);
    signed.sort_by_key(|(history, _)| history.len());
    for pair in signed.windows(2) {
        assert!(pair[1].0.starts_with(&pair[0].0), "two histories were signed");
    }
    for (history, lines) in &signed {
        verify_cosignatures(lines, &text_of(history), &keys);
    }
}
