import { type Checkpoint, openCheckpoint } from "./checkpoint";
import { type Bytes, numeral } from "./encoding";
import { hashFromBase64, leafHash } from "./hash";
import { readKeys } from "./key";
import { verifyInclusion } from "./merkle";
import { answer, type Refusal, refuse } from "./refusal";

/**
 * Index, path and checkpoint. The extra line is covered by no signature, so it means nothing here.
 * A tree of 2^63 leaves is no higher than 63 hashes.
 */
const PROOF =
  /^c2sp\.org\/tlog-proof@v1\n(?:extra [\w+/=]*\n)?index (\d+)\n((?:.{44}\n){0,63})\n([\s\S]+)$/;

/** The logs that are trusted. */
export interface VerifyOptions {
  /** C2SP vkey lines of the logs that are believed, as `GET /log/keys` gives them. */
  readonly vkeys: readonly string[];
}

/** An entry that is in the log. */
export interface ProvenEntry {
  readonly ok: true;
  readonly index: number;
  readonly checkpoint: Checkpoint;
}

interface TlogProof {
  readonly index: number;
  readonly path: readonly Bytes[];
  readonly checkpoint: string;
}

/**
 * Verifies that exactly this entry is in the log, by a C2SP `tlog-proof@v1`.
 *
 * @param entry - The text of the entry, byte for byte.
 * @returns A refusal with a code when the check fails.
 */
export function verifyTlogProof(
  proof: string,
  entry: string,
  options: VerifyOptions,
): Promise<ProvenEntry | Refusal> {
  return answer(() => checkProof(proof, entry, options));
}

/** `verifyTlogProof` for the other checks of this module: throws a refusal. */
export async function checkProof(
  text: string,
  entry: string,
  { vkeys }: VerifyOptions,
): Promise<ProvenEntry> {
  const { index, path, checkpoint: note } = parseProof(text);
  const { rootHash, ...checkpoint } = await openCheckpoint(note, await readKeys(vkeys));
  const leaf = await leafHash(entry);
  const { size } = checkpoint;
  if (!(await verifyInclusion({ size, root: rootHash, index, leaf, path }))) {
    refuse("not_in_log", "the path does not lead to the root");
  }
  return { ok: true, index, checkpoint };
}

function parseProof(text: string): TlogProof {
  const [, indexText, lines = "", checkpoint] = PROOF.exec(text) ?? [];
  const index = numeral(indexText);
  const path = lines.split("\n").slice(0, -1).map(hashFromBase64);
  if (!checkpoint || index === undefined || path.includes(undefined)) {
    return refuse("malformed", "not a tlog-proof@v1");
  }
  return { index, path: path as Bytes[], checkpoint };
}
