import { Link, useSearch } from "@tanstack/react-router";
import { ForRoles } from "../../ui/for-roles";
import { Page } from "../../ui/page";
import styles from "../evaluations.module.css";
import { ExcusalList } from "./excusal-list";
import { ExcuseFilter } from "./excuse-filter";
import { isPeriod } from "./excuse-search";
import { Selection } from "./selection-form";
import { useExcusalsTexts } from "./texts/texts";

/** Gives many evaluations the same reason, for example after a storm. */
export function ExcusePage() {
  const texts = useExcusalsTexts();
  const search = useSearch({ from: "/inside/evaluations/excuse" });
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Link to="/evaluations" className={styles.back}>
        {texts.back}
      </Link>
      <ForRoles task="evaluate">
        <ExcusalList />
        <section className={styles.group}>
          <h2>{texts.select}</h2>
          <ExcuseFilter search={search} />
          {isPeriod(search) ? (
            // Another selection is another form.
            <Selection key={JSON.stringify(search)} search={search} />
          ) : (
            <p className="card calm">{texts.choosePeriod}</p>
          )}
        </section>
      </ForRoles>
    </Page>
  );
}
