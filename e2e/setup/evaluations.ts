import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Musette } from "./musette";

const program =
  process.env.MUSETTE_BIN ?? new URL("../../target/debug/musette", import.meta.url).pathname;

/** The company's program that evaluates shifts, with a service key of the role `dispatcher`. */
export class Roster {
  private readonly url: string;
  private readonly key: string;

  constructor(musette: Musette) {
    this.url = `${musette.url}/api/admin/v1/evaluations`;
    const args = ["service-key", "create", "--name", "roster", "--role", "dispatcher"];
    const env = { ...process.env, MUSETTE_TEST: "1" };
    const output = execFileSync(program, [...args, "--data", musette.folder], {
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
    this.key = JSON.parse(output).key;
  }

  private async send(method: string, path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.url}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, system: { name: "order-dispatch", version: "7.2" } }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  }

  /** Creates an evaluation in the status `PENDING` and returns its id. */
  async create(userId: string, reference: string, startsAt = SHIFT_START): Promise<string> {
    const id = randomUUID();
    const endsAt = new Date(Date.parse(startsAt) + 4 * 3600_000).toISOString();
    const subject = { kind: "shift", reference, starts_at: startsAt, ends_at: endsAt };
    await this.send("PUT", id, { user_id: userId, subject });
    return id;
  }

  /** Creates an evaluation of a rider who started 12 minutes late. */
  async createLate(userId: string, reference: string, startsAt = SHIFT_START): Promise<string> {
    const id = await this.create(userId, reference, startsAt);
    await this.send("POST", `${id}/transitions`, {
      to: "EVALUATED",
      version: 1,
      figures: {
        planned_minutes: 240,
        worked_minutes: 228,
        late_by_seconds: 720,
        early_by_seconds: 0,
      },
      reasons: [{ code: "late", text: LATE }],
    });
    return id;
  }

  async createNoShow(userId: string, reference: string, startsAt = SHIFT_START): Promise<string> {
    const id = await this.create(userId, reference, startsAt);
    const reasons = [{ code: "absent", text: ABSENT }];
    await this.send("POST", `${id}/transitions`, { to: "NO_SHOW", version: 1, reasons });
    return id;
  }
}

export const SHIFT_START = "2026-11-20T17:00:00.000Z";
const LATE = {
  en: "Started 12 minutes late.",
  de: "12 Minuten zu spät begonnen.",
  ar: "بدأت متأخرًا 12 دقيقة.",
};
const ABSENT = { en: "No sign-on during the shift.", ar: "لم يُسجَّل حضور في الوردية." };
