import type { Database } from '../../database/open-database.ts'
import { quoteName, quoteText } from '../../database/quote.ts'
import { filledTables } from '../../database/rows/read-record.ts'
import type { KindName } from '../../records/kinds/kinds.ts'
import type { Check } from '../../rules/rule.ts'
import { recordsWhere, says, shown } from '../../rules/sql/record-select.ts'
import { URL_SHAPES, type UrlShapes } from '../../rules/url-shapes.ts'

/** SQL for the scheme and host of a URL, without the slash after it. */
const hostOf = (url: string): string =>
  `substr(${url}, 1, instr(${url}, '://') + 2 + instr(substr(${url}, instr(${url}, '://') + 3) || '/', '/') - 1)`

/** The kinds whose URLs are made of the host and what is below it. Uploads may be on a host of their own. */
const KINDS_OF_HOST = Object.entries(URL_SHAPES as UrlShapes).flatMap(([kind, shape]) =>
  kind === 'labels' ||
  typeof shape !== 'string' ||
  /\{(?:attachment|repository_file)\}$/.test(shape)
    ? []
    : [kind as KindName],
)

/** The kinds that say where an archive is from, the first that it has. */
const OF_THE_HOST: readonly KindName[] = ['repositories', 'users', 'organizations', 'issues']

/** The host of each archive: that of most records. */
function findHosts(database: Database): Map<number, string> {
  const hosts = new Map<number, string>()
  for (const kind of OF_THE_HOST) {
    const rows = database
      .prepare<[], [number | null, string | null]>(
        `SELECT CAST(_archive AS INTEGER), ${hostOf('url')} AS host FROM ${quoteName(kind)}
         WHERE url IS NOT NULL GROUP BY 1, 2 ORDER BY count(*) DESC, host`,
      )
      .raw()
    for (const [archive, host] of rows.iterate()) {
      if (archive !== null && host && !hosts.has(archive)) hosts.set(archive, host)
    }
  }
  return hosts
}

/** The host of records. */
export const hostChecks: readonly Check[] = [
  {
    code: 'host-other',
    severity: 'warning',
    summary: 'An importer looks for owner and repository on one host, and this URL is on another',
    evidence: { seenIn: '7,705 records' },
    source: 'observed in real exports, where all records of an archive are on one host',
    run(database, faults) {
      const hosts = findHosts(database)
      if (hosts.size === 0) return
      const filled = filledTables(database, KINDS_OF_HOST)
      const cases = [...hosts].map(
        ([archive, host]) => `WHEN ${archive} THEN ${quoteText(`${host}/`)}`,
      )
      const expected = `CASE o._archive ${cases.join(' ')} END`
      for (const kind of KINDS_OF_HOST.filter((kind) => filled.has(kind))) {
        const where = `substr(o.url, 1, length(${expected})) <> ${expected}`
        const message = says("'the other records are on '", shown(`rtrim(${expected}, '/')`))
        faults.addAll(recordsWhere(kind, where, message))
      }
    },
  },
]
