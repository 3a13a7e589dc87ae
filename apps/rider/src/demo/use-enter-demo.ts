import { useState } from "react";
import { navigate } from "../router/router";
import { type DemoRider, enterAs } from "./demo";

export interface EnterDemo {
  readonly entering: boolean;
  readonly error: unknown;
  readonly enter: (rider: DemoRider) => Promise<void>;
}

export function useEnterDemo(): EnterDemo {
  const [entering, setEntering] = useState(false);
  const [error, setError] = useState<unknown>();

  async function enter(rider: DemoRider): Promise<void> {
    setEntering(true);
    setError(undefined);
    try {
      await enterAs(rider);
      navigate("/terms");
    } catch (failure) {
      setError(failure);
    } finally {
      setEntering(false);
    }
  }

  return { entering, error, enter };
}
