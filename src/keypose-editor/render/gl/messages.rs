//! Reports of the driver about wrong calls (KHR_debug).
#![allow(unsafe_code)]

use glow::HasContext;

/// Reports errors and warnings of the driver as they occur. Notes and performance hints are ignored. Returns false if the driver
/// has no reports.
///
/// # Safety
/// The context is current on this thread.
pub unsafe fn listen(gl: &mut glow::Context, report: impl Fn(&str) + Send + Sync + 'static) -> bool {
    if !gl.supports_debug() {
        return false;
    }
    // SAFETY: the callback owns what it uses; the caller guarantees the rest.
    unsafe {
        gl.enable(glow::DEBUG_OUTPUT);
        gl.enable(glow::DEBUG_OUTPUT_SYNCHRONOUS);
        gl.debug_message_callback(move |_source, kind, _id, severity, text| {
            let quiet = [glow::DEBUG_SEVERITY_NOTIFICATION, glow::DEBUG_SEVERITY_LOW].contains(&severity);
            if kind == glow::DEBUG_TYPE_ERROR || !(quiet || kind == glow::DEBUG_TYPE_PERFORMANCE) {
                report(text);
            }
        });
    }
    true
}
