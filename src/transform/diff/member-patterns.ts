import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { recordColumns, recordTables } from '../../database/rows/read-record.ts'
import { closestName } from '../../reading/names.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { ORDER, pathTo } from './compare-records.ts'
import type { DiffOptions } from './diff-options.ts'

type Patterns = Pick<DiffOptions, 'members' | 'ignore'>

/** Tells whether a change of a member counts. */
export function memberFilter({
  members,
  ignore = [],
}: Patterns): (kind: string, path: string) => boolean {
  const wanted = members?.map(patternOf)
  const ignored = ignore.map(patternOf)
  // A pattern for a member holds for what is in it.
  const namesOf = (path: string) => [
    path,
    ...[...path.matchAll(/[.[]/g)].map((m) => path.slice(0, m.index)),
  ]
  return (kind, path) => {
    const names = namesOf(path)
    if (wanted && !names.some((name) => wanted.some((pattern) => pattern(name)))) return false
    return !names.some((name) => ignored.some((pattern) => pattern(`${kind}.${name}`)))
  }
}

/**
 * A pattern that no member meets, neither of a known kind, nor of a record in these databases, and the one that was probably
 * meant. Of a path such as `issues.labels[0]`, only the member is looked at.
 */
export function findMisspelt(
  databases: readonly Database[],
  { members = [], ignore = [] }: Patterns,
): { pattern: string; meant: string | undefined } | undefined {
  const patterns = [...members.map((name) => ANY_KIND + name), ...ignore]
  const isMissing = (pattern: string, known: readonly string[]) =>
    !known.some(patternOf(memberOf(pattern)))
  const columns = columnsOf(databases)
  const strange = patterns.filter((pattern) => isMissing(pattern, columns))
  if (strange.length === 0) return undefined
  // Few patterns are about members without a column: all records are read for them.
  const known = [...columns, ...databases.flatMap(extraMembers)]
  const missing = strange.find((pattern) => isMissing(pattern, known))
  if (missing === undefined) return undefined
  const isName = patterns.indexOf(missing) < members.length
  const ofAny = known.map((path) => path.replace(/^[^.]*\./, ANY_KIND))
  const wanted = missing.includes('.') ? missing : ANY_KIND + missing
  const meant = closestName(wanted, isName ? ofAny : [...known, ...ofAny])
  const asTyped = (pattern: string) => (isName ? pattern.slice(ANY_KIND.length) : pattern)
  return { pattern: asTyped(missing), meant: meant && asTyped(meant) }
}

const ANY_KIND = '*.'

/** The pattern without what is below the member. */
const memberOf = (pattern: string): string =>
  /^[^.]*\.(?:\["(?:[^"\\]|\\.)*"\]|[^.[]+)/.exec(pattern)?.[0] ?? pattern

/** `issues.title`: each kind with each of its members. */
const columnsOf = (databases: readonly Database[]): string[] =>
  [...Object.keys(KINDS), ...databases.flatMap((each) => recordTables(each))].flatMap((kind) =>
    ['type', ...Object.keys(recordColumns(kind).kind.columns), ORDER].map(
      (name) => `${kind}.${name}`,
    ),
  )

/** The members without a column. */
const extraMembers = (database: Database): string[] =>
  recordTables(database).flatMap((kind) =>
    database
      .prepare<[], string>(
        `SELECT DISTINCT e.key FROM ${quoteName(kind)},
           json_each(CASE WHEN json_valid(_extra) THEN _extra END) AS e`,
      )
      .pluck()
      .all()
      .map((name) => `${kind}.${pathTo('', name)}`),
  )

/** A test for a pattern in which `*` stands for any characters, in time linear in both. */
function patternOf(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length) return false
    let at = first.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return text.endsWith(last) && text.length - last.length >= at
  }
}
