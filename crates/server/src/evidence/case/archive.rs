//! Writes a ZIP archive (APPNOTE 6.3.10) whose bytes depend on its files only. The files are stored
//! without compression, because documents are already compressed, and have a fixed time. So the
//! bytes depend on neither a compressor nor a clock.

use flate2::Crc;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Version 2.0, which supports directories.
const VERSION: u16 = 20;
/// The flag for names in UTF-8.
const UTF8: u16 = 1 << 11;
/// 1980-01-01, the first date of the format.
const DATE: u16 = (1 << 5) | 1;
/// Unix as the origin, and the mode of a regular file that its owner can write and all users can
/// read.
const MADE_BY: u16 = (3 << 8) | VERSION;
const MODE: u32 = 0o100_644 << 16;

/// The archive exceeds the limits of the format without ZIP64, which this writer does not support.
#[derive(Debug, thiserror::Error)]
#[error("the archive would have more than 65,534 files or 4 GiB")]
pub struct TooLarge;

/// An archive that is being written: bytes that are not taken yet, and its directory.
#[derive(Default)]
pub struct Archive {
    out: Vec<u8>,
    taken: u64,
    directory: Vec<u8>,
    files: u16,
}

impl Archive {
    /// Appends a file. No two may have the same name.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> Result<(), TooLarge> {
        let at = u32::try_from(self.taken + self.out.len() as u64).map_err(|_| TooLarge)?;
        let length = u32::try_from(bytes.len()).map_err(|_| TooLarge)?;
        let name = u16::try_from(path.len()).map_err(|_| TooLarge)?;
        self.files = self.files.checked_add(1).filter(|files| *files < u16::MAX).ok_or(TooLarge)?;
        let mut crc = Crc::new();
        crc.update(bytes);
        // The fields that the local header and the directory have in common.
        let mut fields = Vec::with_capacity(26);
        short(&mut fields, &[VERSION, UTF8, 0, 0, DATE]);
        long(&mut fields, &[crc.sum(), length, length]);
        short(&mut fields, &[name, 0]);

        long(&mut self.out, &[LOCAL]);
        self.out.extend(&fields);
        self.out.extend(path.as_bytes());
        self.out.extend(bytes);

        long(&mut self.directory, &[CENTRAL]);
        short(&mut self.directory, &[MADE_BY]);
        self.directory.extend(&fields);
        short(&mut self.directory, &[0, 0, 0]);
        long(&mut self.directory, &[MODE, at]);
        self.directory.extend(path.as_bytes());
        Ok(())
    }

    /// Takes the bytes since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        self.taken += self.out.len() as u64;
        std::mem::take(&mut self.out)
    }

    /// Returns the last bytes.
    pub fn finish(mut self) -> Result<Vec<u8>, TooLarge> {
        let at = u32::try_from(self.taken + self.out.len() as u64).map_err(|_| TooLarge)?;
        let length = u32::try_from(self.directory.len()).map_err(|_| TooLarge)?;
        self.out.append(&mut self.directory);
        long(&mut self.out, &[END]);
        short(&mut self.out, &[0, 0, self.files, self.files]);
        long(&mut self.out, &[length, at]);
        short(&mut self.out, &[0]);
        Ok(self.out)
    }
}

fn short(out: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn long(out: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}
