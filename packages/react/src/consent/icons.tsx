import type { ReactNode } from "react";

function Icon({ children, mirrored = false }: { children: ReactNode; mirrored?: boolean }) {
  return (
    <svg className="mu-icon" data-mirrored={mirrored || undefined} viewBox="0 0 24 24" aria-hidden>
      {children}
    </svg>
  );
}

export const backIcon = (
  <Icon mirrored>
    <path d="m15 5-7 7 7 7" />
  </Icon>
);

export const closeIcon = (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);

export const openIcon = (
  <Icon>
    <path d="M13 3H6v18h12V8zM13 3v5h5M9 13h6M9 17h6" />
  </Icon>
);
