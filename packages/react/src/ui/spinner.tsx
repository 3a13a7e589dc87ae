/** A decorative spinner. Show a text for screen readers too. */
export function Spinner() {
  return <span className="mu-spinner" aria-hidden="true" />;
}
