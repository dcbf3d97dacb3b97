import { describe, expect, test } from 'vitest'
import { quoteName } from '../../../src/database/quote.ts'
import type { Column, Kind, List } from '../../../src/records/kinds/kind.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { rowsOf } from '../../support/load.ts'
import { sharedTablesWith } from '../../support/tables.ts'

const lists = Object.entries(KINDS as Record<string, Kind>).flatMap(([name, kind]) =>
  Object.entries(kind.columns).flatMap(([member, { list }]): [string, string, List, Kind][] =>
    list ? [[name, member, list, kind]] : [],
  ),
)

const isColumn = (element: List['element']): element is Column =>
  typeof element.storage === 'string'

/** A value of each storage as JSON has it and as SQL shows it. */
const VALUES = {
  text: ['some text', 'some text'],
  time: ['2020-01-01T00:00:00.000+08:00', '2019-12-31T16:00:00Z'],
  flag: [true, 1],
  integer: [7, 7],
  json: [['push', 'x'], '["push","x"]'],
} as const

describe.each(lists)('The view %s_%s', (name, member, { name: thing = 'value', element }, kind) => {
  const members = Object.entries(isColumn(element) ? { [thing]: element } : element).filter(
    // A second name of the owner is the owner's column.
    ([m]) => m !== kind.type,
  )
  const json = Object.fromEntries(members.map(([m, { storage }]) => [m, VALUES[storage][0]]))
  const columns = members.map(([m]) => quoteName(m))
  const shown = members.map(([, { storage }]) => VALUES[storage][1])
  const first = isColumn(element) ? Object.values(json)[0] : json
  const select = `SELECT ${quoteName(kind.type)}, position, ${columns} FROM ${name}_${member}`

  test('has a row for each element, in their order', () => {
    const database = sharedTablesWith({ [name]: [{ url: 'a', [member]: [first, first] }] })
    expect(rowsOf(database, select)).toEqual([
      ['a', 0, ...shown],
      ['a', 1, ...shown],
    ])
  })

  test('has no row for a list that is empty, null, absent or no list', () => {
    const values = [[], null, {}, 'text', 5]
    const records = values.map((value, i) => ({ url: `${i}`, [member]: value }))
    const database = sharedTablesWith({ [name]: [...records, { url: 'absent' }] })
    expect(rowsOf(database, select)).toEqual([])
  })

  test('opens elements of any other type without an error', () => {
    const elements = [null, 'no JSON', '{"user":"u"}', '', 1, 1.5, false, [], [1], {}]
    const database = sharedTablesWith({ [name]: [{ url: 'a', [member]: elements }] })
    const rows = rowsOf(database, select)
    expect(rows).toHaveLength(elements.length)
    if (!isColumn(element))
      for (const [, , ...values] of rows) expect(values).toEqual(members.map(() => null))
  })
})

test('A view has the place of the record with the list', () => {
  const labels = ['https://H/o/r/labels/bug']
  const issue = { url: 'https://H/o/r/issues/1', repository: 'https://H/o/r', labels }
  const database = sharedTablesWith({ issues: [issue] })
  expect(rowsOf(database, 'SELECT issue, full_name, number, label FROM issues_labels')).toEqual([
    [issue.url, 'o/r', 1, labels[0]],
  ])
})

test('A view shows what SQL has made of a list', () => {
  const database = sharedTablesWith({ issues: [{ url: 'a', labels: ['l'] }] })
  database.exec(`UPDATE issues SET labels = json_insert(labels, '$[#]', 'm')`)
  expect(rowsOf(database, 'SELECT label FROM issues_labels')).toEqual([['l'], ['m']])
})

test('A view shows the elements of a list that a list inside of it has as JSON', () => {
  const webhooks = [{ payload_url: 'https://H/hook', event_types: ['push', 'issues'] }]
  const database = sharedTablesWith({ repositories: [{ url: 'a', webhooks }] })
  expect(rowsOf(database, 'SELECT event_types FROM repositories_webhooks')).toEqual([
    ['["push","issues"]'],
  ])
})
