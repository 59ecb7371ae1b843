//! Checks the layers of the code: which module may use which, and which files may use which library.

mod files;
mod names;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use files::in_cycles;
use names::{Named, exports, is_for_tests, module_of, named};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Rows of a name and what it may use.
type Dependencies<'a> = &'a [(&'a str, &'a [&'a str])];

/// The layers, highest first: a module may use the layers below its own.
const LAYERS: [&[&str]; 16] = [
    &["main"],
    &["cli"],
    &["server", "admin", "config"],
    &["app"],
    &["events", "household", "subscriptions"],
    &["reviewer"],
    &["gateway"],
    &["assistant"],
    &["curious"],
    &["alerts"],
    &["retention", "search", "metrics"],
    &["rules"],
    // Every module that isn't named here.
    FEATURES,
    &["children"],
    &["identity"],
    &["kernel"],
];

/// The features, which don't know each other.
const FEATURES: &[&str] = &[];

/// The kernel's modules and what each may use.
const KERNEL: Dependencies = &[
    (
        "mail",
        &["certificate", "clock", "public_url", "secret", "words"],
    ),
    ("certificate", &["clock"]),
    ("https", &[]),
    ("handshake", &["certificate", "clock", "https"]),
    ("mounts", &[]),
    ("text_file", &[]),
    ("ids", &["randomness", "wire"]),
    ("wire", &["clock", "mail", "problem", "store"]),
    ("problem", &["store"]),
    ("version", &["store"]),
    ("store", &["cache", "clock"]),
    ("limit", &["cache", "clock", "store"]),
    ("secret", &["randomness"]),
    ("public_url", &[]),
    ("forwarding", &[]),
    ("origin", &[]),
    ("pieces", &[]),
    ("reading_time", &[]),
    ("cache", &[]),
    ("randomness", &[]),
    ("clock", &[]),
    ("hmac_key", &["randomness", "store"]),
    ("due", &["clock", "store"]),
    ("daily_counter", &["clock"]),
    ("queue", &["clock", "mail", "post", "randomness", "store"]),
    ("post", &["certificate", "clock", "https"]),
    ("ntfy", &["post", "public_url", "randomness"]),
    ("webhook", &["clock", "post", "public_url"]),
    ("name", &[]),
    ("words", &[]),
    ("zones", &["clock"]),
    ("home_network", &[]),
    ("qr", &[]),
    ("backup_state", &["clock", "randomness", "store"]),
];

/// The log-structured store's modules and what each may use, besides [`BELOW_LSM`].
const LSM: Dependencies = &[
    (
        "mod",
        &[
            "checkpoint",
            "compaction",
            "memtable",
            "read_log",
            "sled_files",
            "snapshot",
            "tables",
            "wal",
        ],
    ),
    (
        "compaction",
        &["checkpoint", "memtable", "sled_files", "tables"],
    ),
    ("snapshot", &["memtable", "sled_files", "tables"]),
    ("checkpoint", &["memtable", "sled_files", "tables"]),
    ("tables", &["blocks", "memtable"]),
    ("sled_files", &["blocks", "memtable"]),
    ("blocks", &["memtable"]),
    ("wal", &["memtable"]),
    ("memtable", &[]),
    ("read_log", &[]),
];

/// What the log-structured store may use of the store: nothing that knows tables or records.
const BELOW_LSM: [&str; 4] = ["StoreError", "OpenError", "files", "reserve"];

/// A library and the files that may use it.
const LIBRARIES: Dependencies = &[
    ("sled", &["src/kernel/store/lsm/"]),
    ("zstd", &["src/kernel/store/", "src/cli/licences.rs"]),
    ("crc32fast", &["src/kernel/store/"]),
    ("mail_send", &["src/kernel/mail/"]),
    ("mail_builder", &["src/kernel/mail/"]),
    (
        "openidconnect",
        &[
            "src/identity/sessions/tokens.rs",
            "src/identity/methods/provider",
        ],
    ),
    ("jiff", &["src/kernel/zones.rs"]),
    ("netlink_packet_core", &["src/kernel/home_network/"]),
    ("netlink_packet_route", &["src/kernel/home_network/"]),
    ("netlink_sys", &["src/kernel/home_network/"]),
    ("hyper_rustls", &["src/kernel/https.rs"]),
    (
        "hyper_util",
        &[
            "src/admin/client.rs",
            "src/admin/socket.rs",
            "src/server/listener",
            "src/kernel/https.rs",
            "src/gateway/upstreams/client.rs",
            "src/cli/serve/demo_live.rs",
            "src/cli/serve/demo_model.rs",
        ],
    ),
    (
        "ipnet",
        &[
            "src/config.rs",
            "src/config/proxies.rs",
            "src/kernel/origin.rs",
            "src/server/client.rs",
            "src/server/limits.rs",
            "src/server/limits/",
            "src/server/listener",
            "src/server/memory.rs",
            "src/server/networks.rs",
        ],
    ),
    (
        "clap",
        &[
            "src/admin/",
            "src/cli.rs",
            "src/cli/",
            "src/config.rs",
            "src/config/",
        ],
    ),
    ("clap_mangen", &["src/cli/manual.rs"]),
    ("indicatif", &["src/cli/"]),
    ("qrcode", &["src/cli/qr.rs", "src/kernel/qr.rs"]),
    ("rust_embed", &["src/server/ui.rs", "src/server/ui/"]),
    (
        "hyper",
        &[
            "src/admin/client.rs",
            "src/admin/socket.rs",
            "src/server/listener",
            "src/kernel/https/",
            "src/gateway/",
            "src/kernel/ntfy.rs",
            "src/kernel/post.rs",
            "src/kernel/queue/tests/",
            "src/kernel/webhook.rs",
            "src/cli/serve/demo_live.rs",
            "src/cli/serve/demo_model.rs",
        ],
    ),
    ("poem", WEB),
    ("poem_openapi", WEB),
];

/// The files that may use HTTP types.
const WEB: &[&str] = &[
    "/api.rs",
    "/api/",
    "src/household/",
    "src/server.rs",
    "src/server/",
    "src/kernel/ids.rs",
    "src/kernel/problem.rs",
    "src/kernel/wire",
];

/// The maximum length of a file in lines, without tests.
const LONGEST_FILE: usize = 420;

/// A parsed source file.
struct Source {
    path: String,
    /// The paths that it names, with the first line of each.
    named: BTreeMap<Vec<String>, usize>,
    /// The paths that it names outside of tests.
    uses: BTreeSet<Vec<String>>,
    /// The names that its `use` items introduce, with their paths.
    exports: HashMap<String, Vec<String>>,
    /// The number of lines without test-only items.
    lines_without_tests: usize,
    /// The line on which it declares a `store` module that others can name.
    open_store: Option<usize>,
    /// The top-level files and folders of the repository that it reads with `include_str!` and `include_bytes!`.
    includes: BTreeSet<String>,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        let mut code = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut first = BTreeMap::new();
        for Named { line, path } in named(path, &code) {
            first.entry(path).or_insert(line);
        }
        let lines_for_tests = lines_for_tests(&code);
        code.items.retain(|item| !is_item_for_tests(item));
        Self {
            path: path.to_owned(),
            named: first,
            uses: named(path, &code).into_iter().map(|it| it.path).collect(),
            exports: exports(path, &code),
            lines_without_tests: text.lines().count() - lines_for_tests,
            open_store: open_store(&code),
            includes: includes(path, text),
        }
    }

    /// The module below `src` that the file belongs to.
    fn module(&self) -> String {
        let module = module_of(&self.path);
        module.get(1).map_or("lib", String::as_str).to_owned()
    }

    /// Whether the whole file is test-only.
    fn is_tests(&self) -> bool {
        module_of(&self.path).iter().any(|part| part == "tests")
    }

    /// Returns the distinct violations among the names that it uses.
    fn violations(&self, violation: impl Fn(&[String]) -> Option<String>) -> Vec<String> {
        let mut first = BTreeMap::new();
        for (path, line) in &self.named {
            if let Some(what) = violation(path) {
                let earlier = first.entry(what).or_insert(*line);
                *earlier = (*earlier).min(*line);
            }
        }
        let tell = |(what, line)| format!("{}:{line} {what}", self.path);
        first.into_iter().map(tell).collect()
    }
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(&root.join("src"), &mut paths);
    let read = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(root).unwrap();
        Source::new(path.to_str().unwrap(), &text)
    });
    read.collect()
});

