// Writes the software bill of materials of a release as CycloneDX 1.5: `dist/sbom-rust.json` for
// the program, `dist/sbom-npm.json` for the sources of its web applications and the npm packages.
// It only reads the two lock files, without a network, so the same commit gives the same bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
/** Packages that are bundled into what we ship, although the manifests list them as development dependencies. */
const bundled = ["pdfjs-dist"];
const read = (path) => readFileSync(new URL(path, root), "utf8");

const byRef = (a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : a["bom-ref"] > b["bom-ref"] ? 1 : 0);

/** A name-based UUID: it changes if and only if the contents do. */
function serial(text) {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function document(component, components, dependencies) {
  const body = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component },
    components: components.sort(byRef),
    dependencies: dependencies
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: [...new Set(dependsOn)].sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    serialNumber: serial(JSON.stringify(body)),
    ...body,
  };
}

/** Some crates still write "/" for OR. */
const licences = (expression) =>
  expression ? [{ expression: expression.replaceAll("/", " OR ") }] : undefined;

function rust() {
  // For the platform of the releases, without test dependencies.
  const metadata = JSON.parse(
    execFileSync(
      "cargo",
      [
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        "x86_64-unknown-linux-gnu",
      ],
      { cwd: root, maxBuffer: 1 << 28 },
    ),
  );
  const checksums = new Map();
  for (const block of read("Cargo.lock").split("[[package]]").slice(1)) {
    const value = (name) => block.match(new RegExp(`^${name} = "(.*)"$`, "m"))?.[1];
    if (value("checksum")) checksums.set(`${value("name")} ${value("version")}`, value("checksum"));
  }
  const packages = new Map(metadata.packages.map((it) => [it.id, it]));
  const nodes = new Map(metadata.resolve.nodes.map((it) => [it.id, it]));
  const program = metadata.packages.find((it) => it.name === "musette");
  const ref = (id) => `pkg:cargo/${packages.get(id).name}@${packages.get(id).version}`;
  const needs = (id) =>
    nodes
      .get(id)
      .deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind !== "dev"))
      .map((dep) => dep.pkg);
  const visited = new Set();
  const open = [program.id];
  for (let id = open.pop(); id; id = open.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    open.push(...needs(id));
  }
  const component = (id) => {
    const { name, version, license } = packages.get(id);
    const checksum = checksums.get(`${name} ${version}`);
    return {
      type: id === program.id ? "application" : "library",
      "bom-ref": ref(id),
      name,
      version,
      purl: ref(id),
      ...(license && { licenses: licences(license) }),
      ...(checksum && { hashes: [{ alg: "SHA-256", content: checksum }] }),
    };
  };
  const all = [...visited];
  return document(
    component(program.id),
    all.filter((id) => id !== program.id).map(component),
    all.map((id) => ({ ref: ref(id), dependsOn: needs(id).map(ref) })),
  );
}

function npm() {
  const { packages } = JSON.parse(read("package-lock.json"));
  const name = (path) => packages[path].name ?? path.slice(path.lastIndexOf("node_modules/") + 13);
  const ref = (path) => {
    const encoded = name(path).replace("@", "%40");
    return `pkg:npm/${encoded}@${packages[path].version ?? "0.0.0"}`;
  };
  /** Resolves a package like Node: in the folder itself, then in each parent. */
  const resolve = (from, wanted) => {
    for (
      let at = from;
      ;
      at = at.includes("/node_modules/") ? at.slice(0, at.lastIndexOf("/node_modules/")) : ""
    ) {
      const path = `${at ? `${at}/` : ""}node_modules/${wanted}`;
      if (packages[path]) return packages[path].link ? packages[path].resolved : path;
      if (!at) return undefined;
    }
  };
  const needs = (path) => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path];
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    return names.map((it) => resolve(path, it)).filter(Boolean);
  };
  const shipped = Object.keys(packages).filter((path) => /^(apps|packages)\/[^/]+$/.test(path));
  const visited = new Set();
  const open = [...shipped, ...bundled.map((it) => `node_modules/${it}`)];
  for (let path = open.pop(); path; path = open.pop()) {
    if (visited.has(path)) continue;
    visited.add(path);
    open.push(...needs(path));
  }
  const component = (path) => {
    const { version, license, integrity } = packages[path];
    const [algorithm, digest] = integrity?.split("-") ?? [];
    return {
      type: shipped.includes(path) ? "application" : "library",
      "bom-ref": ref(path),
      name: name(path),
      version: version ?? "0.0.0",
      purl: ref(path),
      ...(license && { licenses: licences(license) }),
      ...(algorithm === "sha512" && {
        hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
      }),
    };
  };
  // The same version may be installed in two folders.
  const unique = new Map([...visited].map((path) => [ref(path), path]));
  return document(
    {
      type: "application",
      "bom-ref": "musette-web",
      name: "musette-web",
      version: JSON.parse(read("packages/client/package.json")).version ?? "0.0.0",
    },
    [...unique.values()].map(component),
    [
      {
        ref: "musette-web",
        dependsOn: [...shipped, ...bundled.map((it) => `node_modules/${it}`)].map(ref),
      },
      ...[...unique.values()].map((path) => ({ ref: ref(path), dependsOn: needs(path).map(ref) })),
    ],
  );
}

mkdirSync(new URL("dist/", root), { recursive: true });
for (const [kind, made] of [
  ["rust", rust()],
  ["npm", npm()],
]) {
  if (made.components.length < 20)
    throw new Error(`${kind}: only ${made.components.length} components`);
  const refs = new Set([
    made.metadata.component["bom-ref"],
    ...made.components.map((it) => it["bom-ref"]),
  ]);
  const lost = made.dependencies.flatMap((it) => it.dependsOn).filter((it) => !refs.has(it));
  if (lost.length > 0) throw new Error(`${kind}: ${lost[0]} is needed and not listed`);
  writeFileSync(new URL(`dist/sbom-${kind}.json`, root), `${JSON.stringify(made, undefined, 1)}\n`);
  process.stdout.write(`dist/sbom-${kind}.json: ${made.components.length} components\n`);
}
