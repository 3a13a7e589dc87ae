import { useId } from "react";
import { demoRiders } from "../demo/demo";
import { usePageLanguage } from "../language/page-language";
import { useLoad } from "../loading/use-load";

/** Lists the people of the demonstration. A tap fills in one of them. */
export function DemoContacts({ onUse }: { readonly onUse: (email: string) => void }) {
  const { texts } = usePageLanguage();
  const riders = useLoad(demoRiders);
  const id = useId();
  const contacts = riders.state === "ready" ? riders.value.filter(({ email }) => email) : [];
  if (contacts.length === 0) return null;
  return (
    <div className="card demo-contacts">
      <p id={id}>{texts.signIn.demoContacts}</p>
      <ul aria-labelledby={id}>
        {contacts.map(({ user_id, name, email = "" }) => (
          <li key={user_id}>
            <button type="button" onClick={() => onUse(email)}>
              <bdi>{name}</bdi> <bdi dir="ltr">{email}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
