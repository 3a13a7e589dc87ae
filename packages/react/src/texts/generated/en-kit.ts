// Generated from en.arb by tools/texts. Do not edit.

/** The words of en.arb, as far as its part "en-kit" goes. */
export const enKit = {
  markets: {
    title: "Where do you want to work?",
    lead: "Some terms are only for one place.",
    unknownLink: "The place in the link is not known here. Please choose yours.",
    search: "Search for a place",
    elsewhere: "Somewhere else",
    none: "No place in the list matches.",
    loading: "Loading the places",
    loadFailed: "The places could not be loaded.",
    chosen: (place: string) => `Where you want to work: ${place}`,
    change: "Change",
  },
  ui: {
    status: {
      WORKING: "Working",
      LATE: "Late",
      NOT_WORKING: "Not working",
      STARTING_SOON: "Starting soon",
      FINISHING_SOON: "Finishing soon",
      OVERTIME: "Overtime",
      PENDING: "Pending",
      EVALUATED: "Evaluated",
      IN_DISCUSSION: "In discussion",
      NO_SHOW: "No-show",
      ACCEPTED: "Accepted",
      REJECTED: "Rejected",
      ACHIEVED: "Achieved",
      UNACHIEVED: "Not achieved",
      ONGOING: "Ongoing",
    },
  },
};
