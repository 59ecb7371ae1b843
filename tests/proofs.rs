//! The threat model and the specification's table name their tests. This checks that each exists, is run, and asserts
//! something. `ui/src/test/proofs.test.ts` does the same for the proofs in TypeScript.

mod rust;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use rust::Functions;

/// The pages with tables of proofs, and their minimum number of rows.
const PAGES: [(&str, usize); 2] = [("docs/SECURITY.md", 20), ("tests/specification.md", 100)];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the last cell of each table row.
fn last_cells(page: &str) -> Vec<&str> {
    let lines = page.lines();
    let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.filter_map(|row| row.rsplit(" | ").next());
    cells.filter(|cell| cell.starts_with('`')).collect()
}

/// Parses a proof: the file, the test, and the make target if it isn't `make test`.
fn named(proof: &str) -> Option<(&str, &str, Option<&str>)> {
    let (file, name) = proof.strip_prefix('`')?.split_once("` ")?;
    match name.split_once(", in `make ") {
        Some((name, target)) => Some((file, name, Some(target.strip_suffix('`')?))),
        None => Some((file, name, None)),
    }
}

/// Returns a make target's commands.
fn commands<'a>(makefile: &'a str, target: &str) -> Vec<&'a str> {
    let head = format!("{target}:");
    let after = makefile
        .lines()
        .skip_while(move |line| !line.starts_with(&head));
    after
        .skip(1)
        .take_while(|line| line.starts_with('\t'))
        .collect()
}

/// Returns why a proof is invalid, if it is. `known` caches the parsed files.
fn fault<'a>(
    proof: &'a str,
    makefile: &str,
    known: &mut HashMap<&'a str, Functions>,
) -> Option<&'static str> {
    let Some((file, name, target)) = named(proof) else {
        return Some("it is not of the form `file` name");
    };
    let commands = commands(makefile, target.unwrap_or("test"));
    match Path::new(file).extension().and_then(|kind| kind.to_str()) {
        Some("ts" | "tsx") => None,
        Some("rs") => {
            let Ok(source) = fs::read_to_string(root().join(file)) else {
                return Some("there is no such file");
            };
            if !rust::is_compiled(root(), file) {
                return Some("no other file declares its module");
            }
            let is_run_there = || commands.iter().any(|line| line.contains("--ignored"));
            let functions = known
                .entry(file)
                .or_insert_with(|| Functions::read(&source, &helpers(file)));
            functions.fault(name, target.is_some() && is_run_there())
        }
        _ => {
            let is_script =
                fs::read_to_string(root().join(file)).is_ok_and(|text| text.starts_with("#!"));
            let is_run = commands.iter().any(|line| line.trim().starts_with(file));
            (!is_script || !is_run).then_some("it is no script that the named make target runs")
        }
    }
}

/// Returns the sources of a file's test helpers: those in its folder, or in `tests/support`.
fn helpers(file: &str) -> Vec<String> {
    let folder = match file.strip_prefix("tests/") {
        Some(_) => Path::new("tests/support"),
        None => Path::new(file).parent().unwrap(),
    };
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
    sources
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn every_proof_exists_is_run_and_asserts_something() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let mut faults = Vec::new();

    for (page, at_least) in PAGES {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let cells = last_cells(&text);
        assert!(cells.len() >= at_least, "{page}: a table is cut short");
        let mut known = HashMap::new();
        for proof in cells.iter().flat_map(|cell| cell.split("<br>")) {
            if let Some(fault) = fault(proof, &makefile, &mut known) {
                faults.push(format!("{page}: {proof}: {fault}"));
            }
        }
    }

    assert!(
        faults.is_empty(),
        "correct the row, or bring the test back:\n{faults:#?}"
    );
}

