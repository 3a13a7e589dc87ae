/** Reads the URL parameters of a system's page. */
export const readSystemSearch = (search: Record<string, unknown>): { readonly isNew?: true } =>
  search.isNew === true ? { isNew: true } : {};
