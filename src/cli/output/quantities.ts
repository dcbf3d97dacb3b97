import { formatByteSize } from '../../base/byte-size.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

// English in every locale, because output is compared and searched. Intl takes 10 ms to load.
const group = (count: number | bigint): SafeText =>
  ownText(String(count).replace(/\B(?=(?:\d{3})+$)/g, ','))

/** `850 B`, `1.2 MiB`. */
export function formatBytes(bytes: number): SafeText {
  return ownText(formatByteSize(bytes))
}

/** `3.4 MiB/s`, `31 MiB/s`. */
export function formatRate(bytesPerSecond: number): SafeText {
  return ownText(`${formatByteSize(bytesPerSecond, (amount) => (amount < 9.95 ? 1 : 0))}/s`)
}

/** `1,234,567`. */
export function formatCount(count: number | bigint): SafeText {
  return group(count)
}

/** `1 file`, `1,234 files`. */
export const formatCounted = (count: number, noun: string): SafeText =>
  safe`${formatCount(count)} ${ownText(count === 1 ? noun : `${noun}s`)}`

/** `850 ms`, `12.3 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): SafeText {
  if (Math.round(milliseconds) < SECOND) return safe`${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return safe`${fixed(tenths / 10, 1)} s`
  const seconds = Math.round(milliseconds / SECOND)
  if (seconds * SECOND < HOUR) return safe`${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(milliseconds / MINUTE)
  return safe`${group(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

const fixed = (amount: number, digits: number): SafeText => ownText(amount.toFixed(digits))

/** `<1,234 bytes>`, in place of the bytes. */
export function describeBlob(blob: Uint8Array): SafeText {
  return safe`<${formatCount(blob.length)} ${blob.length === 1 ? safe`byte` : safe`bytes`}>`
}
