/**
 * The form of nearly all times, which need no further test: the first 28 days are in every month. Other texts may be times
 * too.
 */
export const USUAL_TIME =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

/** A time to the second, as the host writes it: `2024-01-31T23:59:59Z`. A number is of milliseconds since 1970. */
export const formatTime = (time: Date | number): string =>
  `${new Date(time).toISOString().slice(0, 19)}Z`
