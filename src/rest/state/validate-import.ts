import { checkDatabase, type Finding } from '../../conformance/checks/check-database.ts'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import type { ImportLog } from './import-log.ts'

/** Why an archive is not imported. */
export interface Refusal {
  readonly failure: string
  /** Whether the archive itself is at fault, and not only some of its records. */
  readonly isInvalid: boolean
}

/** What depends on a record that was left out may be at fault only then. */
const MOST_ROUNDS = 10

/**
 * Checks an archive as `checkDatabase` does, and logs what it finds. Errors at records are those of these records, which are left
 * out if the import goes on after errors; any other is one of the archive.
 */
export async function validateImport(
  path: string,
  { log, continueOnError }: { continueOnError: boolean; log: ImportLog },
): Promise<Refusal | undefined> {
  const database = openDatabase(path, { readonly: false })
  try {
    for (let round = 1; ; round++) {
      const { ok, findings } = await checkDatabase(database, { profile: 'gei', places: 0 })
      const errors = findings.filter(({ severity }) => severity === 'error')
      const failing = ok ? undefined : failingRecords(errors)
      if (failing && continueOnError && round < MOST_ROUNDS) {
        addFindings(errors, log)
        const count = leaveOut(database, failing)
        if (count > 0) {
          log.add('ERROR', `records with errors, which are left out: ${count}`)
          continue
        }
      } else addFindings(findings, log)
      if (ok) return undefined
      const codes = errors.map(({ code, count }) => `${code} (${count})`).join(', ')
      const subject = failing ? 'Records cannot be imported' : 'The archive is not valid'
      const failure = `${subject}: ${codes}. The log of the migration has the places.`
      return { failure, isInvalid: failing === undefined }
    }
  } finally {
    database.close()
  }
}

function addFindings(findings: readonly Finding[], log: ImportLog): void {
  const levels = { error: 'ERROR', warning: 'WARN', note: 'INFO' } as const
  for (const { code, severity, allPlaces } of findings) {
    for (const { url, entry, record, message } of allPlaces()) {
      const place = url ?? [entry, record && `record ${record}`].filter(Boolean).join(', ')
      log.add(levels[severity], `${code}: ${[place, message].filter(Boolean).join(': ')}`)
    }
  }
}

/** A record in its file. */
type RecordPlace = readonly [kind: string, entry: string, record: number]

/** Records that are left out at most: an archive with more is not valid. */
const MOST_LEFT_OUT = 100_000

/** The records with errors; undefined if one is not that of a record, or of a repository, without which there is no import. */
function failingRecords(errors: readonly Finding[]): RecordPlace[] | undefined {
  if (errors.reduce((sum, { count }) => sum + count, 0) > MOST_LEFT_OUT) return undefined
  const failing: RecordPlace[] = []
  for (const { allPlaces } of errors) {
    for (const { kind, entry, record } of allPlaces()) {
      if (kind === null || entry === null || record === null || kind === 'repositories') {
        return undefined
      }
      failing.push([kind, entry, record])
    }
  }
  return failing
}

/** Removes records from a database, and counts them. */
function leaveOut(database: Database, failing: readonly RecordPlace[]): number {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS failing (kind, entry, record)')
  const insert = database.prepare('INSERT INTO temp.failing VALUES (?, ?, ?)')
  const work = database.transaction(() => {
    database.exec('DELETE FROM temp.failing')
    for (const place of failing) insert.run(...place)
    let count = 0
    for (const table of new Set(failing.map(([kind]) => kind))) {
      const sql = `DELETE FROM ${quoteName(table)} WHERE (_entry, _record_number) IN
        (SELECT entry, record FROM temp.failing WHERE kind = ?)`
      count += database.prepare(sql).run(table).changes
    }
    return count
  })
  return work.immediate()
}
