type Listener = (seconds: number) => void;

let listener: Listener | undefined;

/** A submission had no answer that says whether it is recorded; `seconds` is what the server asked to wait. */
export function tellUnanswered(seconds = 0): void {
  listener?.(seconds);
}

export function onUnanswered(run: Listener): void {
  listener = run;
}
