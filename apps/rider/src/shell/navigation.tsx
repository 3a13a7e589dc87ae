import { useLanguage } from "../language/language";
import { Link, usePath } from "../router/router";

/** The navigation: at the bottom on a phone, near the thumb; in the top bar if there is space. */
export function Navigation(props: { readonly place: "top" | "bottom"; readonly rider: boolean }) {
  const { texts } = useLanguage();
  const path = usePath();
  const { label, start, apply, terms, agreements } = texts.nav;
  const ways = [
    { href: "/", label: start, shape: "M4 11 12 4l8 7v9h-5v-6H9v6H4z" },
    props.rider
      ? { href: "/terms", label: terms, shape: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7" }
      : { href: "/apply", label: apply, shape: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7" },
    {
      href: "/agreements",
      label: agreements,
      shape: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
    },
  ];
  return (
    <nav className={`nav-${props.place}`} aria-label={label}>
      {ways.map(({ href, label, shape }) => (
        <Link key={href} href={href} aria-current={path === href ? "page" : undefined}>
          <svg aria-hidden="true" viewBox="0 0 24 24">
            <path d={shape} />
          </svg>
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
}
