//! Calls of Windows that the standard library lacks: numbers of files, the console, a message in a window, job objects, and a hidden
//! window for OpenGL. Compiled for Windows alone. One of the few files with `unsafe`.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::num::NonZeroIsize;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use raw_window_handle::{RawWindowHandle, Win32WindowHandle};
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_TYPE_DISK, FILE_TYPE_PIPE, GetFileInformationByHandle, GetFileType,
};
use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList, GetStdHandle, STD_ERROR_HANDLE};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DestroyWindow, MB_ICONERROR, MB_OK, MessageBoxW, WS_POPUP,
};

/// The number of an open file, which it keeps when it is renamed: that of the volume, then its own.
pub fn file_number(file: &File) -> io::Result<(u64, u64)> {
    let mut about = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the system fills the value.
    let is_known = unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut about) } != 0;
    if !is_known {
        return Err(io::Error::last_os_error());
    }
    let number = u64::from(about.nFileIndexHigh) << 32 | u64::from(about.nFileIndexLow);
    Ok((about.dwVolumeSerialNumber.into(), number))
}

/// Whether the program was started from the desktop: no other process has its console, and nothing reads its errors.
pub fn is_from_desktop() -> bool {
    static IS_FROM_DESKTOP: OnceLock<bool> = OnceLock::new();
    *IS_FROM_DESKTOP.get_or_init(|| {
        let mut processes = [0; 2];
        // SAFETY: the system writes at most the two numbers, and takes any handle, also none.
        let (count, kind) =
            unsafe { (GetConsoleProcessList(processes.as_mut_ptr(), 2), GetFileType(GetStdHandle(STD_ERROR_HANDLE))) };
        count <= 1 && kind != FILE_TYPE_PIPE && kind != FILE_TYPE_DISK
    })
}

/// Closes the console that the system opened for this program alone.
pub fn leave_own_console() {
    if is_from_desktop() {
        // SAFETY: the call has no arguments; output goes nowhere afterwards.
        unsafe { FreeConsole() };
    }
}

/// Shows an error in a window if the program was started from the desktop, where no line of text is seen.
pub fn show_error(text: &str) {
    if is_from_desktop() {
        let (text, title) = (wide(text), wide("Keypose"));
        // SAFETY: both texts end with zero.
        unsafe { MessageBoxW(null_mut(), text.as_ptr(), title.as_ptr(), MB_OK | MB_ICONERROR) };
    }
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().filter(|unit| *unit != 0).chain([0]).collect()
}

/// Limits of a child process, which ends when this is dropped or this process ends.
#[derive(Debug)]
pub struct Job {
    _handle: OwnedHandle,
}

impl Job {
    /// Limits the memory of a process to a number of bytes.
    pub fn limit(child: &Child, max_bytes: usize) -> io::Result<Job> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION { ProcessMemoryLimit: max_bytes, ..Default::default() };
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | JOB_OBJECT_LIMIT_PROCESS_MEMORY
            // A crash shows no window.
            | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        let size = u32::try_from(size_of_val(&limits)).map_err(io::Error::other)?;
        // SAFETY: the new handle has no other owner, the limits have their size, and both handles are open.
        unsafe {
            let job = CreateJobObjectW(null(), null());
            if job.is_null() {
                return Err(io::Error::last_os_error());
            }
            let handle = OwnedHandle::from_raw_handle(job);
            let limits: *const c_void = (&raw const limits).cast();
            let is_limited = SetInformationJobObject(job, JobObjectExtendedLimitInformation, limits, size) != 0
                && AssignProcessToJobObject(job, child.as_raw_handle()) != 0;
            if is_limited { Ok(Job { _handle: handle }) } else { Err(io::Error::last_os_error()) }
        }
    }
}

/// A window that is never shown. OpenGL has no context without one here.
#[derive(Debug)]
pub struct HiddenWindow(HWND);

impl HiddenWindow {
    /// Creates the window, which belongs to this thread.
    pub fn new() -> io::Result<HiddenWindow> {
        let class = wide("STATIC");
        // SAFETY: the class is one of the system's, its name ends with zero, and the other pointers may be null.
        let window = unsafe {
            CreateWindowExW(0, class.as_ptr(), null(), WS_POPUP, 0, 0, 1, 1, null_mut(), null_mut(), null_mut(), null())
        };
        if window.is_null() { Err(io::Error::last_os_error()) } else { Ok(HiddenWindow(window)) }
    }

    /// The handle, valid while the window exists.
    pub fn handle(&self) -> Option<RawWindowHandle> {
        let mut handle = Win32WindowHandle::new(NonZeroIsize::new(self.0 as isize)?);
        // SAFETY: no name means the program, which is loaded as long as it runs.
        handle.hinstance = NonZeroIsize::new(unsafe { GetModuleHandleW(null()) } as isize);
        // glutin expects one.
        handle.hinstance.map(|_| handle.into())
    }
}

impl Drop for HiddenWindow {
    fn drop(&mut self) {
        // SAFETY: the window was created by this thread, which the pointer binds it to.
        unsafe { DestroyWindow(self.0) };
    }
}
