//! The functions of `libgssapi_krb5.so.2` that an acceptor and an initiator need, with the types of RFC 2744 and `gssapi_ext.h` of MIT Kerberos.
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
/// `GSS_C_NT_HOSTBASED_SERVICE`, 1.2.840.113554.1.2.1.4: `HTTP@host`.
const SERVICE_NAME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x01, 0x04];
/// SPNEGO, 1.3.6.1.5.5.2.
const SPNEGO: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x02];
/// `GSS_C_INITIATE`
const INITIATE: i32 = 1;
/// `GSS_C_ACCEPT`
const ACCEPT: i32 = 2;
/// `GSS_C_MUTUAL_FLAG`
const MUTUAL: Word = 2;
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
type InitSecContext = unsafe extern "C" fn(
    *mut Word,
    Opaque,
    *mut Opaque,
    Opaque,
    *mut Oid,
    Word,
    Word,
    *mut c_void,
    *mut Buffer,
    *mut *mut Oid,
    *mut Buffer,
    *mut Word,
    *mut Word,
) -> Word;
type InquireCred = unsafe extern "C" fn(
    *mut Word,
    Opaque,
    *mut Opaque,
    *mut Word,
    *mut i32,
    *mut *mut c_void,
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
    init_sec_context: InitSecContext,
    inquire_cred: InquireCred,
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

fn oid(elements: &'static [u8]) -> Oid {
    Oid {
        length: Word::try_from(elements.len()).unwrap_or_default(),
        elements: elements.as_ptr().cast(),
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
            init_sec_context: function(&loaded, name, "gss_init_sec_context")?,
            inquire_cred: function(&loaded, name, "gss_inquire_cred")?,
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
        let mut context = self.no_context();
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
        Ok(Accepted {
            client: self.shown(&client)?,
            answer: answer.get().to_vec(),
        })
    }

    /// Begins to prove to a service, such as `HTTP@host`, who the owner of the process's ticket is.
    ///
    /// # Errors
    ///
    /// What the library says: there is no ticket, it has expired, no KDC answers, or there is no such service.
    pub(crate) fn initiate(&self, service: &str) -> Result<Initiation<'_>, String> {
        let credential = self.acquire(&self.no_name(), INITIATE, ptr::null())?;
        let mut initiation = Initiation {
            principal: self.shown(&self.owner(&credential)?)?,
            token: Vec::new(),
            context: self.no_context(),
            target: self.import(service.as_bytes(), SERVICE_NAME)?,
            credential,
        };
        initiation.token = initiation.go_on(&[])?;
        Ok(initiation)
    }

    /// The principal of the process's ticket.
    ///
    /// # Errors
    ///
    /// What the library says: there is none, or it has expired.
    pub(crate) fn principal(&self) -> Result<String, String> {
        let credential = self.acquire(&self.no_name(), INITIATE, ptr::null())?;
        self.shown(&self.owner(&credential)?)
    }

    /// The name of a credential's owner.
    fn owner(&self, credential: &Held<'_>) -> Result<Held<'_>, String> {
        let mut name = self.no_name();
        let mut minor = 0;
        // SAFETY: the credential lives; the result goes to a guard that holds nothing; all else may be null by RFC 2744, 5.21.
        let major = unsafe {
            (self.inquire_cred)(
                &mut minor,
                credential.object,
                &mut name.object,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        self.expect(major, minor)?;
        Ok(name)
    }

    /// A name as text.
    fn shown(&self, name: &Held<'_>) -> Result<String, String> {
        let mut text = Bytes::nothing(self);
        let mut minor = 0;
        // SAFETY: the name was handed out by the library, and lives; the result goes to a guard that holds nothing.
        let major = unsafe {
            (self.display_name)(&mut minor, name.object, &mut text.buffer, ptr::null_mut())
        };
        self.expect(major, minor)?;
        Ok(text.text())
    }

    fn no_context(&self) -> Held<'_> {
        Held::nothing(self, |library, object| {
            let mut minor = 0;
            // SAFETY: the object is a context that the library has handed out, and is not used any more.
            unsafe { (library.delete_sec_context)(&mut minor, object, ptr::null_mut()) };
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
        let name = self.import(principal.to_bytes(), PRINCIPAL_NAME)?;
        let element = KeyValue {
            key: c"keytab".as_ptr(),
            value: keytab.as_ptr(),
        };
        let store = KeyValues {
            count: 1,
            elements: &element,
        };
        self.acquire(&name, ACCEPT, &store)
    }

    /// A name of a kind, which an object identifier says.
    fn import(&self, name: &[u8], kind: &'static [u8]) -> Result<Held<'_>, String> {
        let mut imported = self.no_name();
        let mut given = borrowed(name);
        let mut kind = oid(kind);
        let mut minor = 0;
        // SAFETY: `given` and `kind` are read alone and outlive the call; the result goes to a guard that holds nothing.
        let major =
            unsafe { (self.import_name)(&mut minor, &mut given, &mut kind, &mut imported.object) };
        self.expect(major, minor)?;
        Ok(imported)
    }

    /// A credential of a name, or of the default one if it is none; from a store, or where the library looks for one if that is null.
    fn acquire(
        &self,
        name: &Held<'_>,
        usage: i32,
        store: *const KeyValues,
    ) -> Result<Held<'_>, String> {
        let mut credential = Held::nothing(self, |library, object| {
            let mut minor = 0;
            // SAFETY: the object is a credential that the library has handed out, and is not used any more.
            unsafe { (library.release_cred)(&mut minor, object) };
        });
        let mut minor = 0;
        // SAFETY: the name lives or is null; `store` is null, or it, its element and the texts of that outlive the call, and end with NUL;
        // without a set of mechanisms the library takes all; the result goes to a guard that holds nothing; the last two may be null.
        let major = unsafe {
            (self.acquire_cred_from)(
                &mut minor,
                name.object,
                INDEFINITE,
                ptr::null_mut(),
                usage,
                store,
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

/// A proof to a service that has begun.
pub(crate) struct Initiation<'l> {
    pub(crate) principal: String,
    /// What the service is sent.
    pub(crate) token: Vec<u8>,
    context: Held<'l>,
    target: Held<'l>,
    credential: Held<'l>,
}

impl Initiation<'_> {
    /// Takes what the service has answered, nothing at first; returns what it is to be sent.
    ///
    /// # Errors
    ///
    /// What the library says; after an answer, that this is not the service that was asked for.
    pub(crate) fn go_on(&mut self, answer: &[u8]) -> Result<Vec<u8>, String> {
        let library = self.context.library;
        let mut mechanism = oid(SPNEGO);
        let mut given = borrowed(answer);
        let mut token = Bytes::nothing(library);
        let mut minor = 0;
        // SAFETY: the context is none yet or that of the first call; credential and name live; `mechanism` and `given` are read alone and
        // outlive the call; an empty `given` is none; the token goes to a guard that holds nothing; all else may be null by RFC 2744, 5.19.
        let major = unsafe {
            (library.init_sec_context)(
                &mut minor,
                self.credential.object,
                &mut self.context.object,
                self.target.object,
                &mut mechanism,
                MUTUAL,
                0,
                ptr::null_mut(),
                &mut given,
                ptr::null_mut(),
                &mut token.buffer,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        library.expect(major, minor)?;
        if !answer.is_empty() && major & CONTINUE_NEEDED != 0 {
            return Err("the mechanism of the service needs further rounds".to_owned());
        }
        Ok(token.get().to_vec())
    }
}
