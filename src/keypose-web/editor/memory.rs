//! Memory of the C libraries from Rust's allocator. That of WASI's libc takes all memory behind the program's data for its own when it is
//! first asked, and Rust's is there already. All functions of its allocator are here, so that it is not linked.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, realloc as grow};
use std::ptr;

/// Bytes before each block, which hold its size, so that blocks have the alignment that C expects.
const HEAD: usize = 16;

/// ENOMEM of WASI.
const NO_MEMORY: i32 = 48;

unsafe extern "C" {
    /// Initializes the C++ libraries. The linker runs it around each call of the page where nothing names it.
    fn __wasm_call_ctors();
}

/// Initializes the C++ libraries. Call it once, first.
pub fn start_libraries() {
    // SAFETY: nothing else calls it, and the libraries are not used before.
    unsafe { __wasm_call_ctors() }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEAD)?, HEAD).ok()
}

/// # Safety
/// `start` is null, or the start of an allocation of `layout(size)`.
unsafe fn block(start: *mut u8, size: usize) -> *mut u8 {
    if start.is_null() {
        return start;
    }
    // SAFETY: the head is within the allocation, by the caller's promise.
    unsafe {
        start.cast::<usize>().write(size);
        start.add(HEAD)
    }
}

#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut u8 {
    let Some(layout) = layout(size) else { return ptr::null_mut() };
    // SAFETY: the layout has a head, so that its size is not zero.
    unsafe { block(alloc(layout), size) }
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let Some(bytes) = count.checked_mul(size) else { return ptr::null_mut() };
    let start = malloc(bytes);
    if !start.is_null() {
        // SAFETY: the block has that many bytes.
        unsafe { start.write_bytes(0, bytes) };
    }
    start
}

/// # Safety
/// `start` is null or a block of these functions that was not freed.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(start: *mut u8, size: usize) -> *mut u8 {
    if start.is_null() {
        return malloc(size);
    }
    // SAFETY: the head is before a block and has its size, by which it was allocated.
    unsafe {
        let head = start.sub(HEAD);
        let (Some(old), Some(new)) = (layout(head.cast::<usize>().read()), layout(size)) else {
            return ptr::null_mut();
        };
        block(grow(head, old, new.size()), size)
    }
}

/// # Safety
/// As of `realloc`.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(start: *mut u8) {
    if start.is_null() {
        return;
    }
    // SAFETY: as in `realloc`.
    unsafe {
        let head = start.sub(HEAD);
        if let Some(layout) = layout(head.cast::<usize>().read()) {
            dealloc(head, layout);
        }
    }
}

/// Blocks with a larger alignment than all have are not needed by these libraries.
#[unsafe(no_mangle)]
extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut u8 {
    if alignment > HEAD { ptr::null_mut() } else { malloc(size) }
}

/// # Safety
/// `to` has room for an address.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(to: *mut *mut u8, alignment: usize, size: usize) -> i32 {
    let start = aligned_alloc(alignment, size);
    if start.is_null() {
        return NO_MEMORY;
    }
    // SAFETY: by the caller's promise.
    unsafe { to.write(start) };
    0
}

/// # Safety
/// As of `realloc`; not null.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc_usable_size(start: *mut u8) -> usize {
    // SAFETY: as in `realloc`.
    unsafe { start.sub(HEAD).cast::<usize>().read() }
}

#[unsafe(no_mangle)]
extern "C" fn __libc_malloc(size: usize) -> *mut u8 {
    malloc(size)
}

#[unsafe(no_mangle)]
extern "C" fn __libc_calloc(count: usize, size: usize) -> *mut u8 {
    calloc(count, size)
}

/// # Safety
/// As of `free`.
#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_free(start: *mut u8) {
    // SAFETY: by the caller's promise.
    unsafe { free(start) }
}
