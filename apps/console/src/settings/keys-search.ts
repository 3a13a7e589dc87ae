import {
  type EnvironmentSearch,
  readEnvironmentSearch,
} from "../configuration/document/environment-search";

export interface KeysSearch extends EnvironmentSearch {
  /** The revoked ones too. */
  readonly all?: true;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  return { ...readEnvironmentSearch(search), ...(search.all === true && { all: true }) };
}
