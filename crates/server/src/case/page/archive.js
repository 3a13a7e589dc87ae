/* The files of the case as somebody hands them over: a ZIP archive, or the folder. */

const END_BYTES = 22;

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** By path; `null` for a file that cannot be read. */
async function unzipped(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const view = new DataView(bytes.buffer);
  const end = bytes.length - END_BYTES;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Fault(file.name, "malformed");
  const files = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Fault(file.name, "malformed");
    const [method, packed] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const [name, extra, comment] = [28, 30, 32].map((it) => view.getUint16(at + it, true));
    const local = view.getUint32(at + 42, true);
    const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const data = bytes.subarray(start, start + packed);
    if (!path.endsWith("/")) {
      files.set(path, method === 0 ? data : await inflated(data).catch(() => null));
    }
    at += 46 + name + extra + comment;
  }
  return files;
}

/** `entries` are pairs of a path in some folder and a file; the case is where its manifest is. */
async function unfolded(entries) {
  const manifests = entries
    .map(([path]) => path)
    .filter((path) => /(^|\/)manifest\.json$/.test(path));
  manifests.sort((one, other) => one.length - other.length);
  const root = (manifests[0] ?? "manifest.json").slice(0, -"manifest.json".length);
  const files = new Map();
  for (const [path, file] of entries.filter(([it]) => it.startsWith(root))) {
    const read = file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
    files.set(path.slice(root.length), await read.catch(() => null));
  }
  return files;
}

const ofFolder = (list) =>
  unfolded([...list].map((file) => [file.webkitRelativePath || file.name, file]));

/** The files under a dropped folder. */
async function dropped(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [[entry.fullPath.slice(1), file]];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inside of some) found.push(...(await dropped(inside)));
  }
}

/** Every difference between the files and what the manifest and this page list. */
async function compared(files, listed) {
  const manifest = files.get("manifest.json");
  if (!manifest) return [new Fault("manifest.json", "missing")];
  let rows;
  try {
    rows = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(manifest)).files;
    if (!rows.every((row) => row.path && row.sha256)) throw new Error("a row without its members");
  } catch {
    return [new Fault("manifest.json", "malformed")];
  }
  const faults = [];
  // The page carries the same list, but for itself.
  const others = rows.filter((row) => row.path !== "index.html");
  const written = JSON.stringify(others.map(({ path, sha256: hash }) => [path, hash]).sort());
  const isSame =
    written === JSON.stringify(listed.map(({ path, sha256: hash }) => [path, hash]).sort());
  const text = `${JSON.stringify({ files: rows }, null, 2)}\n`;
  if (!isSame || text !== new TextDecoder().decode(manifest))
    faults.push(new Fault("manifest.json", "changed"));
  const left = new Set(files.keys());
  left.delete("manifest.json");
  const wanted = isSame ? rows : [...listed, ...rows.filter((row) => row.path === "index.html")];
  for (const { path, sha256: hash } of wanted) {
    left.delete(path);
    const bytes = files.get(path);
    if (bytes === undefined) faults.push(new Fault(path, "missing"));
    else if (bytes === null) faults.push(new Fault(path, "malformed"));
    else if (hex(await sha256(bytes)) !== hash) faults.push(new Fault(path, "changed"));
  }
  return [...faults, ...[...left].map((path) => new Fault(path, "unlisted"))];
}
