//! The functions of `libgssapi_krb5.so.2` that an acceptor needs, with the types of RFC 2744 and `gssapi_ext.h` of MIT Kerberos.
//!
//! What the library hands out is in a guard at once, which gives it back. A guard borrows the library, so that it cannot outlive it.

use std::{
    ffi::{CStr, c_char, c_void},
    fmt, ptr, slice,
};

/// `OM_uint32`
type Word = u32;
/// `gss_name_t`, `gss_cred_id_t`, `gss_ctx_id_t`: pointers to what only the library knows.
type Opaque = *mut c_void;

/// `gss_buffer_desc`
#[repr(C)]
struct Buffer {
    length: usize,
    value: *mut c_void,
}

/// `gss_OID_desc`
#[repr(C)]
struct Oid {
    length: Word,
    elements: *const c_void,
}

/// `gss_key_value_element_desc`
#[repr(C)]
struct KeyValue {
    key: *const c_char,
    value: *const c_char,
}

/// `gss_key_value_set_desc`
#[repr(C)]
struct KeyValues {
    count: Word,
    elements: *const KeyValue,
}

/// `GSS_KRB5_NT_PRINCIPAL_NAME`, 1.2.840.113554.1.2.2.1: a name as Kerberos writes it.
const PRINCIPAL_NAME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02, 0x01];
/// `GSS_C_ACCEPT`
const ACCEPT: i32 = 2;
/// `GSS_C_INDEFINITE`
const INDEFINITE: Word = Word::MAX;
/// `GSS_S_CONTINUE_NEEDED`
const CONTINUE_NEEDED: Word = 1;
/// The parts of a status that are errors (`GSS_ERROR`).
const ERRORS: Word = 0xffff_0000;
/// `GSS_C_GSS_CODE`, `GSS_C_MECH_CODE`
const KINDS_OF_STATUS: [i32; 2] = [1, 2];
/// More lines of a status are not read.
const MOST_LINES: usize = 8;

type ImportName = unsafe extern "C" fn(*mut Word, *mut Buffer, *mut Oid, *mut Opaque) -> Word;
type AcquireCredFrom = unsafe extern "C" fn(
    *mut Word,
    Opaque,
    Word,
    *mut c_void,
    i32,
    *const KeyValues,
    *mut Opaque,
    *mut *mut c_void,
    *mut Word,
) -> Word;
type AcceptSecContext = unsafe extern "C" fn(
    *mut Word,
    *mut Opaque,
    Opaque,
    *mut Buffer,
    *mut c_void,
    *mut Opaque,
    *mut *mut Oid,
    *mut Buffer,
    *mut Word,
    *mut Word,
    *mut Opaque,
) -> Word;
type DisplayName = unsafe extern "C" fn(*mut Word, Opaque, *mut Buffer, *mut *mut Oid) -> Word;
type DisplayStatus =
    unsafe extern "C" fn(*mut Word, Word, i32, *mut Oid, *mut Word, *mut Buffer) -> Word;
type Release = unsafe extern "C" fn(*mut Word, *mut Opaque) -> Word;
type ReleaseBuffer = unsafe extern "C" fn(*mut Word, *mut Buffer) -> Word;
type DeleteSecContext = unsafe extern "C" fn(*mut Word, *mut Opaque, *mut Buffer) -> Word;

/// The loaded library.
pub(crate) struct Library {
    import_name: ImportName,
    acquire_cred_from: AcquireCredFrom,
    accept_sec_context: AcceptSecContext,
    display_name: DisplayName,
    display_status: DisplayStatus,
    release_name: Release,
    release_cred: Release,
    release_buffer: ReleaseBuffer,
    delete_sec_context: DeleteSecContext,
    /// The functions are code of it.
    _loaded: libloading::Library,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").finish_non_exhaustive()
    }
}

/// As [`crate::Accepted`].
pub(crate) struct Accepted {
    pub(crate) client: String,
    pub(crate) answer: Vec<u8>,
}

/// How an object is given back.
type GiveBack = fn(&Library, &mut Opaque);

