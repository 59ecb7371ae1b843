//! API for guardians: the language that a child speaks with its assistants.

use poem_openapi::param::Path;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Tag;
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::host::language::Language;
use crate::kernel::http::problem::{BODY, CHILD, Refused, WRITE};
use crate::kernel::http::wire::{Body, given};
use crate::rules::Rules;

/// The language that a child speaks with its assistants.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(
    rename = "ChildLanguage",
    deny_unknown_fields,
    skip_serializing_if_is_none,
    example
)]
struct ChildLanguageView {
    /// Omitted if no guardian has said it.
    #[serde(default, deserialize_with = "given")]
    language: Option<Language>,
}

impl Example for ChildLanguageView {
    fn example() -> Self {
        Self {
            language: Some(Language::En),
        }
    }
}

pub(super) struct ChildLanguageApi {
    pub(super) children: Children,
    pub(super) rules: Rules,
}

#[OpenApi(tag = "Tag::Rules")]
impl ChildLanguageApi {
    /// Get the language that a child speaks with its assistants
    #[oai(
        path = "/child/:childId/language",
        method = "get",
        operation_id = "getChildLanguage",
        transform = "no_words"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<ChildLanguageView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let language = self.rules.language(&access)?;
        Ok(Body(ChildLanguageView { language }))
    }

    /// Replace the language that a child speaks with its assistants
    ///
    /// Assistants are told to speak it unless the child speaks another one, and `goodbye` is in it. Without one they speak the
    /// child's own language, and `goodbye` is in English.
    #[oai(
        path = "/child/:childId/language",
        method = "put",
        operation_id = "replaceChildLanguage"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<ChildLanguageView>,
    ) -> Result<Body<ChildLanguageView>, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let (by, language) = (guardian.0.guardian().clone(), body.0.language);
        self.rules.replace_language(access, by, language).await?;
        Ok(Body(ChildLanguageView { language }))
    }
}
