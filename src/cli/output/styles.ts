import { type SafeText, safe } from '../command/safe-text.ts'

export type Style = (text: SafeText) => SafeText

export interface Styles {
  bold: Style
  dim: Style
  italic: Style
  red: Style
  green: Style
  yellow: Style
  cyan: Style
}

export type Environment = Readonly<Record<string, string | undefined>>

const asIs: Style = (text) => text
const sgr =
  (on: number, off: number): Style =>
  (text) =>
    text === '' ? text : safe`\x1b[${on}m${text}\x1b[${off}m`

/** No styles. */
export const PLAIN_STYLES: Styles = {
  bold: asIs,
  dim: asIs,
  italic: asIs,
  red: asIs,
  green: asIs,
  yellow: asIs,
  cyan: asIs,
}

const COLOURS: Styles = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  italic: sgr(3, 23),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
}

/** The styles for a stream: colours on a terminal, or if the environment asks for them. */
export function stylesFor(stream: { isTTY?: boolean | undefined }, env: Environment): Styles {
  return hasColours(stream.isTTY === true, env) ? COLOURS : PLAIN_STYLES
}

/** In the order of https://bixense.com/clicolors: NO_COLOR wins. */
export function hasColours(isTerminal: boolean, env: Environment): boolean {
  if (env.NO_COLOR) return false
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return isTerminal && env.CLICOLOR !== '0' && env.TERM !== 'dumb'
}
