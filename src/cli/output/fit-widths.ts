export interface ColumnWidth {
  /** The preferred width. */
  natural: number
  /** The minimum useful width. */
  least: number
}

/**
 * Divides `room` among columns: narrow columns get their natural width, the widest are shrunk to one common width. The sum
 * exceeds `room` only if not even the least widths fit.
 */
export function fitWidths(columns: readonly ColumnWidth[], room: number): number[] {
  const capped = (cap: number) =>
    columns.map(({ natural, least }) => Math.min(natural, Math.max(cap, least)))
  let cap = Math.max(0, room)
  while (cap > 0 && sum(capped(cap)) > room) cap--
  let spare = room - sum(capped(cap))
  return columns.map(({ natural, least }) => {
    const width = Math.min(natural, Math.max(cap, least))
    if (spare <= 0 || width !== cap || width >= natural) return width
    spare--
    return width + 1
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
