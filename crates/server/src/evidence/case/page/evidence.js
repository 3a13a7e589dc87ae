/*
 * Checks of the evidence that this page carries, with the browser's cryptography. Formats: RFC 6962
 * (tree), C2SP signed-note, tlog-checkpoint and tlog-proof, RFC 2104 (HMAC).
 */

/** Something is wrong with a file: `word` names the sentence that says what. */
class Fault extends Error {
  constructor(path, word) {
    super(`${path} ${word}`);
    this.path = path;
    this.word = word;
  }
}

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const leafHash = (text) => sha256(joined([Uint8Array.of(0), utf8(text)]));
const nodeHash = (left, right) => sha256(joined([Uint8Array.of(1), left, right]));

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** `undefined` for what is not in the one spelling that base64 has. */
function fromBase64(text) {
  try {
    const binary = atob(text);
    if (btoa(binary) !== text) return undefined;
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function subjectOf(key, id) {
  const bytes = fromBase64(`${key.replaceAll("-", "+").replaceAll("_", "/")}=`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(id))));
}

/** Keys by name and id, as a signature line of a note names them. */
async function readKeys(text) {
  const keys = new Map();
  for (const line of text.split("\n").filter((it) => it !== "")) {
    const [name, id, key] = line.split("+", 2).concat(line.split("+").slice(2).join("+"));
    const bytes = fromBase64(key ?? "");
    if (![ED25519, ML_DSA_44].includes(bytes?.[0])) continue;
    const found = hex(await sha256(joined([utf8(`${name}\n`), bytes]))).slice(0, 8);
    if (found !== id) throw new Fault("log/keys.txt", "malformed");
    keys.set(`${name} ${id}`, { name, kind: bytes[0], key: bytes.slice(1) });
  }
  return keys;
}

/**
 * A signed head: origin, size and root, if a key of the log's name has signed it. `mlDsa` is whether its signature by
 * ML-DSA-44 was verified; `undefined` if it has none.
 */
async function openCheckpoint(note, keys, path) {
  const [text, signatures] = [
    note.slice(0, note.lastIndexOf("\n\n") + 1),
    note.slice(note.lastIndexOf("\n\n") + 2),
  ];
  const [origin, size, root] = text.split("\n");
  if (!/^(0|[1-9]\d{0,14})$/.test(size ?? "")) throw new Fault(path, "malformed");
  let [isSigned, mlDsa] = [false, undefined];
  for (const line of signatures.split("\n")) {
    const [, name, signed] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(signed ?? "");
    const key = name === origin && bytes && keys.get(`${name} ${hex(bytes.slice(0, 4))}`);
    if (!key) continue;
    const signature = bytes.slice(4);
    const isMlDsa = key.kind === ML_DSA_44;
    const isValid = isMlDsa
      ? await verifiesCosignature(key, signature, text)
      : await verifies(key.key, signature, text);
    if (isValid === false) throw new Fault(path, "not_signed");
    if (isMlDsa) mlDsa = isValid === true;
    isSigned ||= isValid === true;
  }
  if (!isSigned && mlDsa === false) throw new Error("the browser knows no algorithm of this head");
  if (!isSigned) throw new Fault(path, "not_signed");
  return { origin, size: Number(size), root, mlDsa };
}

