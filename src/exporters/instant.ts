const LENGTH = '2024-01-31T23:59:59Z'.length
const [ZERO, DASH, COLON, LETTER_T, LETTER_Z] = [0x30, 0x2d, 0x3a, 0x54, 0x5a]
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/**
 * Milliseconds since 1970 of a time in the bytes from `at` to `end`: the inverse of `formatTime`. NaN for a time that is
 * written in any other way, and for years before 100, which JavaScript takes for those of the last century.
 */
export function parseInstant(bytes: Uint8Array, at: number, end: number): number {
  const isUsual =
    end - at === LENGTH &&
    bytes[at + 4] === DASH &&
    bytes[at + 7] === DASH &&
    bytes[at + 10] === LETTER_T &&
    bytes[at + 13] === COLON &&
    bytes[at + 16] === COLON &&
    bytes[at + 19] === LETTER_Z
  if (!isUsual) return Number.NaN
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  const hour = twoDigits(bytes, at + 11)
  const minute = twoDigits(bytes, at + 14)
  const second = twoDigits(bytes, at + 17)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0)
  // NaN is in no range.
  const isReal =
    year >= 100 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59
  return isReal ? Date.UTC(year, month - 1, day, hour, minute, second) : Number.NaN
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO
  const ones = (bytes[at + 1] as number) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
