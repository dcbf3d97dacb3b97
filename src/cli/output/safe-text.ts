declare const isSafe: unique symbol

/**
 * Text that may go to a terminal: it is ours, or its control characters are escapes. Whatever comes out of an archive or
 * a database becomes one by `escapeControls` alone; the compiler refuses to print anything else.
 */
export type SafeText = SafeMethods & string & { readonly [isSafe]: true }

/** What leaves a text safe. */
interface SafeMethods {
  padEnd(length: number): SafeText
  padStart(length: number): SafeText
  repeat(count: number): SafeText
  slice(start?: number, end?: number): SafeText
  trimEnd(): SafeText
  trim(): SafeText
}

/** A text of ours, with safe ones in it. */
export function safe(
  texts: TemplateStringsArray,
  ...values: readonly (SafeText | number)[]
): SafeText {
  return String.raw({ raw: texts }, ...values) as SafeText
}

export const joinSafe = (texts: readonly SafeText[], separator = ''): SafeText =>
  texts.join(separator) as SafeText
