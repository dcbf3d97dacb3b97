/** Any records of every kind, for round trips through targets of exports. */

import fc from 'fast-check'
import { unknownKind } from '../../src/database/schema/unknown-kind.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { kindOfRecord } from '../../src/records/kinds/kind-of-record.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { jsonObjects } from './json-objects.ts'
import { plainObjects } from './plain-objects.ts'

/** The known kinds, and one that is not. */
export const EVERY_KIND: readonly [string, Kind][] = [
  ...Object.entries(KINDS),
  ['gadgets', unknownKind('gadgets')],
]

/** Records of each kind by the name of its table. */
export const recordsOfKinds = (each = 40): Map<string, JsonObject[]> =>
  new Map(
    EVERY_KIND.map(([name, kind]) => [name, withUrls(name, fc.sample(anyOf(name, kind), each))]),
  )

/** A kind, and a few records of it. */
export const someRecords: fc.Arbitrary<{ name: string; kind: Kind; records: JsonObject[] }> = fc
  .constantFrom(...EVERY_KIND)
  .chain(([name, kind]) =>
    fc
      .array(anyOf(name, kind), { minLength: 1, maxLength: 6 })
      .map((records) => ({ name, kind, records: withUrls(name, records) })),
  )

function anyOf(name: string, kind: Kind): fc.Arbitrary<JsonObject> {
  return ofKind(name, fc.oneof(plainObjects(kind), jsonObjects))
}

// A record whose type says another kind goes to the table of that kind.
const ofKind = (name: string, records: fc.Arbitrary<JsonObject>) =>
  records.filter((record) => kindOfRecord(name, record) === name)

/** Records with different URLs: of two with the same one, only the later would stay. */
const withUrls = (name: string, records: JsonObject[]): JsonObject[] =>
  records.map((record, i) =>
    'url' in record ? { ...record, url: `https://H/${name}/${i}` } : record,
  )

/** The record files of an archive that has them. */
export const filesOfKinds = (
  records: ReadonlyMap<string, readonly JsonObject[]>,
): Record<string, string> =>
  Object.fromEntries(
    [...records].map(([name, list]) => [
      `${name}_000001.json`,
      `[${list.map((one) => JSON.stringify(one)).join()}]`,
    ]),
  )
