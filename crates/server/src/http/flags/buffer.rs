//! The buffers of responses. The buffer for many flags is larger than those that an allocator
//! reuses. Once it is sent, the next response of the thread reuses it.

use std::cell::Cell;

use bytes::Bytes;

/// Larger buffers go back to the allocator. Most responses are smaller.
const REUSED_BYTES_MAX: usize = 64 * 1024;

thread_local! {
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Returns an empty buffer with this capacity.
pub fn with_room(bytes: usize) -> Vec<u8> {
    let mut buffer = SPARE.take();
    buffer.clear();
    buffer.reserve(bytes);
    buffer
}

/// Returns bytes that release the buffer for reuse once they are sent.
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
        let buffer = std::mem::take(&mut self.0);
        if buffer.capacity() > REUSED_BYTES_MAX {
            return;
        }
        // A thread that is ending has no thread-local storage.
        let _ = SPARE.try_with(|spare| {
            let other = spare.take();
            spare.set(if other.capacity() > buffer.capacity() { other } else { buffer });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{REUSED_BYTES_MAX, reusable, with_room};

    #[test]
    fn reuses_a_buffer_after_it_was_sent() {
        let mut first = with_room(1_000);
        first.extend_from_slice(b"one");
        let (address, bytes) = (first.as_ptr(), reusable(first));
        // While the first buffer is being sent, the second response gets another buffer.
        let mut second = with_room(1_000);
        second.extend_from_slice(b"two");
        assert_eq!((&*bytes, &*second), (&b"one"[..], &b"two"[..]));
        drop(bytes);
        let third = with_room(1_000);
        assert_eq!((third.as_ptr(), third.len()), (address, 0));
    }

    #[test]
    fn does_not_reuse_a_buffer_that_is_too_large() {
        drop(reusable(with_room(REUSED_BYTES_MAX + 1)));
        assert!(with_room(1).capacity() <= REUSED_BYTES_MAX);
    }

    #[test]
    fn keeps_the_larger_of_two_buffers() {
        let (small, large) = (with_room(100), with_room(1_000));
        drop(reusable(large));
        drop(reusable(small));
        assert!(with_room(0).capacity() >= 1_000);
    }
}
