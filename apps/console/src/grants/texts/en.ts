export const en = {
  roles: "Roles",
  hints: {
    viewer: "Reads everything but personal data",
    representative: "Reads texts and counts, and no person",
    dispatcher: "Records how work went",
    reviewer: "Answers discussions, decides restrictions",
    support: "Looks people up, ends sessions, sets their market",
    legal: "Terms, coverage, decisions, exports and receipts",
    product: "Flags, experiments and flag keys",
    operator: "Support, legal and product together",
    admin: "Everything; alone: roles, service keys, webhooks, approval rules, erasure",
  },
  onlyIn: (role: string) => `${role} only in`,
  marketHint: "A market, such as DE; several with commas. Empty: everywhere.",
  environmentHint: "An environment, such as staging; several with commas. Empty: all.",
  noMarket: "This is no code of a market.",
};
