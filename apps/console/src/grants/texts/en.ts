export const en = {
  roles: "Roles",
  hints: {
    viewer: "View everything except personal data",
    representative: "Reads texts and counts, and no person",
    dispatcher: "Records how work went",
    reviewer: "Answers discussions, decides restrictions",
    support: "Find people, end sessions, change markets",
    legal: "Terms, coverage, decisions, exports and receipts",
    product: "Manage flags, experiments and SDK keys",
    operator: "All permissions of Support, Legal and Product",
    admin: "Everything; alone: roles, service keys, webhooks, approval rules, erasure",
  },
  onlyIn: (role: string) => `Limit ${role} to`,
  marketHint: "Market codes such as DE, separated by commas. Leave empty for all markets.",
  environmentHint: "An environment, such as staging; several with commas. Empty: all.",
  noMarket: "Enter a valid market code, such as DE or DE-BE.",
};
