import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Files, zipOf } from '../../samples/make/bitbucket-issues.ts'
import { BACKUPS } from '../../samples/make-samples.ts'
import { ERRORS } from '../../src/base/error-codes.ts'
import {
  ArchiveError,
  buildArchive,
  checkDatabase,
  diffDatabases,
  inspectArchive,
  loadArchive,
  openDatabase,
} from '../../src/index.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { runs } from '../support/property-runs.ts'
import { THOROUGH } from '../support/thorough.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** A value of each type, and of each sort that has been a surprise somewhere. */
const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  '',
  'x',
  '../../x',
  '__proto__',
  'https://[',
  '2025-02-30T00:00:00Z',
  '\ud800\u0000\u001b[2J',
  [],
  [null, 5, []],
  {},
  { id: 5, login: '__proto__', iid: 1, title: 'x', name: '..', __proto__x: 1 },
]

/** Every place in a value, as the names and positions that lead to it. */
function* placesIn(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...path, name])
}

function replaced(value: Json, [name, ...rest]: readonly string[], by: Json): Json {
  if (name === undefined) return by
  if (Array.isArray(value))
    return value.map((each, i) => (String(i) === name ? replaced(each, rest, by) : each))
  const object = value as { [name: string]: Json }
  return Object.fromEntries(
    Object.entries(object).map(([each, inner]) => [
      each,
      each === name ? replaced(inner, rest, by) : inner,
    ]),
  )
}

/** The documents of JSON in a source: whole files, or their lines. */
function documentsOf(files: Files): { path: string; line: number; value: Json }[] {
  return Object.entries(files).flatMap(([path, text]) => {
    if (/\.json$/.test(path)) return [{ path, line: -1, value: JSON.parse(String(text)) }]
    if (!/\.ndjson$/.test(path)) return []
    const lines = String(text).split('\n').filter(Boolean)
    return lines.map((each, line) => ({ path, line, value: JSON.parse(each) }))
  })
}

function withDocument(
  files: Files,
  { path, line }: { path: string; line: number },
  value: Json,
): Files {
  const text = JSON.stringify(value)
  if (line < 0) return { ...files, [path]: text }
  const lines = String(files[path]).split('\n')
  lines[line] = text
  return { ...files, [path]: lines.join('\n') }
}

/** What an importer may refuse: an upload whose file is not there, which is told. */
const MAY_BE = ['file-missing']

/**
 * Reads a source, and expects an answer or an error of ours. Its archive has no error for an importer, and loading that gives the
 * same as loading the source.
 */
async function read(name: string, files: Files): Promise<void> {
  const folder = await folderOf()
  const source = join(folder, name)
  writeFileSync(source, name.endsWith('.zip') ? await zipOf(files) : tarGzOf({ ...files }))
  try {
    const { problems } = await inspectArchive(source)
    for (const { place } of problems) expect(JSON.stringify(place)).not.toContain('\u001b')
    await loadArchive(source, join(folder, 'it.db'))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    expect(Object.keys(ERRORS)).toContain(error.code)
    return
  }
  const database = openDatabase(join(folder, 'it.db'))
  const { findings } = await checkDatabase(database)
  const errors = findings.filter(({ severity }) => severity === 'error')
  expect(errors.filter(({ code }) => !MAY_BE.includes(code))).toEqual([])
  const archive = { name, bytes: Readable.from(buildArchive(database)) }
  await loadArchive(archive, join(folder, 'again.db'))
  const again = openDatabase(join(folder, 'again.db'))
  for await (const change of diffDatabases(database, again)) expect(change).toBeUndefined()
  for (const each of [database, again]) each.close()
}

const MADE = Object.entries(BACKUPS).map(([name, make]) => [name, make()] as const)

test.each(MADE)(
  'Any value in %s may be any other: no crash, errors have codes, and the archive is the same',
  THOROUGH,
  async (name, files) => {
    const documents = documentsOf(files)
    const places = documents.flatMap((document) =>
      [...placesIn(document.value)].map((place) => ({ document, place })),
    )
    const change = fc.record({ at: fc.constantFrom(...places), by: fc.constantFrom(...VALUES) })
    await fc.assert(
      fc.asyncProperty(change, async ({ at: { document, place }, by }) => {
        await read(name, withDocument(files, document, replaced(document.value, place, by)))
      }),
      { numRuns: runs(150) },
    )
  },
)

test.each(MADE)('Files of %s may be cut anywhere', THOROUGH, async (name, files) => {
  const cut = fc.record({
    path: fc.constantFrom(...Object.keys(files)),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(cut, async ({ path, part }) => {
      const whole = Buffer.from(files[path] ?? '')
      await read(name, { ...files, [path]: whole.subarray(0, Math.floor(whole.length * part)) })
    }),
    { numRuns: runs(60) },
  )
})
