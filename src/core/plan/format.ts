/** Increased when the structure of a plan changes, so that an old cache is not read. */
export const PLAN_FORMAT = 3
