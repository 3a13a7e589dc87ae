// Generated from en.arb by tools/texts. Do not edit.

/** The words of en.arb, as far as its part "en-kit" goes. */
export const enKit = {
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
