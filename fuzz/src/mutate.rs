//! Mutations of an input, small and large.

/// Tokens of the formats under test.
const TOKENS: [&[u8]; 34] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"\\u0000",
    b"\\ud800",
    b"\\",
    b"null",
    b"true",
    b"false",
    b"-1",
    b"0",
    b"9007199254740993",
    b"18446744073709551615",
    b"1e309",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\xe2\x80\x94 ",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\0",
    b".p/",
    b"x001/",
    b"tile/",
    b"entries/",
    b"+",
    b"=",
    b"==",
    b"AAAA",
    b"2026-11-21T09:30:00.000Z",
];
const LENGTH_MAX: usize = 200_000;

/// xorshift64*: good enough to choose mutations, and the same on every platform.
pub struct Mutator(u64);

impl Mutator {
    pub fn new(seed: u64) -> Self {
        // Similar seeds must not give similar sequences, and a zero state would stay zero.
        let mut mutator = Self((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1);
        for _ in 0..8 {
            mutator.next();
        }
        mutator
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Applies one to eight mutations to one of the inputs.
    pub fn change(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let chosen = self.below(inputs.len());
        let mut input = inputs.get(chosen).cloned().unwrap_or_default();
        for _ in 0..=self.below(8) {
            self.change_once(&mut input, inputs);
        }
        input.truncate(LENGTH_MAX);
        input
    }

    fn change_once(&mut self, input: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let at = self.below(input.len() + 1);
        let end = at + self.below(input.len() - at + 1).min(64);
        match self.below(10) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << (self.next() % 8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = self.next() as u8;
                }
            }
            2 => input.insert(at, self.next() as u8),
            3 => drop(input.drain(at..end)),
            4 => {
                let part = input[at..end].to_vec();
                let to = self.below(input.len() + 1);
                drop(input.splice(to..to, part));
            }
            5 => {
                let token = TOKENS[self.below(TOKENS.len())];
                drop(input.splice(at..at, token.iter().copied()));
            }
            6 => {
                let token = TOKENS[self.below(TOKENS.len())];
                drop(input.splice(at..end, token.iter().copied()));
            }
            7 => self.change_number(input, at),
            8 => {
                let chosen = self.below(inputs.len());
                let other = inputs.get(chosen).map(Vec::as_slice).unwrap_or_default();
                let from = self.below(other.len() + 1);
                input.truncate(at);
                input.extend(&other[from..]);
            }
            _ => {
                let part = input[at..end].to_vec();
                for _ in 0..self.below(300) {
                    input.extend(&part);
                }
            }
        }
    }

    /// Replaces the number that begins at or after this position.
    fn change_number(&mut self, input: &mut Vec<u8>, from: usize) {
        let Some(start) = (from..input.len()).find(|&at| input[at].is_ascii_digit()) else {
            return;
        };
        let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = match self.below(4) {
            0 => u64::MAX,
            1 => 1 << (self.next() % 64),
            2 => self.next() % 300,
            _ => self.next(),
        };
        drop(input.splice(start..start + length, number.to_string().into_bytes()));
    }
}
