/** What redact does not see, though it looks there. A row that is missing or needless fails: the table can only shrink. */

import type { Form } from './planter.ts'

interface Known {
  kind: string
  forms: readonly string[]
  /** `any text`, or one place. */
  place: string
  clothes: readonly string[]
  reason: string
}

export const KNOWN: readonly Known[] = ['a hyphen', 'an underscore'].map((sign) => ({
  kind: 'login',
  place: `the name of an attachment, before ${sign}`,
  forms: ['mentioned', 'mentioned in upper case'],
  clothes: ['plain'],
  reason: '@ada-1 and @ada_1 are other people than @ada',
}))

/** Whether a form is known to stay in a place. */
export const isKnown = ({ kind, name }: Form, place: string, clothes: string): boolean =>
  KNOWN.some(
    (row) =>
      row.kind === kind &&
      row.forms.includes(name) &&
      row.clothes.includes(clothes) &&
      (row.place === 'any text' || row.place === place),
  )
