import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, named, ROOT } from "./blocks";

/**
 * Names that a block takes from the application around it. Any other name must be declared in the
 * block, exported by a package of ours, or part of the browser.
 */
const OF_THE_HOST = [
  "baseUrl",
  "client",
  "draw",
  "flags",
  "gateway",
  "goToSignIn",
  "HttpError",
  "hydrateRoot",
  "next",
  "OFREPWebProvider",
  "OldList",
  "OpenFeature",
  "QuestCards",
  "render",
  "renderToString",
  "rider",
  "showBanner",
  "Skeleton",
  "Start",
  "storeReceipt",
  "userId",
];

const UNKNOWN_NAME = ["TS2304", "TS2552", "TS18004"];
/** Errors that a fragment has because the code around it is missing. */
const OF_A_FRAGMENT = [
  "TS2451", // two alternatives in one block
  "TS6133", // a value that the application would use
  "TS7006", // a parameter whose type comes from a name of the host
  "TS7031",
];

/** In a package that may import both libraries, and React. */
const FOLDER = join(ROOT, "node_modules/.cache/doc-blocks");

interface TypeError {
  readonly file: string;
  readonly code: string;
  readonly text: string;
}

function compile(files: ReadonlyMap<string, string>): readonly TypeError[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const config = {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: {
      noUnusedLocals: false,
      verbatimModuleSyntax: false,
      types: ["vite/client", "node"],
      rootDir: ROOT,
    },
    include: ["*.ts", "*.tsx"],
  };
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(config));
  for (const [file, code] of files) writeFileSync(join(FOLDER, file), code);
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, ["-p", FOLDER, "--pretty", "false"], { encoding: "utf8" });
  return [...stdout.matchAll(/^(\S*?)\(\d+,\d+\): error (TS\d+): (.*)$/gm)].map(
    ([, path = "", code = "", text = ""]) => ({ file: path.split("/").at(-1) ?? "", code, text }),
  );
}

/** Returns the entry points of the packages, with their text. */
function entryPoints(): readonly (readonly [string, string])[] {
  return ["client", "react"].flatMap((name) => {
    const folder = join(ROOT, "packages", name, "src");
    const rooms = readdirSync(folder, { recursive: true, encoding: "utf8" });
    // The generated types of the API repeat the names of other entry points.
    return rooms
      .filter((room) => room !== "api")
      .map((room) => [room, join(folder, room, "index.ts")] as const)
      .filter(([, path]) => existsSync(path))
      .map(([room, path]) => [`@musette/${name}/${room}`, readFileSync(path, "utf8")] as const);
  });
}

const nameIn = ({ text }: TypeError) => /'([^']+)'/.exec(text)?.[1] ?? "";

/** A block of attributes alone is one of an element. */
const complete = (code: string) =>
  /^\s+\w+=\{/.test(code) ? `const it = <TermsConsent\n${code} />;` : code;

/** Returns the type errors of the blocks, each with its place. */
export function typeErrors(blocks: readonly Block[]): readonly string[] {
  const fileOf = (i: number) => `block-${i}.${blocks[i]?.language === "tsx" ? "tsx" : "ts"}`;
  const codes = new Map(
    blocks.map(({ code }, i) => [fileOf(i), `${complete(code)}\nexport {};\n`]),
  );
  const points = entryPoints();
  // What a block uses of the packages without an import: an earlier block has it.
  const imports = new Map<string, Set<string>>();
  for (const error of compile(codes).filter(({ code }) => UNKNOWN_NAME.includes(code))) {
    const name = nameIn(error);
    const [point] = points.find(([, text]) => new RegExp(`\\b${name}\\b`).test(text)) ?? [];
    if (point && !OF_THE_HOST.includes(name)) {
      const line = `import { ${name} } from "${point}";`;
      imports.set(error.file, (imports.get(error.file) ?? new Set()).add(line));
    }
  }
  for (const [file, lines] of imports)
    codes.set(file, `${[...lines].join(" ")} ${codes.get(file)}`);
  const errors = compile(codes);
  rmSync(FOLDER, { recursive: true, force: true });
  return errors.filter(isError).map(({ file, code, text }) => {
    const block = blocks[Number(/\d+/.exec(file)?.[0])];
    return `${block ? named(block) : file}: ${code} ${text}`;
  });
}

function isError(error: TypeError): boolean {
  if (UNKNOWN_NAME.includes(error.code)) return !OF_THE_HOST.includes(nameIn(error));
  // A module of the application, or of a library that this repository does not install.
  if (error.code === "TS2307") return nameIn(error).startsWith("@musette/");
  return !OF_A_FRAGMENT.includes(error.code);
}
