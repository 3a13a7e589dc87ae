type Listener = (seconds: number) => void;

let listener: Listener | undefined;

/** Reports that a submission has no definite answer. `seconds` is how long the server asked to wait. */
export function notifyUnanswered(seconds = 0): void {
  listener?.(seconds);
}

export function onUnanswered(run: Listener): void {
  listener = run;
}
