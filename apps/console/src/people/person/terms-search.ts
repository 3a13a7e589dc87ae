import { DAY } from "../../language/days";
import { address, text } from "../../routes/address";

/** The day at whose end a person's terms are shown; absent means now. */
export const readPersonTermsSearch = address({ as_of: text(DAY) });
