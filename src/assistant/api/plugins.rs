//! What a plug-in's user downloads.

use poem_openapi::param::Path;
use poem_openapi::payload::{Attachment, AttachmentType};
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::{ParseFromParameter, ParseResult};
use poem_openapi::{ApiResponse, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use crate::assistant::plugins::{STACKS, find_stack};
use crate::kernel::problem::{NOT_FOUND, PUBLIC, Refusal, Refused};
use crate::kernel::public_url::PublicUrl;
use crate::kernel::wire::documented;

/// A stack's name.
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
    File(Attachment<Vec<u8>>),
}

/// The calls about plug-ins.
pub struct PluginsCalls {
    /// The server's own address, which stands in what is handed out.
    pub public_url: PublicUrl,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl PluginsCalls {
    /// Download the plug-in for a voice stack
    ///
    /// One Python file, or a `.tar.gz` where the stack wants a folder. It holds this server's address and no secret: anybody may have it.
    #[oai(
        path = "/plugins/:stack",
        method = "get",
        operation_id = "downloadPlugin"
    )]
    async fn download(
        &self,
        /// Which stack.
        stack: Path<StackName>,
    ) -> Result<Plugin, Refused<{ PUBLIC | NOT_FOUND }>> {
        let stack = find_stack(&stack.0.0).ok_or_else(Refusal::not_there)?;
        let (name, content) = stack.download(&self.public_url);
        let file = Attachment::new(content).attachment_type(AttachmentType::Attachment);
        Ok(Plugin::File(file.filename(name)))
    }
}
