/*
 * Checks of evaluations, restrictions and messages of campaigns. An entry commits to a record by SHA-256 of a salt and
 * the record in its RFC 8785 form.
 */

/** RFC 8785: members by their UTF-16 code units, texts as `JSON.stringify` writes them. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const fromBase64Url = (text) => fromBase64(`${text.replaceAll("-", "+").replaceAll("_", "/")}=`);
const commitmentOf = (salt, record) => sha256(joined([salt, utf8(canonical(record))]));

const FOLDERS = {
  "evaluation.transition": "evaluations",
  "restriction.transition": "restrictions",
};

/** The entry of a file whose proof is under a head of this case. A message has an `index` in its batch as well. */
async function provedUnderHead(checking, file, path) {
  const index = Number(/^index (\d+)$/m.exec(file.proof)?.[1]);
  const { checkpoint, entry } = await checking.proved({ ...file, index }, path);
  const isHead = checking.contents.logs.some(
    (log) => checking.files[log.checkpoint] === checkpoint,
  );
  if (!isHead) throw new Fault(path, "not_in_log");
  return entry;
}

/** The parts of a record that its entry has as well. */
function isRecordOf(record, entry) {
  const system = entry.system ?? null;
  return (
    record.type === entry.type &&
    record.version === entry.version &&
    (record.from ?? null) === (entry.from ?? null) &&
    record.to === entry.to &&
    record.by.kind === entry.by.kind &&
    canonical(record.system ?? null) === canonical(system)
  );
}

/** A version of an evaluation or a restriction. */
async function checkRecord(checking, folder, object, said) {
  const path = said.receipt;
  const receipt = JSON.parse(checking.text(path));
  const entry = await provedUnderHead(checking, receipt, path);
  const { record, salt, subject_key: key } = receipt;
  const { person } = checking.contents;
  const commitment = hex(await commitmentOf(fromBase64Url(salt), record));
  if (commitment !== entry.commitment || !isRecordOf(record, entry))
    throw new Fault(path, "disagrees");
  const isOfPerson =
    key === person.subject_key &&
    record.user_id === person.user_id &&
    (await subjectOf(key, record.user_id)) === entry.subject &&
    (await subjectOf(key, record.id)) === (entry.evaluation ?? entry.restriction);
  if (!isOfPerson) throw new Fault(path, "other_person");
  const isSame =
    FOLDERS[entry.type] === folder &&
    record.id === object.id &&
    said.version === entry.version &&
    (said.from ?? null) === (entry.from ?? null) &&
    said.to === entry.to &&
    said.by === entry.by.kind &&
    said.recorded_at === entry.recorded_at;
  if (!isSame) throw new Fault("case.json", "disagrees");
}

/** Whether no version is missing: each one follows the one before. */
const areComplete = ({ id, status, records }, folder) =>
  records.at(-1)?.to === status &&
  records.every((record, i) => {
    const before = records[i - 1];
    const isNext = before
      ? record.from === before.to && [0, 1].includes(record.version - before.version)
      : record.from === undefined && record.version === 1;
    return isNext && record.receipt === `${folder}/${id}/${i + 1}.json`;
  });

async function checkMessage(checking, said) {
  const path = said.proof;
  const file = JSON.parse(checking.text(path));
  const entry = await provedUnderHead(checking, file, path);
  const { record, salt, index, count, root } = file;
  const isOfBatch =
    entry.type === "notice.batch" &&
    entry.root === root &&
    entry.count === count &&
    ["campaign", "step", "channel"].every((name) => record[name] === entry[name]);
  if (!isOfBatch) throw new Fault(path, "disagrees");
  const commitment = await commitmentOf(fromHex(salt), record);
  const leaf = await sha256(joined([Uint8Array.of(0), commitment]));
  const hashes = file.path.map(fromHex);
  if (index >= count || (await rootOf(index, count, leaf, hashes)) !== base64(fromHex(root)))
    throw new Fault(path, "not_in_log");
  const { subject_key: key, user_id: userId } = checking.contents.person;
  if ((await subjectOf(key, userId)) !== record.subject) throw new Fault(path, "other_person");
  const isSame =
    record.message === said.id &&
    path === `messages/${said.id}.json` &&
    said.recorded_at === entry.recorded_at &&
    ["campaign", "step", "channel", "locale", "sha256", "sent_at"].every(
      (name) => record[name] === said[name],
    );
  if (!isSame) throw new Fault("case.json", "disagrees");
}

/** Checks all of them, and returns the number of receipts. */
async function checkWork(checking) {
  const { evaluations = [], restrictions = [], messages = [] } = checking.contents;
  const described = new Set(messages.map((message) => message.proof));
  for (const [folder, objects] of Object.entries({ evaluations, restrictions })) {
    for (const object of objects) {
      if (!areComplete(object, folder)) checking.faults.push(new Fault("case.json", "disagrees"));
      for (const record of object.records) {
        described.add(record.receipt);
        await checking.noting(record.receipt, () => checkRecord(checking, folder, object, record));
      }
    }
  }
  for (const message of messages) {
    await checking.noting(message.proof, () => checkMessage(checking, message));
  }
  const evidence = Object.keys(checking.files).filter((path) =>
    /^(evaluations|restrictions|messages)\/.*\.json$/.test(path),
  );
  for (const path of evidence) {
    if (!described.has(path)) checking.faults.push(new Fault(path, "disagrees"));
  }
  return described.size;
}
