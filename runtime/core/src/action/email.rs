//! The `email` action: one message.

body! {
    "email": Email {
        /// Addresses, separated by commas; so are `cc` and `bcc`.
        to: F::Text = text "to",
        cc: Option<F::Text> = optional "cc",
        bcc: Option<F::Text> = optional "bcc",
        subject: F::Text = text "subject",
        /// `body`; in the workflow schema 0.1 `message`, which is optional there.
        body: Option<F::Text> = optional "body",
        /// `text/plain` if absent.
        content_type: Option<F::Text> = optional "content_type",
        /// URIs of files, separated by commas.
        attachment: Option<F::Text> = optional "attachment",
    }
}
