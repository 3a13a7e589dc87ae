import { useLanguage } from "../language/language";
import { company } from "./company";

/** The mark and the name in the top bar: those of the company, or of Musette. */
export function Brand() {
  const { name, logo } = company();
  if (logo) {
    return (
      <>
        <img className="company-logo" src={logo} alt={name ? "" : "Musette"} />
        {name && <span>{name}</span>}
      </>
    );
  }
  if (name) return <span>{name}</span>;
  return (
    <>
      <svg aria-hidden="true" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="8" />
        <path d="M9.5 12.5h13L24 24H8zM12.5 12.5a3.5 3.5 0 0 1 7 0M12.5 18l2.5 2.5 4.5-4.5" />
      </svg>
      Musette
    </>
  );
}

/** Says whose terms a list shows. On a phone the top bar with the company's name is hidden there. */
export function TermsOfCompany() {
  const { signer } = useLanguage().texts;
  const { name, logo } = company();
  if (!name && !logo) return null;
  return (
    <span className="terms-of">
      {logo && <img className="company-logo" src={logo} alt="" />}
      {name && <span>{signer.company(name)}</span>}
    </span>
  );
}