/// A name, a credential or a context, which is given back when this is dropped.
struct Held<'l> {
    library: &'l Library,
    object: Opaque,
    give_back: GiveBack,
}

impl<'l> Held<'l> {
    fn nothing(library: &'l Library, give_back: GiveBack) -> Held<'l> {
        Held {
            library,
            object: ptr::null_mut(),
            give_back,
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if !self.object.is_null() {
            (self.give_back)(self.library, &mut self.object);
        }
    }
}

/// Bytes of the library.
struct Bytes<'l> {
    library: &'l Library,
    buffer: Buffer,
}

impl<'l> Bytes<'l> {
    fn nothing(library: &'l Library) -> Bytes<'l> {
        Bytes {
            library,
            buffer: Buffer {
                length: 0,
                value: ptr::null_mut(),
            },
        }
    }

    fn get(&self) -> &[u8] {
        if self.buffer.value.is_null() || self.buffer.length == 0 {
            return &[];
        }
        // SAFETY: the library has set both: `value` points to `length` bytes that stay until the buffer is released, which only `drop` does.
        unsafe { slice::from_raw_parts(self.buffer.value.cast(), self.buffer.length) }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.get()).into_owned()
    }
}

impl Drop for Bytes<'_> {
    fn drop(&mut self) {
        let mut minor = 0;
        // SAFETY: the buffer is empty, or was filled by the library; releasing an empty one does nothing.
        unsafe { (self.library.release_buffer)(&mut minor, &mut self.buffer) };
    }
}

/// Bytes that the library only reads: it takes them by a pointer that it could write to.
fn borrowed(bytes: &[u8]) -> Buffer {
    Buffer {
        length: bytes.len(),
        value: bytes.as_ptr().cast_mut().cast(),
    }
}

impl Library {
    /// # Errors
    ///
    /// What the dynamic linker says.
    pub(crate) fn load(name: &str) -> Result<Library, String> {
        let said = |error: libloading::Error| format!("{name}: {error}");
        // SAFETY: loading MIT Kerberos runs its initializers, which only prepare its own data.
        let loaded = unsafe { libloading::Library::new(name) }.map_err(said)?;
        /// A function by its name.
        fn function<T: Copy>(
            loaded: &libloading::Library,
            library: &str,
            name: &'static str,
        ) -> Result<T, String> {
            // SAFETY: the types above are those of the declarations of these names in `gssapi.h` and `gssapi_ext.h`.
            let found = unsafe { loaded.get::<T>(name.as_bytes()) };
            let found = found.map_err(|error| format!("{library}: {name}: {error}"))?;
            Ok(*found)
        }
        Ok(Library {
            import_name: function(&loaded, name, "gss_import_name")?,
            acquire_cred_from: function(&loaded, name, "gss_acquire_cred_from")?,
            accept_sec_context: function(&loaded, name, "gss_accept_sec_context")?,
            display_name: function(&loaded, name, "gss_display_name")?,
            display_status: function(&loaded, name, "gss_display_status")?,
            release_name: function(&loaded, name, "gss_release_name")?,
            release_cred: function(&loaded, name, "gss_release_cred")?,
            release_buffer: function(&loaded, name, "gss_release_buffer")?,
            delete_sec_context: function(&loaded, name, "gss_delete_sec_context")?,
            _loaded: loaded,
        })
    }

    /// Whether the keytab has a key of the principal.
    ///
    /// # Errors
    ///
    /// What the library says.
    pub(crate) fn check(&self, keytab: &CStr, principal: &CStr) -> Result<(), String> {
        self.credential(keytab, principal).map(drop)
    }

