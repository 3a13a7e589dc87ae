import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { submitConsent } from "./agreeing";

test.use({ viewport: { width: 1280, height: 800 } });

interface Unpacked {
  readonly zip: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/** The archive is stored, so each file's bytes follow its header. */
function unpack(zip: string, folder: string): readonly string[] {
  const bytes = readFileSync(zip);
  const paths: string[] = [];
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [length, name] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)];
    const path = bytes.toString("utf8", at + 30, at + 30 + name);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes.subarray(at + 30 + name, at + 30 + name + length));
    paths.push(path);
    at += 30 + name + length;
  }
  return paths;
}

/** Downloads the case file of a rider who agreed, from their page. */
async function download(page: Page, musette: Musette): Promise<Unpacked> {
  await submitConsent(musette, "demo-rider-1");
  return downloadOf(page, musette, "demo-rider-1");
}

async function downloadOf(page: Page, musette: Musette, userId: string): Promise<Unpacked> {
  await signInByLink(page, musette);
  await page.goto(`/console/people/${userId}/account`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download case file" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`case-${userId}.zip`);
  const [folder, zip] = [test.info().outputPath("case"), test.info().outputPath("case.zip")];
  await file.saveAs(zip);
  return { zip, folder, paths: unpack(zip, folder) };
}

const evidence = (page: Page) => page.locator("#evidence");
const files = (page: Page) => page.locator("#files");

async function open(page: Page, { folder }: Unpacked): Promise<void> {
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
}

test("a case file verifies itself from disk without a network", async ({
  page,
  musette,
  context,
}) => {
  const unpacked = await download(page, musette);
  await context.setOffline(true);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await open(page, unpacked);
  await expect(evidence(page)).toHaveAttribute("data-state", "ok");
  await expect(evidence(page)).toContainText("Receipts: 1.");
  await expect(page.locator(".decisions > li")).toHaveCount(4);
  await expect(files(page)).toHaveAttribute("data-state", "unchecked");
  await page.locator("#zip").setInputFiles(unpacked.zip);
  await expect(files(page)).toHaveAttribute("data-state", "ok");
  await expect(files(page)).toContainText(`All ${unpacked.paths.length} files`);
  await page.locator("#folder").setInputFiles(unpacked.folder);
  await expect(files(page)).toHaveAttribute("data-state", "ok");
  expect(requests.every((url) => url.startsWith("file:"))).toBe(true);
  const { violations } = await axeBuilder(page).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  rmSync(unpacked.folder, { recursive: true });
});

test("a case file without receipts says that there is nothing to verify", async ({
  page,
  musette,
}) => {
  await open(page, await downloadOf(page, musette, "demo-rider-2"));
  await expect(evidence(page)).toContainText("Nothing to verify: this file has no receipt");
  await expect(evidence(page)).toHaveAttribute("data-state", "unchecked");
});

test("names any file with one changed byte", async ({ page, musette }) => {
  test.setTimeout(60_000);
  const unpacked = await download(page, musette);
  await open(page, unpacked);
  await expect(evidence(page)).toHaveAttribute("data-state", "ok");
  for (const path of unpacked.paths) {
    const file = join(unpacked.folder, path);
    const bytes = readFileSync(file);
    const changed = Uint8Array.from(bytes);
    changed[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, changed);
    await page.locator("#folder").setInputFiles(unpacked.folder);
    await expect(files(page), path).toHaveAttribute("data-state", "bad");
    await expect(files(page), path).toContainText(path);
    writeFileSync(file, bytes);
    await page.locator("#folder").setInputFiles(unpacked.folder);
    await expect(files(page), path).toHaveAttribute("data-state", "ok");
  }
  rmSync(join(unpacked.folder, unpacked.paths[1] ?? ""));
  writeFileSync(join(unpacked.folder, "slipped-in.txt"), "more");
  await page.locator("#folder").setInputFiles(unpacked.folder);
  await expect(files(page)).toContainText(`${unpacked.paths[1]} is missing`);
  await expect(files(page)).toContainText("slipped-in.txt is not listed");
});

test("reports a page whose evidence was changed", async ({ page, musette }) => {
  const unpacked = await download(page, musette);
  const file = join(unpacked.folder, "index.html");
  const genuine = readFileSync(file, "utf8");
  const refused = '\\"accepted\\": false';
  expect(genuine).toContain(refused);
  writeFileSync(file, genuine.replaceAll(refused, '\\"accepted\\": true'));
  await open(page, unpacked);
  await expect(evidence(page)).toHaveAttribute("data-state", "bad");
  await expect(evidence(page)).toContainText("case.json");
});

interface Cosigner {
  readonly vkey: string;
  readonly line: string;
}

/** A witness (C2SP tlog-cosignature, Ed25519) that cosigned this text. */
function cosigner(name: string, text: string): Cosigner {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const key = Buffer.concat([Buffer.of(4), raw]);
  const id = createHash("sha256").update(`${name}\n`).update(key).digest().subarray(0, 4);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(1_795_000_000n);
  const message = Buffer.from(`cosignature/v1\ntime 1795000000\n${text}`);
  const signature = Buffer.concat([id, time, sign(null, message, privateKey)]).toString("base64");
  return {
    vkey: `${name}+${id.toString("hex")}+${key.toString("base64")}`,
    line: `\u2014 ${name} ${signature}\n`,
  };
}

test("demands the witnesses of a chosen policy", async ({ page, musette }) => {
  const unpacked = await download(page, musette);
  const head = unpacked.paths.find((path) => path.endsWith("/checkpoint")) ?? "";
  const note = readFileSync(join(unpacked.folder, head), "utf8");
  const text = note.slice(0, note.lastIndexOf("\n\n") + 1);
  const council = cosigner("council.example/w", text);
  const auditor = cosigner("auditor.example/w", text);
  // The page of a case file whose head the council has cosigned.
  const file = join(unpacked.folder, "index.html");
  const inPage = (it: string) => JSON.stringify(it).slice(1, -1);
  const html = readFileSync(file, "utf8");
  writeFileSync(file, html.replaceAll(inPage(note), inPage(note + council.line)));
  const choose = async (policy: string) => {
    const buffer = Buffer.from(policy);
    await page.locator("#policy").setInputFiles({ name: "p", mimeType: "text/plain", buffer });
  };
  await open(page, unpacked);
  const witnesses = page.locator("#witnesses");
  await expect(witnesses).toHaveAttribute("data-state", "unchecked");
  const members = `witness council ${council.vkey}\nwitness auditor ${auditor.vkey} https://a.example\n`;
  await choose(`${members}group one any council auditor\nquorum one\n`);
  await expect(witnesses).toContainText("have signed the log: council.");
  await expect(witnesses).toHaveAttribute("data-state", "ok");
  await choose(`${members}group both all council auditor\nquorum both\n`);
  await expect(witnesses).toContainText("Missing: auditor.");
  await expect(witnesses).toHaveAttribute("data-state", "bad");
  await choose(`${members}quorum unknown\n`);
  await expect(witnesses).toContainText("malformed in line 3.");
  await choose(`log other.example+00000000+AAAA\nquorum none\n`);
  await expect(witnesses).toContainText("malformed in line 1.");
  const { violations } = await axeBuilder(page).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`)).toEqual([]);
});

test.describe("a log that also signs with ML-DSA-44", () => {
  test.use({ options: ["--log-ml-dsa"] });

  test("verifies both signatures, or says that one was not checked", async ({ page, musette }) => {
    const unpacked = await download(page, musette);
    await open(page, unpacked);
    await expect(evidence(page)).toContainText("post-quantum signatures (ML-DSA-44) are valid");
    await expect(evidence(page)).toHaveAttribute("data-state", "ok");
    // A browser that does not know the algorithm.
    await page.addInitScript(() => {
      const { importKey } = crypto.subtle;
      crypto.subtle.importKey = (...args: unknown[]) =>
        args[0] === "raw-public"
          ? Promise.reject(new DOMException("unknown", "NotSupportedError"))
          : Reflect.apply(importKey, crypto.subtle, args);
    });
    await page.reload();
    await expect(evidence(page)).toContainText("They were not checked, because this browser");
    await expect(evidence(page)).toHaveAttribute("data-state", "ok");
  });
});

/** Copies of a valid archive that some programs would unpack to other files. */
function ambiguous(zip: Buffer): readonly (readonly [string, Buffer])[] {
  const end = zip.length - 22;
  const directory = zip.readUInt32LE(end + 16);
  const changed = (at: number, by = 1) => {
    const bytes = Buffer.from(zip);
    bytes[at] = (bytes[at] ?? 0) ^ by;
    return bytes;
  };
  const inserted = (at: number, more: Buffer) => {
    const bytes = Buffer.concat([zip.subarray(0, at), more, zip.subarray(at)]);
    bytes.writeUInt32LE(directory + more.length, bytes.length - 22 + 16);
    return bytes;
  };
  const first = zip.subarray(0, 30 + zip.readUInt16LE(26) + zip.readUInt32LE(18));
  return [
    ["a method that differs", changed(8, 8)],
    ["a checksum that differs", changed(14)],
    ["a length that differs", changed(18)],
    ["a name that differs", changed(30)],
    ["a symbolic link", changed(directory + 41, 0xa0 ^ 0x80)],
    ["an entry that is not listed", inserted(directory, first)],
    ["bytes before the first entry", inserted(0, Buffer.from("#!/bin/sh\n"))],
    ["bytes after the end", Buffer.concat([zip, Buffer.from("more")])],
  ];
}

test("refuses an archive that programs unpack differently", async ({ page, musette }) => {
  const unpacked = await download(page, musette);
  await open(page, unpacked);
  const good = readFileSync(unpacked.zip);
  const choose = (buffer: Buffer) =>
    page.locator("#zip").setInputFiles({ name: "case.zip", mimeType: "application/zip", buffer });
  for (const [what, bytes] of ambiguous(good)) {
    await choose(bytes);
    await expect(files(page), what).toHaveAttribute("data-state", "bad");
    await choose(good);
    await expect(files(page), what).toHaveAttribute("data-state", "ok");
  }
});
