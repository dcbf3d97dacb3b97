import type { Limits } from '../../archive/limits.ts'
import { LIMIT_SUMMARIES, standardLimit } from '../options/reading-options.ts'
import { formatColumns } from '../output/format-columns.ts'

/** What `marc help limits` prints. */
export function describeLimits(): string {
  const rows = Object.entries(LIMIT_SUMMARIES).map(([name, summary]) => [
    `--max-${name}`,
    `${summary} [${standardLimit(name as keyof Limits)}]`,
  ])
  return `An archive that asks for more than it may is refused with exit code 3 and an error that is named like
the option: limit-path for --max-path. Each takes a number or off.

${formatColumns(rows as [string, string][])}

load, inspect, ls and cat take these; commands that put an archive into the cache first keep to what
stands in brackets: load an archive that needs more, and name the database.

  members     The host writes one; many empty ones take long to read.
  expansion   Counts beyond the first 64 MiB, which small archives may reach by nature.
  extracted   attachments extract counts what it writes, and stops at 50 GiB unless told otherwise.
  header      Never more than 4 MiB, whatever is typed.
  depth       Never more than 1000, whatever is typed: SQLite reads no JSON that is nested deeper.
  record      Where there are more than 10,000 names and values in one, each counts for 8 bytes at least:
              it takes memory however short it is.

query takes --timeout and --max-rows: see marc query --help.`
}
