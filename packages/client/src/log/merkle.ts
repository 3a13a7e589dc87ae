import type { Bytes } from "./encoding";
import { isSameHash, nodeHash, sha256 } from "./hash";

/** An inclusion proof (RFC 9162 §2.1.3): hashes of 32 bytes, sizes and indices in leaves. */
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

/** Where a hash stands in its row, and the last place of that row. */
interface Place {
  readonly node: number;
  readonly last: number;
}

const half = Math.floor;

// By division: the bit operators of this language cut numbers off at 32 bits.
function above({ node, last }: Place): Place {
  return { node: half(node / 2), last: half(last / 2) };
}

/**
 * Walks a path up, RFC 9162 §2.1.3.2 and §2.1.4.2. Answers whether it has as many hashes as the tree
 * asks for; `join` hears of each and on which side it stands.
 */
async function climb(
  from: Place,
  path: readonly Bytes[],
  join: (sibling: Bytes, onTheLeft: boolean) => Promise<void>,
): Promise<boolean> {
  let place = from;
  for (const sibling of path) {
    if (place.last === 0) return false;
    const onTheLeft = place.node % 2 === 1 || place.node === place.last;
    await join(sibling, onTheLeft);
    // A right edge without sibling moves up unhashed until it is a right child.
    while (onTheLeft && place.node % 2 === 0 && place.node !== 0) place = above(place);
    place = above(place);
  }
  return place.last === 0;
}

/** Whether the leaf stands at this index of the tree with this root. */
export async function verifyInclusion(proof: Inclusion): Promise<boolean> {
  const { size, index, path } = proof;
  if (index >= size) return false;
  let hash = proof.leaf;
  const complete = await climb({ node: index, last: size - 1 }, path, async (sibling, left) => {
    hash = await (left ? nodeHash(sibling, hash) : nodeHash(hash, sibling));
  });
  return complete && isSameHash(hash, proof.root);
}

/** Whether the newer tree begins with all the leaves of the older one: nothing was rewritten. */
export async function verifyConsistency(proof: Consistency): Promise<boolean> {
  const { oldSize, oldRoot, newSize, newRoot, path } = proof;
  if (oldSize > newSize) return false;
  if (oldSize === 0 || oldSize === newSize) {
    const expected = oldSize === 0 ? await sha256() : newRoot;
    return path.length === 0 && isSameHash(oldRoot, expected);
  }
  let place: Place = { node: oldSize - 1, last: newSize - 1 };
  while (place.node % 2 === 1) place = above(place);
  // A perfect old tree is itself the first hash, and is not sent.
  const [first, ...rest] = place.node === 0 ? [oldRoot, ...path] : path;
  if (!first) return false;
  let [older, newer] = [first, first];
  const complete = await climb(place, rest, async (sibling, left) => {
    if (left) older = await nodeHash(sibling, older);
    newer = await (left ? nodeHash(sibling, newer) : nodeHash(newer, sibling));
  });
  return complete && isSameHash(older, oldRoot) && isSameHash(newer, newRoot);
}
