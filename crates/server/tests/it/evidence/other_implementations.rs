//! Independent implementations read the published log over HTTP: `signed_note` and `tlog_tiles`.

use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{Checkpoint, Hash, Tile, TileHashReader, TileReader};

use super::text;
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

/// More than a tile, and not a multiple of its size.
const ENTRIES: u64 = 259;

struct OverHttp<'a>(&'a TestApp);

impl TileReader for OverHttp<'_> {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        // Their paths contain the height. C2SP fixes it for ours.
        let path = |tile: &Tile| format!("/log/{}", tile.path().replace("tile/8/", "tile/"));
        Ok(tiles.iter().map(|tile| self.0.get(&path(tile)).gives(200).body).collect())
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

#[test]
fn other_implementations_read_checkpoint_tiles_and_entries() {
    let store = TestStore::new(Engine::Sqlite);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let app = TestApp::serve(store);
    let mut entries = Vec::new();
    let mut indexes = Vec::new();
    for _ in 0..ENTRIES {
        let answer = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        let receipt = super::receipt_of(&answer);
        indexes.push(receipt.index);
        entries.push(receipt.entry);
    }
    let key = text(&app.get("/log/key").gives(200));
    let verifier = StandardVerifier::new(key.trim_end()).expect("a vkey");
    let note = Note::from_bytes(&app.get("/log/checkpoint").gives(200).body).expect("a note");
    note.verify(&VerifierList::new(vec![Box::new(verifier)])).expect("it verifies");
    let head = Checkpoint::from_bytes(note.text()).expect("a checkpoint");
    assert_eq!(head.size(), ENTRIES + indexes[0]);
    let (size, root) = (head.size(), Hash(head.hash().0));
    let reader = OverHttp(&app);
    let hashes = TileHashReader::new(size, root, &reader);
    for (index, entry) in indexes.into_iter().zip(&entries) {
        let leaf = tlog_tiles::record_hash(entry.as_bytes());
        let proof = tlog_tiles::prove_record(size, index, &hashes).expect("a proof");
        tlog_tiles::check_record(&proof, size, root, index, leaf).expect("it leads to the root");
    }
}
