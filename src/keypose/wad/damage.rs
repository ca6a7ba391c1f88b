//! Damages packed lumps, for the tests of codecs.

use crate::wad::error::Fault;

/// Checks that a lump with another size, with a further byte or with any changed byte is refused, or has the right size.
pub fn check_damage(unpack: impl Fn(&[u8], usize) -> Result<Vec<u8>, Fault>, packed: &[u8], raw_bytes: usize) {
    assert!(unpack(&[packed, &[0]].concat(), raw_bytes).is_err());
    assert!(unpack(packed, raw_bytes + 4).is_err() && unpack(packed, usize::MAX).is_err());
    for at in (0..packed.len().min(400)).chain((400..packed.len()).step_by(97)) {
        for change in [1, 0x80, 0xff] {
            let mut damaged = packed.to_vec();
            damaged[at] ^= change;
            let unpacked = unpack(&damaged, raw_bytes);
            assert!(unpacked.is_err() || unpacked.unwrap().len() == raw_bytes);
        }
    }
}
