import { useNavigate, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { MarketFilter } from "../markets/market-filter";
import { ChoiceField } from "../ui/choice-field";
import { FilterBar } from "../ui/filter-bar";
import { Icon } from "../ui/icon";
import styles from "./people.module.css";
import { type PeopleSearch, ROLES, readPeopleSearch } from "./people-search";
import { usePeopleTexts } from "./texts/texts";
import { useRoleNames } from "./use-role-names";

/** The pause after the last key before the list is filtered: it lets a person type a word. */
const PAUSE_MS = 180;

interface PeopleFilterProps {
  readonly search: PeopleSearch;
  readonly onEnter: () => void;
}

/** The typed text, which updates the address when typing pauses. */
function useTyped(inAddress: string) {
  const navigate = useNavigate({ from: "/people" });
  const { history } = useRouter();
  const [typed, setTyped] = useState(inAddress);
  const submitted = useRef(inAddress);

  // Back, forward and links change the address without the field.
  useEffect(() => {
    if (inAddress === submitted.current) return;
    submitted.current = inAddress;
    setTyped(inAddress);
  }, [inAddress]);

  useEffect(() => {
    const q = typed.trim();
    if (q === submitted.current) return;
    const timer = setTimeout(() => {
      // The person was selected before the list was filtered: their page is already loading.
      if (!history.location.pathname.endsWith("/people")) return;
      submitted.current = q;
      void navigate({ search: (former) => readPeopleSearch({ ...former, q }), replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, navigate, history]);

  return { typed, setTyped, isSettled: () => typed.trim() === submitted.current };
}

/** The filters of the list. The typed text updates the address, and the address the request. */
export function PeopleFilter({ search, onEnter }: PeopleFilterProps) {
  const texts = usePeopleTexts();
  const roleNames = useRoleNames();
  const navigate = useNavigate({ from: "/people" });
  const id = useId();
  const { typed, setTyped, isSettled } = useTyped(search.q ?? "");

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSettled()) onEnter();
  };

  return (
    <div className={styles.peopleFilter}>
      <FilterBar
        count={[search.role, search.market].filter(Boolean).length}
        onSubmit={submit}
        search={
          <div className={`field ${styles.search}`}>
            <label htmlFor={id}>{texts.search}</label>
            <div className={styles.searchField}>
              <Icon name="search" />
              <input
                id={id}
                data-look-up
                type="search"
                dir="auto"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                enterKeyHint="search"
                placeholder={texts.searchHint}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
              <span className={styles.key} aria-hidden="true">
                /
              </span>
            </div>
          </div>
        }
      >
        <ChoiceField
          label={texts.role}
          value={search.role ?? ""}
          options={[
            { value: "", label: texts.anyRole },
            ...ROLES.map((value) => ({ value, label: roleNames[value] })),
          ]}
          onChange={(role) =>
            void navigate({ search: (former) => readPeopleSearch({ ...former, role }) })
          }
        />
        <MarketFilter
          value={search.market}
          onChange={(market) =>
            void navigate({ search: (former) => readPeopleSearch({ ...former, market }) })
          }
        />
      </FilterBar>
    </div>
  );
}
