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

/// The document with the table of layers.
const DOCUMENT: &str = include_str!("../docs/architecture.md");

/// A part that stands for the rest of its module.
const REST: &str = "itself";

/// The modules of [`DOCUMENT`], highest first, each with its parts, highest first.
static LAYERS: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let names = |cell: &str| {
        let names = cell.split(',').map(|name| name.trim().trim_matches('`'));
        let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
        names.collect::<Vec<_>>()
    };
    let rows = DOCUMENT
        .lines()
        .skip_while(|line| !line.starts_with("| Module, highest first"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let rows = rows.map(|line| {
        let cells = line.split('|').collect::<Vec<_>>();
        (names(cells[1]).remove(0), names(cells[2]))
    });
    rows.collect()
});

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
    (
        "zstd",
        &[
            "src/kernel/store/",
            "src/cli/licences.rs",
            "src/server/docs.rs",
        ],
    ),
    ("crc32fast", &["src/kernel/store/"]),
    ("p256", &["src/kernel/outgoing/push/"]),
    ("ring", &["src/kernel/outgoing/push/"]),
    ("mail_send", &["src/kernel/outgoing/mail/"]),
    ("mail_builder", &["src/kernel/outgoing/mail/"]),
    (
        "openidconnect",
        &[
            "src/identity/sessions/tokens.rs",
            "src/identity/methods/provider",
        ],
    ),
    ("jiff", &["src/kernel/host/zones.rs"]),
    ("fluent_bundle", &["src/kernel/host/texts"]),
    ("netlink_packet_core", &["src/kernel/host/home_network/"]),
    ("netlink_packet_route", &["src/kernel/host/home_network/"]),
    ("netlink_sys", &["src/kernel/host/home_network/"]),
    ("hyper_rustls", &["src/kernel/outgoing/https.rs"]),
    ("instant_acme", &["src/kernel/outgoing/acme/"]),
    (
        "hyper_util",
        &[
            "src/admin/client.rs",
            "src/admin/socket.rs",
            "src/server/listener",
            "src/kernel/outgoing/https.rs",
            "src/kernel/outgoing/https/public.rs",
            "src/models/client.rs",
            "src/cli/serve/demo_live.rs",
            "src/cli/serve/demo_model.rs",
        ],
    ),
    (
        "ipnet",
        &[
            "src/config.rs",
            "src/config/proxies.rs",
            "src/identity/api/limits.rs",
            "src/identity/api/limits/",
            "src/kernel/http/networks.rs",
            "src/kernel/http/origin.rs",
            "src/server/client.rs",
            "src/server/listener",
            "src/server/memory.rs",
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
    ("qrcode", &["src/cli/qr.rs", "src/kernel/host/qr.rs"]),
    ("rust_embed", &["src/server/ui.rs", "src/server/ui/"]),
    (
        "hyper",
        &[
            "src/admin/client.rs",
            "src/admin/socket.rs",
            "src/server/listener",
            "src/kernel/outgoing/acme/",
            "src/kernel/outgoing/push",
            "src/kernel/outgoing/https/",
            "src/assistants/gateway/",
            "src/models/",
            "src/kernel/outgoing/ntfy.rs",
            "src/kernel/outgoing/post.rs",
            "src/kernel/outgoing/queue/tests/",
            "src/kernel/outgoing/webhook.rs",
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
    "src/server.rs",
    "src/server/",
    "src/kernel/http/ids.rs",
    "src/kernel/http/problem",
    "src/kernel/http/wire",
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

/// A module's layer: the index of its row and of its part, counted from the highest. `None` if the table doesn't list it.
fn layer(path: &[String]) -> Option<(usize, usize)> {
    let module = path.get(1)?;
    let row = LAYERS.iter().position(|(name, _)| name == module)?;
    let parts = &LAYERS[row].1;
    let named = path
        .get(2)
        .and_then(|part| parts.iter().position(|it| it == part));
    let rest = || parts.iter().position(|part| part == REST);
    Some((row, named.or_else(rest).unwrap_or_default()))
}

/// The feature that a path belongs to: a module, or a part of one.
fn feature(path: &[String]) -> &[String] {
    let parts = LAYERS.iter().find(|(name, _)| path.get(1) == Some(name));
    let is_part = path
        .get(2)
        .is_some_and(|part| parts.is_some_and(|(_, parts)| parts.contains(part)));
    &path[..path.len().min(if is_part { 3 } else { 2 })]
}

/// Returns uses of a module on the same layer or above.
fn layer_violations(source: &Source) -> Vec<String> {
    let own = module_of(&source.path);
    // lib.rs and a module's mod.rs declare their parts.
    let declares = own.len() == 1
        || LAYERS.iter().any(|(name, parts)| {
            own.len() == 2
                && own[1] == *name
                && !parts.is_empty()
                && !parts.iter().any(|part| part == REST)
        });
    let Some(own_layer) = layer(&own).or_else(|| declares.then_some((0, 0))) else {
        return vec![format!(
            "{}: has no row in docs/architecture.md",
            source.path
        )];
    };
    source.violations(|path| {
        if path[0] != "crate" || path.len() == 1 || declares || feature(path) == feature(&own) {
            return None;
        }
        let used = path[1..path.len().min(3)].join("::");
        match layer(path) {
            Some(used) if own_layer < used => None,
            _ => Some(format!("uses {used}")),
        }
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

/// Returns uses of a library outside of its allowed files. A rule's enum may be the one on the wire.
fn libraries_outside(source: &Source) -> Vec<String> {
    source.violations(|path| {
        let allowed = row(LIBRARIES, &path[0])?;
        let is_allowed = path.ends_with(&["poem_openapi".to_owned(), "Enum".to_owned()])
            || allowed.iter().any(|file| source.path.contains(file));
        (!is_allowed).then(|| format!("uses {}", path[0]))
    })
}

/// Returns uses of another feature's store.
fn foreign_stores(source: &Source) -> Vec<String> {
    let own = module_of(&source.path);
    let mut violations = source.violations(|path| {
        let used = feature(path);
        let names_store = path[used.len()..].iter().any(|part| part == "store");
        let foreign = path[0] == "crate"
            && path.len() > 1
            && used != feature(&own)
            && path[1] != "kernel"
            && names_store;
        foreign.then(|| format!("uses the store of {}", used[1..].join("::")))
    });
    let is_root = own == feature(&own) && own.get(1).is_none_or(|module| module != "kernel");
    if let Some(line) = source.open_store.filter(|_| is_root) {
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
        "use the service of a module below, or change the table in docs/architecture.md first",
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
fn every_module_and_part_in_the_table_exists() {
    let modules = SOURCES.iter().map(|source| module_of(&source.path));
    let modules = modules.collect::<BTreeSet<_>>();
    let parts = LAYERS.iter().flat_map(|(module, parts)| {
        let parts = parts
            .iter()
            .filter(|part| *part != REST)
            .map(move |part| vec![module.clone(), part.clone()]);
        parts.chain([vec![module.clone()]])
    });

    let missing =
        parts.filter(|part| !modules.contains(&[&["crate".to_owned()], part.as_slice()].concat()));

    assert_eq!(missing.collect::<Vec<_>>(), Vec::<Vec<String>>::new());
    assert!(LAYERS.len() > 15, "{LAYERS:?}");
}

#[test]
fn the_log_structured_stores_layers_have_no_cycle() {
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
