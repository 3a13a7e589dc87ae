import { type Address, address, text } from "../routes/address";

/** The id of the stored receipt to check. A receipt from a file is not in the address. */
export const readVerifySearch = address(
  {
    receipt: text(/^[\w-]{1,200}$/),
    /** The user id that the receipt is checked against. */
    user: text(),
  },
  "receipt",
);
export type VerifySearch = Address<typeof readVerifySearch>;
