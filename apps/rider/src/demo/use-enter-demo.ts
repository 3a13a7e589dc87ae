import { useState } from "react";
import { navigate } from "../router/router";
import { type DemoRider, signInAsDemoRider } from "./demo";

export interface EnterDemo {
  readonly entering: boolean;
  readonly error: unknown;
  readonly enter: (rider: DemoRider) => Promise<void>;
}

/**
 * Returns functions to sign in as a rider of the demonstration. Navigates to `next` after the
 * sign-in.
 */
export function useEnterDemo(next: string): EnterDemo {
  const [entering, setEntering] = useState(false);
  const [error, setError] = useState<unknown>();

  async function enter(rider: DemoRider): Promise<void> {
    setEntering(true);
    setError(undefined);
    try {
      await signInAsDemoRider(rider);
      navigate(next);
    } catch (failure) {
      setError(failure);
    } finally {
      setEntering(false);
    }
  }

  return { entering, error, enter };
}
