//! Checks that a Rust test can fail.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Macro};

/// The crate roots.
const ROOTS: [&str; 4] = [
    "src/lib.rs",
    "src/main.rs",
    "tests/app.rs",
    "tests/binary.rs",
];

impl Functions {
    /// Parses a test file, and the helpers in `others`.
    pub fn read(source: &str, others: &[String]) -> Self {
        let mut functions = Self::default();
        for text in others.iter().map(String::as_str).chain([source]) {
            // Only the file's own tests count.
            functions.tests.clear();
            if let Ok(file) = syn::parse_file(text) {
                functions.visit_file(&file);
            }
        }
        functions
    }

    /// Returns why a test proves nothing, if so. `ignored_are_run` allows ignored tests.
    pub fn fault(&self, test: &str, ignored_are_run: bool) -> Option<&'static str> {
        match self.tests.get(test) {
            None => Some("there is no test of this name"),
            Some(true) if !ignored_are_run => Some("it is ignored"),
            Some(_) => (!self.asserts(test, &mut Vec::new())).then_some("it asserts nothing"),
        }
    }
}

/// Checks that cargo compiles a file: module declarations lead to it from a crate root.
pub fn is_compiled(root: &Path, file: &str) -> bool {
    let file = Path::new(file);
    let (Some(folder), Some(stem)) = (file.parent(), file.file_stem()) else {
        return false;
    };
    if ROOTS.iter().any(|crate_root| file == Path::new(crate_root)) {
        return root.join(file).is_file();
    }
    let (folder, name) = match stem == "mod" {
        true => (folder.parent(), folder.file_name()),
        false => (Some(folder), Some(stem)),
    };
    let (Some(folder), Some(name)) = (folder, name.and_then(|name| name.to_str())) else {
        return false;
    };
    let roots = ROOTS.into_iter().map(PathBuf::from);
    let roots = roots.filter(|root| root.parent() == Some(folder));
    let mut parents = roots.chain([folder.join("mod.rs"), folder.with_extension("rs")]);
    let declaration = format!("mod {name};");
    parents.any(|parent| {
        let source = std::fs::read_to_string(root.join(&parent)).unwrap_or_default();
        let declares = source.lines().map(str::trim).any(|line| {
            line == declaration || (line.starts_with("pub") && line.ends_with(&declaration))
        });
        declares
            && parent
                .to_str()
                .is_some_and(|parent| is_compiled(root, parent))
    })
}

/// The parsed functions: which are tests, which assert, and what they call.
#[derive(Default)]
pub struct Functions {
    /// Each test, and whether it is ignored.
    tests: HashMap<String, bool>,
    bodies: HashMap<String, Body>,
    /// The nesting depth of code that is never compiled.
    off: usize,
}

#[derive(Default)]
struct Body {
    asserts: bool,
    calls: Vec<String>,
}

impl Functions {
    fn add(&mut self, name: String, attributes: &[Attribute], block: &syn::Block) {
        let last = |it: &Attribute| it.path().segments.last().map(|last| last.ident.to_string());
        if self.off == 0
            && attributes
                .iter()
                .any(|it| last(it).as_deref() == Some("test"))
        {
            let ignored = attributes.iter().any(|it| it.path().is_ident("ignore"));
            self.tests.insert(name.clone(), ignored);
        }
        let mut body = Body::default();
        body.visit_block(block);
        let known = self.bodies.entry(name).or_default();
        known.asserts |= body.asserts;
        known.calls.extend(body.calls);
    }

    /// Whether a function asserts something, directly or in a callee.
    fn asserts<'a>(&'a self, name: &'a str, seen: &mut Vec<&'a str>) -> bool {
        if seen.contains(&name) {
            return false;
        }
        seen.push(name);
        self.bodies.get(name).is_some_and(|body| {
            body.asserts || body.calls.iter().any(|call| self.asserts(call, seen))
        })
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(item.sig.ident.to_string(), &item.attrs, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        // These only check that a request succeeded, which proves too little.
        if !["ok", "json"].contains(&item.sig.ident.to_string().as_str()) {
            self.add(item.sig.ident.to_string(), &item.attrs, &item.block);
        }
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let off = item.attrs.iter().any(is_never);
        self.off += usize::from(off);
        visit::visit_item_mod(self, item);
        self.off -= usize::from(off);
    }
}

/// Recognizes `#[cfg(any())]`, which disables an item.
fn is_never(attribute: &Attribute) -> bool {
    let never = |meta: syn::Meta| matches!(meta, syn::Meta::List(list) if list.path.is_ident("any") && list.tokens.is_empty());
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Meta>().is_ok_and(never)
}

impl<'ast> Visit<'ast> for Body {
    fn visit_macro(&mut self, item: &'ast Macro) {
        let name = item.path.segments.last().map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        let says_something = item.tokens.clone().into_iter().any(|token| {
            let text = token.to_string();
            matches!(
                token,
                proc_macro2::TokenTree::Group(_) | proc_macro2::TokenTree::Ident(_)
            ) && !["true", "false"].contains(&text.as_str())
        });
        // `assert!(true)` and `assert_eq!(1, 1)` can't fail.
        if says_something && (name.starts_with("assert") || name == "panic") {
            self.asserts = true;
        }
        // A macro's arguments may contain calls.
        if let Ok(inner) = item
            .parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated)
        {
            for expression in &inner {
                self.visit_expr(expression);
            }
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(path) = call.func.as_ref()
            && let Some(last) = path.path.segments.last()
        {
            self.calls.push(last.ident.to_string());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.calls.push(call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    /// Skips statements after a top-level `return`.
    fn visit_block(&mut self, block: &'ast syn::Block) {
        for statement in &block.stmts {
            if matches!(statement, syn::Stmt::Expr(Expr::Return(_), _)) {
                break;
            }
            self.visit_stmt(statement);
        }
    }
}
