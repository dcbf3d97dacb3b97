import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Manifest } from '../../../src/exporters/dataset/manifest.ts'
import { exportData, verifyExport } from '../../../src/index.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { everyDay } from '../../support/thorough.ts'
import { differencesIn } from '../../support/verified.ts'

/** A dataset of two archives, made once; each test alters it in one way and puts it back. */
let folder = ''
const at = (...names: string[]) => join(folder, 'lake', ...names)
const MANIFEST = '_marc/archives/one.json'
const ISSUES = 'kind=issues/archive=one/data.ndjson'

beforeAll(async () => {
  const archive = (title: string) =>
    smallArchive({ 'issues_000001.json': [issue(1, title, { mood: 'calm' }), issue(2, 'Two')] })
  folder = mkdtempSync(join(tmpdir(), 'migration-archive-'))
  for (const [name, title] of Object.entries({ one: 'One', other: 'Uno' })) {
    writeFileSync(join(folder, `${name}.tar.gz`), archive(title))
    await exportData(join(folder, `${name}.tar.gz`), at(), { format: 'ndjson' })
  }
  cpSync(at(), join(folder, 'kept'), { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** The facts that are said to differ after an alteration. */
async function factsAfter(alter: () => void): Promise<string[]> {
  alter()
  try {
    const found = await verifyExport(join(folder, 'one.tar.gz'), at())
    return Object.entries(differencesIn(found)).flatMap(([name, differences]) =>
      differences.map(({ table, fact }) =>
        [name === 'rest' ? [] : (table ?? []), fact].flat().join(' '),
      ),
    )
  } finally {
    rmSync(at(), { recursive: true })
    cpSync(join(folder, 'kept'), at(), { recursive: true })
  }
}

const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(at(path), change(readFileSync(at(path), 'utf8')))
const editManifest = (change: (manifest: Manifest) => object) =>
  edit(MANIFEST, (text) => `${JSON.stringify(change(JSON.parse(text)))}\n`)
const inTable = (manifest: Manifest, change: object): Manifest => ({
  ...manifest,
  tables: { ...manifest.tables, issues: { ...manifest.tables.issues, ...change } as never },
})
const inSource = (manifest: Manifest, change: object): Manifest => ({
  ...manifest,
  source: { ...manifest.source, ...change } as never,
})

/** Every member of a manifest, another value in it, and what is said of that. */
const MANIFESTS: Record<string, [(manifest: Manifest) => object, ...string[]]> = {
  'another name': [(manifest) => ({ ...manifest, name: 'uno' }), 'manifest name', 'manifest name'],
  'another state': [(manifest) => ({ ...manifest, state: 'writing' }), 'state'],
  'an older layout': [(manifest) => ({ ...manifest, dataset: 0 }), 'manifest dataset'],
  'another version': [(manifest) => ({ ...manifest, version: '0' }), 'version'],
  'another source': [(m) => inSource(m, { name: 'uno.tar.gz' }), 'manifest source.name'],
  'another hash': [(m) => inSource(m, { sha256: '00' }), 'manifest source.sha256'],
  'another size': [(m) => inSource(m, { size: 1 }), 'manifest source.size'],
  'another schema': [(m) => inSource(m, { schemaVersion: '2' }), 'manifest source.schemaVersion'],
  'a salvaged source': [(m) => inSource(m, { state: 'salvaged' }), 'manifest source.state'],
  'a newer record': [(m) => inSource(m, { newest: '2030' }), 'manifest source.newest'],
  'no source': [
    ({ source: _, ...manifest }) => manifest,
    ...['name', 'sha256', 'size', 'schemaVersion', 'state', 'newest'].map(
      (member) => `manifest source.${member}`,
    ),
  ],
  'another format': [
    (manifest) => ({ ...manifest, options: { format: 'ndjson gzip' } }),
    ...['bytes', 'sha256', 'rows'].map((fact) => `issues ${fact}`),
  ],
  'a format that nobody knows': [
    (manifest) => ({ ...manifest, options: { format: 'xml' } }),
    'manifest',
  ],
  'a column less': [(m) => inTable(m, { columns: ['url'] }), 'manifest tables.issues.columns'],
  'a row more': [(m) => inTable(m, { rows: 3 }), 'manifest tables.issues.rows'],
  'more bytes': [(m) => inTable(m, { bytes: 3 }), 'issues bytes'],
  'another hash of a file': [(m) => inTable(m, { sha256: '0' }), 'issues sha256'],
  'a member in _extra': [
    (m) => inTable(m, { extra: { rows: 1, members: { mood: 1 } } }),
    'manifest tables.issues.extra.rows',
    'manifest tables.issues.extra.members.mood',
  ],
  'a table more': [
    (m) => ({ ...m, tables: { ...m.tables, gadgets: m.tables.issues } }),
    'gadgets bytes',
  ],
  'a member more': [(m) => ({ ...m, note: 'hello' }), 'manifest note'],
  'no tables': [(m) => ({ ...m, tables: null }), 'manifest'],
  'a selection that is no JSON': [
    (m) => ({ ...m, options: { ...m.options, selection: '{' } }),
    'manifest',
  ],
}

everyDay(1)(Object.entries(MANIFESTS))(
  'A manifest with %s differs',
  async (_what, [change, ...facts]) => {
    const found = await factsAfter(() => editManifest(change))
    expect(found).toEqual(expect.arrayContaining(facts))
  },
)

everyDay(2)(['null', '[]', '"x"', '{', '', '{}'])('%j is no manifest', async (text) => {
  expect(await factsAfter(() => edit(MANIFEST, () => text))).toContain('state')
})

/** Alterations of the folder, and what is said of them. */
const FILES: Record<string, [() => void, ...string[]]> = {
  'a view that selects something else': [
    () => edit('_marc/duckdb.sql', (text) => text.replace('_rank = 1 ', '_rank = 2 ')),
    '_marc/duckdb.sql',
  ],
  'views of another folder': [
    () => edit('_marc/duckdb.sql', (text) => text.replaceAll(at(), '/elsewhere')),
    '_marc/duckdb.sql, the dataset that it reads',
  ],
  'a file of another archive': [
    () => cpSync(at(ISSUES.replace('one', 'other')), at(ISSUES)),
    'issues sha256',
    'issues line',
  ],
  'a file that is gone': [() => rmSync(at(ISSUES)), 'issues sha256', 'issues rows'],
  'a file of nobody': [() => plant('kind=issues/archive=ghost/data.ndjson'), 'file'],
  'a file of another format': [() => plant('kind=issues/archive=one/data.csv'), 'file'],
  'a space at the end': [
    () => edit(ISSUES, (text) => text.replace('"One"', '"One "')),
    'issues bytes',
    'issues line',
  ],
  'members in another order': [
    () =>
      edit(ISSUES, (text) => text.replace(',"mood":"calm"', '').replace('{', '{"mood":"calm",')),
    'issues line',
  ],
  ...Object.fromEntries(
    [
      'schema.json',
      'duckdb.sql',
      'clickhouse.sql',
      'spark.sql',
      'bigquery.sql',
      'snowflake.sql',
      'sources.yml',
    ].flatMap((name) => [
      [`another ${name}`, [() => edit(`_marc/${name}`, (text) => `${text} `), `_marc/${name}`]],
      [`no ${name}`, [() => rmSync(at('_marc', name)), `_marc/${name}`]],
    ]),
  ),
  'two lines swapped': [
    () => edit(ISSUES, (text) => text.split('\n').toReversed().filter(Boolean).join('\n')),
    'issues sha256',
  ],
}

const plant = (path: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  cpSync(at(ISSUES), at(path))
}

everyDay(1)(Object.entries(FILES))(
  'A dataset with %s differs',
  async (_what, [alter, ...facts]) => {
    expect(await factsAfter(alter)).toEqual(expect.arrayContaining(facts))
  },
)

/** Alterations that are no differences, and why. */
const ACCEPTED: Record<string, () => void> = {
  // Nobody reads a manifest by bytes.
  'a manifest in another layout': () =>
    edit(MANIFEST, (text) => JSON.stringify(JSON.parse(text), null, 2)),
  // Engines pass over such names.
  'a hidden file': () => plant('kind=issues/archive=one/.data.csv'),
  'a file that begins with _': () => plant('kind=issues/archive=one/_SUCCESS'),
  // No engine reads it.
  'notes beside the data': () => plant('_marc/notes.txt'),
}

everyDay(1)(Object.entries(ACCEPTED))('%s is no difference', async (_what, alter) => {
  expect(await factsAfter(alter)).toEqual([])
})
