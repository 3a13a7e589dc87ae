import { useLanguage } from "../../language/language-context";
import stateStyles from "../../ui/state.module.css";
import { useTermsTexts } from "../texts/texts";
import type { DraftDocument, Finding } from "./draft";
import styles from "./draft.module.css";

const CONCERNS = ["missing", "active", "remark"] as const;

/**
 * The findings in a document that a person should know before publishing: what, where, and the
 * technical name.
 */
export function Findings({ document }: { readonly document: DraftDocument }) {
  const draftTexts = useTermsTexts().draft;
  const { findings = [], undrawn } = document;
  const groups = CONCERNS.map((concern) => ({
    concern,
    found: findings.filter((finding) => finding.concern === concern),
  }));
  return (
    <>
      {undrawn && (
        <p className="note">
          <bdi>{undrawn}</bdi>
        </p>
      )}
      {groups.map(
        ({ concern, found }) =>
          found.length > 0 && (
            <div className={styles.findings} key={concern}>
              <p
                className={stateStyles.state}
                {...(concern !== "remark" && {
                  "data-state": concern === "active" ? "bad" : "warning",
                })}
              >
                {draftTexts.concerns[concern]}
              </p>
              <ul>
                {found.map((finding) => (
                  <FindingLine
                    key={`${finding.page} ${finding.kind} ${finding.name}`}
                    finding={finding}
                  />
                ))}
              </ul>
            </div>
          ),
      )}
    </>
  );
}

function FindingLine({ finding }: { readonly finding: Finding }) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const { page, kind, name } = finding;
  return (
    <li>
      {page !== undefined && `${draftTexts.onPage(page.toLocaleString(tag))} `}
      {draftTexts.findings[kind] ?? kind}
      {name && (
        <>
          {" "}
          <bdi className="note">{name}</bdi>
        </>
      )}
    </li>
  );
}
