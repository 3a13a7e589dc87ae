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
import { QueryCache } from "../../reading/answers";
import { QueryCacheContext } from "../../reading/use-read";
import { type Mounted, mount } from "../../testing/mount";
import type { DocumentViewerProps } from "../../viewer/props";
import { TermsConsent } from "../terms-consent";
import { currentRealm, inRealm, type Realm, realmContext, stubGlobals } from "./realm";
import { httpError, Service } from "./service";
import { SubmissionChecker, type Visit } from "./witness";

export type Net = "fine" | "lost before" | "lost after" | "down" | "delayed";

/** The props of the open viewer, if any. */
export const viewer: { shown?: DocumentViewerProps | undefined } = {};

interface Tab {
  readonly storage: Map<string, string>;
  visit: Visit;
  page: Mounted;
  realm: Realm;
}

const IDLE_MS = 15 * 60_000;
/** The maximum delay of a request. Real TCP connections time out sooner, and the server within a minute. */
const TRANSIT_MAX_MS = 3600_000;

/** A phone that several people share, with a browser of two tabs and a fake service. */
export class Phone {
  readonly service = new Service(() => this.trueMs);
  readonly checker = new SubmissionChecker(this.service);
  readonly rows: Map<string, unknown> = new Map();
  readonly tabs: Tab[] = [];
  net: Net = "fine";
  consentsNet: Net = "fine";
  slowDisk = false;
  private trueMs = Date.UTC(2026, 10, 22);
  private people = 0;
  private delayed: (() => void)[] = [];

  constructor() {
    vi.setSystemTime(this.trueMs);
    this.rows.set = (key, row) => {
      this.checker.recordPending(row as PendingSubmission, currentRealm());
      return Map.prototype.set.call(this.rows, key, row);
    };
    const schedule = (work: () => void) => {
      const realm = currentRealm();
      // The disk does not respond to requests of a killed page.
      const answer = () => (realm?.alive ?? true) && work();
      if (this.slowDisk) setTimeout(answer, 200);
      else queueMicrotask(answer);
    };
    stubGlobals((what) => this.checker.must(false, what));
    vi.stubGlobal("indexedDB", fakeIndexedDb(this.rows, schedule).indexedDB);
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
      this.checker.must(
        ![...this.ticks().values()].some(Boolean),
        "ticked boxes for an applicant who came now",
      );
  }

  private screen(tab: Tab) {
    const { visit, realm } = tab;
    const OfRealm = realmContext.of as Context<Realm | undefined>;
    const userId = visit.userId || undefined;
    const never = () => new Promise<never>(() => {});
    const restart = () => this.restart(tab);
    return (
      <OfRealm value={realm}>
        <QueryCacheContext.Provider value={new QueryCache()}>
          <TermsConsent
            userId={userId}
            onBack={restart}
            fetchTerms={async (query) => this.service.list(query)}
            fetchConsents={async (user) => {
              await this.pass(this.consentsNet);
              return realm.alive ? this.service.consents(user) : never();
            }}
            submitConsents={(submission, options) =>
              realm.alive ? this.submit(tab, submission, options) : never()
            }
            onAccepted={(answer) => this.checker.accepted(tab.visit, answer)}
          />
        </QueryCacheContext.Provider>
      </OfRealm>
    );
  }

  /** Starts a new visit while the host keeps the screen mounted. The new user has touched nothing. */
  private restart(tab: Tab): void {
    tab.visit = tab.visit.userId ? this.samePerson() : this.newPerson("");
  }

  private async pass(net: Net): Promise<void> {
    const sentMs = this.trueMs;
    if (net === "delayed") await new Promise<void>((resolve) => this.delayed.push(resolve));
    if (this.trueMs - sentMs > TRANSIT_MAX_MS) throw new TypeError("Failed to fetch");
    if (net === "down") throw httpError(503, "unavailable");
    if (net.startsWith("lost")) throw new TypeError("Failed to fetch");
  }

  private async submit(
    tab: Tab,
    submission: Submission,
    { idempotencyKey }: SubmitOptions,
  ): Promise<SubmissionAnswer> {
    const { net } = this;
    const { realm } = tab;
    this.checker.sent(tab.visit, submission, idempotencyKey);
    if (net === "lost after") this.recordQuietly(submission, idempotencyKey);
    await this.pass(net);
    const answer = this.service.record(submission, idempotencyKey);
    // A killed page never receives the response.
    return realm.alive ? answer : new Promise(() => {});
  }

  private recordQuietly(submission: Submission, key: string): void {
    try {
      this.service.record(submission, key);
    } catch {
      // The response of a rejection is lost too.
    }
  }

  async deliver(): Promise<void> {
    for (const go of this.delayed.splice(0)) go();
    await this.settle();
  }

  async settle(): Promise<void> {
    await act(async () => {
      for (let turn = 0; turn < 40; turn++) await Promise.resolve();
    });
    this.checker.check();
  }

  /** Kills the page without events. The session storage of the tab stays. */
  async kill(): Promise<void> {
    const entries = [...this.tab.storage];
    await this.leave(this.tab);
    this.tab.storage.clear();
    for (const [key, value] of entries) this.tab.storage.set(key, value);
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

  /** Simulates a return from another tab or app. */
  private async comeBack(): Promise<void> {
    const { realm } = this.tab;
    const becomeVisible = () => realm.document.dispatchEvent(new Event("visibilitychange"));
    await inRealm(realm, () => act(async () => void becomeVisible()));
    await this.settle();
  }

  /** Ends the run and completes its work, so that nothing continues in the next run. */
  async end(): Promise<void> {
    for (const tab of this.tabs) await this.leave(tab);
    this.slowDisk = false;
    await vi.advanceTimersByTimeAsync(60_000);
    for (const pending of await allPending()) await forgetPending(pending);
  }

  /** Advances time with the screen open, or with the phone asleep, when its timers stop. */
  async wait(ms: number, asleep: boolean): Promise<void> {
    this.trueMs += ms;
    if (asleep) vi.setSystemTime(Date.now() + ms);
    else await act(() => vi.advanceTimersByTimeAsync(ms));
    if (ms >= IDLE_MS && this.tab.visit.userId === "") this.restart(this.tab);
    await this.settle();
  }

  /** Changes the device's clock, as a user does in the settings. This takes at least 10 s after waking the phone. */
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
    let wasClicked = false;
    const markClicked = () => {
      wasClicked = true;
    };
    element.addEventListener("click", markClicked, { once: true });
    await inRealm(this.tab.realm, () => act(async () => element.click()));
    await this.settle();
    return wasClicked;
  }
}
