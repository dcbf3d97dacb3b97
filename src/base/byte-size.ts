const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/**
 * `850 B`, `1.2 MiB`.
 *
 * @param digitsFor how many digits follow the point of an amount
 */
export function formatByteSize(bytes: number, digitsFor: (amount: number) => number = () => 1) {
  if (Math.round(bytes) < 1024) return `${Math.round(bytes)} B`
  let amount = bytes
  let unit = 'B'
  for (const next of UNITS) {
    // Decide by the rounded amount: 1023.96 KiB is shown as `1.0 MiB`.
    if (amount !== bytes && Number(amount.toFixed(digitsFor(amount))) < 1024) break
    amount /= 1024
    unit = next
  }
  return `${amount.toFixed(digitsFor(amount))} ${unit}`
}
