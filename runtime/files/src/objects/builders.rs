//! Builds object store clients from Hadoop's properties, with the names of its connectors.

use std::{collections::BTreeMap, io, sync::Arc};

use object_store::{
    ClientOptions, ObjectStore, aws::AmazonS3Builder, azure::MicrosoftAzureBuilder,
    gcp::GoogleCloudStorageBuilder,
};

type ObjectProperties = BTreeMap<String, String>;

/// The client for a bucket or container.
///
/// # Errors
///
/// If the properties are inconsistent.
pub(super) fn store(
    scheme: &str,
    authority: &str,
    properties: &ObjectProperties,
) -> io::Result<Arc<dyn ObjectStore>> {
    let failure = |error: object_store::Error| io::Error::other(error.to_string());
    if authority.is_empty() {
        let message = "the URI names no bucket";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(match scheme {
        "gs" => Arc::new(google(authority, properties).build().map_err(failure)?),
        "abfs" | "abfss" | "wasb" | "wasbs" => {
            Arc::new(azure(authority, properties)?.build().map_err(failure)?)
        }
        _ => Arc::new(amazon(authority, properties).build().map_err(failure)?),
    })
}

fn get<'p>(properties: &'p ObjectProperties, name: &str) -> Option<&'p str> {
    let value = properties.get(name)?.trim();
    (!value.is_empty()).then_some(value)
}

/// `fs.s3a.*`; those of the bucket override the general ones (`S3AUtils.propagateBucketOptions`).
fn amazon(bucket: &str, properties: &ObjectProperties) -> AmazonS3Builder {
    let of = |name: &str| {
        get(properties, &format!("fs.s3a.bucket.{bucket}.{name}"))
            .or_else(|| get(properties, &format!("fs.s3a.{name}")))
    };
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    if let (Some(key), Some(secret)) = (of("access.key"), of("secret.key")) {
        builder = builder
            .with_access_key_id(key)
            .with_secret_access_key(secret);
        if let Some(token) = of("session.token") {
            builder = builder.with_token(token);
        }
    }
    if let Some(region) = of("endpoint.region") {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = of("endpoint") {
        let is_plain = of("connection.ssl.enabled") == Some("false");
        let url = if endpoint.contains("://") {
            endpoint.to_owned()
        } else if is_plain {
            format!("http://{endpoint}")
        } else {
            format!("https://{endpoint}")
        };
        let is_plain = url.starts_with("http://");
        builder = builder
            .with_endpoint(url)
            .with_client_options(ClientOptions::new().with_allow_http(is_plain));
    }
    // As in S3A, except for custom endpoints, which may not support it.
    let has_path_style = of("path.style.access") == Some("true");
    let is_amazon = of("endpoint").is_none_or(|endpoint| endpoint.contains("amazonaws.com"));
    builder.with_virtual_hosted_style_request(is_amazon && !has_path_style)
}

/// `google.cloud.auth.*` and the older `fs.gs.auth.*`.
fn google(bucket: &str, properties: &ObjectProperties) -> GoogleCloudStorageBuilder {
    let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
    let file = [
        "fs.gs.auth.service.account.json.keyfile",
        "google.cloud.auth.service.account.json.keyfile",
    ]
    .iter()
    .find_map(|name| get(properties, name));
    match file {
        Some(path) => builder.with_service_account_path(path),
        None => builder,
    }
}

/// `container@account.dfs.core.windows.net`, with `fs.azure.account.key.*` or an OAuth client.
fn azure(authority: &str, properties: &ObjectProperties) -> io::Result<MicrosoftAzureBuilder> {
    let Some((container, host)) = authority.split_once('@') else {
        let message = "the URI has the form abfs://container@account.dfs.core.windows.net";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let account = host.split('.').next().unwrap_or(host);
    let of =
        |name: &str| get(properties, &format!("{name}.{host}")).or_else(|| get(properties, name));
    let mut builder = MicrosoftAzureBuilder::from_env()
        .with_account(account)
        .with_container_name(container);
    if let Some(key) = of("fs.azure.account.key") {
        builder = builder.with_access_key(key);
    } else if let (Some(id), Some(secret), Some(endpoint)) = (
        of("fs.azure.account.oauth2.client.id"),
        of("fs.azure.account.oauth2.client.secret"),
        of("fs.azure.account.oauth2.client.endpoint"),
    ) {
        // https://login.microsoftonline.com/TENANT/oauth2/token
        let tenant = endpoint
            .split("://")
            .nth(1)
            .and_then(|rest| rest.split('/').nth(1))
            .unwrap_or_default();
        builder = builder.with_client_secret_authorization(id, secret, tenant);
    }
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(list: &[(&str, &str)]) -> ObjectProperties {
        list.iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn properties_make_clients() {
        crate::hosts::install_tls();
        let keys = properties(&[
            ("fs.s3a.access.key", "id"),
            ("fs.s3a.secret.key", "secret"),
            ("fs.s3a.endpoint.region", "eu-central-1"),
            ("fs.azure.account.key.logs.dfs.core.windows.net", "c2VjcmV0"),
        ]);
        for (scheme, authority) in [
            ("s3a", "bucket"),
            ("abfss", "data@logs.dfs.core.windows.net"),
        ] {
            let made = store(scheme, authority, &keys);
            assert!(made.is_ok(), "{scheme}: {made:?}");
        }
        for (scheme, authority, part) in [
            ("s3a", "", "names no bucket"),
            ("abfs", "container", "container@account"),
        ] {
            let error = store(scheme, authority, &keys).expect_err("no client");
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
