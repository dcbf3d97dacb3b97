import type { Column, Kind, List } from '../../records/kinds/kind.ts'
import { isColumn } from '../../records/kinds/member-paths.ts'
import { quoteName, quoteText } from '../quote.ts'
import type { Relation, RelationColumn } from './relation.ts'
import { utcTime } from './view.ts'

/** A view for each list of a kind, with one row per element. */
export function listViews(table: string, kind: Kind): Relation[] {
  return Object.entries(kind.columns).flatMap(([member, column]) =>
    column.list ? [listView(table, kind, member, column, column.list)] : [],
  )
}

function listView(table: string, kind: Kind, member: string, column: Column, list: List): Relation {
  const owner: RelationColumn[] = [
    {
      name: kind.type,
      type: '',
      description: 'The record with the list, by URL.',
      refersTo: [table],
    },
    ...['full_name', 'number']
      .filter((name) => name in kind.derived)
      .map((name) => ({ name, type: '', description: kind.derived[name]?.description ?? '' })),
  ]
  // An element may also have a member for its owner, as a topic has for its repository.
  const elements = elementsOf(list).filter(({ name }) => !owner.some((o) => o.name === name))
  const selected = [
    `o.url AS ${quoteName(kind.type)}`,
    ...owner.slice(1).map(({ name }) => `o.${quoteName(name)}`),
    'e.key AS position',
    ...elements.map(({ name, generated }) => `${generated} AS ${quoteName(name)}`),
  ]
  const from = `FROM ${quoteName(table)} AS o, json_each(o.${quoteName(member)}) AS e`
  return {
    name: `${table}_${member}`,
    type: 'view',
    listOf: table,
    summary: `${column.description.replace(/\.$/, '')}: the list ${member} of ${table}, one row per element.`,
    columns: [
      ...owner,
      { name: 'position', type: '', description: 'Position in the list, from 0.' },
      ...elements.map(({ generated, ...element }) => element),
    ],
    select: `SELECT ${selected.join(', ')}\n${from}`,
    sourced: () => `SELECT ${selected.join(', ')}, o._source\n${from}`,
  }
}

function elementsOf({ name, element }: List): RelationColumn[] {
  if (isColumn(element)) {
    const { storage, description, refersTo } = element
    return [
      {
        name: name ?? 'value',
        type: '',
        description,
        generated: storage === 'time' ? utcTime('e.value') : 'e.value',
        ...(refersTo && { refersTo }),
      },
    ]
  }
  return Object.entries(element).map(([member, { storage, description, refersTo }]) => {
    const value = `e.value ->> ${quoteText(member)}`
    return {
      name: member,
      type: '',
      description,
      // Only objects have members, and a text need not be JSON.
      generated: `CASE e.type WHEN 'object' THEN ${storage === 'time' ? utcTime(`(${value})`) : value} END`,
      ...(refersTo && { refersTo }),
    }
  })
}
