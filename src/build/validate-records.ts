import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import type { RecordFile } from '../database/record-files/place-records.ts'
import { formsOf, type PlannedFile } from '../database/record-files/plan-record-files.ts'
import { printRecordFile } from '../database/record-files/record-entry.ts'
import { recordColumns } from '../database/rows/read-record.ts'
import { toRecord } from '../database/rows/to-record.ts'
import type { Row } from '../database/schema/row-layout.ts'
import type { JsonObject } from '../records/json/json.ts'
import { kindNamed, kindOfRecord } from '../records/kinds/kind-of-record.ts'
import { isOfPeople, PEOPLE_TABLES } from '../records/people-tables.ts'
import { createEnforcer } from '../rules/enforce-rule.ts'
import type { World } from '../rules/rule.ts'
import { RULES, testRecord } from '../rules/rules.ts'
import { URL_SHAPES, urlPattern } from '../rules/url-shapes.ts'
import { type BuildOptions, isPartial } from './build-options.ts'
import { createLookup } from './lookup.ts'

/**
 * Validates the records of a file. In an unchanged file, only references to deleted records are checked, because the server
 * wrote the rest. The same goes for unchanged records of a selection, whose missing files are only reported. Throws the
 * code of a documented rule; with `allowInvalid`, reports it.
 */
export type ValidateRecords = (file: PlannedFile, unchanged: boolean) => void

const isReference = (code: string) => code.startsWith('reference-')
const REFERENCES = RULES.filter(({ code }) => isReference(code))
/** Whether a rule is about other parts of the archive than the record. */
const isAround = (code: string) => isReference(code) || /^(?:file|git)-missing$/.test(code)

/** Whether a row differs from what was loaded; undefined if that is not known. */
export type IsEdited = (table: string, rowid: number) => boolean | undefined

/** Whether a record of a file is known to differ from what was loaded. */
export function hasEdited({ stem, rows }: PlannedFile, isEdited?: IsEdited): boolean {
  if (!rows || !isEdited) return false
  for (let row = rows.from; row <= rows.to; row++) if (isEdited(stem, row)) return true
  return false
}

export function createRecordValidator(
  database: Database,
  deleted: ReadonlySet<string>,
  options: BuildOptions & { isEdited?: IsEdited | undefined },
): ValidateRecords {
  const { files = true, part, allowInvalid = false, report, isEdited } = options
  const enforce = createEnforcer(allowInvalid, report)
  const reportOnly = createEnforcer(true, report)
  const lookup = createLookup(database)
  const isOriginal = isPartial(options) ? createOriginalTest(database) : () => false
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
  const isLessened = (table: string) => deleted.has(table === 'labels' ? 'repositories' : table)
  const lessened: World = {
    ...world,
    resolve: (url, tables, waiting) =>
      !tables.some(isLessened) || world.resolve(url, tables, waiting),
  }
  // Other hosts define their URLs in urls.json.
  const shapes = lookup.hasOwnShapes() ? [] : Object.entries(URL_SHAPES)
  const patterns = new Map(shapes.map(([kind, shape]) => [kind, urlPattern(shape)]))

  return ({ path, stem, records, rows }, unchanged) => {
    if (unchanged && deleted.size === 0) return
    const rules = unchanged ? REFERENCES : undefined
    let number = 0
    for (const record of records()) {
      number++
      if (rows && isEdited?.(stem, rows.from + number - 1) === false) continue
      const place = { entry: path, record: number }
      const name = kindOfRecord(stem, record)
      const kind = kindNamed(name)
      if (!kind) continue
      subjectIsOriginal = () => isOriginal(name, record)
      testRecord(
        { name, kind, record, place, patterns, world: unchanged ? lessened : world },
        (code, place, message) => {
          if (!subjectIsOriginal()) enforce(code, place, message)
          else if (isAround(code)) reportOnly(code, place, message)
        },
        rules,
      )
      // The record may take many megabytes, and another one is read before the next is tested.
      subjectIsOriginal = noSubject
    }
  }
}

interface Origin {
  rowid: number
  archive: number
  entry: string
  record: number
}

type LoadedFile = Pick<RecordFile, 'records' | 'size' | 'crc32' | 'layout'>

/**
 * Tests whether a record is as loaded: its record file, printed again, has its original size and checksum. A selection
 * is not refused because of a record that the server wrote.
 */
function createOriginalTest(database: Database): (table: string, record: JsonObject) => boolean {
  const known = new Map<string, boolean>()
  const formOf = formsOf(database)
  const fileOf = database.prepare<[number, string], LoadedFile>(
    'SELECT records, size, crc32, layout FROM record_files WHERE archive = ? AND path = ?',
  )
  return (table, { url }) => {
    if (typeof url !== 'string') return false
    const origin = database
      .prepare<[string], Origin>(
        `SELECT rowid, _archive AS archive, _entry AS entry, _record_number AS record
         FROM ${quoteName(table)} WHERE url = ? AND _entry IS NOT NULL`,
      )
      .get(url)
    if (!origin) return false
    const key = `${origin.archive} ${origin.entry}`
    let isOriginal = known.get(key)
    if (isOriginal === undefined) {
      const files = fileOf.all(origin.archive, origin.entry)
      const [file] = files
      isOriginal =
        file !== undefined &&
        files.length === 1 &&
        isAsLoaded(database, table, origin, file, formOf)
      known.set(key, isOriginal)
    }
    return isOriginal
  }
}

/** The records of a file are in consecutive rows, unless something changed. */
function isAsLoaded(
  database: Database,
  table: string,
  origin: Origin,
  file: LoadedFile,
  formOf: ReturnType<typeof formsOf>,
): boolean {
  const { kind, columns } = recordColumns(table, 'o')
  const first = origin.rowid - origin.record + 1
  const select = database
    .prepare(
      `SELECT ${columns} FROM ${quoteName(table)} AS o
       WHERE o.rowid BETWEEN ? AND ? AND o._archive = ? AND o._entry = ? ORDER BY o._record_number`,
    )
    .raw()
    .safeIntegers()
  function* records() {
    const last = first + file.records - 1
    for (const row of select.iterate(first, last, origin.archive, origin.entry)) {
      yield toRecord(kind, row as Row)
    }
  }
  const { archive, entry: path } = origin
  const form = formOf({ archive, ...file })
  return printRecordFile({ path, form, before: file, records }).unchanged
}
