/* The files of the case as somebody hands them over: a ZIP archive, or the folder. */

const END_BYTES = 22;

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;

/** Whether every file system unpacks this path to the same place. */
const isPlain = (path) =>
  path
    .replace(/\/$/, "")
    .split("/")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    .every((part) => /^(?! )[^\u0000-\u001f\u007f-\u009f\\:*?"<>|]+(?<![. ])$/.test(part));

/** Whether the directory's entry at `at` is a plain file, and the same as its local header. */
function isSameInBoth(bytes, view, at, local, path) {
  const shared = (from) => bytes.subarray(from, from + 26);
  const isEqual = shared(at + 6).every((byte, i) => byte === shared(local + 4)[i]);
  const nameAt = local + LOCAL_BYTES;
  const name = bytes.subarray(
    at + CENTRAL_BYTES,
    at + CENTRAL_BYTES + view.getUint16(at + 28, true),
  );
  const isNamed = name.every((byte, i) => byte === bytes[nameAt + i]);
  const [version, flags, method] = [6, 8, 10].map((it) => view.getUint16(at + it, true));
  const [extra, comment, disk] = [30, 32, 34].map((it) => view.getUint16(at + it, true));
  const [packed, length] = [20, 24].map((it) => view.getUint32(at + it, true));
  const isKnown = version <= 20 && (flags & ~0x0806) === 0 && extra + comment + disk === 0;
  const isPacked = method === 8 || (method === 0 && packed === length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII
  const isReadable = (flags & 0x0800) !== 0 || /^[\u0000-\u007f]*$/.test(path);
  const attributes = view.getUint32(at + 38, true);
  const unix = attributes >>> 28;
  const isFile = path.endsWith("/") ? length === 0 : unix !== 4 && (attributes & 0x10) === 0;
  const isPlainFile = [0, 4, 8].includes(unix) && isFile;
  const isHeader = view.getUint32(local, true) === 0x04034b50;
  return (
    isHeader &&
    isEqual &&
    isNamed &&
    isKnown &&
    isPacked &&
    isReadable &&
    isPlainFile &&
    isPlain(path)
  );
}

/** Whether no path is another one, or stands in another file, for a file system that ignores case. */
function areApart(paths) {
  const folded = (path) => path.replace(/\/$/, "").toLowerCase();
  const files = new Set(paths.filter((path) => !path.endsWith("/")).map(folded));
  const isInFile = (path) =>
    path.split("/").some((_, i, parts) => i > 0 && files.has(parts.slice(0, i).join("/")));
  const all = paths.map(folded);
  return new Set(all).size === all.length && !all.some(isInFile);
}

/**
 * By path; `null` for a file that cannot be read. Only an archive that every program unpacks into the same files is
 * read, as `musette case verify` does: its headers agree, and nothing stands between its files.
 */
async function unzipped(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const malformed = new Fault(file.name, "malformed");
  const view = new DataView(bytes.buffer);
  const end = bytes.length - END_BYTES;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw malformed;
  const [disk, first, here, all] = [4, 6, 8, 10].map((it) => view.getUint16(end + it, true));
  const [size, directory] = [12, 16].map((it) => view.getUint32(end + it, true));
  const comment = view.getUint16(end + 20, true);
  if (disk + first + comment !== 0 || here !== all || directory + size !== end) throw malformed;
  const [files, paths] = [new Map(), []];
  let [at, expected] = [directory, 0];
  for (let left = all; left > 0; left -= 1) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== 0x02014b50) throw malformed;
    const [method, packed] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const [name, local] = [view.getUint16(at + 28, true), view.getUint32(at + 42, true)];
    const start = local + LOCAL_BYTES + name;
    if (local !== expected || start + packed > directory) throw malformed;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const path = decoder.decode(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + name));
    if (!isSameInBoth(bytes, view, at, local, path)) throw malformed;
    paths.push(path);
    const data = bytes.subarray(start, start + packed);
    if (!path.endsWith("/")) {
      const unpacked = method === 0 ? data : await inflated(data).catch(() => null);
      files.set(path, unpacked?.length === view.getUint32(at + 24, true) ? unpacked : null);
    }
    at += CENTRAL_BYTES + name;
    expected = start + packed;
  }
  if (at !== end || expected !== directory || !areApart(paths)) throw malformed;
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
