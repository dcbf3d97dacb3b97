import { quoteName, quoteText } from '../../database/quote.ts'
import type { Column } from '../../records/kinds/kind.ts'
import { says, words } from './select-records.ts'

/** Whether a column holds JSON of other types than these. */
export function isOtherJson(name: string, types: readonly string[]): string {
  const own = `o.${quoteName(name)}`
  // Almost all of it is told by how it begins.
  const begins = types.map((type) => (type === 'array' ? '[[]*' : '{*'))
  return `${begins.map((begin) => `${own} NOT GLOB '${begin}'`).join(' AND ')}
    AND json_valid(${own}) AND json_type(${own}) NOT IN (${types.map(quoteText).join(', ')})`
}

/** What is to be said of it. */
export const otherJson = (name: string): string =>
  says(words(`${name} is `), `json_type(o.${quoteName(name)})`, words(', which it never was'))

/** Where SQL put something into a column that its kind never has there, and in words what. */
export function oddColumn(
  name: string,
  { storage, list, members }: Column,
): [where: string, what: string][] {
  if (list) return []
  if (storage === 'json') {
    const types = members ? ['object'] : ['object', 'array']
    return [[isOtherJson(name, types), otherJson(name)]]
  }
  const own = `o.${quoteName(name)}`
  const type = `typeof(${own})`
  const isInteger = storage === 'flag' || storage === 'integer'
  // A column of texts makes texts of numbers, and any bytes are more than any text: one comparison tells.
  const where = isInteger ? `${type} NOT IN ('integer', 'null')` : `${own} >= x''`
  return [[where, says(words(`${name} is `), type, words(', which it never was'))]]
}
