import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { useLanguage } from "../language/language-context";
import { type AuditSearch, readAuditSearch } from "./audit-search";

/** Each change goes into the address at once; a user id when it is typed whole. */
export function AuditFilter({ search }: { readonly search: AuditSearch }) {
  const { texts } = useLanguage();
  const navigate = useNavigate({ from: "/audit" });
  const id = useId();
  const words = texts.audit;

  const change = (part: AuditSearch) =>
    void navigate({ search: (former) => readAuditSearch({ ...former, ...part }), replace: true });
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
        <TextField
          name="q"
          type="search"
          label={words.search}
          placeholder={words.searchHint}
          value={search.q ?? ""}
          onChange={(q) => change({ q })}
        />
        <EventField event={search.event} onChange={(event) => change({ event })} />
        <TextField
          name="user"
          type="text"
          label={words.user}
          value={search.user ?? ""}
          onChange={(user) => change({ user })}
        />
        {day("since")}
        {day("until")}
        {/* Without one, Enter in one of several fields sends nothing. */}
        <input type="submit" hidden />
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

interface TextFieldProps {
  readonly name: string;
  readonly type: "search" | "text";
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The browser's until it is left or sent, so that nothing is asked for half a word. */
function TextField({ label, value, onChange, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        defaultValue={value}
        onBlur={({ target }) => target.value.trim() !== value && onChange(target.value.trim())}
      />
    </div>
  );
}

interface EventFieldProps {
  readonly event: string | undefined;
  readonly onChange: (event: string) => void;
}

function EventField({ event, onChange }: EventFieldProps) {
  const { texts } = useLanguage();
  const words = texts.audit;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.event}</label>
      <select id={id} value={event ?? ""} onChange={({ target }) => onChange(target.value)}>
        <option value="">{words.anyEvent}</option>
        {event && !words.events[event] && <option>{event}</option>}
        {Object.entries(words.events).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
