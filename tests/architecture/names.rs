//! Every path in a source file, resolved.
//!
//! A path counts anywhere: in a `use` tree with its groups, renames and globs, in a type, an expression or a pattern, in the
//! tokens of a macro or an attribute, and in an attribute's string (`with = "crate::…"`). `self`, `super` and the file's own
//! renames are resolved, so `use crate as c` followed by `c::identity::Caller` leads to `identity`. Doc comments aren't code,
//! so their links don't count.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, ItemExternCrate, ItemMod, ItemUse, Lit, Macro, Meta, Token, UseTree};

/// A path and its line. The first segment is `crate` for our own code, or a library's name.
#[derive(Debug)]
pub struct Named {
    pub line: usize,
    pub path: Vec<String>,
}

/// Returns a file's module: `src/kernel/store/mod.rs` is `crate::kernel::store`.
pub fn module_of(file: &str) -> Vec<String> {
    let below = file.strip_prefix("src/").unwrap_or(file);
    let below = below.strip_suffix(".rs").unwrap_or(below);
    let mut module = vec!["crate".to_owned()];
    module.extend(below.split('/').map(str::to_owned));
    if module.last().is_some_and(|last| last == "mod") || module[1..] == ["lib"] {
        module.pop();
    }
    module
}

/// Every path in a file.
pub fn named(file: &str, code: &syn::File) -> Vec<Named> {
    let mut reader = Reader::new(file, code);
    reader.visit_file(code);
    reader.found
}

/// The names that a file's `use` items introduce, with their paths.
pub fn exports(file: &str, code: &syn::File) -> HashMap<String, Vec<String>> {
    let reader = Reader::new(file, code);
    let own = |((module, name), path): (&(Vec<String>, String), &Vec<String>)| {
        let target = reader.resolve(module.len(), path.clone(), 0);
        (*module == reader.module).then(|| (name.clone(), target))
    };
    reader.introduced.iter().filter_map(own).collect()
}