fn row<'a>(rows: Dependencies<'a>, name: &str) -> Option<&'a [&'a str]> {
    let found = rows.iter().find(|(module, _)| *module == name);
    found.map(|(_, allowed)| *allowed)
}

/// The position of a module's layer.
fn layer(module: &str) -> usize {
    let named = LAYERS.iter().position(|layer| layer.contains(&module));
    let features = || LAYERS.iter().position(|layer| layer.is_empty());
    named.or_else(features).unwrap()
}

/// Returns uses of a module on the same layer or above.
fn layer_violations(source: &Source) -> Vec<String> {
    let own = source.module();
    static MODULES: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| SOURCES.iter().map(Source::module).collect());
    source.violations(|path| {
        if path[0] != "crate" {
            return None;
        }
        match path.get(1).map(String::as_str) {
            Some(used) if used == own => None,
            Some(used) if !MODULES.contains(used) => Some(format!("uses crate::{used}")),
            Some(used) if own != "lib" && layer(&own) < layer(used) => None,
            Some(used) => Some(format!("uses {used}")),
            // `names` resolves a renamed crate.
            None => None,
        }
    })
}

/// Returns uses of kernel modules by a kernel module whose row in [`KERNEL`] doesn't allow them.
fn kernel_violations(source: &Source) -> Vec<String> {
    let module = module_of(&source.path);
    if source.module() != "kernel" {
        return Vec::new();
    }
    // kernel/mod.rs declares the modules, and uses none of them.
    let own = module.get(2).map_or("mod", String::as_str);
    let allowed = row(KERNEL, own).unwrap_or_default();
    if own != "mod" && row(KERNEL, own).is_none() {
        return vec![format!(
            "{}: {own} has no row in KERNEL: add it there",
            source.path
        )];
    }
    source.violations(|path| match path {
        [root, kernel, used, ..] if root == "crate" && kernel == "kernel" => {
            let fine = *used == own || allowed.contains(&used.as_str());
            (!fine).then(|| format!("uses kernel::{used}"))
        }
        _ => None,
    })
}

