import { Button } from "@musette/react/ui";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { grantOf } from "../api/grants";
import { useMay } from "../api/use-may";
import { useRoles } from "../api/use-roles";
import { recentVisits } from "../storage/recent";
import styles from "./overview.module.css";
import { useOverviewTexts } from "./texts/texts";

const PERSON = /^\/people\/([^/?]+)/;

/** The search for a person and the people opened last, for support. */
export function FindPerson() {
  const texts = useOverviewTexts();
  const navigate = useNavigate();
  const may = useMay();
  const roles = useRoles();
  const id = useId();
  const answersCalls = roles.some((role) => ["support", "operator"].includes(grantOf(role).role));
  if (!answersCalls) return null;
  // People who only answer calls begin to type as soon as the page is open.
  const isFirst = !may("terms");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get("q")).trim();
    void navigate({ to: "/people", search: q ? { q } : {} });
  };
  const people = recentVisits().filter(({ href }) => PERSON.test(href));
  return (
    <section className={`card ${styles.find}`}>
      <search>
        <form onSubmit={submit}>
          <label htmlFor={id}>{texts.find}</label>
          <input
            id={id}
            name="q"
            type="search"
            dir="auto"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: support begins each call with this field
            autoFocus={isFirst}
          />
          <Button type="submit">{texts.findButton}</Button>
        </form>
      </search>
      {people.length > 0 && (
        <nav aria-label={texts.lastPeople}>
          <p className="note">{texts.lastPeople}</p>
          <ul>
            {people.map(({ href, title }) => (
              <li key={href}>
                <Link
                  to="/people/$userId"
                  params={{ userId: decodeURIComponent(PERSON.exec(href)?.[1] ?? "") }}
                  className={styles.toOne}
                >
                  <bdi>{title}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </section>
  );
}
