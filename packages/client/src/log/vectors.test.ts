import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Bytes, fromBase64 } from "./encoding";
import { leafHash, nodeHash, sha256 } from "./hash";
import { readKeys } from "./key";
import { verifyConsistency, verifyInclusion } from "./merkle";
import { openNote } from "./note";
import { verifyReceipt } from "./receipt";
import { toResult } from "./refusal";
import { verifyTlogProof } from "./tlog-proof";

interface Case {
  readonly case: string;
  readonly valid: boolean;
}
interface Path extends Case {
  readonly path: readonly string[];
}
interface Vectors {
  readonly about: string;
  readonly key: string;
  readonly entries: readonly string[];
  readonly leaves: readonly string[];
  readonly roots: readonly string[];
  readonly inclusion: readonly (Path & {
    size: number;
    index: number;
    leaf: string;
    root: string;
  })[];
  readonly consistency: readonly (Path & {
    old: number;
    new: number;
    old_root: string;
    new_root: string;
  })[];
  readonly keys: readonly (Case & { key: string })[];
  readonly notes: readonly (Case & { note: string })[];
  readonly proofs: readonly (Case & { proof: string; entry: string })[];
  readonly receipts: readonly (Case & {
    receipt: string;
    user_id: string | null;
    subject: string | null;
  })[];
  readonly tile_paths: readonly Case[];
}

const file = new URL("../../../../testdata/log-vectors.json", import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, "utf8"));
const vkeys = [vectors.key];

function bytes(base64: string | undefined): Bytes {
  const decoded = fromBase64(base64 ?? "");
  if (!decoded?.length) throw new Error(`not base64: ${base64}`);
  return decoded;
}

function each<T extends Case>(cases: readonly T[], verify: (one: T) => Promise<boolean>): void {
  it.each(cases.map((one) => [one.case, one] as const))("%s", async (_, one) => {
    expect(await verify(one)).toBe(one.valid);
  });
  it("has valid and invalid cases", () => {
    expect(new Set(cases.map(({ valid }) => valid))).toEqual(new Set([true, false]));
  });
}

it("covers all parts of the vectors", () => {
  // `tile_paths` are for programs that read tiles. This package does not.
  const tested =
    "about key entries leaves roots inclusion consistency keys ml_dsa notes proofs receipts tile_paths";
  expect(Object.keys(vectors).sort()).toEqual(tested.split(" ").sort());
});

it("computes the leaf hashes and the roots", async () => {
  const leaves = await Promise.all(vectors.entries.map(leafHash));
  expect(leaves).toEqual(vectors.leaves.map(bytes));
  const rootOf = async (hashes: readonly Bytes[]): Promise<Bytes> => {
    const [first] = hashes;
    if (!first) return sha256();
    if (hashes.length === 1) return first;
    const middle = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
    return nodeHash(await rootOf(hashes.slice(0, middle)), await rootOf(hashes.slice(middle)));
  };
  for (const [size, root] of vectors.roots.entries()) {
    expect(await rootOf(leaves.slice(0, size))).toEqual(bytes(root));
  }
});

describe("inclusion", () => {
  each(vectors.inclusion, ({ size, index, leaf, root, path }) =>
    verifyInclusion({ size, index, leaf: bytes(leaf), root: bytes(root), path: path.map(bytes) }),
  );
});

describe("consistency", () => {
  each(vectors.consistency, (one) =>
    verifyConsistency({
      oldSize: one.old,
      oldRoot: bytes(one.old_root),
      newSize: one.new,
      newRoot: bytes(one.new_root),
      path: one.path.map(bytes),
    }),
  );
});

describe("keys", () => {
  each(vectors.keys, async ({ key }) => {
    const keys = await toResult(() => readKeys([key]));
    return "length" in keys && keys.length === 1;
  });
});

describe("notes", () => {
  each(vectors.notes, async ({ note }) => {
    return "text" in (await toResult(async () => openNote(note, await readKeys(vkeys))));
  });
});

describe("proofs", () => {
  each(vectors.proofs, async ({ proof, entry }) => {
    return (await verifyTlogProof(proof, entry, { vkeys })).ok;
  });
});

describe("receipts", () => {
  each(vectors.receipts, async ({ receipt, user_id, subject }) => {
    const verified = await verifyReceipt(receipt, { vkeys, userId: user_id ?? undefined });
    expect(verified.ok && verified.subject).toBe(subject ?? false);
    return verified.ok;
  });
});
