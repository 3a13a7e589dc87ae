import { type ReactNode, useEffect, useRef } from "react";

let arrivals = 0;

/** A page with its title, to which a screen reader goes after a change of page, as after a load. */
export function Page(props: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = `${props.title} · Musette Console`;
  }, [props.title]);

  useEffect(() => {
    // Not at the first one: there the browser has put the focus where it belongs.
    if (arrivals++ > 0) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <>
      <header className="page-header">
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
        {props.intro && <p className="note">{props.intro}</p>}
      </header>
      {props.children}
    </>
  );
}
