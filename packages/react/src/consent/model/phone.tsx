import type {
  PendingSubmission,
  Submission,
  SubmissionAnswer,
  SubmitOptions,
} from "@musette/client/terms";
import { act } from "react";
import { SWRConfig } from "swr";
import { vi } from "vitest";
import { forgetPending } from "../../../../client/src/terms/pending";
import { allPending } from "../../../../client/src/terms/pending-storage";
import { fakeIndexedDb } from "../../../../client/src/terms/testing/indexed-db";
import { type Mounted, mount } from "../../testing/mount";
import type { DocumentViewerProps } from "../../viewer/props";
import { arriveBy } from "../consent-stage";
import { TermsConsent } from "../terms-consent";
import { refusal, Service } from "./service";
import { type Visit, Witness } from "./witness";

export type Net = "fine" | "lost before" | "lost after" | "down" | "held";

/** The viewer that is open, if one is. */
export const viewer: { shown?: DocumentViewerProps | undefined } = {};

interface Tab {
  readonly storage: Map<string, string>;
  visit: Visit;
  page: Mounted;
  alive: { yes: boolean };
}

/** Vitest sets the clock back to where it began as well. */
function dropTimers(): void {
  const now = Date.now();
  vi.clearAllTimers();
  vi.setSystemTime(now);
}

const IDLE_MS = 15 * 60_000;

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
  private life = 0;
  private held: (() => void)[] = [];

  constructor() {
    vi.setSystemTime(this.trueMs);
    this.rows.set = (key, row) => {
      this.witness.kept(row as PendingSubmission);
      return Map.prototype.set.call(this.rows, key, row);
    };
    const soon = (work: () => void) => {
      const { life } = this;
      // What a killed page had asked of the disk is not answered to anybody.
      const answer = () => life === this.life && work();
      if (this.slowDisk) setTimeout(answer, 200);
      else queueMicrotask(answer);
    };
    vi.stubGlobal("indexedDB", fakeIndexedDb(this.rows, soon).indexedDB);
    vi.stubGlobal("sessionStorage", this.storage());
  }

  /** Of the tab that is in front: where everything of it happens at once. */
  private storage() {
    const kept = () => this.tabs.at(-1)?.storage ?? new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept().get(key) ?? null,
      setItem: (key: string, value: string) => void kept().set(key, value),
      removeItem: (key: string) => void kept().delete(key),
    };
    return new Proxy(storage, {
      ownKeys: () => [...kept().keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: "" }),
    });
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
    const tab = { storage: new Map(), visit, alive: { yes: true } } as unknown as Tab;
    this.tabs.push(tab);
    await this.load(tab, "navigate");
  }

  async load(tab: Tab, by: "navigate" | "reload"): Promise<void> {
    arriveBy(by);
    viewer.shown = undefined;
    tab.alive = { yes: true };
    tab.page = await mount(this.screen(tab));
    await this.settle();
    if (tab.visit.userId === "")
      this.witness.must(
        ![...this.ticks().values()].some(Boolean),
        "ticked boxes for an applicant who came now",
      );
  }

  private screen(tab: Tab) {
    const { visit, alive } = tab;
    const userId = visit.userId || undefined;
    const never = () => new Promise<never>(() => {});
    const left = () => this.restart(tab);
    return (
      <SWRConfig value={{ provider: () => new Map() }}>
        <TermsConsent
          userId={userId}
          onBack={left}
          fetchTerms={async (query) => this.service.list(query)}
          fetchConsents={async (user) => {
            await this.pass(this.consentsNet);
            return alive.yes ? this.service.consents(user) : never();
          }}
          submitConsents={(submission, options) =>
            alive.yes ? this.submit(tab, submission, options) : never()
          }
          onAccepted={(answer) => this.witness.accepted(tab.visit, answer)}
        />
      </SWRConfig>
    );
  }

  /** The host keeps the screen where it is: whoever sees it next has touched nothing. */
  private restart(tab: Tab): void {
    tab.visit = tab.visit.userId ? this.samePerson() : this.newPerson("");
  }

  private async pass(net: Net): Promise<void> {
    if (net === "held") await new Promise<void>((resolve) => this.held.push(resolve));
    if (net === "down") throw refusal(503, "unavailable");
    if (net.startsWith("lost")) throw new TypeError("Failed to fetch");
  }

  private async submit(
    tab: Tab,
    submission: Submission,
    { idempotencyKey }: SubmitOptions,
  ): Promise<SubmissionAnswer> {
    const { net } = this;
    const { alive } = tab;
    this.witness.sent(tab.visit, submission, idempotencyKey);
    if (net === "lost after") this.recordQuietly(submission, idempotencyKey);
    await this.pass(net);
    const answer = this.service.record(submission, idempotencyKey);
    // A page that was killed never hears of it.
    return alive.yes ? answer : new Promise(() => {});
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
    const { tab } = this;
    const kept = [...tab.storage];
    tab.alive.yes = false;
    this.life++;
    dropTimers();
    await tab.page.leave();
    tab.storage.clear();
    for (const [key, value] of kept) tab.storage.set(key, value);
  }

  async closeTab(): Promise<void> {
    await this.kill();
    this.tabs.pop();
  }

  /** Nothing that this story left undone may go on in the next: a real page takes it along. */
  async end(): Promise<void> {
    for (const tab of this.tabs) {
      tab.alive.yes = false;
      await tab.page.leave();
    }
    this.slowDisk = false;
    await vi.advanceTimersByTimeAsync(60_000);
    dropTimers();
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
    await act(async () => element.click());
    await this.settle();
    return heard;
  }
}
