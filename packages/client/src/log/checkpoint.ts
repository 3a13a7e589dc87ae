import { type Bytes, parseInteger } from "./encoding";
import { hashFromBase64 } from "./hash";
import { isKeyName, type VerifierKey } from "./key";
import { type MlDsa, openNote } from "./note";
import { demandQuorum, type Policy } from "./policy";
import { fail } from "./refusal";

/** The head of a log: the number of its entries and the root hash over all of them. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** The root hash in base64. */
  readonly root: string;
}

export interface OpenCheckpoint extends Checkpoint {
  readonly rootHash: Bytes;
  /** The witnesses whose cosignatures are valid. */
  readonly witnesses: readonly string[];
  readonly mlDsa: MlDsa;
}

/** Matches origin, size and root. Extension lines are allowed and ignored. */
const HEAD = /^(.+)\n(\d+)\n(.+)\n(?:[^\n]+\n)*$/;

/**
 * Reads a C2SP signed checkpoint. Accepts it only if it is signed by one of the given keys with the same
 * name as its origin, and if it fulfils the policy. Logs of the policy replace the keys.
 */
export async function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
  policy?: Policy,
): Promise<OpenCheckpoint> {
  const { text, signers, mlDsa, signatures } = await openNote(note, policy?.logs ?? keys);
  const [, origin = "", sizeText, root = ""] = HEAD.exec(text) ?? [];
  const size = parseInteger(sizeText);
  const rootHash = hashFromBase64(root);
  if (!isKeyName(origin) || size === undefined || !rootHash) {
    return fail("malformed", "the signed note is not a checkpoint");
  }
  if (!signers.includes(origin)) {
    fail("unknown_signer", `none of the given keys of ${origin} has signed the checkpoint`);
  }
  const witnesses = policy ? await demandQuorum(policy, text, signatures) : [];
  return { origin, size, root, rootHash, witnesses, mlDsa };
}
