import { type Bytes, numeral } from "./encoding";
import { hashFromBase64 } from "./hash";
import { isKeyName, type VerifierKey } from "./key";
import { openNote } from "./note";
import { refuse } from "./refusal";

/** The head of a log: how many entries it had, and the one hash that stands for all of them. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

export interface OpenCheckpoint extends Checkpoint {
  readonly rootHash: Bytes;
}

/** Origin, size and root. Extension lines of others are allowed and have no meaning here. */
const HEAD = /^(.+)\n(\d+)\n(.+)\n(?:[^\n]+\n)*$/;

/**
 * Reads a C2SP signed checkpoint, and believes it only if a given key named like its origin signed
 * it.
 */
export async function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
): Promise<OpenCheckpoint> {
  const { text, signers } = await openNote(note, keys);
  const [, origin = "", sizeText, root = ""] = HEAD.exec(text) ?? [];
  const size = numeral(sizeText);
  const rootHash = hashFromBase64(root);
  if (!isKeyName(origin) || size === undefined || !rootHash) {
    return refuse("malformed", "not a checkpoint");
  }
  if (!signers.includes(origin)) {
    refuse("unknown_signer", `no known key of ${origin} has signed`);
  }
  return { origin, size, root, rootHash };
}
