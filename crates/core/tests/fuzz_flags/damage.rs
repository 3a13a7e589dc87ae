/// Damages texts at random, in the same way in every run.
pub struct Damage {
    state: u64,
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

/// Fragments that break JSON, numbers and texts.
const WORDS: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "false",
    "0",
    "-1",
    "-0",
    "1e999",
    "1e-999",
    "0.1",
    "100000",
    "100001",
    "9007199254740991",
    "9007199254740992",
    "18446744073709551616",
    "\"\"",
    "{}",
    "[]",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "é",
    "😀",
    "\"__proto__\"",
    "NaN",
    " ",
    "\n",
    "/",
    "~",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":{\"a\":",
];

impl Damage {
    pub fn new(seeds: &[&str], words: &[&str]) -> Self {
        let bytes = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        let words = [&WORDS[..], words].concat();
        Self { state: 20_261_121, seeds: bytes(seeds), words: bytes(&words) }
    }

    /// Returns a random number below `limit`, which must not be 0.
    fn below(&mut self, limit: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    pub fn next(&mut self) -> String {
        let seed = self.below(self.seeds.len());
        let mut text = self.seeds[seed].clone();
        // Most texts have only one error, so that the code after it is still reached.
        let times = 1 + self.below(4) * self.below(2);
        for _ in 0..times {
            self.once(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    fn once(&mut self, text: &mut Vec<u8>) {
        let at = self.below(text.len() + 1);
        let to = (at + self.below(9)).min(text.len());
        match self.below(7) {
            0 => drop(text.drain(at..to)),
            1 => {
                let word = self.word();
                drop(text.splice(at..at, word));
            }
            2 => {
                let word = self.word();
                drop(text.splice(at..to, word));
            }
            3 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << self.below(8);
                }
            }
            4 => self.whole_value(text),
            5 => {
                let copy = text[at..to].to_vec();
                let target = self.below(text.len() + 1);
                drop(text.splice(target..target, copy));
            }
            _ => {
                let other = self.below(self.seeds.len());
                let from = self.below(self.seeds[other].len() + 1);
                let until = (from + self.below(60)).min(self.seeds[other].len());
                let part = self.seeds[other][from..until].to_vec();
                drop(text.splice(at..to, part));
            }
        }
    }

    fn word(&mut self) -> Vec<u8> {
        let word = self.below(self.words.len());
        self.words[word].clone()
    }

    /// Replaces the value between a colon and the next comma or bracket.
    fn whole_value(&mut self, text: &mut Vec<u8>) {
        let colons: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b':').collect();
        if colons.is_empty() {
            return;
        }
        let after = colons[self.below(colons.len())] + 1;
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b'\n');
        let length = text[after..].iter().position(ends).unwrap_or(text.len() - after);
        let word = self.word();
        drop(text.splice(after..after + length, word));
    }
}
