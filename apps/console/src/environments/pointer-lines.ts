import { findNodeAtLocation, type Node } from "jsonc-parser";

/** Returns the offset of the value at a JSON pointer, or of its nearest existing ancestor. */
export function offsetOf(root: Node | undefined, pointer: string): number {
  let node = root;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const inside = node && findNodeAtLocation(node, [node.type === "array" ? Number(name) : name]);
    if (!inside) break;
    node = inside;
  }
  return node?.offset ?? 0;
}

export const lineOf = (text: string, offset: number): number =>
  text.slice(0, offset).split("\n").length;
