import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
} from "react";
import { type Answer, Answers } from "./answers";

/** All screens of a page share their answers. */
export const answersOfPage: Answers = new Answers();

/** Tests have answers of their own. */
export const AnswersContext = createContext(answersOfPage);

/** How to ask, besides the question's name. */
export interface ReadOptions<T> {
  readonly fetch: () => Promise<T>;
  /** Came with the page: shown at once, and asked for meanwhile. */
  readonly initial?: T | undefined;
  readonly onSlow?: () => void;
  readonly onAnswered?: () => void;
}

/** What `useRead` returns. */
export interface Read<T> extends Answer<T> {
  /** Asks anew. Resolves when it is answered or has failed. */
  readonly refetch: () => Promise<void>;
  /** Stores an answer that was fetched elsewhere. */
  readonly learn: (data: T) => void;
}

const NOTHING: Answer<never> = { isFetching: false };

// A question need not wait until the loading state is painted. React warns of it on a server.
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** Reads an answer of the server and keeps it new; equal keys are one question. Without a key nothing is asked. */
export function useRead<T>(key: readonly unknown[] | null, options: ReadOptions<T>): Read<T> {
  const answers = useContext(AnswersContext);
  const name = key && JSON.stringify(key);
  const answer = name === null ? NOTHING : answers.peek<T>(name);
  const [, changed] = useReducer((times: number) => times + 1, 0);
  const latest = useRef({ ...options, answer });
  useBeforePaint(() => {
    latest.current = { ...options, answer };
  });
  useBeforePaint(() => {
    if (name === null) return;
    const leave = answers.read<T>(name, {
      fetch: () => latest.current.fetch(),
      slow: () => latest.current.initial === undefined && latest.current.onSlow?.(),
      answered: () => latest.current.onAnswered?.(),
      changed,
    });
    // Another component may have asked between the drawing and this.
    if (answers.peek(name) !== latest.current.answer) changed();
    return leave;
  }, [answers, name]);
  return {
    ...answer,
    data: answer.data ?? options.initial,
    refetch: useCallback(async () => {
      if (name !== null) await answers.refetch(name);
    }, [answers, name]),
    learn: useCallback((data) => name !== null && answers.learn(name, data), [answers, name]),
  };
}
