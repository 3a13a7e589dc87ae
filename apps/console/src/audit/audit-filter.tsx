import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { useLanguage } from "../language/language-context";
import type { AuditSearch } from "./audit-search";
import { useAuditTexts } from "./texts/texts";

/** Each change goes into the address at once; a user id when it is typed whole. */
export function AuditFilter({ search }: { readonly search: AuditSearch }) {
  const { texts } = useLanguage();
  const navigate = useNavigate({ from: "/audit" });
  const id = useId();
  const words = texts.audit;
  const own = useAuditTexts();

  const change = (part: AuditSearch) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    change({ q: String(typed.get("q")).trim(), user: String(typed.get("user")).trim() });
  };
  const day = (name: "since" | "until") => (
    <div className="field">
      <label htmlFor={id + name}>{words[name]}</label>
      <input
        id={id + name}
        type="date"
        value={search[name] ?? ""}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </div>
  );

  return (
    // Made anew when it is cleared, since the user id is the browser's until it is sent.
    <search>
      <form key={`${search.q} ${search.user}`} className="filter" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}q`}>{own.search}</label>
          <input
            id={`${id}q`}
            name="q"
            type="search"
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            placeholder={own.searchHint}
            defaultValue={search.q}
            onBlur={({ target }) =>
              target.value.trim() !== (search.q ?? "") && change({ q: target.value.trim() })
            }
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}event`}>{words.event}</label>
          <select
            id={`${id}event`}
            value={search.event ?? ""}
            onChange={(event) => change({ event: event.target.value })}
          >
            <option value="">{words.anyEvent}</option>
            {search.event && !words.events[search.event] && <option>{search.event}</option>}
            {Object.entries(words.events).map(([event, name]) => (
              <option key={event} value={event}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}user`}>{words.user}</label>
          <input
            id={`${id}user`}
            name="user"
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            defaultValue={search.user}
            onBlur={(event) =>
              event.target.value !== (search.user ?? "") && change({ user: event.target.value })
            }
          />
        </div>
        {day("since")}
        {day("until")}
        {Object.keys(search).length > 0 && (
          <button
            type="button"
            className="quiet"
            onClick={() => void navigate({ search: {}, replace: true })}
          >
            {words.clear}
          </button>
        )}
      </form>
    </search>
  );
}
