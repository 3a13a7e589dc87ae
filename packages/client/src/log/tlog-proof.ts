import { type Checkpoint, openCheckpoint } from "./checkpoint";
import { type Bytes, parseInteger } from "./encoding";
import { hashFromBase64, leafHash } from "./hash";
import { readKeys } from "./key";
import { verifyInclusion } from "./merkle";
import type { MlDsa } from "./note";
import { readPolicy } from "./policy";
import { fail, type Refusal, toResult } from "./refusal";

/**
 * Matches index, path and checkpoint. No signature covers the extra line, so it is ignored. A path in a tree
 * of 2^63 leaves has at most 63 hashes.
 */
const PROOF =
  /^c2sp\.org\/tlog-proof@v1\n(?:extra [\w+/=]*\n)?index (\d+)\n((?:.{44}\n){0,63})\n([\s\S]+)$/;

/** The keys of the trusted logs. */
export interface VerifyOptions {
  /** C2SP vkey lines of the trusted logs, in the format of `GET /log/keys`. */
  readonly vkeys: readonly string[];
  /**
   * The text of a C2SP tlog-policy file, whose quorum of witnesses must have cosigned the checkpoint. If it lists
   * logs, `vkeys` is not used.
   */
  readonly policy?: string | undefined;
  /** Demands a signature by a given ML-DSA-44 key. A browser that cannot verify it refuses with `unsupported`. */
  readonly requireMlDsa?: boolean | undefined;
}

/** A log entry whose inclusion is verified. */
export interface ProvenEntry {
  readonly ok: true;
  readonly index: number;
  readonly checkpoint: Checkpoint;
  /** The names in the policy of the witnesses that cosigned the checkpoint. */
  readonly witnesses: readonly string[];
  readonly mlDsa: MlDsa;
}

interface TlogProof {
  readonly index: number;
  readonly path: readonly Bytes[];
  readonly checkpoint: string;
}

/**
 * Verifies with a C2SP `tlog-proof@v1` that exactly this entry is in the log.
 *
 * @param entry - The text of the entry, byte for byte.
 * @returns A `Refusal` with a code if the check fails.
 */
export function verifyTlogProof(
  proof: string,
  entry: string,
  options: VerifyOptions,
): Promise<ProvenEntry | Refusal> {
  return toResult(() => checkProof(proof, entry, options));
}

/** Does the work of `verifyTlogProof`, but throws if the check fails. */
export async function checkProof(
  text: string,
  entry: string,
  options: VerifyOptions,
): Promise<ProvenEntry> {
  const { index, path, checkpoint: note } = parseProof(text);
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy);
  const keys = await readKeys(options.vkeys);
  const { rootHash, witnesses, mlDsa, ...checkpoint } = await openCheckpoint(note, keys, policy);
  if (options.requireMlDsa && mlDsa === "none")
    fail("unknown_signer", "no given ML-DSA-44 key has signed the checkpoint");
  if (options.requireMlDsa && mlDsa === "not_checked")
    fail("unsupported", "this browser does not support ML-DSA-44");
  const leaf = await leafHash(entry);
  const { size } = checkpoint;
  if (!(await verifyInclusion({ size, root: rootHash, index, leaf, path }))) {
    fail("not_in_log", "the path does not lead to the root of the log");
  }
  return { ok: true, index, checkpoint, witnesses, mlDsa };
}

function parseProof(text: string): TlogProof {
  const [, indexText, lines = "", checkpoint] = PROOF.exec(text) ?? [];
  const index = parseInteger(indexText);
  const path = lines.split("\n").slice(0, -1).map(hashFromBase64);
  if (!checkpoint || index === undefined || path.includes(undefined)) {
    return fail("malformed", "the proof is not a tlog-proof@v1");
  }
  return { index, path: path as Bytes[], checkpoint };
}
