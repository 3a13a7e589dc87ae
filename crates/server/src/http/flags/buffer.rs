//! The bytes of an answer. Those for many flags are more than an allocator keeps at hand, and are free
//! again as soon as they are sent: the next answer of the thread is written into them.

use std::cell::Cell;

use bytes::Bytes;

/// More than most answers have; what is larger goes back to the allocator.
const KEPT_BYTES_MAX: usize = 64 * 1024;

thread_local! {
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Empty, with room for so many bytes.
pub fn with_room(bytes: usize) -> Vec<u8> {
    let mut buffer = SPARE.take();
    buffer.clear();
    buffer.reserve(bytes);
    buffer
}

/// A buffer that is sent and then reused.
pub fn reusable(buffer: Vec<u8>) -> Bytes {
    Bytes::from_owner(ReusableBuffer(buffer))
}

struct ReusableBuffer(Vec<u8>);

impl AsRef<[u8]> for ReusableBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for ReusableBuffer {
    fn drop(&mut self) {
        let mine = std::mem::take(&mut self.0);
        if mine.capacity() > KEPT_BYTES_MAX {
            return;
        }
        // A thread that ends has no spare one any more.
        let _ = SPARE.try_with(|spare| {
            let other = spare.take();
            spare.set(if other.capacity() > mine.capacity() { other } else { mine });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT_BYTES_MAX, reusable, with_room};

    #[test]
    fn what_was_sent_is_written_into_again() {
        let mut first = with_room(1_000);
        first.extend_from_slice(b"one");
        let (place, sent) = (first.as_ptr(), reusable(first));
        // While it is being sent, another has bytes of its own.
        let mut second = with_room(1_000);
        second.extend_from_slice(b"two");
        assert_eq!((&*sent, &*second), (&b"one"[..], &b"two"[..]));
        drop(sent);
        let again = with_room(1_000);
        assert_eq!((again.as_ptr(), again.len()), (place, 0));
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        drop(reusable(with_room(KEPT_BYTES_MAX + 1)));
        assert!(with_room(1).capacity() <= KEPT_BYTES_MAX);
    }

    #[test]
    fn the_larger_one_is_kept() {
        let (small, large) = (with_room(100), with_room(1_000));
        drop(reusable(large));
        drop(reusable(small));
        assert!(with_room(0).capacity() >= 1_000);
    }
}
