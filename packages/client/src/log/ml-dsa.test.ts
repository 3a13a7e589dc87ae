import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fromBase64 } from "./encoding";
import { cosignedMessage } from "./ml-dsa";
import { verifyTlogProof } from "./tlog-proof";

interface Vectors {
  readonly key: string;
  readonly ml_dsa: {
    readonly key: string;
    readonly entry: string;
    readonly proof: string;
    readonly time: number;
    readonly message: string;
  };
}

const file = new URL("../../../../testdata/log-vectors.json", import.meta.url);
const { key, ml_dsa: vector }: Vectors = JSON.parse(readFileSync(file, "utf8"));
const text = vector.proof.slice(vector.proof.indexOf("\n\n") + 2).split("\n\n")[0] ?? "";
const lastLine = vector.proof.trimEnd().split("\n").at(-1) ?? "";
const signature = (fromBase64(lastLine.split(" ")[2] ?? "") ?? new Uint8Array()).slice(12);

async function verify(vkeys: readonly string[], requireMlDsa = false, proof = vector.proof) {
  const verified = await verifyTlogProof(proof, vector.entry, { vkeys, requireMlDsa });
  return verified.ok ? verified.mlDsa : verified.code;
}

afterEach(() => vi.restoreAllMocks());

/** A browser that knows ML-DSA-44: it accepts only the message and signature that the server's tests made. */
function supportMlDsa() {
  const { importKey, verify: verifyNative } = SubtleCrypto.prototype;
  const mlDsaKey = {} as CryptoKey;
  vi.spyOn(crypto.subtle, "importKey").mockImplementation(((...args: unknown[]) =>
    args[0] === "raw-public"
      ? Promise.resolve(mlDsaKey)
      : Reflect.apply(importKey, crypto.subtle, args)) as SubtleCrypto["importKey"]);
  vi.spyOn(crypto.subtle, "verify").mockImplementation(((...args: unknown[]) => {
    if (args[1] !== mlDsaKey) return Reflect.apply(verifyNative, crypto.subtle, args);
    const [, , signed, message] = args as [unknown, unknown, Uint8Array, Uint8Array];
    const isSame =
      Buffer.from(message).toString("base64") === vector.message &&
      Buffer.from(signed).equals(Buffer.from(signature));
    return Promise.resolve(isSame);
  }) as SubtleCrypto["verify"]);
}

describe("a log that signs with ML-DSA-44 too", () => {
  it("signs the message of the specification", () => {
    const name = vector.key.split("+")[0] ?? "";
    const message = cosignedMessage(name, `${text}\n`, BigInt(vector.time));
    expect(Buffer.from(message ?? []).toString("base64")).toBe(vector.message);
    expect(cosignedMessage(name, "no checkpoint\n", 1n)).toBeUndefined();
  });

  it("is verified by Ed25519 in a browser without ML-DSA-44, which says so", async () => {
    expect(await verify([key, vector.key])).toBe("not_checked");
    expect(await verify([key, vector.key], true)).toBe("unsupported");
    expect(await verify([vector.key])).toBe("unsupported");
    expect(await verify([key])).toBe("none");
    expect(await verify([key], true)).toBe("unknown_signer");
  });

  it("is verified by both in a browser with ML-DSA-44", async () => {
    supportMlDsa();
    expect(await verify([key, vector.key])).toBe("verified");
    expect(await verify([key, vector.key], true)).toBe("verified");
    expect(await verify([vector.key], true)).toBe("verified");
    const wrong = vector.proof.replace(lastLine, lastLine.replace(/.{8}$/, "AAAAAA=="));
    expect(await verify([key, vector.key], false, wrong)).toBe("bad_signature");
    expect(await verify([key], false, wrong)).toBe("none");
  });
});
