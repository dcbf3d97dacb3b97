import type { Database } from '../database/open-database.ts'
import type { PlannedShard } from '../database/plan-shards.ts'
import { openJudge } from '../export-archive/judge.ts'
import { holdAgainstRules, RULES } from '../export-archive/rules.ts'
import { kindNamed, kindOfRecord } from '../records/kind-of-record.ts'
import { OWNERS as PEOPLE } from '../records/kinds/references.ts'
import { URL_SHAPES, urlPattern } from '../records/url-shapes.ts'
import type { BuildOptions } from './build-options.ts'
import { openLookup } from './open-lookup.ts'

/**
 * Holds the records of a file against the rules for archives to be written. Files that are written again as an
 * archive had them need it not, but for what refers to kinds of which records were deleted; what was changed,
 * added or put in order since, no host has seen. Throws `rule-…`, or with `force` reports it.
 */
export type Rulebook = (shard: PlannedShard, unchanged: boolean) => void

const REFERENCES = RULES.filter(({ code }) => code === 'rule-reference')

export function openRulebook(
  database: Database,
  deleted: ReadonlySet<string>,
  { files = true, part, force = false, report }: BuildOptions,
): Rulebook {
  const judge = openJudge(force, report)
  const lookup = openLookup(database)
  // Of a pair of archives one has the Git data, and an archive without any is the other one of a pair.
  const withGit = part !== 'metadata' && lookup.hasFile('repositories')
  const isWanted = (path: string) =>
    files && (path.startsWith('repositories/') ? withGit : part !== 'git')
  const named = new Set<string>()
  const ledger: Parameters<typeof holdAgainstRules>[0]['ledger'] = {
    // The tables see to it that a url is in each of them once.
    add: (table, url) =>
      !PEOPLE.some((name) => name === table) ||
      PEOPLE.every((name) => name === table || !lookup.hasRecord(name, url)),
    resolve: (url, tables) => tables.some((table) => lookup.hasRecord(table, url)),
    name(path, { place, message }) {
      if (isWanted(path) && !lookup.hasFile(path)) judge('rule-path', place, message)
      const isNew = !named.has(path)
      named.add(path)
      return isNew
    },
  }
  const isLessened = (table: string) => deleted.has(table === 'labels' ? 'repositories' : table)
  const lessened: typeof ledger = {
    ...ledger,
    resolve: (url, tables, waiting) =>
      !tables.some(isLessened) || ledger.resolve(url, tables, waiting),
  }
  // Other hosts say in urls.json what theirs look like.
  const shapes = lookup.hasOwnShapes() ? [] : Object.entries(URL_SHAPES)
  const patterns = new Map(shapes.map(([kind, shape]) => [kind, urlPattern(shape)]))

  return ({ path, stem, records }, unchanged) => {
    if (unchanged && deleted.size === 0) return
    const rules = unchanged ? REFERENCES : undefined
    let number = 0
    for (const record of records()) {
      const place = { entry: path, record: ++number }
      const name = kindOfRecord(stem, record)
      const kind = kindNamed(name)
      const subject = { name, record, place, patterns, ledger: unchanged ? lessened : ledger }
      if (kind) holdAgainstRules({ ...subject, kind }, judge, rules)
    }
  }
}
