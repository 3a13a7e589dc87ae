import { address, text } from "../../routes/address";
import { DAY } from "../../ui/as-of/as-of";

/** The day at whose end a person's terms are shown; absent means now. */
export const readPersonTermsSearch = address({ as_of: text(DAY) });