#[test]
fn every_file_of_tests_is_compiled() {
    let files = fs::read_dir(root().join("tests")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let paths = names.map(|name| format!("tests/{name}"));
    let lost = paths.filter(|path| path.ends_with(".rs") && !rust::is_compiled(root(), path));

    assert_eq!(
        lost.collect::<Vec<_>>(),
        Vec::<String>::new(),
        "declare them in tests/app.rs or tests/binary.rs"
    );
}

#[test]
fn every_threat_has_its_five_cells() {
    let page = fs::read_to_string(root().join("docs/SECURITY.md")).unwrap();

    for row in page.lines().filter(|line| line.starts_with("| ")) {
        assert_eq!(row.split(" | ").count(), 5, "{row}");
    }
}

mod examples {
    //! Small sources with invalid and valid tests.

    use super::*;

    #[test]
    fn a_test_that_cannot_fail_is_found() {
        let helper = "pub fn check() { assert!(a()); } pub struct A; impl A { fn problem(&self) { assert_eq!(a, 1); } \
            fn ok(&self) { assert!(true_enough()); } }";
        for (source, expected) in [
            ("#[test] fn it() { assert_eq!(a(), 1); }", None),
            ("#[tokio::test] async fn it() { assert!(a().await); }", None),
            (
                "mod tests { #[test] fn it() { insta::assert_snapshot!(a(), @\"1\"); } }",
                None,
            ),
            ("#[test] fn it() { if a() { panic!(\"{}\", b) } }", None),
            ("#[test] fn it() { check(); }", None),
            ("#[test] fn it() { a().problem(404); }", None),
            (
                "#[test] fn it() { x(); } fn x() { y() } fn y() { assert!(a()); }",
                None,
            ),
            (
                "#[test] fn it() { vec![x()]; } fn x() { assert!(a()); }",
                None,
            ),
            (
                "fn it() { assert!(a()); }",
                Some("there is no test of this name"),
            ),
            (
                "// #[test] fn it() { assert!(a()); }",
                Some("there is no test of this name"),
            ),
            (
                "#[cfg(any())] mod t { #[test] fn it() { assert!(a()); } }",
                Some("there is no test of this name"),
            ),
            (
                "#[test] #[ignore = \"long\"] fn it() { assert!(a()); }",
                Some("it is ignored"),
            ),
            ("#[test] fn it() {}", Some("it asserts nothing")),
            (
                "#[test] fn it() { a(); \"assert!(a())\"; }",
                Some("it asserts nothing"),
            ),
            (
                "#[test] fn it() { assert!(true); assert_eq!(1, 1); }",
                Some("it asserts nothing"),
            ),
            (
                "#[test] fn it() { return; assert!(a()); }",
                Some("it asserts nothing"),
            ),
            ("#[test] fn it() { a().ok(); }", Some("it asserts nothing")),
            (
                "#[test] fn it() { x() } fn x() { it() }",
                Some("it asserts nothing"),
            ),
        ] {
            let found = Functions::read(source, &[helper.to_owned()]).fault("it", false);
            assert_eq!(found, expected, "{source}");
        }
        let ignored = "#[test] #[ignore = \"long\"] fn it() { assert!(a()); }";
        assert_eq!(Functions::read(ignored, &[]).fault("it", true), None);
    }

    #[test]
    fn a_script_or_a_long_test_counts_where_it_is_run() {
        let makefile = "test: a b\n\t@true\n\nlong: deny\n\t.ci/slow\n\tcargo test -- --ignored\n\nother:\n\ttrue\n";
        for (proof, expected) in [
            ("`.ci/slow` all of it, in `make long`", None),
            (
                "`.ci/slow` all of it, in `make other`",
                Some("it is no script that the named make target runs"),
            ),
            (
                "`.ci/slow` all of it",
                Some("it is no script that the named make target runs"),
            ),
            (
                "`README.md` all of it, in `make long`",
                Some("it is no script that the named make target runs"),
            ),
            ("`tests/nowhere.rs` it", Some("there is no such file")),
            ("a sentence", Some("it is not of the form `file` name")),
        ] {
            assert_eq!(
                fault(proof, makefile, &mut HashMap::new()),
                expected,
                "{proof}"
            );
        }
    }

    #[test]
    fn an_undeclared_file_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("src/lib.rs", "mod a;\npub(crate) mod b;\n// mod lost;");
        write("src/a.rs", "mod tests;");
        write("src/a/tests.rs", "");
        write("src/a/stray.rs", "");
        write("src/b/mod.rs", "mod c;");
        write("src/b/c.rs", "");
        write("src/lost/mod.rs", "mod c;");
        write("src/lost/c.rs", "");
        write("tests/app.rs", "mod d;");
        write("tests/binary.rs", "mod e;");
        write("tests/d.rs", "");
        write("tests/e.rs", "mod f;");
        write("tests/e/f.rs", "");
        write("tests/stray.rs", "");

        for (file, compiled) in [
            ("src/a/tests.rs", true),
            ("src/b/c.rs", true),
            ("tests/d.rs", true),
            ("tests/e/f.rs", true),
            ("src/a/stray.rs", false),
            ("src/lost/c.rs", false),
            ("tests/stray.rs", false),
            ("tests/gone.rs", false),
        ] {
            assert_eq!(rust::is_compiled(folder.path(), file), compiled, "{file}");
        }
    }
}