/** RFC 9162 §2.1.3.2. */
async function rootOf(index, size, leaf, hashes) {
  let [at, last, root] = [index, size - 1, leaf];
  for (const hash of hashes) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      root = await nodeHash(hash, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      root = await nodeHash(root, hash);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? base64(root) : undefined;
}

/** What is checked of one case, and what was found so far. */
class Checking {
  constructor(carried) {
    this.files = carried.files;
    this.listed = carried.listed;
    this.faults = [];
    this.heads = new Map();
    this.signatures = 0;
    this.canSign = true;
    this.mlDsa = new Set();
  }

  async noting(path, check) {
    try {
      return await check();
    } catch (error) {
      this.faults.push(error instanceof Fault ? error : new Fault(path, "malformed"));
      return undefined;
    }
  }

  text(path) {
    const text = Object.hasOwn(this.files, path) ? this.files[path] : undefined;
    if (text === undefined) throw new Fault(path, "missing");
    return text;
  }

  /** Each head is opened once; without Ed25519 its hashes are taken as they are, and the page says so. */
  head(note, path) {
    const known = this.heads.get(note) ?? this.openHead(note, path);
    this.heads.set(note, known);
    return known;
  }

  async openHead(note, path) {
    try {
      const head = await openCheckpoint(note, this.keys, path);
      this.signatures += 1;
      this.mlDsa.add(head.mlDsa);
      return head;
    } catch (error) {
      if (error instanceof Fault) throw error;
      this.canSign = false;
      const [origin, size, root] = note.split("\n");
      return { origin, size: Number(size), root };
    }
  }

  async proved({ index, entry, proof }, path) {
    const at = proof.indexOf("\n\n");
    const [header, line, ...hashes] = proof.slice(0, at).split("\n");
    const checkpoint = proof.slice(at + 2);
    const path64 = hashes.map(fromBase64);
    if (
      header !== "c2sp.org/tlog-proof@v1" ||
      line !== `index ${index}` ||
      path64.includes(undefined)
    ) {
      throw new Fault(path, "malformed");
    }
    const head = await this.head(checkpoint, path);
    const root = await rootOf(index, head.size, await leafHash(entry), path64);
    if (index >= head.size || root !== head.root) throw new Fault(path, "not_in_log");
    return { checkpoint, entry: JSON.parse(entry) };
  }

  /** An entry of the file, under the head of the file. */
  async entry(path) {
    const { checkpoint, entry } = await this.proved(JSON.parse(this.text(path)), path);
    const isHead = this.contents.logs.some((log) => this.files[log.checkpoint] === checkpoint);
    if (!isHead) throw new Fault(path, "not_in_log");
    return entry;
  }

  async receipt(path) {
    const receipt = JSON.parse(this.text(path));
    const { entry } = await this.proved(receipt, path);
    const id = entry.user_type === "RIDER" ? this.contents.person.user_id : receipt.id;
    if ((await subjectOf(receipt.subject_key, id)) !== entry.subject)
      throw new Fault(path, "other_person");
    if (path !== `receipts/${receipt.id}.json`) throw new Fault(path, "disagrees");
    return entry;
  }

  /** A notice that the person opened. */
  async opening(notice) {
    const entry = await this.entry(notice.entry);
    const { subject_key: key, user_id: userId } = this.contents.person;
    if ((await subjectOf(key, userId)) !== entry.subject)
      throw new Fault(notice.entry, "other_person");
    const isSame =
      entry.type === "notice.opened" && OPENING.every((name) => entry[name] === notice[name]);
    if (!isSame) throw new Fault("case.json", "disagrees");
  }

  /** A document must be listed with the hash in its name. */
  document(sha256Hex) {
    const path = `documents/${sha256Hex}.pdf`;
    const isListed = this.listed.some((file) => file.path === path && file.sha256 === sha256Hex);
    if (!isListed) this.faults.push(new Fault(path, "changed"));
  }

  async term(term) {
    const entry = await this.entry(term.publication);
    const sealed = this.text(term.sealed);
    if (entry.seal !== base64(await leafHash(sealed))) throw new Fault(term.sealed, "disagrees");
    const [row, languages] = JSON.parse(sealed);
    const documents = this.contents.documents.filter(
      (it) => it.terms_and_conditions_id === term.id,
    );
    const isSealed =
      entry.terms_and_conditions_id === term.id &&
      row[0] === term.id &&
      row[1] === term.type &&
      row[2] === term.version &&
      row[3] === term.mandatory &&
      // A version without a label, but with a market or a kind, has a null in its place.
      (row[11] ?? undefined) === term.label &&
      languages[0][2] === term.title &&
      documents.every(
        ({ language, title, sha256: hash }) =>
          language === undefined ||
          languages.some((it) => it[1] === language && it[2] === title && it[3] === hash),
      );
    if (!isSealed) throw new Fault("case.json", "disagrees");
  }
}

const OPENING = ["opened_at", "recorded_at", "sha256", "terms_and_conditions_id"];

const CONSENT = [
  "accepted",
  "consented_at",
  "evidence",
  "last_page",
  "method",
  "opened",
  "sha256",
  "terms_and_conditions_id",
];

function agrees(decision, entry) {
  const consent = entry.consents.find(
    (it) => it.terms_and_conditions_id === decision.terms_and_conditions_id,
  );
  return (
    consent !== undefined &&
    CONSENT.every((name) => consent[name] === decision[name]) &&
    decision.user_type === entry.user_type &&
    decision.recorded_at === entry.recorded_at
  );
}

/** The entry that an applicant's entry goes on with in the end. */
function firstOf(id, submissions) {
  const before = new Map(submissions.map((it) => [it.id, it.continues]));
  let first = id;
  for (let steps = 0; steps <= before.size && before.get(first); steps += 1)
    first = before.get(first);
  return first;
}

async function checkCarried(checking) {
  for (const [path, text] of Object.entries(checking.files)) {
    const listed = checking.listed.find((it) => it.path === path);
    const found = hex(await sha256(utf8(text)));
    if (!listed) checking.faults.push(new Fault(path, "unlisted"));
    else if (listed.sha256 !== found) checking.faults.push(new Fault(path, "changed"));
  }
}

async function checkEvidence(checking) {
  checking.contents = await checking.noting("case.json", () =>
    JSON.parse(checking.text("case.json")),
  );
  checking.keys = await checking.noting("log/keys.txt", () =>
    readKeys(checking.text("log/keys.txt")),
  );
  const { contents } = checking;
  if (!contents || !checking.keys) return;
  const receipts = new Map();
  for (const path of Object.keys(checking.files).filter((it) => it.startsWith("receipts/"))) {
    const entry = await checking.noting(path, () => checking.receipt(path));
    if (entry) receipts.set(path, entry);
  }
  for (const decision of contents.decisions) {
    const entry = receipts.get(decision.receipt);
    const logged = await checking.noting(decision.entry, () => checking.entry(decision.entry));
    const isSame = logged && JSON.stringify(logged) === JSON.stringify(entry);
    if (entry && logged && !(isSame && agrees(decision, entry))) {
      checking.faults.push(new Fault("case.json", "disagrees"));
    }
    checking.document(decision.sha256);
  }
  for (const notice of contents.notices ?? []) {
    await checking.noting(notice.entry, () => checking.opening(notice));
    checking.document(notice.sha256);
  }
  const said = [...receipts.values()].reduce((sum, it) => sum + it.consents.length, 0);
  if (said > contents.decisions.length) checking.faults.push(new Fault("case.json", "disagrees"));
  for (const term of contents.terms.filter((it) => it.publication)) {
    await checking.noting(term.publication, () => checking.term(term));
  }
  await checkClaims(checking, [...receipts]);
  checking.receipts = receipts.size + (await checkWork(checking));
  // Each of the others has the entry and its proof as well.
  checking.entries = Object.keys(checking.files).filter((it) =>
    /^(log\/[^/]+\/\d+|(evaluations|restrictions)\/.*|messages\/[^/]+)\.json$/.test(it),
  ).length;
}

async function checkClaims(checking, receipts) {
  const { person, claims } = checking.contents;
  const submissions = receipts.map(([, entry]) => entry);
  const subject = await checking.noting("case.json", () =>
    subjectOf(person.subject_key, person.user_id),
  );
  const claimed = new Set();
  for (const { entry: path } of claims) {
    const entry = await checking.noting(path, () => checking.entry(path));
    if (!entry) continue;
    if (entry.subject !== subject) checking.faults.push(new Fault(path, "other_person"));
    claimed.add(firstOf(entry.claimed_entry, submissions));
  }
  for (const [path, entry] of receipts) {
    if (entry.user_type === "APPLICANT" && !claimed.has(firstOf(entry.id, submissions))) {
      checking.faults.push(new Fault(path, "other_person"));
    }
  }
}
