//! Code blocks in the Markdown documents.

use std::fs;
use std::path::{Path, PathBuf};

pub struct Block {
    pub document: PathBuf,
    pub language: String,
    pub code: String,
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["target", "node_modules", ".git"].contains(&name) {
                collect(&path, found);
            }
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Returns the paths of all documents.
pub fn documents() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), &mut paths);
    paths
}

/// Returns all code blocks of all documents.
pub fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                let code = lines.by_ref();
                let code = code.take_while(|line| !line.trim_start().starts_with("```"));
                blocks.push(Block {
                    document: document.clone(),
                    language: language.to_owned(),
                    code: code.fold(String::new(), |code, line| code + line + "\n"),
                });
            }
        }
    }
    blocks
}