/// The leaves of a `use` tree: the path of each, and the name that it introduces (none for a glob).
fn leaves(tree: &UseTree) -> Vec<(Vec<Ident>, bool, Option<String>)> {
    fn walk(tree: &UseTree, prefix: &[Ident], found: &mut Vec<(Vec<Ident>, bool, Option<String>)>) {
        let with = |ident: &Ident| {
            let mut path = prefix.to_vec();
            if ident != "self" || prefix.is_empty() {
                path.push(ident.clone());
            }
            path
        };
        match tree {
            UseTree::Path(path) => walk(&path.tree, &with(&path.ident), found),
            UseTree::Name(name) => {
                let path = with(&name.ident);
                let introduced = path.last().map(Ident::to_string);
                found.push((path, false, introduced));
            }
            UseTree::Rename(rename) => {
                found.push((with(&rename.ident), false, Some(rename.rename.to_string())));
            }
            UseTree::Glob(_) => found.push((prefix.to_vec(), true, None)),
            UseTree::Group(group) => {
                for tree in &group.items {
                    walk(tree, prefix, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    walk(tree, &[], &mut found);
    found
}

fn texts(path: &[Ident]) -> Vec<String> {
    path.iter().map(Ident::to_string).collect()
}

/// The names that each module of a file introduces, with their paths.
struct Introduced {
    module: Vec<String>,
    names: HashMap<(Vec<String>, String), Vec<String>>,
}

impl Introduced {
    fn note(&mut self, name: String, path: Vec<String>) {
        self.names.insert((self.module.clone(), name), path);
    }
}

impl<'ast> Visit<'ast> for Introduced {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for (path, _, name) in leaves(&item.tree) {
            if let Some(name) = name {
                self.note(name, texts(&path));
            }
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast ItemExternCrate) {
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
        self.note(name.to_string(), vec![item.ident.to_string()]);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let name = item.ident.to_string();
        let mut path = self.module.clone();
        path.push(name.clone());
        self.note(name.clone(), path);
        self.module.push(name);
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

struct Reader {
    is_main: bool,
    introduced: HashMap<(Vec<String>, String), Vec<String>>,
    /// How many segments of `module` belong to the file itself.
    root: usize,
    module: Vec<String>,
    found: Vec<Named>,
}

impl Reader {
    fn new(file: &str, code: &syn::File) -> Self {
        let module = module_of(file);
        let mut introduced = Introduced {
            module: module.clone(),
            names: HashMap::new(),
        };
        introduced.visit_file(code);
        Self {
            is_main: file == "src/main.rs",
            introduced: introduced.names,
            root: module.len(),
            module,
            found: Vec::new(),
        }
    }

    fn note(&mut self, path: &[Ident], glob: bool) {
        let Some(first) = path.first() else { return };
        let line = first.span().start().line;
        let mut path = self.resolve(self.module.len(), texts(path), 0);
        if glob {
            path.push("*".to_owned());
        }
        self.found.push(Named { line, path });
    }

    /// Resolves a path in the module that is `depth` segments deep. Names of an enclosing module count too, because of `use
    /// super::*`.
    fn resolve(&self, depth: usize, path: Vec<String>, steps: usize) -> Vec<String> {
        let (first, rest) = (path[0].as_str(), &path[1..]);
        let beside = |module: &[String]| [module, rest].concat();
        match first {
            "crate" if self.is_main => [&["crate".to_owned(), "main".to_owned()], rest].concat(),
            "crate" => path,
            "porchlight" => beside(&["crate".to_owned()]),
            "self" => beside(&self.module[..depth]),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let parent = &self.module[..depth.saturating_sub(ups).max(1)];
                [parent, &path[ups..]].concat()
            }
            name => {
                let introduced = (self.root..=depth).rev().find_map(|depth| {
                    let key = (self.module[..depth].to_vec(), name.to_owned());
                    Some((depth, self.introduced.get(&key)?))
                });
                match introduced {
                    Some((depth, target)) if target[0] != name && steps < 8 => {
                        self.resolve(depth, [target, rest].concat(), steps + 1)
                    }
                    _ => path,
                }
            }
        }
    }

    /// Reads tokens without parsing them: `a::b`, `a::{b, c}`, also inside brackets.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens = tokens.into_iter().collect::<Vec<_>>();
        let colons = |at: usize| {
            let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
            is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
        };
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Ident(first) => {
                    let (start, mut path) = (at, vec![first.clone()]);
                    while colons(at + 1)
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        path.push(next.clone());
                        at += 3;
                    }
                    let follows_field = start > 0
                        && matches!(&tokens[start - 1], TokenTree::Punct(sign) if sign.as_char() == '.');
                    if path.len() > 1 && !follows_field {
                        self.note(&path, false);
                    }
                    let is_tree = colons(at + 1)
                        && matches!(
                            tokens.get(at + 3),
                            Some(TokenTree::Group(_) | TokenTree::Punct(_))
                        );
                    if is_tree {
                        let tree = tokens[start..=at + 3].iter().cloned().collect();
                        if let Ok(tree) = syn::parse2::<UseTree>(tree) {
                            for (path, glob, _) in leaves(&tree) {
                                self.note(&path, glob);
                            }
                        }
                    }
                }
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal.clone()) {
                        self.read_text(&text);
                    }
                }
                TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    /// A string that contains a path, as in serde's attributes.
    fn read_text(&mut self, text: &syn::LitStr) {
        if let Ok(path) = text.parse::<syn::Path>()
            && path.segments.len() > 1
        {
            self.visit_path(&path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for (path, glob, _) in leaves(&item.tree) {
            self.note(&path, glob);
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast ItemExternCrate) {
        self.note(std::slice::from_ref(&item.ident), false);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        for attribute in item.attrs.iter().filter(|it| it.path().is_ident("path")) {
            // `#[path]` declares a module that the file's location doesn't show.
            let line = attribute.pound_token.span.start().line;
            let path = vec!["crate".to_owned(), "#[path]".to_owned()];
            self.found.push(Named { line, path });
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let idents = path.segments.iter().map(|segment| segment.ident.clone());
        let idents = idents.collect::<Vec<_>>();
        if idents.len() > 1 {
            self.note(&idents, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        visit::visit_macro(self, item);
        self.read_tokens(item.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if attribute.path().is_ident("doc") {
            return;
        }
        visit::visit_attribute(self, attribute);
        match &attribute.meta {
            Meta::List(list) => self.read_tokens(list.tokens.clone()),
            Meta::NameValue(pair) => {
                if let syn::Expr::Lit(literal) = &pair.value
                    && let Lit::Str(text) = &literal.lit
                {
                    self.read_text(text);
                }
            }
            Meta::Path(_) => {}
        }
    }
}

/// Whether an item is test-only.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    fn holds(meta: &Meta) -> bool {
        let inner = |list: &syn::MetaList| {
            list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .unwrap_or_default()
        };
        match meta {
            Meta::Path(path) => path.is_ident("test"),
            Meta::List(list) if list.path.is_ident("all") => inner(list).iter().any(holds),
            Meta::List(list) if list.path.is_ident("any") => inner(list).iter().all(holds),
            _ => false,
        }
    }
    let conditions = attributes.iter().filter(|it| it.path().is_ident("cfg"));
    conditions
        .filter_map(|it| it.parse_args::<Meta>().ok())
        .any(|condition| holds(&condition))
}
