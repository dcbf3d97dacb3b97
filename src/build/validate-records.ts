import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { hasSum } from '../database/record-files/loaded-sums.ts'
import type { PlannedFile } from '../database/record-files/plan-record-files.ts'
import type { RecordEntry } from '../database/record-files/record-entry.ts'
import { recordTables } from '../database/rows/read-record.ts'
import { kindNamed, kindOfRecord } from '../records/kinds/kind-of-record.ts'
import { isOfPeople, PEOPLE_TABLES } from '../records/people-tables.ts'
import { createEnforcer } from '../rules/enforce-rule.ts'
import { danglingRows } from '../rules/references.ts'
import type { World } from '../rules/rule.ts'
import { RULES, testRecord } from '../rules/rules.ts'
import { URL_SHAPES, urlPattern } from '../rules/url-shapes.ts'
import { type BuildOptions, isPartial } from './build-options.ts'
import { createLookup } from './lookup.ts'

/**
 * Validates records that are written. Throws the code of a documented rule; with `allowInvalid`, reports it.
 */
export interface RecordValidator {
  /**
   * Tests the records of a file, unless it is unchanged: the server wrote those. Of a selection, each record that is as it
   * was loaded is treated so, and its dangling references and missing files are only reported.
   */
  test(file: PlannedFile, printed: Pick<RecordEntry, 'unchanged' | 'sums'>): void
  /**
   * Tests the unchanged files for references to records that were deleted or have another URL now: to kinds of which any
   * file has changed. Call it after all files.
   */
  testUnchanged(): void
}

const isReference = (code: string) => code.startsWith('reference-')
const REFERENCES = RULES.filter(({ code }) => isReference(code))
/** Whether a rule is about other parts of the archive than the record. */
const isAround = (code: string) => isReference(code) || /^(?:file|git)-missing$/.test(code)
/** The rules that find such breaches. A missing file is found by the rule that looks at each file that is named. */
const AROUND = RULES.filter(({ code }) => isReference(code) || code === 'file-shared')

/** Whether a row differs from what was loaded; undefined if that is not known. */
export type IsEdited = (table: string, rowid: number) => boolean | undefined

/** Whether a record of a file is known to differ from what was loaded. */
export function hasEdited({ stem, rows }: PlannedFile, isEdited?: IsEdited): boolean {
  if (!rows || !isEdited) return false
  for (let row = rows.from; row <= rows.to; row++) if (isEdited(stem, row)) return true
  return false
}

/** @param deleted the kinds of which records were deleted */
export function createRecordValidator(
  database: Database,
  deleted: ReadonlySet<string>,
  options: BuildOptions & { isEdited?: IsEdited | undefined },
): RecordValidator {
  const { files = true, part, allowInvalid = false, report, isEdited } = options
  const enforce = createEnforcer(allowInvalid, report)
  const reportOnly = createEnforcer(true, report)
  const lookup = createLookup(database)
  const isSelection = isPartial(options)
  // In a pair of archives only one has Git data; an archive without any is the other one.
  const withGit = part !== 'metadata' && lookup.hasFile('repositories')
  const noSubject = () => false
  let subjectIsOriginal = noSubject
  const world: World = {
    // A unique index ensures that a URL is in each table once.
    add(table, url) {
      if (table === 'labels') return !lookup.isSharedLabel(url)
      return (
        !isOfPeople(table) ||
        PEOPLE_TABLES.every((name) => name === table || !lookup.hasRecord(name, url))
      )
    },
    has: lookup.hasRecord,
    hasAny: lookup.hasAny,
    resolve: (url, tables) => tables.some((table) => lookup.hasRecord(table, url)),
    name(path, { code, place, message }) {
      const isGit = code === 'git-missing'
      const isWanted = files && (isGit ? withGit : part !== 'git')
      const isThere = isGit ? lookup.hasFolder(path) : lookup.isFile(path)
      if (isWanted && !isThere) (subjectIsOriginal() ? reportOnly : enforce)(code, place, message)
      return !lookup.isSharedFile(path)
    },
  }
  const changed = new Set(deleted)
  const isChanged = (table: string) => changed.has(table === 'labels' ? 'repositories' : table)
  const changedWorld: World = {
    ...world,
    resolve: (url, tables, waiting) =>
      !tables.some(isChanged) || world.resolve(url, tables, waiting),
  }
  // Other hosts define their URLs in urls.json.
  const shapes = lookup.hasOwnShapes() ? [] : Object.entries(URL_SHAPES)
  const patterns = new Map(shapes.map(([kind, shape]) => [kind, urlPattern(shape)]))

  const testFile = (
    { path, stem, records, rows, loadedSum }: PlannedFile,
    { unchanged, sums }: Pick<RecordEntry, 'unchanged' | 'sums'>,
  ) => {
    const rules = unchanged ? REFERENCES : undefined
    let number = 0
    for (const record of records()) {
      number++
      if (rows && isEdited?.(stem, rows.from + number - 1) === false) continue
      const place = { entry: path, record: number }
      const name = kindOfRecord(stem, record)
      const kind = kindNamed(name)
      if (!kind) continue
      const loaded = isSelection ? loadedSum?.(number - 1) : undefined
      const isOriginal = loaded !== undefined && loaded === sums[number - 1]
      subjectIsOriginal = () => isOriginal || (loaded !== undefined && hasSum(record, [loaded]))
      testRecord(
        { name, kind, record, place, patterns, world: unchanged ? changedWorld : world },
        (code, place, message) => {
          if (!subjectIsOriginal()) enforce(code, place, message)
          else if (isAround(code)) reportOnly(code, place, message)
        },
        isOriginal ? AROUND : rules,
      )
      // The record may take many megabytes, and another one is read before the next is tested.
      subjectIsOriginal = noSubject
    }
  }
  const unchangedFiles: PlannedFile[] = []
  return {
    test(file, printed) {
      if (printed.unchanged) {
        unchangedFiles.push(file)
        return
      }
      if (file.before) changed.add(file.stem)
      testFile(file, printed)
    },
    testUnchanged() {
      if (changed.size === 0 || unchangedFiles.length === 0) return
      // Few files have a dangling reference, and indexes find them.
      const dangling = findDangling(database, isChanged)
      for (const file of unchangedFiles) {
        if (dangling.has(file.path)) testFile(file, { unchanged: true, sums: [] })
      }
    },
  }
}

/** The paths of record files with a dangling reference to one of these tables. */
function findDangling(database: Database, isReferred: (table: string) => boolean): Set<unknown> {
  const tables = new Set(recordTables(database))
  const selects = danglingRows(isReferred).filter(({ kind }) => tables.has(kind))
  return new Set(
    selects.flatMap(({ kind, rows }) =>
      database
        .prepare(`SELECT DISTINCT _entry FROM ${quoteName(kind)} WHERE rowid IN (${rows})`)
        .pluck()
        .all(),
    ),
  )
}
