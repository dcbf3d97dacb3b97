import { UsageError } from '../command/usage-error.ts'

const UNITS = { '': 0, k: 1, m: 2, g: 3, t: 4 } as const

/** Parses a size in bytes: `500000`, `500M`, `2GiB`, or `off` for no limit. Throws `UsageError`. */
export function parseSize(name: string, text: string): number {
  if (text === 'off') return Number.POSITIVE_INFINITY
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d+)?) ?([kmgt]?)(?:i?b)?$/i.exec(text) ?? []
  if (digits !== undefined) {
    return Math.round(Number(digits) * 1024 ** UNITS[unit.toLowerCase() as keyof typeof UNITS])
  }
  throw new UsageError(
    `${name} takes a size or off, not ${JSON.stringify(text)}`,
    'Write it like 500MiB or 2GiB.',
  )
}