/// Returns uses of a module on the same layer or above, or of the layer of tables and records.
fn lsm_violations(source: &Source) -> Vec<String> {
    let module = module_of(&source.path);
    let parts = module.iter().map(String::as_str).collect::<Vec<_>>();
    let ["crate", "kernel", "store", "lsm", rest @ ..] = parts.as_slice() else {
        return Vec::new();
    };
    if module.contains(&"tests".to_owned()) {
        return Vec::new();
    }
    let own = rest.first().copied().unwrap_or("mod");
    let Some(allowed) = row(LSM, own) else {
        return vec![format!(
            "{}: {own} has no row in LSM: add it there",
            source.path
        )];
    };
    source.violations(|path| {
        let path = path.iter().map(String::as_str).collect::<Vec<_>>();
        match path.as_slice() {
            ["crate", "kernel", "store", "lsm", used, ..] if row(LSM, used).is_some() => {
                let fine = *used == own || allowed.contains(used);
                (!fine).then(|| format!("uses lsm::{used}"))
            }
            ["crate", "kernel", "store", "lsm", ..] => None,
            ["crate", "kernel", "store", used, ..] => {
                (!BELOW_LSM.contains(used)).then(|| format!("uses store::{used}"))
            }
            _ => None,
        }
    })
}

/// Returns the rows that form a cycle.
fn cycle<'a>(rows: Dependencies<'a>) -> Option<Vec<&'a str>> {
    fn walk<'a>(rows: Dependencies<'a>, way: &mut Vec<&'a str>) -> bool {
        let here = way[way.len() - 1];
        row(rows, here).unwrap_or_default().iter().any(|next| {
            let closed = way.contains(next);
            way.push(next);
            closed || walk(rows, way) || way.pop().is_none()
        })
    }
    rows.iter().find_map(|(name, _)| {
        let mut way = vec![*name];
        walk(rows, &mut way).then_some(way)
    })
}

/// Returns uses of a library outside of its allowed files.
fn libraries_outside(source: &Source) -> Vec<String> {
    source.violations(|path| {
        let allowed = row(LIBRARIES, &path[0])?;
        let is_allowed = allowed.iter().any(|file| source.path.contains(file));
        (!is_allowed).then(|| format!("uses {}", path[0]))
    })
}

/// Returns uses of another feature's store.
fn foreign_stores(source: &Source) -> Vec<String> {
    let own = source.module();
    let mut violations = source.violations(|path| {
        let feature = path.get(1).filter(|_| path[0] == "crate")?;
        let names_store = path[2..].iter().any(|part| part == "store");
        let foreign = *feature != own && feature != "kernel" && names_store;
        foreign.then(|| format!("uses the store of {feature}"))
    });
    let is_facade = module_of(&source.path).len() == 2 && own != "kernel";
    if let Some(line) = source.open_store.filter(|_| is_facade) {
        violations.push(format!("{}:{line} makes its store public", source.path));
    }
    violations
}

