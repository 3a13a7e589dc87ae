const shapes = {
  overview: "M4 4h7v7H4zM13 4h7v4h-7zM13 10h7v10h-7zM4 13h7v7H4z",
  audit: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16 16l5 5",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6 6 18",
  language: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  appearance: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 4v16M12 8h6M12 12h8M12 16h6",
  signOut: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg aria-hidden="true" className="icon" data-icon={name} viewBox="0 0 24 24">
      <path d={shapes[name]} />
    </svg>
  );
}
