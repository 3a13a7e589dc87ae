import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { hex, utf8 } from "./encoding";
import { leafHash, sha256 } from "./hash";
import { verifyTlogProof } from "./tlog-proof";

const ORIGIN = "musette.test/log";
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

interface Signer {
  readonly name: string;
  readonly vkey: string;
  readonly id: Uint8Array;
  readonly secret: KeyObject;
}

async function newSigner(name: string, kind: number): Promise<Signer> {
  const { publicKey, privateKey: secret } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const key = Uint8Array.of(kind, ...raw);
  const id = (await sha256(utf8(`${name}\n`), key)).slice(0, 4);
  return { name, id, secret, vkey: `${name}+${hex(id)}+${base64(key)}` };
}

let log: Signer;
let council: Signer;
let auditor: Signer;
let text: string;
/** The policy of the specification's example, in small. */
let members: string;

beforeAll(async () => {
  log = await newSigner(ORIGIN, 1);
  council = await newSigner("council.example", 4);
  auditor = await newSigner("auditor.example", 4);
  text = `${ORIGIN}\n1\n${base64(await leafHash("entry"))}\n`;
  members = `witness council ${council.vkey} https://council.example/\n# the auditor\nwitness auditor ${auditor.vkey}\n`;
});

function line({ name, id, secret }: Signer): string {
  return `\u2014 ${name} ${base64(Buffer.concat([id, sign(null, utf8(text), secret)]))}\n`;
}

/** Signs a time of 8 bytes and the text, as C2SP tlog-cosignature describes it. */
function cosignature({ name, id, secret }: Signer, time = 1_795_000_000n, signed = text): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(time);
  const message = utf8(`cosignature/v1\ntime ${time}\n${signed}`);
  return `\u2014 ${name} ${base64(Buffer.concat([id, bytes, sign(null, message, secret)]))}\n`;
}

async function verify(policy: string, cosignatures: readonly string[]): Promise<string> {
  const note = `${text}\n${line(log)}${cosignatures.join("")}`;
  const proof = `c2sp.org/tlog-proof@v1\nindex 0\n\n${note}`;
  const verified = await verifyTlogProof(proof, "entry", { vkeys: [log.vkey], policy });
  return verified.ok ? verified.witnesses.join(" ") : `${verified.code}: ${verified.reason}`;
}

describe("a policy", () => {
  it("demands all members of its quorum and names the missing ones", async () => {
    const policy = `${members}group both all council auditor\nquorum both\n`;
    const both = [cosignature(auditor), cosignature(council)];
    expect(await verify(policy, both)).toBe("council auditor");
    expect(await verify(policy, [both[0] ?? ""])).toBe("no_quorum: no cosignature of council");
    expect(await verify(policy, [])).toBe("no_quorum: no cosignature of council, auditor");
  });

  it("counts nested groups and thresholds", async () => {
    const policy = `${members}group one any council\ngroup two 1 one auditor\nquorum two\n`;
    expect(await verify(policy, [cosignature(council)])).toBe("council");
    expect(await verify(policy, [cosignature(auditor)])).toBe("auditor");
    expect(await verify("quorum none\n", [])).toBe("");
  });

  it("ignores unknown witnesses and cosignatures without a time", async () => {
    const policy = `${members}quorum council\n`;
    const unknown = await newSigner("unknown.example", 4);
    const missing = "no_quorum: no cosignature of council";
    expect(await verify(policy, [cosignature(unknown)])).toBe(missing);
    expect(await verify(policy, [cosignature(council, 0n)])).toBe(missing);
  });

  it("rejects a wrong line of a known witness", async () => {
    const policy = `${members}quorum council\n`;
    const other = cosignature(auditor, 1_795_000_000n, `${text}more\n`);
    const wrong = "bad_signature: the cosignature of auditor is invalid";
    expect(await verify(policy, [cosignature(council), other])).toBe(wrong);
  });

  it("accepts only the logs that it lists", async () => {
    const other = await newSigner("other.example/log", 1);
    expect(await verify(`log ${log.vkey}\nquorum none\n`, [])).toBe("");
    expect(await verify(`log ${other.vkey}\nquorum none\n`, [])).toMatch(/^unknown_signer: /);
  });

  it.each([
    ["line 1: the file ends without a quorum line", ""],
    ["line 1: it begins with an unknown word", "witnesses\nquorum none\n"],
    ["line 1: the name x is not defined on an earlier line", "quorum x\n"],
    ["line 2: there is a second quorum line", "quorum none\nquorum none\n"],
    ["line 1: it has a control character", "quorum none\r\n"],
    ["line 1: expected: log <vkey> [<url>]", "log\nquorum none\n"],
    ["line 1: expected: witness <name> <vkey> [<url>]", "witness a\nquorum none\n"],
  ])("is refused with %s", async (reason, policy) => {
    expect(await verify(policy, [])).toBe(`bad_policy: ${reason}`);
  });

  it("is refused if a name, a key or a member appears twice", async () => {
    const third = await newSigner("third.example", 4);
    const cases = [
      [`${members}witness again ${council.vkey}\nquorum none\n`, "line 4: the same public key"],
      [`${members}witness council ${third.vkey}\nquorum none\n`, "line 4: the name council"],
      [`${members}group a any council council\nquorum a\n`, "line 4: council is already a member"],
      [`${members}group a 3 council auditor\nquorum a\n`, "line 4: the threshold"],
      [`${members}group a 01 council auditor\nquorum a\n`, "line 4: the threshold"],
    ] as const;
    for (const [policy, reason] of cases) {
      expect(await verify(policy, [])).toContain(`bad_policy: ${reason}`);
    }
  });
});
