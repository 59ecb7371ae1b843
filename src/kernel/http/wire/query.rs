//! Query parameters.
//!
//! poem-openapi's own `Query` reports a missing parameter like an invalid one, and names
//! Rust types.

use std::borrow::Cow;

use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaParamIn, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use url::form_urlencoded;

use super::Text;
use crate::kernel::http::problem::{Code, Refusal};

/// A query parameter. `Option` makes it optional; if it is repeated, the first value counts.
#[derive(Debug)]
pub struct Query<T>(pub T);

/// The type of a query parameter.
pub trait QueryValue: Type + Sized {
    /// Parses the value.
    ///
    /// # Errors
    ///
    /// A sentence that describes the expected form.
    fn read(text: &str) -> Result<Self, Cow<'static, str>>;

    /// The default if it is left out; `None` if it is required.
    fn left_out() -> Option<Self> {
        None
    }
}

impl<T: QueryValue> QueryValue for Option<T> {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        T::read(text).map(Some)
    }

    fn left_out() -> Option<Self> {
        Some(None)
    }
}

impl QueryValue for bool {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        text.parse()
            .map_err(|_| "Either true or false is expected here.".into())
    }
}

impl<const MAX: usize> QueryValue for Text<MAX> {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        Self::new(text).map_err(|error| error.to_string().into())
    }
}

impl<'a, T: QueryValue> ApiExtractor<'a> for Query<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
    const PARAM_IS_REQUIRED: bool = T::IS_REQUIRED;

    type ParamType = T;
    type ParamRawType = T::RawValueType;

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn param_in() -> Option<MetaParamIn> {
        Some(MetaParamIn::Query)
    }

    fn param_schema_ref() -> Option<MetaSchemaRef> {
        Some(T::schema_ref())
    }

    fn param_raw_type(&self) -> Option<&Self::ParamRawType> {
        self.0.as_raw_value()
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        options: ExtractParamOptions<Self::ParamType>,
    ) -> poem::Result<Self> {
        Ok(Self(read(request.uri().query(), options.name)?))
    }
}

fn read<T: QueryValue>(query: Option<&str>, name: &str) -> Result<T, Refusal> {
    let mut parameters = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let read = match parameters.find(|(found, _)| found == name) {
        Some((_, text)) => {
            T::read(&text).map_err(|sentence| Refusal::malformed(Code::ParameterInvalid, sentence))
        }
        None => T::left_out().ok_or_else(|| {
            Refusal::malformed(
                Code::ParameterMissing,
                "A parameter that is required is missing from the address.",
            )
        }),
    };
    read.map_err(|refusal| refusal.at(format!("?{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(query: &str) -> (String, String) {
        let refusal = read::<bool>(Some(query), "child_id").unwrap_err();
        let place = refusal.place().unwrap_or_default();
        (place.to_owned(), refusal.detail().to_owned())
    }

    #[test]
    fn a_parameter_that_is_missing_is_told_from_one_that_cannot_be_read() {
        let unreadable = "Either true or false is expected here.";
        let missing = "A parameter that is required is missing from the address.";
        let cases = [
            ("", missing),
            ("childId=7", missing),
            ("child_id=mia", unreadable),
            ("child_id=", unreadable),
        ];

        for (query, sentence) in cases {
            assert_eq!(
                refused(query),
                ("?child_id".to_owned(), sentence.to_owned()),
                "{query}"
            );
        }
    }

    #[test]
    fn an_optional_parameter_may_be_left_out_and_is_read_decoded() {
        let read = |query| read::<Option<Text<9>>>(Some(query), "state").unwrap();

        assert_eq!(read("code=x"), None);
        assert_eq!(read("state=a%2Bb+c"), Some(Text::new("a+b c").unwrap()));
    }
}
