/* The verdicts on the page. */

const byId = (id) => document.getElementById(id);

function show(id, state, sentence, faults = []) {
  const place = byId(id);
  place.dataset.state = state;
  const line = document.createElement("p");
  line.textContent = sentence;
  const list = document.createElement("ul");
  for (const { path, says } of faults) {
    const item = document.createElement("li");
    const name = document.createElement("code");
    name.dir = "ltr";
    name.textContent = path;
    item.append(name, ` ${says}`);
    list.append(item);
    for (const link of document.querySelectorAll("a[data-path]")) {
      if (link.dataset.path === path) link.classList.add("wrong");
    }
  }
  place.replaceChildren(line, ...(faults.length > 0 ? [list] : []));
}

const filled = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Each file once, with the first thing that is wrong with it. */
function described(faults, texts) {
  const says = new Map();
  for (const { path, word } of faults) if (!says.has(path)) says.set(path, texts[word]);
  return [...says].map(([path, said]) => ({ path, says: said }));
}

async function checkPage(carried) {
  const { texts } = carried;
  if (!globalThis.crypto?.subtle) return show("evidence", "bad", texts.no_cryptography);
  show("evidence", "unchecked", texts.checking);
  const checking = new Checking(carried);
  await checkCarried(checking);
  await checkEvidence(checking);
  if (checking.faults.length > 0) {
    return show("evidence", "bad", texts.evidence_bad, described(checking.faults, texts));
  }
  if (checking.receipts + checking.entries === 0) {
    return show("evidence", "unchecked", texts.no_evidence);
  }
  const sentence = checking.canSign ? texts.evidence_ok : texts.no_signatures;
  const more = checking.mlDsa.has(false)
    ? ` ${texts.ml_dsa_unchecked}`
    : checking.mlDsa.has(true)
      ? ` ${texts.ml_dsa_ok}`
      : "";
  const state = checking.canSign ? "ok" : "unchecked";
  return show("evidence", state, filled(sentence, checking) + more);
}

async function checkFiles(reading, carried) {
  const { texts } = carried;
  show("files", "unchecked", texts.checking);
  let faults;
  let count = 0;
  try {
    const files = await reading;
    count = files.size;
    faults = await compared(files, carried.listed);
  } catch (error) {
    faults = [error instanceof Fault ? error : new Fault("ZIP", "malformed")];
  }
  const found = described(faults, texts);
  if (found.length > 0)
    return show("files", "bad", filled(texts.files_bad, { n: found.length }), found);
  return show("files", "ok", filled(texts.files_ok, { n: count }));
}

/** Where a server gives the unpacked files, the page reads them by itself. */
async function fetched(carried) {
  const paths = ["manifest.json", "index.html", ...carried.listed.map((it) => it.path)];
  const files = new Map();
  for (const path of paths) {
    const answer = await fetch(path);
    if (answer.ok) files.set(path, new Uint8Array(await answer.arrayBuffer()));
  }
  return files;
}

function start() {
  const carried = JSON.parse(byId("case").textContent);
  const check = (reading) => checkFiles(reading, carried);
  byId("zip").addEventListener("change", (event) => check(unzipped(event.target.files[0])));
  byId("folder").addEventListener("change", (event) => check(ofFolder(event.target.files)));
  byId("policy").addEventListener("change", (event) => checkPolicy(event.target.files[0], carried));
  const area = byId("check");
  addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  addEventListener("dragleave", () => area.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry?.();
    if (entry?.isDirectory) check(dropped(entry).then(unfolded));
    else if (event.dataTransfer.files[0]) check(unzipped(event.dataTransfer.files[0]));
  });
  checkPage(carried);
  if (location.protocol.startsWith("http")) check(fetched(carried));
}

start();
