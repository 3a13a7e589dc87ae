import type { Bytes } from "./encoding";
import { isSameHash, nodeHash, sha256 } from "./hash";

/** An inclusion proof (RFC 9162 §2.1.3). Hashes have 32 bytes; sizes and indices count leaves. */
export interface Inclusion {
  readonly size: number;
  readonly root: Bytes;
  readonly index: number;
  readonly leaf: Bytes;
  readonly path: readonly Bytes[];
}

/** A consistency proof between two sizes of a tree (RFC 9162 §2.1.4). */
export interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Bytes;
  readonly newSize: number;
  readonly newRoot: Bytes;
  readonly path: readonly Bytes[];
}

/** The position of a hash in its level of the tree, and the last position of that level. */
interface Position {
  readonly node: number;
  readonly last: number;
}

const floor = Math.floor;

// Uses division, because the bit operators of JavaScript truncate numbers to 32 bits.
function parentOf({ node, last }: Position): Position {
  return { node: floor(node / 2), last: floor(last / 2) };
}

/**
 * Walks up a path (RFC 9162 §2.1.3.2 and §2.1.4.2) and calls `join` with each hash and its side. Returns
 * whether the path has the number of hashes that the tree requires.
 */
async function climb(
  from: Position,
  path: readonly Bytes[],
  join: (sibling: Bytes, onTheLeft: boolean) => Promise<void>,
): Promise<boolean> {
  let position = from;
  for (const sibling of path) {
    if (position.last === 0) return false;
    const onTheLeft = position.node % 2 === 1 || position.node === position.last;
    await join(sibling, onTheLeft);
    // A node at the right edge without a sibling moves up without hashing until it is a right child.
    while (onTheLeft && position.node % 2 === 0 && position.node !== 0)
      position = parentOf(position);
    position = parentOf(position);
  }
  return position.last === 0;
}

/** Verifies that the leaf is at this index of the tree with this root. */
export async function verifyInclusion(proof: Inclusion): Promise<boolean> {
  const { size, index, path } = proof;
  if (index >= size) return false;
  let hash = proof.leaf;
  const complete = await climb({ node: index, last: size - 1 }, path, async (sibling, left) => {
    hash = await (left ? nodeHash(sibling, hash) : nodeHash(hash, sibling));
  });
  return complete && isSameHash(hash, proof.root);
}

/** Verifies that the newer tree starts with all leaves of the older tree, so that no entry was rewritten. */
export async function verifyConsistency(proof: Consistency): Promise<boolean> {
  const { oldSize, oldRoot, newSize, newRoot, path } = proof;
  if (oldSize > newSize) return false;
  if (oldSize === 0 || oldSize === newSize) {
    const expected = oldSize === 0 ? await sha256() : newRoot;
    return path.length === 0 && isSameHash(oldRoot, expected);
  }
  let position: Position = { node: oldSize - 1, last: newSize - 1 };
  while (position.node % 2 === 1) position = parentOf(position);
  // If the old tree is perfect, its root is the first hash, and the proof omits it.
  const [first, ...rest] = position.node === 0 ? [oldRoot, ...path] : path;
  if (!first) return false;
  let [older, newer] = [first, first];
  const complete = await climb(position, rest, async (sibling, left) => {
    if (left) older = await nodeHash(sibling, older);
    newer = await (left ? nodeHash(sibling, newer) : nodeHash(newer, sibling));
  });
  return complete && isSameHash(older, oldRoot) && isSameHash(newer, newRoot);
}
