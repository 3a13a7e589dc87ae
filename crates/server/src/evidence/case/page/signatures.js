/*
 * Verifies one signature of a note: plain Ed25519, and the cosignatures of C2SP tlog-cosignature. Not all browsers
 * know ML-DSA-44, and the page says so where one does not.
 */

const ED25519 = 1;
const COSIGNATURE = 4;
const ML_DSA_44 = 6;
const TIME_BYTES = 8;

async function verifies(key, signature, text) {
  const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", imported, signature, utf8(text));
}

function uint64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** `undefined` if the browser does not know ML-DSA-44. `timed` are the time and the signature. */
async function verifiesMlDsa(name, key, timed, text) {
  const algorithm = { name: "ML-DSA-44" };
  let imported;
  try {
    imported = await crypto.subtle.importKey("raw-public", key, algorithm, false, ["verify"]);
  } catch {
    return undefined;
  }
  const [origin, size, root] = text.split("\n");
  const hash = fromBase64(root ?? "");
  if (!/^\d{1,16}$/.test(size ?? "") || hash?.length !== 32) return false;
  const [signer, log] = [utf8(name), utf8(origin)];
  const message = joined([
    utf8("subtree/v1\n\0"),
    Uint8Array.of(signer.length),
    signer,
    timed.slice(0, TIME_BYTES),
    Uint8Array.of(log.length),
    log,
    uint64(0n),
    uint64(BigInt(size)),
    hash,
  ]);
  return crypto.subtle.verify(algorithm, imported, timed.slice(TIME_BYTES), message);
}

/** The same for both kinds of cosignatures. */
async function verifiesCosignature(key, timed, text) {
  if (key.kind === ML_DSA_44) return verifiesMlDsa(key.name, key.key, timed, text);
  const time = new DataView(timed.buffer, timed.byteOffset).getBigUint64(0);
  const message = `cosignature/v1\ntime ${time}\n${text}`;
  return verifies(key.key, timed.slice(TIME_BYTES), message);
}
