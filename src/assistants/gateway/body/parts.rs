//! A message's `content`, and its parts.

use super::BodyError;
use super::content::{PICTURE, Text, data_of, file_text, is_base64, text_or};
use super::fields::ObjectType;
use super::json::{self, text_of as string};
use super::reader::{FieldAction, Reader, shown};

impl Text {
    /// A message's `content`: a text, or a list of parts.
    pub fn read<'t>(&mut self, reader: &mut Reader<'t>, content: &'t str) -> Result<(), BodyError> {
        if json::is_null(content) {
            return Ok(());
        }
        if !json::is_list(content) {
            self.add(&string("content", content)?);
            return Ok(());
        }
        json::elements(content, |part| {
            if json::is_object(part) {
                self.read_part(reader, part)
            } else {
                self.add(&string("content", part)?);
                Ok(())
            }
        })
    }

    fn read_part<'t>(&mut self, reader: &mut Reader<'t>, part: &'t str) -> Result<(), BodyError> {
        let mut kind = None;
        json::fields(part, |name, value| {
            if name == "type" {
                kind = json::string(value);
            }
            Ok(())
        })?;
        let kind = kind.ok_or(BodyError::Value("type"))?;
        let level = match kind.as_str() {
            "text" | "input_text" | "output_text" => ObjectType::TextPart,
            "refusal" => ObjectType::RefusalPart,
            "image_url" | "input_image" | "image" => ObjectType::PicturePart,
            "input_audio" => ObjectType::SoundPart,
            "file" | "input_file" => ObjectType::FilePart,
            other => return Err(BodyError::Part(shown(other))),
        };
        let mut shown = Text::default();
        let mut file = (None, None);
        reader.object(&[level], part, |reader, name, value| {
            match name {
                "text" | "refusal" => shown.add(&string(name, value)?),
                "image_url" | "image" => shown.add(&read_picture(reader, name, value)?),
                "input_audio" => {
                    read_sound(reader, value)?;
                    shown.add("[sound]");
                }
                "file" => read_file(reader, value, &mut file)?,
                _ => note_file(name, value, &mut file)?,
            }
            Ok(FieldAction::Passes)
        })?;
        if level == ObjectType::FilePart {
            let data = file.0.ok_or(BodyError::Value("file_data"))?;
            shown.add(&file_text(&data).ok_or(BodyError::Value("file_data"))?);
            shown.add(&file.1.unwrap_or_default());
        } else if shown.is_missing() {
            return Err(BodyError::Part(kind));
        }
        self.add(shown.as_str());
        Ok(())
    }
}

/// A file's data and name.
type FileFields = (Option<String>, Option<String>);

fn read_file<'t>(
    reader: &mut Reader<'t>,
    value: &'t str,
    file: &mut FileFields,
) -> Result<(), BodyError> {
    if !json::is_object(value) {
        return Err(BodyError::Value("file"));
    }
    reader.object(&[ObjectType::File], value, |_, name, value| {
        note_file(name, value, file)?;
        Ok(FieldAction::Passes)
    })
}

fn note_file(name: &'static str, value: &str, file: &mut FileFields) -> Result<(), BodyError> {
    if json::is_null(value) {
        return Ok(());
    }
    let text = string(name, value)?;
    let field = if name == "filename" {
        &mut file.1
    } else {
        &mut file.0
    };
    if field.replace(text).is_some() {
        return Err(BodyError::Value(name));
    }
    Ok(())
}

/// A model's server would fetch an address, inside the home. So a picture is sent as data. Returns its text, if it is one.
fn read_picture<'t>(
    reader: &mut Reader<'t>,
    name: &'static str,
    value: &'t str,
) -> Result<String, BodyError> {
    let read = |value: &str| {
        let url = json::string(value).ok_or(BodyError::Address(name))?;
        let data =
            data_of(&url).filter(|(kind, data)| kind.starts_with("image/") && is_base64(data));
        let (_, data) = data.ok_or(BodyError::Address(name))?;
        Ok(text_or(data, PICTURE))
    };
    if !json::is_object(value) {
        return read(value);
    }
    let mut picture = None;
    reader.object(&[ObjectType::PictureAddress], value, |_, _, value| {
        picture = Some(read(value)?);
        Ok(FieldAction::Passes)
    })?;
    picture.ok_or(BodyError::Value(name))
}

fn read_sound<'t>(reader: &mut Reader<'t>, value: &'t str) -> Result<(), BodyError> {
    if !json::is_object(value) {
        return Err(BodyError::Value("input_audio"));
    }
    let mut has_data = false;
    reader.object(&[ObjectType::Sound], value, |_, name, value| {
        if !is_base64(&string(name, value)?) {
            return Err(BodyError::Address("input_audio"));
        }
        has_data = true;
        Ok(FieldAction::Passes)
    })?;
    has_data
        .then_some(())
        .ok_or(BodyError::Value("input_audio"))
}
