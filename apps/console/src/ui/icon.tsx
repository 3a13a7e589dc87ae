import iconStyles from "./icon.module.css";

const shapes = {
  overview: "M4 4h7v7H4zM13 4h7v4h-7zM13 10h7v10h-7zM4 13h7v7H4z",
  terms: "M5 3h14v18H5zM8 8h8M8 12h8M8 16h4",
  people:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM3 20c0-4 3-6 6-6s6 2 6 6M16 6a3 3 0 0 1 0 6M17 14c3 0 4 3 4 6",
  consents: "M5 3h14v18H5zM8.5 12.5l2.5 2.5 4.5-5.5",
  campaigns: "M3 6h18v12H3zM3 7l9 7 9-7",
  flags: "M5 21V4M5 4h12l-2.5 4L17 12H5",
  experiments: "M9 3h6M10 3v6L4.5 19a1.5 1.5 0 0 0 1.3 2h12.4a1.5 1.5 0 0 0 1.3-2L14 9V3M7.5 15h9",
  holdouts: "M12 3v9h9A9 9 0 1 1 12 3ZM16 3.9A9 9 0 0 1 20.1 8H16z",
  systems: "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
  evaluations: "M4 4h16v12H9l-5 4zM8 8h8M8 12h5",
  report: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  restrictions: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM6 6l12 12",
  approvals: "M4 12l4 4 8-9M12 16l1 1 8-9",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M13 5v4M7 15v4",
  audit: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16 16l5 5",
  sort: "M8 10l4-4 4 4M8 14l4 4 4-4",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  recent: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4l3 2",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  menu: "M4 6h16M4 12h16M4 18h16",
  rows: "M4 5h16M4 12h16M4 19h16M12 7v3M10.5 8.5l1.5-1.5 1.5 1.5M12 14v3M10.5 15.5l1.5 1.5 1.5-1.5",
  close: "M6 6l12 12M18 6 6 18",
  language: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  appearance: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 4v16M12 8h6M12 12h8M12 16h6",
  account: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 20c1-4 4-5 8-5s7 1 8 5",
  signOut: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg aria-hidden="true" className={iconStyles.icon} data-icon={name} viewBox="0 0 24 24">
      <path d={shapes[name]} />
    </svg>
  );
}
