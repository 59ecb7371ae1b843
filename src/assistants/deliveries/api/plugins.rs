//! Downloads of the plug-ins.

use std::sync::OnceLock;

use bytes::Bytes;
use poem_openapi::param::Path;
use poem_openapi::payload::{Attachment, AttachmentType};
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::{ParseFromParameter, ParseResult};
use poem_openapi::{ApiResponse, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use crate::assistants::plugins::STACKS;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::problem::{NOT_FOUND, PUBLIC, Refusal, Refused};
use crate::kernel::http::wire::documented;

#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct StackName(String);

documented!(
    StackName,
    "StackName",
    MetaSchema {
        enum_items: STACKS.iter().map(|stack| stack.name.into()).collect(),
        ..MetaSchema::new("string")
    }
);

impl ParseFromParameter for StackName {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        Ok(Self(value.to_owned()))
    }
}

#[derive(ApiResponse)]
enum Plugin {
    /// The plug-in, to be saved under the name in `Content-Disposition`.
    #[oai(status = 200)]
    File(Attachment<Bytes>),
}

pub struct PluginsCalls {
    public_url: PublicUrl,
    /// Built on the first request for each stack and then shared: downloads need no authentication and aren't limited.
    downloads: [OnceLock<(String, Bytes)>; STACKS.len()],
}

impl PluginsCalls {
    pub fn new(public_url: PublicUrl) -> Self {
        Self {
            public_url,
            downloads: [const { OnceLock::new() }; STACKS.len()],
        }
    }
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl PluginsCalls {
    /// Download the plug-in for a voice stack
    ///
    /// One Python file, or a `.zip` if the stack requires a folder. It contains this server's URL and no secret, so no credential
    /// is needed.
    #[oai(
        path = "/plugins/:stack",
        method = "get",
        operation_id = "downloadPlugin"
    )]
    async fn download(
        &self,
        /// The voice stack.
        stack: Path<StackName>,
    ) -> Result<Plugin, Refused<{ PUBLIC | NOT_FOUND }>> {
        let stacks = STACKS.iter().zip(&self.downloads);
        let mut found = stacks.filter(|(known, _)| known.name == stack.0.0);
        let (stack, download) = found.next().ok_or_else(Refusal::not_there)?;
        let (name, content) = download.get_or_init(|| {
            let (name, content) = stack.download(&self.public_url);
            (name, content.into())
        });
        let file = Attachment::new(content.clone()).attachment_type(AttachmentType::Attachment);
        Ok(Plugin::File(file.filename(name)))
    }
}
