import type {
  ConsentMethod,
  PendingSubmission,
  Submission,
  SubmissionAnswer,
} from "@musette/client/terms";
import type { Realm } from "./realm";
import type { Service } from "./service";

/** What one person really did at one screen, between coming and going. */
export interface Visit {
  readonly person: string;
  readonly userId: string;
  /** How each term was last set by this person's own hand; undone ones too. */
  readonly touched: Map<number, ConsentMethod>;
  readonly shown: Map<number, number>;
}

interface Press {
  readonly ticks: ReadonlyMap<number, boolean>;
  readonly touched: ReadonlyMap<number, ConsentMethod>;
  readonly shown: ReadonlyMap<number, number>;
  readonly person: string;
  readonly userId: string;
  /** The page that it was pressed in. */
  readonly realm: Realm;
  /** The visit under which the screen keeps what an applicant pressed. */
  readonly screen: string | undefined;
  /** A submission came of it. */
  used: boolean;
}

/** Saw everything, and compares it with what is sent, recorded and told. */
export class Witness {
  private readonly pressOf = new Map<string, Press>();
  private checkedEntries = 0;
  /** Also of screens that were left since: a slow disk keeps what was pressed there a little later. */
  private readonly presses: Press[] = [];
  /** Kept, because what is thrown inside a call of the screen is taken for a failure of the network. */
  private readonly faults: string[] = [];
  readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  pressed(visit: Visit, ticks: ReadonlyMap<number, boolean>, realm: Realm): void {
    const { person, userId } = visit;
    const screen = realm.storage.get("musette-visit");
    const touched = new Map(visit.touched);
    const shown = new Map(visit.shown);
    this.presses.push({ ticks, touched, shown, person, userId, realm, screen, used: false });
  }

  /** About to be sent, by a page that may be killed before it comes to that. */
  kept({ key, body, visit }: PendingSubmission, realm: Realm | undefined): void {
    if (this.pressOf.has(key)) return;
    const submission: Submission = JSON.parse(body);
    // The last one: a press may also come to nothing.
    const press = this.presses.findLast(
      (one) =>
        !one.used &&
        one.realm === realm &&
        one.userId === submission.user_id &&
        (one.userId !== "" || one.screen === visit),
    );
    this.must(press !== undefined, "would send what nobody pressed");
    if (!press) return;
    press.used = true;
    this.pressOf.set(key, press);
    for (const entry of submission.consents) this.checkEntry(entry, press);
  }

  sent(visit: Visit, submission: Submission, key: string): void {
    this.must(submission.user_id === visit.userId, "sent with the session of somebody else");
    this.must(this.pressOf.has(key), "sent before it was kept");
  }

  private checkEntry(entry: Submission["consents"][number], press: Press): void {
    const id = entry.terms_and_conditions_id;
    const touched = press.touched.get(id);
    const stands = this.service.latest(press.userId).get(id);
    const optional = this.service.terms.some((term) => term.id === id && !term.mandatory);
    this.must(entry.accepted === press.ticks.get(id), `${id} is not as it was shown`);
    if (entry.method) this.must(entry.method === touched, `${id} was not set by ${entry.method}`);
    this.must(entry.opened === press.shown.has(id), `${id} opened: ${entry.opened}`);
    this.must(entry.last_page === press.shown.get(id), `${id} was not shown to ${entry.last_page}`);
    if (!optional || press.userId === "") return;
    if (!touched && !entry.accepted) this.must(stands !== true, `${id} was withdrawn by nobody`);
    if (entry.accepted && stands === false)
      this.must(touched === "tick", `${id} was brought back without a tick of its own`);
  }

  accepted(visit: Visit, answer: SubmissionAnswer): void {
    const entry = this.service.log.find((one) => one.answer.receipt.id === answer.receipt.id);
    const press = entry && this.pressOf.get(entry.key);
    this.must(press?.person === visit.person, "a receipt was given to somebody else");
  }

  isOf(visit: Visit, key: string): boolean {
    return this.pressOf.get(key)?.person === visit.person;
  }

  must(so: boolean, otherwise: string): void {
    if (!so) this.faults.push(otherwise);
  }

  /** After each step. */
  check(): void {
    this.checkLog();
    if (this.faults.length > 0) throw new Error(this.faults.join("; "));
  }

  private checkLog(): void {
    for (const { key } of this.service.log.slice(this.checkedEntries)) {
      if (key.startsWith("elsewhere")) continue;
      this.must(this.pressOf.has(key), "recorded what nobody pressed");
      const times = this.service.log.filter((entry) => entry.key === key).length;
      this.must(times === 1, "recorded twice");
    }
    this.checkedEntries = this.service.log.length;
  }
}
