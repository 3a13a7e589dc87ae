import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { Store } from "./musette";
import { pagesOfWords, scan } from "./pdf";

const root = new URL("../", import.meta.url).pathname;
const documents = join(root, "../demo/documents");

/**
 * The starting point of the tests, created once. Each test gets a copy of the database and its own
 * server.
 */
export const prepared = join(root, "dist");

// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function prepare(): Promise<void> {
  rmSync(prepared, { recursive: true, force: true });
  mkdirSync(join(prepared, "store"), { recursive: true });
  writeFileSync(join(prepared, "handbook.pdf"), pagesOfWords("Rider handbook", 30));
  writeFileSync(join(prepared, "too-long.pdf"), pagesOfWords("Rider handbook", 301));
  writeFileSync(join(prepared, "marketing.pdf"), pagesOfWords("Marketing messages", 2));
  writeFileSync(join(prepared, "scan.pdf"), scan());
  fillStore(new Store(join(prepared, "store")));
  await build({ configFile: join(root, "stage/vite.config.ts"), logLevel: "warn" });
  await build({
    configFile: join(root, "../packages/react/gallery/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: join(prepared, "gallery") },
  });
}

function fillStore(store: Store): void {
  store.make();
  const own = (name: string) => join(prepared, `${name}.pdf`);
  const agreement = (locale: string) => join(documents, `freelancer-agreement.${locale}.pdf`);
  const arabic = (file: string, title: string) => ["--variant", `ar=${file}:${title}`];
  const mandatory = (order: number) => ["--mandatory", "--order", String(order)];

  store.publish(
    agreement("en"),
    "FREELANCER",
    "Freelancer agreement",
    ...mandatory(1),
    ...arabic(agreement("ar"), "اتفاقية العمل الحر"),
  );
  store.publish(
    own("handbook"),
    "FREELANCER",
    "Rider handbook and safety rules",
    ...mandatory(2),
    ...arabic(own("handbook"), "دليل السائق وقواعد السلامة"),
  );
  store.publish(
    own("scan"),
    "FREELANCER",
    "Equipment certificate",
    ...mandatory(3),
    ...arabic(own("scan"), "شهادة المعدات"),
  );
  store.publish(
    own("marketing"),
    "MARKETING",
    "Marketing messages",
    "--order",
    "4",
    ...arabic(own("marketing"), "الرسائل التسويقية"),
  );
  store.publish(own("marketing"), "HOSTILE", HOSTILE_TITLE, ...mandatory(1));
  store.addRider("demo-rider-1", "Ottilie Fernwick", "ottilie@larkspur.example");
  store.addRider("demo-rider-2", "Bram Tolliver");
}

/** A tag that would execute, and a right-to-left override that makes ".exe" read as ".png". */
export const HOSTILE_TITLE = "<img src=x onerror=alert(1)> photo\u202Egnp.exe";
