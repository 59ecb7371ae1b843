/**
 * Collects the licences of everything that the binary contains into `src/cli/licences.json.zst`: the crates that are
 * linked, the npm packages that are bundled, the font, the Swagger UI and Rust's standard library.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";

const ui = join(import.meta.dirname, "..");
const root = join(ui, "..");
const bundled = join(ui, "dist/.vite/licences.json");
const outcome = join(root, "src/cli/licences.json.zst");

/** The platforms that releases are built for. `tests/licences.rs` has them, too. */
const targets = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/** Packages whose code or files are in `ui/dist` without a module of theirs: a font, styles, and what bundling adds. */
const bundledWithoutModule = ["@fontsource-variable/figtree", "rolldown", "tailwindcss", "vite"];

/** Names of the files in which licences stand, such as `LICENSE-MIT`, `COPYING` or `NOTICE.md`. */
const licenceFile =
  /^(?:un)?(?:licen[cs]e|copying|copyright|notice)(?:[-_.](?!rs$|py$|ya?ml$|js$|h$|c$).*)?$/iu;

interface Source {
  kind: string;
  name: string;
  version: string;
  licence: string;
  texts: readonly string[];
}

interface Crate {
  name: string;
  version: string;
  license: string | null;
  authors: readonly string[];
  manifest_path: string;
}

function output(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The licence texts in a package's folder, those of code that it took in from elsewhere too. */
function textsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter(
      (file) =>
        file.isFile() &&
        licenceFile.test(file.name) &&
        !file.parentPath.includes("/node_modules/", folder.length),
    )
    .map((file) => join(file.parentPath, file.name))
    .toSorted()
    .map((path) => readFileSync(path, "utf8"));
}

const standardTexts = join(output("rustc", "--print", "sysroot").trim(), "share/doc/rust/licenses");
const standardText = (name: string) => readFileSync(join(standardTexts, `${name}.txt`), "utf8");

/** For a crate whose package has no licence text: what it states, and the standard text of one that it allows. */
function statedText({ name, license, authors }: Crate): string {
  const chosen = ["MIT", "Apache-2.0", "ISC"].find((id) => license?.split(/[^\w.-]+/u).includes(id));
  if (chosen === undefined)
    throw new Error(`${name} has no licence text. Add the way to find it to ${import.meta.filename}.`);
  const by = authors.length > 0 ? ` Its authors are ${authors.join(", ")}.` : "";
  return `The package of ${name} holds no text of its licence, "${license}".${by} The text of ${chosen}:\n\n${standardText(chosen)}`;
}

function crates(): Source[] {
  const tree = ["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const linked = new Set(
    targets
      .flatMap((target) => output("cargo", ...tree, "--target", target).split("\n"))
      .map((line) => line.split(" ", 2).join(" ")),
  );
  const metadata: { packages: Crate[] } = JSON.parse(
    output("cargo", "metadata", "--locked", "--format-version", "1"),
  );
  return metadata.packages
    .filter(({ name, version }) => name !== "porchlight" && linked.has(`${name} v${version}`))
    .map((crate) => {
      const { name, version, license, manifest_path } = crate;
      const texts = textsIn(dirname(manifest_path));
      return {
        kind: "crate",
        name,
        version,
        licence: license ?? "see the text",
        texts: texts.length > 0 ? texts : [statedText(crate)],
      };
    });
}

function npmPackages(): Source[] {
  if (!existsSync(bundled))
    throw new Error(`There is no ${bundled}. Run \`make licences\`, which builds the UI first.`);
  const modules: { name: string }[] = JSON.parse(readFileSync(bundled, "utf8"));
  const names = new Set([...modules.map(({ name }) => name), ...bundledWithoutModule]);
  return [...names].map((name) => {
    const folder = join(ui, "node_modules", name);
    const { version, license }: { version: string; license: string } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    return { kind: "npm package", name, version, licence: license, texts: textsIn(folder) };
  });
}

/** The page on which the API can be tried out. poem-openapi's crate brings it along. */
function swaggerUi(all: readonly Source[]): Source {
  const metadata: { packages: Crate[] } = JSON.parse(
    output("cargo", "metadata", "--locked", "--format-version", "1"),
  );
  const poem = metadata.packages.find(({ name }) => name === "poem-openapi");
  if (poem === undefined)
    throw new Error("The API is no longer made with poem-openapi: where does the Swagger UI come from?");
  const script = readFileSync(
    join(dirname(poem.manifest_path), "src/ui/swagger_ui/swagger-ui-bundle.js"),
    "utf8",
  );
  const version = /PACKAGE_VERSION:"(?<version>[\d.]+)"/u.exec(script)?.groups?.["version"];
  if (version === undefined) throw new Error("The Swagger UI no longer says its version.");
  const apache = all
    .flatMap(({ texts }) => texts)
    .find((text) => text.includes("Apache License") && text.includes("END OF TERMS"));
  if (apache === undefined) throw new Error("No crate brings the text of the Apache licence any more.");
  return {
    kind: "page of the API",
    name: "swagger-ui",
    version,
    licence: "Apache-2.0",
    texts: ["swagger-ui\nCopyright 2020-2021 SmartBear Software Inc.", apache],
  };
}

function standardLibrary(): Source {
  const version = output("rustc", "--version").split(" ")[1] ?? "";
  return {
    kind: "Rust",
    name: "std",
    version,
    licence: "MIT OR Apache-2.0",
    texts: [standardText("MIT"), standardText("Apache-2.0")],
  };
}

const found = [...crates(), ...npmPackages()];
const sources = [...found, swaggerUi(found), standardLibrary()];
const without = sources.filter(({ texts }) => texts.length === 0).map(({ name }) => name);
if (without.length > 0) throw new Error(`No licence text was found for ${without.join(", ")}.`);

const places = new Map<string, number>();
const components = sources
  .toSorted((one, other) =>
    `${one.kind} ${one.name} ${one.version}` < `${other.kind} ${other.name} ${other.version}` ? -1 : 1,
  )
  .map((source) => {
    // Texts that differ in white space alone are one.
    const texts = source.texts.map((text) => {
      const tidy = text
        .replaceAll("\r", "")
        .replaceAll(/[ \t]+$/gmu, "")
        .replaceAll(/^\n+|\n+$/gu, "");
      const place = places.get(tidy) ?? places.size;
      places.set(tidy, place);
      return place;
    });
    return { ...source, texts: [...new Set(texts)] };
  });
const json = `${JSON.stringify({ components, texts: [...places.keys()] }, undefined, 1)}\n`;
writeFileSync(outcome, zstdCompressSync(json, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }));
console.log(`${components.length} components with ${places.size} texts`);
