/*
 * Demands the cosignatures of a policy that the reader chooses. Formats: C2SP tlog-policy,
 * tlog-cosignature.
 */

/** A line of the policy is malformed. */
class PolicyFault extends Error {
  constructor(line) {
    super(`line ${line}`);
    this.line = line;
  }
}

/** The parts of a vkey line; `undefined` if it is malformed. */
async function readVkey(vkey = "") {
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  const bytes = fromBase64(encoded ?? "");
  if (!bytes || bytes.length < 2) return undefined;
  const digest = hex(await sha256(joined([utf8(`${name}\n`), bytes])));
  if (!digest.startsWith(id)) return undefined;
  return { name, id, kind: bytes[0], key: bytes.slice(1), encoded };
}

/** Adds a group: its threshold, and members of earlier lines. */
function addGroup(policy, [name, count, ...members]) {
  const isKnown = (member) => policy.witnesses.has(member) || policy.groups.has(member);
  const isFree = (member, index) =>
    members.indexOf(member) === index && !policy.members.has(member);
  const named = { all: members.length, any: 1 }[count];
  const threshold = named ?? (/^[1-9]\d*$/.test(count ?? "") ? Number(count) : 0);
  if (!name || name === "none" || isKnown(name) || !members.every(isKnown)) return false;
  if (!members.every(isFree) || threshold < 1 || threshold > members.length) return false;
  for (const member of members) policy.members.add(member);
  policy.groups.set(name, { threshold, members });
  return true;
}

async function addKey(policy, keyword, words) {
  const name = keyword === "witness" ? words[0] : undefined;
  const rest = keyword === "witness" ? words.slice(1) : words;
  const key = rest.length <= 2 ? await readVkey(rest[0]) : undefined;
  const known = `${keyword} ${key?.encoded}`;
  const kinds = keyword === "log" ? [ED25519, ML_DSA_44] : [COSIGNATURE, ML_DSA_44];
  if (!key || !kinds.includes(key.kind) || policy.keys.has(known)) return false;
  policy.keys.add(known);
  if (keyword === "log") {
    policy.logs ??= new Map();
    policy.logs.set(`${key.name} ${key.id}`, key);
    return true;
  }
  if (name === "none" || policy.witnesses.has(name) || policy.groups.has(name)) return false;
  policy.witnesses.set(name, key);
  return true;
}

function setQuorum(policy, words) {
  const isKnown = ["none"].concat([...policy.witnesses.keys(), ...policy.groups.keys()]);
  if (policy.quorum !== undefined || words.length !== 1 || !isKnown.includes(words[0]))
    return false;
  policy.quorum = words[0];
  return true;
}

async function addLine(policy, [keyword, ...words]) {
  if (keyword === "log" || keyword === "witness") return addKey(policy, keyword, words);
  if (keyword === "group") return addGroup(policy, words);
  return keyword === "quorum" && setQuorum(policy, words);
}

async function readPolicy(text) {
  const policy = { keys: new Set(), members: new Set(), witnesses: new Map(), groups: new Map() };
  const lines = text.replace(/\n$/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    const isPlain = Array.from(line).every(
      (char) => (char >= " " || char === "\t") && char !== "\x7f",
    );
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    const isComment = words.length === 0 || words[0].startsWith("#");
    if (!isPlain || !(isComment || (await addLine(policy, words))))
      throw new PolicyFault(index + 1);
  }
  if (policy.quorum === undefined) throw new PolicyFault(lines.length);
  return policy;
}

/** The witnesses whose cosignatures of a note are valid. A wrong line of a known key is a fault. */
async function cosignersOf(policy, note, path) {
  const end = note.lastIndexOf("\n\n") + 1;
  const text = note.slice(0, end);
  const cosigners = new Set();
  for (const line of note.slice(end + 1).split("\n")) {
    const [, name, signed] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(signed ?? "");
    for (const [witness, key] of policy.witnesses) {
      const isOfKey = bytes && key.name === name && hex(bytes.slice(0, 4)) === key.id;
      if (!isOfKey) continue;
      const isValid = await verifiesCosignature(key, bytes.slice(4), text);
      if (isValid === false) throw new Fault(path, "not_signed");
      const time = new DataView(bytes.buffer, 4, TIME_BYTES).getBigUint64(0);
      if (isValid && time > 0n) cosigners.add(witness);
    }
  }
  return cosigners;
}

function isReached(policy, member, cosigners) {
  const group = policy.groups.get(member);
  if (member === "none") return true;
  if (!group) return cosigners.has(member);
  const reached = group.members.filter((other) => isReached(policy, other, cosigners));
  return reached.length >= group.threshold;
}

function witnessesOf(policy, member) {
  const group = policy.groups.get(member);
  return group ? group.members.flatMap((other) => witnessesOf(policy, other)) : [member];
}

/** Demands the quorum for each head of this file. */
async function checkPolicy(file, carried) {
  const { texts } = carried;
  show("witnesses", "unchecked", texts.checking);
  try {
    const policy = await readPolicy(await file.text());
    const carriedKeys = await readKeys(carried.files["log/keys.txt"] ?? "");
    const { logs } = JSON.parse(carried.files["case.json"]);
    const all = new Set();
    for (const { checkpoint: path } of logs) {
      const note = carried.files[path] ?? "";
      await openCheckpoint(note, policy.logs ?? carriedKeys, path);
      const cosigners = await cosignersOf(policy, note, path);
      if (!isReached(policy, policy.quorum, cosigners)) {
        const missing = witnessesOf(policy, policy.quorum).filter((name) => !cosigners.has(name));
        const sentence = filled(texts.witnesses_missing, { names: missing.join(", ") });
        return show("witnesses", "bad", sentence);
      }
      for (const name of cosigners) all.add(name);
    }
    const names = [...all].join(", ") || "–";
    return show("witnesses", "ok", filled(texts.witnesses_ok, { names }));
  } catch (error) {
    if (error instanceof PolicyFault)
      return show("witnesses", "bad", filled(texts.policy_malformed, { n: error.line }));
    if (error instanceof Fault)
      return show("witnesses", "bad", texts.evidence_bad, described([error], texts));
    return show("witnesses", "unchecked", texts.no_cryptography);
  }
}
