declare const isSafe: unique symbol

/**
 * Text that may go to a terminal: it is ours, or its control characters are escapes. What comes out of an archive or a
 * database becomes one by `escapeControls` and the like alone, so that the compiler refuses to print anything else.
 */
export type SafeText = SafeMethods & string & { readonly [isSafe]: true }

/** What leaves a text safe: to take something away, or to put safe text in its place. */
interface SafeMethods {
  padEnd(length: number): SafeText
  padStart(length: number): SafeText
  repeat(count: number): SafeText
  replace(found: string | RegExp, replacement: SafeText | ''): SafeText
  replaceAll(found: string | RegExp, replacement: SafeText | ''): SafeText
  slice(start?: number, end?: number): SafeText
  split(separator: string | RegExp): SafeText[]
  trim(): SafeText
  trimEnd(): SafeText
}

type Separator = SafeText | '' | ' ' | '  ' | '\n' | '\n\n' | ', ' | ',' | ' | ' | ' · ' | '<br>'

declare global {
  interface Array<T> {
    join(this: readonly SafeText[], separator: Separator): SafeText
  }
  interface ReadonlyArray<T> {
    join(this: readonly SafeText[], separator: Separator): SafeText
  }
}

/** A text of ours, with safe ones in it. */
export function safe(
  texts: TemplateStringsArray,
  ...values: readonly (SafeText | number | bigint)[]
): SafeText {
  let text = texts[0] as string
  for (let i = 0; i < values.length; i++) text += `${values[i]}${texts[i + 1]}`
  return text as SafeText
}

/** One safe text after another, at the price of `+`, where there are many. */
export const plus = (one: SafeText, other: SafeText): SafeText => (one + other) as SafeText

/** A text that this program says itself, such as help: never what was read. */
export const ownText = (text: string): SafeText => text as SafeText

/** What was read, as it is stored: only for formats that programs read, and where no terminal is. */
export const asStored = (text: string): SafeText => text as SafeText
