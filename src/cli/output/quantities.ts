const BYTE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

// As in English, for everybody: output is compared, searched and cited. Intl takes 10 ms to begin with.
const group = (count: number | bigint): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `850 B`, `1.2 MiB`. */
export function formatBytes(bytes: number): string {
  return scaleBytes(bytes, () => 1)
}

/** `3.4 MiB/s`, `31 MiB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${scaleBytes(bytesPerSecond, (amount) => (amount < 9.95 ? 1 : 0))}/s`
}

/** `1,234,567`. */
export function formatCount(count: number | bigint): string {
  return group(count)
}

/** `850 ms`, `12.3 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (Math.round(milliseconds) < SECOND) return `${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / SECOND)
  if (seconds * SECOND < HOUR) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(milliseconds / MINUTE)
  return `${group(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** `<1,234 bytes>`, for where the bytes themselves cannot be shown. */
export function describeBlob(blob: Uint8Array): string {
  return `<${formatCount(blob.length)} ${blob.length === 1 ? 'byte' : 'bytes'}>`
}

function scaleBytes(bytes: number, digitsFor: (amount: number) => number): string {
  if (Math.round(bytes) < 1024) return `${Math.round(bytes)} B`
  let amount = bytes
  let unit = 'B'
  for (const next of BYTE_UNITS) {
    // As it will be shown: 1023.96 KiB is not `1024.0 KiB` but `1.0 MiB`.
    if (unit !== 'B' && Number(amount.toFixed(digitsFor(amount))) < 1024) break
    amount /= 1024
    unit = next
  }
  return `${amount.toFixed(digitsFor(amount))} ${unit}`
}
