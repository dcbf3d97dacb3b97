import { hash } from 'node:crypto'

const SQUARES = 5

/**
 * Draws 5 × 5 squares, the same on both sides, in a color: both follow from the number of an account.
 *
 * @returns SVG without scripts
 */
export function drawPicture(number: string): string {
  const bytes = Buffer.from(hash('sha256', number, 'hex'), 'hex')
  const half = Math.ceil(SQUARES / 2)
  const squares = Array.from({ length: SQUARES * half }, (_, i) => ({
    ...{ x: i % half, y: Math.floor(i / half), isFilled: (bytes[i] ?? 0) % 2 === 0 },
  })).flatMap(({ x, y, isFilled }) =>
    isFilled ? [...new Set([x, SQUARES - 1 - x])].map((column) => `M${column} ${y}h1v1h-1z`) : [],
  )
  const hue = Math.round(((bytes[31] ?? 0) / 256) * 360)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7"><path fill="#f0f0f0" d="M-1-1h7v7h-7z"/><path fill="hsl(${hue} 50% 50%)" d="${squares.join('')}"/></svg>`
}
