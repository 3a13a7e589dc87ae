export { type Chosen, MarketFirst, type MarketFirstProps } from "./market-first";
export { forgetMarket } from "./remembered";
