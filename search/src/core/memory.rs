//! Big zeroed blocks straight from the operating system.

use memmap2::MmapMut;

/// Pages of this size are asked for where the system has them.
const HUGE_PAGE: usize = 2 << 20;

/// A block of zeroed memory whose pages come into being when they are first touched: asking for gigabytes
/// takes no time, and giving them back is as quick.
pub(super) struct ZeroedMemory {
    map: MmapMut,
    offset: usize,
    bytes: usize,
}

impl ZeroedMemory {
    /// Asks for `bytes` bytes. `None` when the system refuses, or when it says that so much is not free:
    /// most systems promise more memory than they have and kill whoever then uses it.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        if available_bytes().is_some_and(|available| bytes as u64 > available) {
            return None;
        }
        // Room to begin on a huge page, or neither the first nor the last part could become one.
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let map = MmapMut::map_anon(bytes.checked_add(slack)?).ok()?;
        let offset = if slack == 0 { 0 } else { map.as_ptr().align_offset(HUGE_PAGE) };
        // An unaligned block is slower but right, should the pointer refuse to be aligned.
        let offset = if offset <= slack { offset } else { 0 };
        #[cfg(target_os = "linux")]
        if slack != 0 {
            // Advice only: without huge pages the table works all the same.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Some(Self { map, offset, bytes })
    }

    /// Where the block begins: aligned to a page at least.
    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.map[self.offset..self.offset + self.bytes].as_mut_ptr()
    }
}

/// Memory that can be had without pushing anything out, by the kernel's own estimate and the limit of the
/// control group. `None` where the system does not tell.
#[cfg(target_os = "linux")]
fn available_bytes() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    });
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, group) => machine.or(group),
    }
}

#[cfg(not(target_os = "linux"))]
fn available_bytes() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_zeroed_aligned_and_whole() {
        for bytes in [64, 4096, HUGE_PAGE - 1, HUGE_PAGE, 3 * HUGE_PAGE + 64] {
            let mut memory = ZeroedMemory::new(bytes).unwrap();
            let start = memory.as_mut_ptr();
            assert_eq!(start as usize % if bytes >= HUGE_PAGE { HUGE_PAGE } else { 64 }, 0);
            // SAFETY: the block is `bytes` long and nothing else refers to it.
            let block = unsafe { std::slice::from_raw_parts_mut(start, bytes) };
            assert!(block.iter().all(|&byte| byte == 0));
            block.fill(0xA5);
        }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert!(ZeroedMemory::new(usize::MAX).is_none());
        assert!(ZeroedMemory::new(usize::MAX / 4).is_none());
    }
}
