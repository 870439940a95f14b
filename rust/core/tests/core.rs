//! Promotion and memory. They are tests of the built library, because compiling the op table twice takes minutes.

use sciarray_core::DType::{self, *};
use sciarray_core::dtype::promote;
use sciarray_core::storage::Memory;

#[test]
fn promotion_is_symmetric_and_a_join() {
    for a in DType::ALL {
        assert_eq!(promote(a, a), a);
        for b in DType::ALL {
            let ab = promote(a, b);
            assert_eq!(ab, promote(b, a));
            assert_eq!(promote(a, ab), ab, "{a:?} {b:?}");
        }
    }
}

#[test]
fn promotion_follows_numpy() {
    for (a, b, c) in [
        (U8, I8, I16),
        (U64, I64, F64),
        (I32, F32, F64),
        (I16, F32, F32),
        (F64, C64, C128),
        (U32, I32, I64),
        (I64, C64, C128),
        (Bool, U8, U8),
    ] {
        assert_eq!(promote(a, b), c, "{a:?} {b:?}");
    }
}

#[test]
fn blocks_are_aligned_and_reused() {
    for bytes in [0, 1, 63, 64, 65, 4096, 65536, 65537, 1 << 20, (1 << 20) + 1] {
        let block = Memory::new("test", bytes).unwrap();
        assert_eq!(block.ptr() as usize % 64, 0);
        let p = block.ptr();
        drop(block);
        assert_eq!(Memory::new("test", bytes).unwrap().ptr(), p);
    }
}

#[test]
fn impossible_requests_fail() {
    assert!(Memory::new("test", usize::MAX / 4).is_err());
}
