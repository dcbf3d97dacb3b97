import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { createRecordEditor } from '../../database/rows/edit-record.ts'
import { isObject, type JsonObject, type JsonValue } from '../../records/json/json.ts'
import { type Names, stayingPeople } from './find-names.ts'
import type { IdentityMap, Renaming } from './identity-map.ts'
import type { UrlMapper } from './map-urls.ts'
import { editPersonReferences, withoutDoubles } from './person-references.ts'

/** People who become one. */
export interface MergedPeople {
  /** Their common new login. */
  new: string
  /** Their logins; the record of the first one that has a record stays. */
  old: string[]
}

/**
 * The people who share one new login. A person who already has it and keeps it comes first. Throws `map-invalid`
 * for an organization among them.
 */
export function findMerged(
  map: IdentityMap,
  { people }: Names,
  organizations: ReadonlySet<string>,
): MergedPeople[] {
  const staying = stayingPeople(map, people)
  const byNew = Map.groupBy(map.logins, (each) => each.new.toLowerCase())
  return [...byNew].flatMap(([login, lines]) => {
    const there = staying.get(login)
    const old = [...(there === undefined ? [] : [there]), ...oldOf(lines, login)]
    if (old.length < 2) return []
    for (const each of lines) {
      const other = [each.old, there ?? ''].find((name) => organizations.has(name.toLowerCase()))
      if (other === undefined) continue
      const message = `${JSON.stringify(other)} is an organization: only people become one`
      throw new ArchiveError('map-invalid', message, { entry: each.place })
    }
    return [{ new: (lines[0] as Renaming).new, old }]
  })
}

/** The old logins; a person who keeps the login comes first. */
const oldOf = (lines: readonly Renaming[], login: string): string[] =>
  lines
    .map(({ old }) => old)
    .sort((a, b) => Number(b.toLowerCase() === login) - Number(a.toLowerCase() === login))

/**
 * Prepares people to be renamed into one: joins their addresses and accounts in the record that stays, removes the other
 * records, and takes out of lists what would be there twice. Returns how many elements that were, by kind and member.
 */
export function mergePeople(
  database: Database,
  merged: readonly MergedPeople[],
  urls: UrlMapper,
): Record<string, number> {
  if (merged.length === 0) return {}
  const read = (['users', 'bots'] as const).map((table) => ({
    table,
    edit: createRecordEditor(database, table),
    find: database
      .prepare<[string], bigint>(`SELECT rowid FROM ${table} WHERE lower(login) = ? ORDER BY rowid`)
      .pluck()
      .safeIntegers(),
    remove: database.prepare(`DELETE FROM ${quoteName(table)} WHERE rowid = ?`),
  }))
  for (const { old } of merged) {
    const records = old.flatMap((login) =>
      read.flatMap((each) => each.find.all(login.toLowerCase()).map((id) => ({ ...each, id }))),
    )
    const [kept, ...others] = records
    for (const { id, edit, remove } of others) {
      edit(id, (other) => {
        kept?.edit(kept.id, (record) => joinLists(record, other))
        return other
      })
      remove.run(id)
    }
  }
  const becomesOne = new Set(merged.map((each) => each.new.toLowerCase()))
  const key = (url: string): string | undefined => {
    const now = urls.mapUrl(url).toLowerCase()
    return becomesOne.has(now.slice(now.lastIndexOf('/') + 1)) ? now : undefined
  }
  return editPersonReferences(database, withoutDoubles(key))
}

/** The record of a person with the addresses and accounts of another; one address stays the primary one. */
function joinLists(record: JsonObject, dropped: JsonObject): JsonObject {
  const joined = { ...record }
  for (const [member, name] of [
    ['emails', 'address'],
    ['social_accounts', 'url'],
  ] as const) {
    const [own, more] = [record[member], dropped[member]]
    if (!Array.isArray(more) || more.length === 0) continue
    const known = Array.isArray(own) ? own : []
    const keyOf = (each: JsonValue) => String(isObject(each) ? each[name] : each).toLowerCase()
    const keys = new Set(known.map(keyOf))
    const hasPrimary = known.some((each) => isObject(each) && each.primary === true)
    const added = more
      .filter((each) => !keys.has(keyOf(each)))
      .map((each) =>
        hasPrimary && isObject(each) && each.primary === true ? { ...each, primary: false } : each,
      )
    if (added.length > 0) joined[member] = [...known, ...added]
  }
  return joined
}
