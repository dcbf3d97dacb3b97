/** A time to the second, as the host writes it: `2024-01-31T23:59:59Z`. A number is of milliseconds since 1970. */
export const formatTime = (time: Date | number): string =>
  `${new Date(time).toISOString().slice(0, 19)}Z`
