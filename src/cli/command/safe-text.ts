declare const isSafe: unique symbol

/**
 * Text that may be written to a terminal: our own, or with escaped control characters. Text from an archive or a database
 * becomes safe only by `escapeControls` and similar functions, so the compiler refuses to print anything else.
 */
export type SafeText = SafeMethods & string & { readonly [isSafe]: true }

/** The methods that keep a text safe. */
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

/** Our own text, with safe texts in it. */
export function safe(
  texts: TemplateStringsArray,
  ...values: readonly (SafeText | number | bigint)[]
): SafeText {
  let text = texts[0] as string
  for (let i = 0; i < values.length; i++) text += `${values[i]}${texts[i + 1]}`
  return text as SafeText
}

/** Joins two safe texts as fast as `+`. */
export const plus = (left: SafeText, right: SafeText): SafeText => (left + right) as SafeText

/** Marks our own text, such as help, as safe: never text that was read. */
export const ownText = (text: string): SafeText => text as SafeText

/** Marks text that was read as safe: only for formats for programs, and never for a terminal. */
export const asStored = (text: string): SafeText => text as SafeText
