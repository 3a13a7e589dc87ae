import type {
  ConsentMethod,
  PendingSubmission,
  Submission,
  SubmissionAnswer,
} from "@musette/client/terms";
import type { Realm } from "./realm";
import type { Service } from "./service";

/** The actions of one person at one screen, during one visit. */
export interface Visit {
  readonly person: string;
  readonly userId: string;
  /** The method with which the person last changed each term, including removed ticks. */
  readonly touched: Map<number, ConsentMethod>;
  readonly shown: Map<number, number>;
}

interface Press {
  readonly ticks: ReadonlyMap<number, boolean>;
  readonly touched: ReadonlyMap<number, ConsentMethod>;
  readonly shown: ReadonlyMap<number, number>;
  readonly person: string;
  readonly userId: string;
  /** The page in which the button was pressed. */
  readonly realm: Realm;
  /** The visit id with which the screen stores an applicant's submission. */
  readonly screen: string | undefined;
  /** Whether the press has led to a submission. */
  used: boolean;
}

/** Records all actions and compares them with the submissions that are stored, sent, recorded and shown. */
export class SubmissionChecker {
  private readonly pressOf = new Map<string, Press>();
  private checkedEntries = 0;
  /** All presses, also of closed screens, because a slow disk stores a submission later. */
  private readonly presses: Press[] = [];
  /** The errors so far. They are collected, because the screen treats a thrown error as a network failure. */
  private readonly errors: string[] = [];
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

  /** Checks a submission that a page stores before it sends it. */
  recordPending({ key, body, visit }: PendingSubmission, realm: Realm | undefined): void {
    if (this.pressOf.has(key)) return;
    const submission: Submission = JSON.parse(body);
    // Uses the last press, because an earlier press may have led to no submission.
    const press = this.presses.findLast(
      (one) =>
        !one.used &&
        one.realm === realm &&
        one.userId === submission.user_id &&
        (one.userId !== "" || one.screen === visit),
    );
    this.must(press !== undefined, "a submission was stored without a press");
    if (!press) return;
    press.used = true;
    this.pressOf.set(key, press);
    for (const entry of submission.consents) this.checkEntry(entry, press);
  }

  sent(visit: Visit, submission: Submission, key: string): void {
    this.must(
      submission.user_id === visit.userId,
      "a submission was sent with the session of another user",
    );
    this.must(this.pressOf.has(key), "a submission was sent before it was stored");
  }

  private checkEntry(entry: Submission["consents"][number], press: Press): void {
    const id = entry.terms_and_conditions_id;
    const touched = press.touched.get(id);
    const current = this.service.latest(press.userId).get(id);
    const optional = this.service.terms.some((term) => term.id === id && !term.mandatory);
    this.must(entry.accepted === press.ticks.get(id), `${id} differs from the tick on the screen`);
    if (entry.method) this.must(entry.method === touched, `${id} was not set by ${entry.method}`);
    this.must(entry.opened === press.shown.has(id), `${id} opened: ${entry.opened}`);
    this.must(entry.last_page === press.shown.get(id), `${id} was not shown to ${entry.last_page}`);
    if (!optional || press.userId === "") return;
    if (!touched && !entry.accepted)
      this.must(current !== true, `${id} was withdrawn without an action of the user`);
    if (entry.accepted && current === false)
      this.must(touched !== undefined, `${id} was restored without an action of the user`);
  }

  accepted(visit: Visit, answer: SubmissionAnswer): void {
    const entry = this.service.log.find((one) => one.answer.receipt.id === answer.receipt.id);
    const press = entry && this.pressOf.get(entry.key);
    this.must(press?.person === visit.person, "a receipt was shown to another person");
  }

  isOf(visit: Visit, key: string): boolean {
    return this.pressOf.get(key)?.person === visit.person;
  }

  must(isTrue: boolean, error: string): void {
    if (!isTrue) this.errors.push(error);
  }

  /** Checks the log and throws the collected errors. Called after each step. */
  check(): void {
    this.checkLog();
    if (this.errors.length > 0) throw new Error(this.errors.join("; "));
  }

  private checkLog(): void {
    for (const { key } of this.service.log.slice(this.checkedEntries)) {
      if (key.startsWith("elsewhere")) continue;
      this.must(this.pressOf.has(key), "a submission was recorded without a press");
      const times = this.service.log.filter((entry) => entry.key === key).length;
      this.must(times === 1, "a submission was recorded twice");
    }
    this.checkedEntries = this.service.log.length;
  }
}
