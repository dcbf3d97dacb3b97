import type { ArchiveEntry } from '../archive/entry.ts'
import { pathOf } from '../archive/entry-role.ts'
import { ArchiveError, type Place } from '../base/errors.ts'
import { asBytes } from '../base/streams.ts'
import { untilAborted } from '../base/until-aborted.ts'
import { isObject, type JsonObject, typeName } from '../records/json/json.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { type JsonForm, writeRecords } from '../records/write-records.ts'
import type { EnforceRule } from '../rules/enforce-rule.ts'
import { describeBreach } from '../rules/rule.ts'
import { testRecord } from '../rules/rules.ts'
import { describeUnwritable } from './describe-unwritable.ts'
import type { KindSources, Source } from './export-source.ts'
import type { ReferenceTracker } from './reference-tracker.ts'

/** Records per file, at most. */
const RECORDS_PER_FILE = 100

export interface RecordWriting {
  form: JsonForm
  date: Date | undefined
  /** The shapes of URLs, by kind. */
  patterns: ReadonlyMap<string, RegExp>
  tracker: ReferenceTracker
  enforce: EnforceRule
  signal: AbortSignal | undefined
}

/** The record files: known kinds in the order of an import, then unknown ones by name. */
export async function* recordEntries(
  sources: KindSources,
  writing: RecordWriting,
): AsyncGenerator<ArchiveEntry> {
  const unknown = Object.keys(sources).filter((name) => !kindNamed(name))
  for (const name of [...Object.keys(KINDS), ...unknown.sort()]) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) {
      throw new ArchiveError('kind-name', `a kind cannot be called ${JSON.stringify(name)}`)
    }
    yield* entriesOf(name, sources[name] ?? [], writing)
    writing.tracker.close(name)
    if (name === 'repositories') writing.tracker.close('labels')
  }
}

async function* entriesOf(
  name: string,
  records: Source<JsonObject>,
  writing: RecordWriting,
): AsyncGenerator<ArchiveEntry> {
  let number = 1
  let batch: JsonObject[] = []
  const pathOfFile = () =>
    pathOf({ role: 'records', stem: name, suffix: String(number).padStart(6, '0') })
  for await (const input of untilAborted(records, writing.signal)) {
    const place = { entry: pathOfFile(), record: batch.length + 1 }
    batch.push(checked(name, input, place, writing))
    if (batch.length < RECORDS_PER_FILE) continue
    yield entryOfBatch(pathOfFile(), batch, writing)
    number++
    batch = []
  }
  if (batch.length > 0) yield entryOfBatch(pathOfFile(), batch, writing)
}

/** Adds the type to a record, and tests it against every rule. */
function checked(
  name: string,
  input: JsonObject,
  place: Place,
  { patterns, tracker, enforce }: RecordWriting,
): JsonObject {
  if (!isObject(input)) {
    throw new ArchiveError(
      'record-not-object',
      `${name}: expected an object, found ${input === undefined ? 'nothing' : typeName(input)}`,
      place,
    )
  }
  const unwritable = describeUnwritable(input)
  if (unwritable) {
    const { member, found } = unwritable
    const breach = { member: member || 'the record', message: `is no JSON: ${found}` }
    throw new ArchiveError('record-not-json', describeBreach({ name, record: input }, breach), {
      ...place,
      member: member || undefined,
    })
  }
  const kind = kindNamed(name)
  if (!kind) return input
  const { type = kind.type, ...members } = input
  const record = input.type === undefined ? { type, ...members } : input
  testRecord({ name, kind, record, place, patterns, world: tracker }, enforce)
  return record
}

/** A tar has the size before the content, so a batch is printed first. */
function entryOfBatch(
  path: string,
  records: readonly JsonObject[],
  { form, date }: RecordWriting,
): ArchiveEntry {
  const chunks = [...writeRecords(records, form)]
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const content = asBytes(chunks)
  return { path, size, mode: 0o644, modifiedAt: date ?? latestDate(records), content }
}

/** The latest creation or change of the records. */
function latestDate(records: readonly JsonObject[]): Date {
  const times = records.flatMap(({ created_at, updated_at }) =>
    [created_at, updated_at].map((date) => (typeof date === 'string' ? Date.parse(date) : 0)),
  )
  return new Date(times.reduce((latest, time) => (time > latest ? time : latest), 0))
}