fn open_store(code: &syn::File) -> Option<usize> {
    code.items.iter().find_map(|item| match item {
        syn::Item::Mod(item) if item.ident == "store" => {
            let open = !matches!(item.vis, syn::Visibility::Inherited);
            open.then(|| item.ident.span().start().line)
        }
        _ => None,
    })
}

/// Whether an item is test-only.
fn is_item_for_tests(item: &syn::Item) -> bool {
    use syn::Item;
    let attributes = match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => return false,
    };
    is_for_tests(attributes)
}

/// Counts the lines of test-only items.
fn lines_for_tests(code: &syn::File) -> usize {
    struct Tests(usize);
    impl Tests {
        fn count(&mut self, item: &impl Spanned) {
            let span = item.span();
            self.0 += span.end().line + 1 - span.start().line;
        }
    }
    impl<'ast> Visit<'ast> for Tests {
        fn visit_item(&mut self, item: &'ast syn::Item) {
            if is_item_for_tests(item) {
                self.count(item)
            } else {
                visit::visit_item(self, item)
            }
        }

        fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
            if is_for_tests(&item.attrs) {
                self.count(item);
            }
        }
    }
    let mut tests = Tests(0);
    tests.visit_file(code);
    tests.0
}

fn too_long(source: &Source) -> Vec<String> {
    let lines = source.lines_without_tests;
    let long = lines > LONGEST_FILE;
    long.then(|| format!("{} has {lines} lines", source.path))
        .into_iter()
        .collect()
}

/// Returns the top-level file or folder of the repository for each file that is read by `include_str!` or `include_bytes!`.
fn includes(path: &str, text: &str) -> BTreeSet<String> {
    let calls = text.split("include_").skip(1);
    let calls = calls.filter(|rest| rest.starts_with("str!(") || rest.starts_with("bytes!("));
    let included = calls.filter_map(|rest| rest.split('"').nth(1));
    let tops = included.filter_map(|included| {
        let mut parts = path.split('/').collect::<Vec<_>>();
        parts.pop();
        for part in included.split('/') {
            match part {
                ".." => drop(parts.pop()),
                _ => parts.push(part),
            }
        }
        parts.first().map(|top| (*top).to_owned())
    });
    tops.collect()
}

/// Returns the included files that the Dockerfile doesn't copy.
fn not_in_the_image(source: &Source) -> Vec<String> {
    let context = include_str!("../.dockerignore");
    let is_missing = |top: &&String| {
        !context
            .lines()
            .any(|line| line.strip_prefix('!') == Some(top))
    };
    let missing = source.includes.iter().filter(is_missing);
    let sentence = |top| format!("{}: {top} is not in .dockerignore's list", source.path);
    missing.map(sentence).collect()
}

#[track_caller]
fn assert_no_violations(check: fn(&Source) -> Vec<String>, advice: &str) {
    let violations = SOURCES.iter().flat_map(check).collect::<Vec<_>>();

    assert!(violations.is_empty(), "{advice}:\n{violations:#?}");
}

#[test]
fn modules_only_use_modules_below_them() {
    assert_no_violations(
        layer_violations,
        "use the service of a module below, or change LAYERS first",
    );
}

#[test]
fn kernel_modules_only_use_kernel_modules_below_them() {
    assert_no_violations(
        kernel_violations,
        "move what both need to a module below, or add a row to KERNEL that creates no cycle",
    );
}

#[test]
fn the_log_structured_store_knows_no_records_and_has_no_cycle() {
    assert_no_violations(
        lsm_violations,
        "move what both need to a module below, or add a row to LSM that creates no cycle",
    );
}

#[test]
fn the_kernels_layers_have_no_cycle() {
    assert_eq!(cycle(KERNEL), None);
    assert_eq!(cycle(LSM), None);
}

#[test]
fn files_form_no_cycle() {
    let sources = SOURCES.iter().filter(|source| !source.is_tests());
    let cycles = in_cycles(&sources.collect::<Vec<_>>());

    assert!(
        cycles.is_empty(),
        "move what both need to a file of its own:\n{cycles:#?}"
    );
}

#[test]
fn a_library_is_used_only_in_its_allowed_files() {
    assert_no_violations(
        libraries_outside,
        "go through the module that wraps it, or add the file to LIBRARIES",
    );
}

#[test]
fn a_store_is_used_only_by_its_own_feature() {
    assert_no_violations(foreign_stores, "use the service of that feature");
}

#[test]
fn no_file_exceeds_the_longest_length() {
    assert_no_violations(too_long, "split each of them");
}

#[test]
fn the_image_is_built_with_every_file_that_is_included() {
    assert_no_violations(not_in_the_image, "add a line with `!` before it there");
}
