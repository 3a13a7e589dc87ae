import type {
  PendingSubmission,
  Submission,
  SubmissionAnswer,
  SubmitOptions,
} from "@musette/client/terms";
import { act, type Context } from "react";
import { vi } from "vitest";
import { forgetPending } from "../../../../client/src/terms/pending";
import { allPending } from "../../../../client/src/terms/pending-storage";
import { fakeIndexedDb } from "../../../../client/src/terms/testing/indexed-db";
import { Answers } from "../../reading/answers";
import { AnswersContext } from "../../reading/use-read";
import { type Mounted, mount } from "../../testing/mount";
import type { DocumentViewerProps } from "../../viewer/props";
import { TermsConsent } from "../terms-consent";
import { currentRealm, inRealm, type Realm, realmContext, stubGlobals } from "./realm";
import { refusal, Service } from "./service";
import { type Visit, Witness } from "./witness";

export type Net = "fine" | "lost before" | "lost after" | "down" | "held";

/** The viewer that is open, if one is. */
export const viewer: { shown?: DocumentViewerProps | undefined } = {};

interface Tab {
  readonly storage: Map<string, string>;
  visit: Visit;
  page: Mounted;
  realm: Realm;
}

const IDLE_MS = 15 * 60_000;
/** No connection holds a request for longer: TCP gives up sooner, and the server within a minute. */
const ON_THE_WAY_MS = 3600_000;

/** One phone that passes through many hands, with a browser of two tabs and a service behind it. */
export class Phone {
  readonly service = new Service(() => this.trueMs);
  readonly witness = new Witness(this.service);
  readonly rows: Map<string, unknown> = new Map();
  readonly tabs: Tab[] = [];
  net: Net = "fine";
  consentsNet: Net = "fine";
  slowDisk = false;
  private trueMs = Date.UTC(2026, 10, 22);
  private people = 0;
  private held: (() => void)[] = [];

  constructor() {
    vi.setSystemTime(this.trueMs);
    this.rows.set = (key, row) => {
      this.witness.kept(row as PendingSubmission, currentRealm());
      return Map.prototype.set.call(this.rows, key, row);
    };
    const soon = (work: () => void) => {
      const realm = currentRealm();
      // What a killed page had asked of the disk is not answered to anybody.
      const answer = () => (realm?.alive ?? true) && work();
      if (this.slowDisk) setTimeout(answer, 200);
      else queueMicrotask(answer);
    };
    stubGlobals((what) => this.witness.must(false, what));
    vi.stubGlobal("indexedDB", fakeIndexedDb(this.rows, soon).indexedDB);
  }

  get tab(): Tab {
    return this.tabs.at(-1) as Tab;
  }

  newPerson(userId: string): Visit {
    const person = userId || `applicant ${++this.people}`;
    return { person, userId, touched: new Map(), shown: new Map() };
  }

  samePerson(): Visit {
    const { person, userId } = this.tab.visit;
    return { person, userId, touched: new Map(), shown: new Map() };
  }

  async openTab(visit: Visit): Promise<void> {
    const tab = { storage: new Map(), visit } as unknown as Tab;
    this.tabs.push(tab);
    await this.load(tab, "navigate");
  }

  async load(tab: Tab, arrived: Realm["arrived"]): Promise<void> {
    viewer.shown = undefined;
    const root = document.body.appendChild(document.createElement("div"));
    tab.realm = { storage: tab.storage, document: root, arrived, alive: true };
    tab.page = await inRealm(tab.realm, () => mount(this.screen(tab), root));
    await this.settle();
    if (tab.visit.userId === "")
      this.witness.must(
        ![...this.ticks().values()].some(Boolean),
        "ticked boxes for an applicant who came now",
      );
  }

  private screen(tab: Tab) {
    const { visit, realm } = tab;
    const OfRealm = realmContext.of as Context<Realm | undefined>;
    const userId = visit.userId || undefined;
    const never = () => new Promise<never>(() => {});
    const left = () => this.restart(tab);
    return (
      <OfRealm value={realm}>
        <AnswersContext.Provider value={new Answers()}>
          <TermsConsent
            userId={userId}
            onBack={left}
            fetchTerms={async (query) => this.service.list(query)}
            fetchConsents={async (user) => {
              await this.pass(this.consentsNet);
              return realm.alive ? this.service.consents(user) : never();
            }}
            submitConsents={(submission, options) =>
              realm.alive ? this.submit(tab, submission, options) : never()
            }
            onAccepted={(answer) => this.witness.accepted(tab.visit, answer)}
          />
        </AnswersContext.Provider>
      </OfRealm>
    );
  }

