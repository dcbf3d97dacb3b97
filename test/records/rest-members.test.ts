import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/records/json/json.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { REST_MEMBERS, type RestMember, type RestValue } from '../../src/records/rest-members.ts'
import { fromRest } from '../../src/sources/github-backup/from-rest.ts'
import { Members } from '../../src/sources/members.ts'

const TABLES = Object.entries(REST_MEMBERS) as [keyof typeof REST_MEMBERS, readonly RestMember[]][]

test.each(TABLES.filter(([kind]) => kind !== 'release_assets'))(
  'Members of %s in the table are columns',
  (kind, rows) => {
    const { columns } = KINDS[kind as keyof typeof KINDS]
    expect(rows.filter(([member]) => !Object.hasOwn(columns, member))).toEqual([])
  },
)

const orNull = (values: fc.Arbitrary<JsonValue>) => fc.option(values)

const VALUES: { readonly [value in RestValue]: fc.Arbitrary<JsonValue> } = {
  text: fc.string({ unit: 'grapheme' }),
  'text?': orNull(fc.string({ unit: 'grapheme' })),
  flag: fc.boolean(),
  'integer?': orNull(fc.maxSafeNat()),
  'time?': orNull(fc.constantFrom('2025-01-05T10:00:00Z', '1999-12-31T23:59:59Z')),
  'commit?': orNull(fc.constantFrom('a'.repeat(40), '0123456789'.repeat(4))),
  'side?': orNull(fc.constantFrom('left', 'right')),
  person: orNull(fc.constantFrom('https://github.com/ada', 'https://github.com/ben')),
}

/** A value as the interface has it. */
const toRest = (value: JsonValue, type: RestValue): JsonValue => {
  if (typeof value !== 'string') return value
  if (type === 'side?') return value.toUpperCase()
  return type === 'person' ? { login: value.replace('https://github.com/', '') } : value
}

test.each(TABLES)(
  'A record of %s is the same after the way through the interface',
  (kind, rows) => {
    const records = fc.record(
      Object.fromEntries(rows.map(([member, , type]) => [member, VALUES[type]])),
    )
    const people = {
      person(members: Members, name: string) {
        const account = members.take(name) as JsonObject | null
        return account && `https://github.com/${account.login}`
      },
    }
    fc.assert(
      fc.property(records, (record) => {
        const answer = rows.map(([member, name, type]) => [
          name,
          toRest(record[member] as JsonValue, type),
        ])
        const faults: string[] = []
        const members = new Members(Object.fromEntries(answer), (fault) => faults.push(fault))
        expect(fromRest(people, kind, members, null)).toEqual(record)
        expect(faults).toEqual([])
      }),
    )
  },
)
