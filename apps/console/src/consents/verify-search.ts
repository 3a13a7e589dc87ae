import { type Address, address, text } from "../routes/address";

/** Which receipt of ours is checked; one from a file stands in no address. */
export const readVerifySearch = address(
  {
    receipt: text(/^[\w-]{1,200}$/),
    /** Whose it is said to be. */
    user: text(),
  },
  "receipt",
);
export type VerifySearch = Address<typeof readVerifySearch>;
