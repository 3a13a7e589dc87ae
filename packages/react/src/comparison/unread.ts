import type { Block, Manifest } from "../viewer/manifest";

/** A document as it is compared. */
export interface Compared {
  readonly blocks: readonly Block[];
  readonly manifest: Pick<Manifest, "doubts" | "regions">;
}

/** Returns the pages that are not text, or only in parts: their words say too little to compare them. */
export function unreadPages({ blocks, manifest }: Compared): ReadonlySet<number> {
  const pictures = blocks.filter(({ kind, marked }) => kind === "figure" && marked);
  const parts = [...(manifest.doubts ?? []), ...(manifest.regions ?? []), ...pictures];
  return new Set(parts.map(({ page }) => page));
}

/** Returns the blocks that are text as the page says it. Running heads and feet are at the end, so that they never stand
 * inside a change, each once. */
export function comparableBlocks({ blocks, manifest }: Compared): readonly Block[] {
  const doubtful = new Set((manifest.doubts ?? []).map(({ page }) => page));
  const texts = blocks.filter(({ page }) => !doubtful.has(page));
  const margins = new Map(
    texts.filter(({ kind }) => kind === "margin").map((block) => [block.text, block]),
  );
  return [...texts.filter(({ kind }) => kind !== "margin"), ...margins.values()];
}
