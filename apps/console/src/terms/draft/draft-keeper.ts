import { HttpError } from "@musette/client/http";
import {
  type Difference,
  differences,
  type Field,
  merged,
  type Side,
  saysTheSame,
} from "./difference";
import { bodyOf, type Draft, type DraftBody, withDocumentsOf } from "./draft";

export type SaveState =
  | { readonly kind: "saved"; readonly at?: string }
  | { readonly kind: "unsaved" | "saving" | "offline" | "gone" }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "conflict"; readonly theirs: Draft };

export interface DraftState {
  /** The draft on the screen. */
  readonly body: DraftBody;
  readonly keeping: SaveState;
  /** The last version that the server is known to have. */
  readonly stored: Draft;
}

/** Typed text that is not on the server yet, to restore after a reload. */
export interface Unsaved {
  readonly base: Draft;
  readonly body: DraftBody;
}

export interface DraftIo {
  read(): Promise<Draft>;
  /** Fails with 412 if the server has another revision. */
  write(body: DraftBody, revision: number): Promise<Draft>;
  remember(unsaved: Unsaved | undefined): void;
}

/** Long enough to type a word, and short enough not to be noticed. */
const TYPING_MS = 700;
const RETRY_MS = 5_000;

const status = (error: unknown) => (error instanceof HttpError ? error.status : undefined);
const shouldRetry = (error: unknown) => {
  const answered = status(error) ?? 503;
  return answered >= 500 || answered === 429;
};

/** Saves a draft while it is typed: one change at a time, each based on the revision before it. */
export class DraftKeeper {
  readonly #io: DraftIo;
  readonly #listeners = new Set<() => void>();
  /** The version that the edits are based on. */
  #base: DraftBody;
  #now: DraftState;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(io: DraftIo, first: Draft, unsaved?: Unsaved) {
    this.#io = io;
    this.#base = bodyOf(first);
    this.#now = { body: this.#base, keeping: { kind: "saved" }, stored: first };
    if (unsaved) this.#restore(unsaved);
  }

  readonly now = (): DraftState => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  edit(change: (body: DraftBody) => DraftBody): void {
    const body = change(this.#now.body);
    if (body === this.#now.body) return;
    this.#io.remember({ base: this.#now.stored, body });
    const isStuck = /conflict|gone/.test(this.#now.keeping.kind);
    this.#show({ body, ...(!isStuck && { keeping: { kind: "unsaved" } }) });
    if (!isStuck) this.#later(TYPING_MS);
  }

  /** Saves pending changes at once. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#inTurn(() => this.#save());
  }

  /** Makes a change on the server, such as an upload. It begins after all typed text is saved. */
  change(make: (stored: Draft) => Promise<Draft>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#save();
      try {
        const stored = await make(this.#now.stored);
        this.#base = bodyOf(stored);
        this.#show({ stored, body: withDocumentsOf(this.#now.body, stored) });
      } catch (error) {
        // The server may have completed a change whose connection was lost.
        await this.#compare();
        throw error;
      }
    });
  }

  /** Compares the draft with the version that another person has saved. */
  reread(): Promise<void> {
    return this.#inTurn(() => this.#compare());
  }

  differences(theirs: Draft): readonly Difference[] {
    return differences(this.#base, this.#now.body, bodyOf(theirs));
  }

  /** Saves their version with the chosen parts of mine. */
  resolve(theirs: Draft, chosen: ReadonlyMap<Field, Side>): Promise<void> {
    const body = merged(this.#now.body, bodyOf(theirs), chosen);
    this.#base = bodyOf(theirs);
    this.#io.remember({ base: theirs, body });
    this.#show({ body, stored: theirs, keeping: { kind: "unsaved" } });
    return this.flush();
  }

  /**
   * Saves text that was restored from before a reload. The constructor cannot do it, because React calls
   * it twice.
   */
  start(): void {
    if (this.#now.keeping.kind === "unsaved") this.#later(TYPING_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Stops saving, because the draft no longer exists. */
  close(): void {
    this.stop();
    this.#isClosed = true;
  }

  #show(next: Partial<DraftState>): void {
    this.#now = { ...this.#now, ...next };
    for (const listener of this.#listeners) listener();
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #isDirty(): boolean {
    return !saysTheSame(this.#now.body, this.#base);
  }

  async #save(): Promise<void> {
    if (this.#isClosed || /conflict|gone/.test(this.#now.keeping.kind)) return;
    // Text typed during a save is saved in the next round.
    while (this.#isDirty()) {
      const { body, stored } = this.#now;
      this.#show({ keeping: { kind: "saving" } });
      try {
        this.#adopt(await this.#io.write(body, stored.revision));
      } catch (error) {
        return this.#failed(error);
      }
    }
    if (this.#now.keeping.kind !== "saved") this.#saved();
  }

  #adopt(stored: Draft): void {
    this.#base = bodyOf(stored);
    this.#show({ stored, body: withDocumentsOf(this.#now.body, stored) });
  }

  #saved(): void {
    this.#io.remember(undefined);
    this.#show({ keeping: { kind: "saved", at: this.#now.stored.updated_at } });
  }

  async #failed(error: unknown): Promise<void> {
    if (status(error) === 412) await this.#compare();
    else if (status(error) === 404) this.#show({ keeping: { kind: "gone" } });
    else if (!shouldRetry(error)) this.#show({ keeping: { kind: "refused", error } });
    else {
      this.#show({ keeping: { kind: "offline" } });
      this.#later(RETRY_MS);
    }
  }

  async #compare(): Promise<void> {
    let theirs: Draft;
    try {
      theirs = await this.#io.read();
    } catch (error) {
      return this.#failed(error);
    }
    const isChanged = !saysTheSame(this.#base, bodyOf(theirs));
    if (isChanged && this.differences(theirs).length > 0) {
      this.#show({ keeping: { kind: "conflict", theirs } });
      return;
    }
    // Only a document is new, or both made the same change: the typed text is saved on top.
    this.#adopt(theirs);
    if (this.#isDirty()) this.#later(0);
    else this.#saved();
  }

  /**
   * Restores text typed before a reload. If another person has changed the draft, the two are
   * compared.
   */
  #restore({ base, body }: Unsaved): void {
    const { stored } = this.#now;
    const restored = withDocumentsOf(body, stored);
    if (base.revision === stored.revision) {
      this.#now = { stored, body: restored, keeping: { kind: "unsaved" } };
    } else if (!saysTheSame(restored, this.#base)) {
      this.#base = bodyOf(base);
      this.#now = { stored, body: restored, keeping: { kind: "conflict", theirs: stored } };
    } else this.#io.remember(undefined);
  }
}
