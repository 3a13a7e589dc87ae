import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

function pages(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const PAGES = [
  "README.md",
  ...pages("docs"),
  "packages/client/README.md",
  "packages/react/README.md",
  "bench/README.md",
  "demo/README.md",
  "deploy/README.md",
];

const FENCE = /^( *)```(\w*)[^\n]*\n([\s\S]*?)^ *```$/gm;

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(FENCE)].map(
    ({ 1: indent = "", 2: language = "", 3: code = "", index }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

/** All code blocks of the documentation. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(blocksOf);

export const named = ({ page, line }: Block): string => `${page}:${line}`;
