import type { ExportType } from '../column-types.ts'
import { compareAsJsonb } from './jsonb-text.ts'

/** How lists and objects are written down. */
export type Form = 'netstrings' | 'json' | 'jsonb'

interface Writer {
  /** An element or a member, from its text. */
  part(type: ExportType, text: string | null): string
  list(parts: readonly string[]): string
  object(parts: readonly (readonly [name: string, part: string])[]): string
}

/** An element as `<bytes>:<text>`, and NULL as `-`: one after the other they are a list, or the members of an object. */
export const netstring = (text: string | null): string =>
  text === null ? '-' : `${Buffer.byteLength(text)}:${text}`

const quoted = new Set<ExportType['is']>(['text', 'time'])

const jsonPart: Writer['part'] = ({ is }, text) =>
  text === null ? 'null' : quoted.has(is) ? JSON.stringify(text) : text

/** The forms: netstrings, which any engine can write; the JSON of CSV files; and jsonb as PostgreSQL prints it. */
export const FORMS: Readonly<Record<Form, Writer>> = {
  netstrings: {
    part: (_, text) => netstring(text),
    list: (parts) => parts.join(''),
    object: (parts) => parts.map(([, part]) => part).join(''),
  },
  json: {
    part: jsonPart,
    list: (parts) => `[${parts.join(',')}]`,
    object: (parts) =>
      `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${part}`).join(',')}}`,
  },
  jsonb: {
    part: jsonPart,
    list: (parts) => `[${parts.join(', ')}]`,
    object: (parts) =>
      `{${parts
        .toSorted(([left], [right]) => compareAsJsonb(left, right))
        .map(([name, part]) => `${JSON.stringify(name)}: ${part}`)
        .join(', ')}}`,
  },
}
