import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import type { Environment } from '../styles.ts'

// Nothing is drawn for zero.
const LEVELS = { blocks: [...' ▁▂▃▄▅▆▇█'], ascii: [...' _.:-=+*#'] }
const EIGHTHS = [...' ▏▎▍▌▋▊▉']

/** The characters of charts. */
export type Ink = keyof typeof LEVELS

/** Blocks if the locale is UTF-8, or else ASCII. */
export function inkFor({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment): Ink {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return /utf-?8/i.test(locale) && TERM !== 'dumb' ? 'blocks' : 'ascii'
}

/** One character per value, higher for more. If there are more than `width`, adjacent values are added. */
export function sparkline(values: readonly number[], width: number, ink: Ink): SafeText {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, width)))
  const sums: number[] = []
  for (let i = 0; i < values.length; i += each) {
    sums.push(values.slice(i, i + each).reduce((sum, value) => sum + value, 0))
  }
  const most = sums.reduce((most, sum) => Math.max(most, sum), 0)
  // A small value is still visible.
  const level = (sum: number) => (sum > 0 ? 1 + Math.round((sum / most) * 7) : 0)
  return ownText(sums.map((sum) => LEVELS[ink][level(sum)]).join(''))
}

/** A bar of at most `width` columns for a share from 0 to 1. */
export function bar(share: number, width: number, ink: Ink): SafeText {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  // A small value is still visible.
  if (ink === 'ascii') return safe`#`.repeat(Math.max(share > 0 ? 1 : 0, Math.round(eighths / 8)))
  const rest = EIGHTHS[Math.max(eighths % 8, share > 0 && eighths === 0 ? 1 : 0)] ?? ''
  return ownText(`${'█'.repeat(Math.floor(eighths / 8))}${rest}`.trimEnd())
}
