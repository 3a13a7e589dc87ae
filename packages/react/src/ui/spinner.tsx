/** Decoration: who shows it also says in words what is going on. */
export function Spinner() {
  return <span className="mu-spinner" aria-hidden="true" />;
}
