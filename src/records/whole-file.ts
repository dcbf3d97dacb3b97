import type { JsonForm } from './write-records.ts'

/** Bytes up to which a file is read whole, which is several times faster than piece by piece. */
export const wholeWithin = ({ record = 16 * 2 ** 20 }: { record?: number } = {}): number =>
  Math.min(2 * 2 ** 20, record)

// Whichever of the two ways to print an empty array comes first, as the value of a member.
const emptyArray = /(?<!\\)": \[(?:\]|\n\n)/

/** Fills in the form, if the text tells it. */
export function noteForm(form: Partial<JsonForm>, text: string): void {
  const found = emptyArray.exec(text)?.[0]
  if (found) form.emptyArray = found.endsWith(']') ? 'new' : 'old'
}