    /// Accepts the first token of a client.
    ///
    /// # Errors
    ///
    /// What the library says; or that the mechanism has further rounds.
    pub(crate) fn accept(
        &self,
        keytab: &CStr,
        principal: &CStr,
        token: &[u8],
    ) -> Result<Accepted, String> {
        let credential = self.credential(keytab, principal)?;
        let mut context = Held::nothing(self, |library, object| {
            let mut minor = 0;
            // SAFETY: the object is a context that the library has handed out, and is not used any more.
            unsafe { (library.delete_sec_context)(&mut minor, object, ptr::null_mut()) };
        });
        let mut client = self.no_name();
        let mut answer = Bytes::nothing(self);
        let mut given = borrowed(token);
        let mut minor = 0;
        // SAFETY: the context is none yet; the credential lives; `given` is read alone, and `token` outlives the call; the results go to
        // guards that hold nothing; all else may be null by RFC 2744, 5.1.
        let major = unsafe {
            (self.accept_sec_context)(
                &mut minor,
                &mut context.object,
                credential.object,
                &mut given,
                ptr::null_mut(),
                &mut client.object,
                ptr::null_mut(),
                &mut answer.buffer,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        self.expect(major, minor)?;
        if major & CONTINUE_NEEDED != 0 {
            return Err("the mechanism of the token needs further rounds".to_owned());
        }
        let mut name = Bytes::nothing(self);
        // SAFETY: the client's name was handed out by the call above, and lives; the result goes to a guard that holds nothing.
        let major = unsafe {
            (self.display_name)(&mut minor, client.object, &mut name.buffer, ptr::null_mut())
        };
        self.expect(major, minor)?;
        Ok(Accepted {
            client: name.text(),
            answer: answer.get().to_vec(),
        })
    }

    fn no_name(&self) -> Held<'_> {
        Held::nothing(self, |library, object| {
            let mut minor = 0;
            // SAFETY: the object is a name that the library has handed out, and is not used any more.
            unsafe { (library.release_name)(&mut minor, object) };
        })
    }

    /// The credential of a service.
    fn credential(&self, keytab: &CStr, principal: &CStr) -> Result<Held<'_>, String> {
        let mut name = self.no_name();
        let mut given = borrowed(principal.to_bytes());
        let mut kind = Oid {
            length: 10,
            elements: PRINCIPAL_NAME.as_ptr().cast(),
        };
        let mut minor = 0;
        // SAFETY: `given` and `kind` are read alone and outlive the call; the result goes to a guard that holds nothing.
        let major =
            unsafe { (self.import_name)(&mut minor, &mut given, &mut kind, &mut name.object) };
        self.expect(major, minor)?;
        let mut credential = Held::nothing(self, |library, object| {
            let mut minor = 0;
            // SAFETY: the object is a credential that the library has handed out, and is not used any more.
            unsafe { (library.release_cred)(&mut minor, object) };
        });
        let element = KeyValue {
            key: c"keytab".as_ptr(),
            value: keytab.as_ptr(),
        };
        let store = KeyValues {
            count: 1,
            elements: &element,
        };
        // SAFETY: the name lives; `store`, its element and the texts of that outlive the call, and end with NUL; without a set of mechanisms
        // the library takes all; the result goes to a guard that holds nothing; the last two may be null.
        let major = unsafe {
            (self.acquire_cred_from)(
                &mut minor,
                name.object,
                INDEFINITE,
                ptr::null_mut(),
                ACCEPT,
                &store,
                &mut credential.object,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        self.expect(major, minor)?;
        Ok(credential)
    }

    /// # Errors
    ///
    /// The words of the library, if the status is an error.
    fn expect(&self, major: Word, minor: Word) -> Result<(), String> {
        if major & ERRORS == 0 {
            return Ok(());
        }
        let mut all: Vec<String> = Vec::new();
        let statuses = KINDS_OF_STATUS.into_iter().zip([major, minor]);
        for (kind, status) in statuses.filter(|(_, status)| *status != 0) {
            let mut more = 0;
            for _ in 0..MOST_LINES {
                let mut line = Bytes::nothing(self);
                let mut ignored = 0;
                // SAFETY: the result goes to a guard that holds nothing; the mechanism may be null.
                let done = unsafe {
                    (self.display_status)(
                        &mut ignored,
                        status,
                        kind,
                        ptr::null_mut(),
                        &mut more,
                        &mut line.buffer,
                    )
                };
                let text = line.text();
                if !text.is_empty() && !all.contains(&text) {
                    all.push(text);
                }
                if done & ERRORS != 0 || more == 0 {
                    break;
                }
            }
        }
        Err(all.join(": "))
    }
}
