import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import styles from "./coverage.module.css";
import { useCoverageTexts } from "./texts/texts";

const TYPING_MS = 300;

/** The search field. The typed text updates the address when typing pauses. */
export function MissingSearch({ q }: { readonly q: string }) {
  const texts = useCoverageTexts();
  const navigate = useNavigate({ from: "/terms/$termId/coverage" });
  const [typed, setTyped] = useState(q);
  const id = useId();

  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(
      () =>
        void navigate({
          search: (former) => ({ ...former, q: typed }),
          replace: true,
          resetScroll: false,
        }),
      TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, q, navigate]);

  return (
    <search className={`field ${styles.missingSearch}`}>
      <label htmlFor={id}>{texts.search}</label>
      <input
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        placeholder={texts.searchHint}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  );
}
