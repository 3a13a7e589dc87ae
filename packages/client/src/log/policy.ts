import type { Bytes } from "./encoding";
import { type CosignerKey, readCosigner, readKey, type VerifierKey } from "./key";
import { fail } from "./refusal";

/** A witness or an earlier group of a policy, by its name. */
type Member = string;

interface Group {
  readonly threshold: number;
  readonly members: readonly Member[];
}

/** A C2SP tlog-policy: which logs a verifier accepts, and which witnesses must have cosigned. */
export interface Policy {
  /** The keys of the logs; undefined if the policy lists none. */
  readonly logs: readonly VerifierKey[] | undefined;
  /** The keys by the name of the witness; undefined for a type that this browser cannot verify. */
  readonly witnesses: ReadonlyMap<string, CosignerKey | undefined>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Undefined if no cosignature is needed. */
  readonly quorum: Member | undefined;
}

/** One line of signatures of a note. */
export interface Signature {
  readonly name: string;
  readonly id: string;
  readonly bytes: Bytes;
}

const KEYWORDS = ["log", "witness", "group", "quorum"];

/**
 * Reads a policy file. Witnesses with ML-DSA-44 keys (type 0x06) are read, but do not count for the quorum in a
 * browser that cannot verify them.
 */
export async function readPolicy(file: string): Promise<Policy> {
  const reading = new Reading();
  const lines = file.replace(/\n$/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the specification forbids them
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line))
      refuse(index, "it has a control character");
    const [keyword = "#", ...rest] = words;
    if (keyword.startsWith("#")) continue;
    if (!KEYWORDS.includes(keyword)) refuse(index, "it begins with an unknown word");
    await reading.read(index, keyword, rest);
  }
  return reading.end(lines.length - 1);
}

function refuse(index: number, why: string): never {
  return fail("bad_policy", `line ${index + 1}: ${why}`);
}

class Reading {
  private readonly logs: VerifierKey[] = [];
  private hasLogs = false;
  private readonly witnesses = new Map<string, CosignerKey | undefined>();
  private readonly groups = new Map<string, Group>();
  private readonly members = new Set<string>();
  private readonly vkeys = new Set<string>();
  private quorum: { readonly member: Member | undefined } | undefined;

  async read(index: number, keyword: string, words: readonly string[]): Promise<void> {
    if (keyword === "log") await this.log(index, words);
    else if (keyword === "witness") await this.witness(index, words);
    else if (keyword === "group") this.group(index, words);
    else this.setQuorum(index, words);
  }

  end(index: number): Policy {
    if (!this.quorum) refuse(index, "the file ends without a quorum line");
    const logs = this.hasLogs ? this.logs : undefined;
    const { witnesses, groups } = this;
    return { logs, witnesses, groups, quorum: this.quorum.member };
  }

  private addKey(index: number, kind: string, vkey: string): void {
    const publicKey = `${kind} ${vkey.replace(/^[^+]*\+[^+]*\+/, "")}`;
    if (this.vkeys.has(publicKey)) refuse(index, "the same public key is on an earlier line");
    this.vkeys.add(publicKey);
  }

  private async log(index: number, [vkey, ...rest]: readonly string[]): Promise<void> {
    if (!vkey || rest.length > 1) refuse(index, "expected: log <vkey> [<url>]");
    this.addKey(index, "log", vkey);
    const key = await readKey(vkey);
    this.hasLogs = true;
    if (key) this.logs.push(key);
  }

  private async witness(index: number, words: readonly string[]): Promise<void> {
    const [name, vkey, ...rest] = words;
    if (!name || !vkey || rest.length > 1) refuse(index, "expected: witness <name> <vkey> [<url>]");
    this.addKey(index, "witness", vkey);
    this.define(index, name);
    this.witnesses.set(name, await readCosigner(vkey));
  }

  private define(index: number, name: string): void {
    if (name === "none" || this.witnesses.has(name) || this.groups.has(name)) {
      refuse(index, `the name ${name} is already defined`);
    }
  }

  private defined(index: number, name: string): string {
    if (!this.witnesses.has(name) && !this.groups.has(name)) {
      refuse(index, `the name ${name} is not defined on an earlier line`);
    }
    return name;
  }

  private group(index: number, words: readonly string[]): void {
    const [name, count, ...members] = words;
    if (!name || !count || members.length === 0) {
      refuse(index, "expected: group <name> all|any|<k> <name>...");
    }
    for (const member of members) {
      this.defined(index, member);
      if (this.members.has(member)) refuse(index, `${member} is already a member of a group`);
      this.members.add(member);
    }
    this.define(index, name);
    const named = count === "all" ? members.length : count === "any" ? 1 : undefined;
    const threshold = named ?? (/^[1-9]\d{0,8}$/.test(count) ? Number(count) : 0);
    if (threshold < 1 || threshold > members.length) refuse(index, "the threshold is out of range");
    this.groups.set(name, { threshold, members });
  }

  private setQuorum(index: number, [name, ...rest]: readonly string[]): void {
    if (!name || rest.length > 0) refuse(index, "expected: quorum <name>|none");
    if (this.quorum) refuse(index, "there is a second quorum line");
    this.quorum = { member: name === "none" ? undefined : this.defined(index, name) };
  }
}

/**
 * Demands the quorum of a policy, and returns the names of the witnesses that cosigned. A wrong signature line of
 * a known key is an error for the whole note.
 */
export async function demandQuorum(
  policy: Policy,
  text: string,
  signatures: readonly Signature[],
): Promise<readonly string[]> {
  const cosigned: string[] = [];
  for (const [name, key] of policy.witnesses) {
    const lines = signatures.filter((line) => key?.name === line.name && key.id === line.id);
    for (const { bytes } of lines) {
      const time = await key?.verifiedTime(text, bytes);
      if (time === undefined) fail("bad_signature", `the cosignature of ${name} is invalid`);
      // Without a time it does not state that the tree is the largest one.
      if (time > 0n && !cosigned.includes(name)) cosigned.push(name);
    }
  }
  const isReached = (member: Member): boolean => {
    const group = policy.groups.get(member);
    if (!group) return cosigned.includes(member);
    return group.members.filter(isReached).length >= group.threshold;
  };
  if (policy.quorum !== undefined && !isReached(policy.quorum)) {
    const missing = membersOf(policy, policy.quorum).filter((name) => !cosigned.includes(name));
    fail("no_quorum", `no cosignature of ${missing.join(", ")}`);
  }
  return cosigned;
}

/** Lists the witnesses that count for a member. */
function membersOf(policy: Policy, member: Member): readonly string[] {
  const group = policy.groups.get(member);
  return group ? group.members.flatMap((name) => membersOf(policy, name)) : [member];
}
