/** Each type of value, in each place, in each of the clothes: none is left where the report says that it was looked for. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { MODES } from '../../../../src/transform/redact/pseudonyms.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type { Files } from '../../../support/build-tar.ts'
import { createPlantedSearch } from '../../../support/find-planted.ts'
import { folderOf } from '../../../support/folder.ts'
import { loaded } from '../../../support/load.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'
import { attack, describeCell, EVERYTHING } from './attack.ts'
import { FILE_CLOTHES, TEXT_CLOTHES } from './clothes.ts'
import { FORMS, HOST } from './forms.ts'
import { KNOWN } from './known.ts'
import * as places from './places.ts'
import { type Form, Planter } from './planter.ts'

/** Some seconds of processor time, which are minutes on a slow machine. */
const LONG = { ...THOROUGH, timeout: 600_000 }

const formsOf = (kind: string) => FORMS[kind]?.length ?? 0

it('There are ninety forms of secrets, thirty of addresses, and some of each other value', () => {
  expect(formsOf('secret')).toBeGreaterThan(120)
  expect(formsOf('email')).toBeGreaterThan(40)
  for (const kind of ['name', 'login', 'ipv4', 'ipv6']) expect(formsOf(kind)).toBeGreaterThan(8)
})

describe('Whoever planted them finds everything again', () => {
  const planter = new Planter()
  const text = Object.values(FORMS)
    .flat()
    .map((form) => planter.plant(form, '', ''))
    .join('\n')
  const search = createPlantedSearch(planter.hidden.keys())

  everyDay(3)(Object.entries(TEXT_CLOTHES))('in a text as %s', (_, dress) => {
    expect(search(Buffer.from(dress(text))).size).toBe(planter.hidden.size)
  })

  // A comment of a GIF is cut into blocks, also within values.
  const files = Object.entries(FILE_CLOTHES).filter(([clothes]) => clothes !== 'GIF')
  everyDay(5)(files)('in a file as %s', (_, { bytes }) => {
    expect(search(bytes(text)).size).toBe(planter.hidden.size)
  })
})

const plantPlainRecords = (planter: Planter) => places.plantRecords(planter, ['plain'])

describe('Nothing is left', () => {
  const leavesNothing =
    (plant: (planter: Planter) => Buffer | Files, atLeast: number) => async () => {
      const planter = new Planter()
      const { left } = await attack(planter, plant(planter))
      expect(left).toEqual([])
      expect(planter.count).toBeGreaterThan(atLeast)
    }

  test('in headers of entries', THOROUGH, leavesNothing(places.plantHeaders, 300))

  test('of any form in any of the clothes', LONG, leavesNothing(places.plantForms, 1500))

  test('in names of entries, schema.json and urls.json', LONG, async () => {
    const planter = new Planter()
    expect((await attack(planter, places.plantNames(planter))).left).toEqual([])
    expect(planter.count).toBeGreaterThan(1000)
  })

  test.each(Object.keys(TEXT_CLOTHES))(
    'in every member of every kind, as %s',
    LONG,
    async (clothes) => {
      const planter = new Planter()
      const { left } = await attack(planter, places.plantRecords(planter, [clothes]))
      expect(left).toEqual([])
      expect(planter.count).toBeGreaterThan(1_800)
    },
  )

  test('in attachments of any type, and those that were not read are named', LONG, async () => {
    const planter = new Planter()
    const { left, report } = await attack(planter, places.plantFiles(planter))
    expect(left).toEqual([])
    expect(planter.count).toBeGreaterThan(5000)
    expect(report.files.unread.paths).toEqual(
      expect.arrayContaining([expect.stringMatching(/\.pdf$/)]),
    )
  })

  test.each([
    ['mask', 'texts', places.plantForms],
    ['remove', 'texts', places.plantForms],
    ['mask', 'members of records', plantPlainRecords],
    ['remove', 'members of records', plantPlainRecords],
    ['mask', 'names', places.plantNames],
    ['remove', 'names', places.plantNames],
    ['mask', 'attachments', places.plantFiles],
    ['remove', 'attachments', places.plantFiles],
  ] as const)('with the mode %s in %s', LONG, async (mode, _, plant) => {
    const planter = new Planter()
    expect((await attack(planter, plant(planter), { mode })).left).toEqual([])
  })

  test('in the file of a database', LONG, async () => {
    const planter = new Planter()
    const files = { ...places.plantForms(planter), ...plantPlainRecords(planter) }
    expect((await attack(planter, files, {}, 'o.db')).left).toEqual([])
  })
})

const PLANTS = [
  ['texts', places.plantForms],
  ['members of records', plantPlainRecords],
  ['names', places.plantNames],
  ['attachments', places.plantFiles],
] as const

test.each(PLANTS.flatMap(([where, plant]) => MODES.map((mode) => [where, mode, plant] as const)))(
  'Twice is once in %s with the mode %s: the same bytes',
  LONG,
  async (_, mode, plant) => {
    const planter = new Planter()
    const { bytes } = await attack(planter, plant(planter), { mode })
    const { database } = await loaded(bytes)
    const output = join(await folderOf(), 'again.tar.gz')
    await redactDatabase(database, output, { ...EVERYTHING, mode })
    expect(readFileSync(output).equals(bytes)).toBe(true)
  },
)

test('A value that was removed is not handed out in a file that is kept unread', LONG, async () => {
  const planter = new Planter()
  const files = places.plantFiles(planter)
  await expect(attack(planter, files, { keepUnread: true })).rejects.toMatchObject({
    code: 'redaction-incomplete',
  })
})

const formOf = (kind: string, name: string) =>
  FORMS[kind]?.find((form) => form.name === name) as Form

describe('Known to be left, and to be taken from the list once it is not:', () => {
  const rows = KNOWN.flatMap(({ kind, forms, place, clothes }) =>
    forms.flatMap((name) => clothes.map((cloth) => ({ kind, name, place, cloth }))),
  )

  test('all that is listed', THOROUGH, async () => {
    const planter = new Planter()
    const plant = (row: (typeof rows)[number]) =>
      places.dressed(planter, formOf(row.kind, row.name), row.place, row.cloth)
    const inTexts = rows.filter(({ place }) => place === 'any text').map(plant)
    const inSchema = rows.filter(({ place }) => place === 'schema.json').map(plant)
    const inNames = rows
      .filter(({ place }) => place in places.NAMES)
      .map(({ kind, name, place }) => places.named(planter, formOf(kind, name), place))
    const { left } = await attack(planter, {
      ...Object.assign({}, ...inNames),
      'schema.json': { version: '1.2.0', note: inSchema.join('\n') },
      'issues_000001.json': inTexts.map((body, i) => ({
        type: 'issue',
        url: `${HOST}/kettle/tools/issues/${i}`,
        title: 'x',
        labels: [],
        repository: `${HOST}/kettle/tools`,
        user: `${HOST}/kettle`,
        body,
        created_at: '2020-01-01T00:00:00Z',
      })),
    })
    const expected = rows.map(({ kind, name, place, cloth }) =>
      describeCell({ kind, form: name, place, clothes: cloth }),
    )
    expect(left).toEqual(expected.sort())
  })
})