  /** The host keeps the screen where it is: whoever sees it next has touched nothing. */
  private restart(tab: Tab): void {
    tab.visit = tab.visit.userId ? this.samePerson() : this.newPerson("");
  }

  private async pass(net: Net): Promise<void> {
    const sentMs = this.trueMs;
    if (net === "held") await new Promise<void>((resolve) => this.held.push(resolve));
    if (this.trueMs - sentMs > ON_THE_WAY_MS) throw new TypeError("Failed to fetch");
    if (net === "down") throw refusal(503, "unavailable");
    if (net.startsWith("lost")) throw new TypeError("Failed to fetch");
  }

  private async submit(
    tab: Tab,
    submission: Submission,
    { idempotencyKey }: SubmitOptions,
  ): Promise<SubmissionAnswer> {
    const { net } = this;
    const { realm } = tab;
    this.witness.sent(tab.visit, submission, idempotencyKey);
    if (net === "lost after") this.recordQuietly(submission, idempotencyKey);
    await this.pass(net);
    const answer = this.service.record(submission, idempotencyKey);
    // A page that was killed never hears of it.
    return realm.alive ? answer : new Promise(() => {});
  }

  private recordQuietly(submission: Submission, key: string): void {
    try {
      this.service.record(submission, key);
    } catch {
      // A refusal is lost as well.
    }
  }

  async deliver(): Promise<void> {
    for (const go of this.held.splice(0)) go();
    await this.settle();
  }

  async settle(): Promise<void> {
    await act(async () => {
      for (let turn = 0; turn < 40; turn++) await Promise.resolve();
    });
    this.witness.check();
  }

  /** Without a word to anybody: what the tab keeps is still there. */
  async kill(): Promise<void> {
    const kept = [...this.tab.storage];
    await this.leave(this.tab);
    this.tab.storage.clear();
    for (const [key, value] of kept) this.tab.storage.set(key, value);
  }

  private async leave({ page, realm }: Tab): Promise<void> {
    realm.alive = false;
    await inRealm(realm, () => page.leave());
    realm.document.remove();
  }

  async closeTab(): Promise<void> {
    await this.kill();
    this.tabs.pop();
    await this.comeBack();
  }

  /** From another tab or app. */
  private async comeBack(): Promise<void> {
    const { realm } = this.tab;
    const seen = () => realm.document.dispatchEvent(new Event("visibilitychange"));
    await inRealm(realm, () => act(async () => void seen()));
    await this.settle();
  }

  /** Nothing that this story left undone may go on in the next: a real page takes it along. */
  async end(): Promise<void> {
    for (const tab of this.tabs) await this.leave(tab);
    this.slowDisk = false;
    await vi.advanceTimersByTimeAsync(60_000);
    for (const left of await allPending()) await forgetPending(left);
  }

  /** Time goes by with the screen open; or with the phone asleep, whose timers stand still. */
  async wait(ms: number, asleep: boolean): Promise<void> {
    this.trueMs += ms;
    if (asleep) vi.setSystemTime(Date.now() + ms);
    else await act(() => vi.advanceTimersByTimeAsync(ms));
    if (ms >= IDLE_MS && this.tab.visit.userId === "") this.restart(this.tab);
    await this.settle();
  }

  /** By a person, in the settings of the device: nobody is there within seconds of waking it. */
  async changeClock(ms: number): Promise<void> {
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    this.trueMs += 10_000;
    vi.setSystemTime(Date.now() + ms);
    if (ms >= IDLE_MS && this.tab.visit.userId === "") this.restart(this.tab);
    await this.comeBack();
  }

  rowsOf(): HTMLElement[] {
    return [...this.tab.page.page.querySelectorAll<HTMLElement>("li[data-term]")];
  }

  ticks(): ReadonlyMap<number, boolean> {
    const rows = this.rowsOf().filter((row) => row.dataset.term !== "all");
    return new Map(
      rows.map((row) => [Number(row.dataset.term), row.querySelector("input")?.checked === true]),
    );
  }

  buttons(): HTMLButtonElement[] {
    return [...this.tab.page.page.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  }

  async press(element: HTMLElement | undefined): Promise<boolean> {
    if (!element) return false;
    let heard = false;
    const listen = () => {
      heard = true;
    };
    element.addEventListener("click", listen, { once: true });
    await inRealm(this.tab.realm, () => act(async () => element.click()));
    await this.settle();
    return heard;
  }
}
