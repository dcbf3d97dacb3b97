import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** The floors of the house: a file imports from its own floor or from those below. */
const FLOORS = [
  [
    'errors.ts',
    'error-codes.ts',
    'limits.ts',
    'lru-cache.ts',
    'streams.ts',
    'version.ts',
    'rule-codes.ts',
    'closest-match.ts',
    'check-arguments.ts',
    'url-set.ts',
  ],
  ['archive/', 'records/', 'files/'],
  ['database/', 'archive-worker/'],
  ['rules/'],
  ['query/', 'search/', 'thread/', 'git/', 'attachments/'],
  [
    'load-archive/',
    'build-archive/',
    'inspect-archive/',
    'export-archive/',
    'doctor/',
    'exporters/',
  ],
  ['check/', 'rest/', 'transform/'],
  ['server/', 'client/'],
  ['cli/', 'web/', 'index.ts'],
  ['bin.ts'],
  ['git-remote-marc.ts'],
]

/** Neighbours that do not know each other, though they live on one floor. */
const STRANGERS: [string, string][] = [
  ['database/', 'archive-worker/'],
  ['archive-worker/', 'database/'],
  ['archive/', 'records/'],
  ['records/', 'archive/'],
  ['rest/', 'check/'],
  ['check/', 'rest/'],
  ['transform/', 'rest/'],
  ['web/', 'cli/'],
  ['client/', 'server/'],
  ['server/', 'client/'],
  ['rest/', 'transform/'],
]

/** Lines of a source file. */
const LONGEST = 250

/** Source files directly in a folder. */
const FULLEST = 25

/** Contract suites: the suite tests all files of the folder through what the folder offers. */
const CONTRACT_SUITES: Readonly<Record<string, string>> = {
  archive: 'archive/read-archive.test.ts',
  attachments: 'attachments/extract-attachments.test.ts',
  'build-archive': 'build-archive/build-archive.test.ts',
  check: 'check/checks.test.ts',
  client: 'client/open-session.test.ts',
  'client/download': 'client/download/download-archive.test.ts',
  'cli/commands/accounts': 'cli/commands/accounts/accounts.test.ts',
  'cli/commands/migration': 'cli/commands/migration/migration.test.ts',
  'cli/output/charts': 'cli/output/charts/format-chart.test.ts',
  'cli/output/markdown': 'cli/output/markdown/render-markdown.test.ts',
  'database/rows': 'database/rows/select-records.test.ts',
  'database/schema': 'database/schema/schema.test.ts',
  'export-archive': 'export-archive/export-archive.test.ts',
  exporters: 'exporters/export-data.test.ts',
  'exporters/dataset': 'exporters/export-data.test.ts',
  'exporters/targets': 'exporters/exporters.test.ts',
  'exporters/targets/clickhouse': 'exporters/targets/clickhouse/clickhouse.test.ts',
  'exporters/targets/duckdb': 'exporters/targets/duckdb/duckdb.test.ts',
  'exporters/targets/parquet': 'exporters/targets/parquet/parquet-file.test.ts',
  'exporters/targets/postgres': 'exporters/targets/postgres/postgres.test.ts',
  'exporters/targets/s3': 'exporters/targets/s3/s3.test.ts',
  'exporters/verify': 'exporters/verify/verify-export.test.ts',
  'exporters/ddl': 'exporters/ddl/dataset-views.test.ts',
  'git/archive': 'git/archive/archive-revision.test.ts',
  'git/clone': 'git/clone/clone-repository.test.ts',
  'git/diff': 'git/diff/diff-trees.test.ts',
  'git/grep': 'git/grep/grep-tree.test.ts',
  'git/objects': 'git/objects/object-store.test.ts',
  'git/rewrite': 'git/rewrite/rewrite-history.test.ts',
  'git/verify': 'git/verify/verify-repository.test.ts',
  'database/bulk': 'database/bulk/bulk-load.test.ts',
  'records/canonical': 'records/canonical/scan-records.test.ts',
  'records/kinds': 'records/kinds/kinds.test.ts',
  'records/statistics': 'records/statistics/collect-statistics.test.ts',
  rules: 'rules/rules.test.ts',
  web: 'web/pages.test.ts',
  'web/assets': 'web/pages.test.ts',
  'web/pages': 'web/pages.test.ts',
  'web/pages/data': 'web/pages/data.test.ts',
  'web/pages/git': 'web/pages/git.test.ts',
  'web/parts': 'web/pages.test.ts',
  'web/read': 'web/pages.test.ts',
  'web/site': 'web/site/write-site.test.ts',
  'web/serve': 'web/serve/page-handler.test.ts',
  'web/markdown': 'web/markdown/render-markdown.test.ts',
  'web/markdown/rules': 'web/markdown/render-markdown.test.ts',
  search: 'search/search-database.test.ts',
  server: 'server/serve-archive.test.ts',
  'server/state': 'server/state/builder.test.ts',
  thread: 'thread/read-timeline.test.ts',
  transform: 'transform/map/map-records.test.ts',
  'transform/diff': 'transform/diff/diff-databases.test.ts',
  'server/catalog': 'server/catalog/catalog.test.ts',
  'server/catalog/index': 'server/catalog/index/make-index.test.ts',
  'server/git': 'server/git/answer-git.test.ts',
  'server/handlers': 'server/handlers/feeds.test.ts',
  'server/handlers/git': 'server/handlers/git/git-data.test.ts',
  'server/resources': 'server/resources/resources.test.ts',
  'transform/map': 'transform/map/map-records.test.ts',
  'transform/redact': 'transform/redact/redact-database.test.ts',
  'server/access': 'server/access/authenticate.test.ts',
  'server/http': 'server/protocol.test.ts',
  'server/git-worker': 'server/git-worker/threaded-git.test.ts',
}

/** Source files that neither a mirrored test nor a contract suite names. Lower it whenever there are fewer. */
const UNNAMED = 172

const src = join(import.meta.dirname, '../src')
const tests = import.meta.dirname

interface Source {
  path: string
  text: string
  /** Its imports: files of src, and modules of others. */
  imports: string[]
  /** Those of them that are loaded with it, not later and not for types alone. */
  loads: string[]
}

const sources: Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8')
    const specifiers = [
      ...text.matchAll(/^(?:import|export|\}).*? from '(.+)'$|import\('(.+)'\)/gm),
    ]
    const imports = specifiers.map(([, a, b]) => (a ?? b) as string)
    const loads = [...text.matchAll(/^(?:import|export)(?! type)[^'()]*? from '(.+)'$/gm)]
    const resolve = (name: string) =>
      name.startsWith('.') ? normalize(join(dirname(path), name)) : name
    return {
      path,
      text,
      imports: imports.map(resolve),
      loads: loads.map(([, name]) => resolve(name as string)),
    }
  })

const floorOf = (path: string) =>
  FLOORS.findIndex((names) => names.some((name) => path === name || path.startsWith(name)))

const ours = (imports: readonly string[]) => imports.filter((name) => name.endsWith('.ts'))

/** A way along imports that comes back to where it began. */
function findCycle(): string[] | undefined {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, ours(imports)]))
  const done = new Set<string>()
  const visit = (path: string, way: string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const next of importsOf.get(path) ?? []) {
      const cycle = visit(next, [...way, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const { path } of sources) {
    const cycle = visit(path, [])
    if (cycle) return cycle
  }
  return undefined
}

test('The source has been found, and its imports', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(sources.find(({ path }) => path === 'load-archive/load-archive.ts')?.imports).toEqual(
    expect.arrayContaining(['database/load-transaction.ts', 'errors.ts']),
  )
})

describe('Every file', () => {
  /** The imports that break a rule, as `file → import`. */
  const importsWhere = (breaks: (importing: string, imported: string) => boolean) =>
    sources.flatMap(({ path, imports }) =>
      ours(imports)
        .filter((name) => breaks(path, name))
        .map((name) => `${path} → ${name}`),
    )

  test('lives on a floor', () => {
    expect(sources.map(({ path }) => path).filter((path) => floorOf(path) < 0)).toEqual([])
  })

  test('imports downwards only', () => {
    expect(importsWhere((path, name) => floorOf(name) > floorOf(path))).toEqual([])
  })

  test('knows no strangers', () => {
    const isStrange = (path: string, name: string) =>
      STRANGERS.some(([one, other]) => path.startsWith(one) && name.startsWith(other))
    expect(importsWhere(isStrange)).toEqual([])
  })

  test('reads canonical records by readCanonical alone', () => {
    const inside = 'records/canonical/'
    const door = `${inside}read-canonical.ts`
    const passes = (path: string, name: string) =>
      name.startsWith(inside) && name !== door && !path.startsWith(inside)
    expect(importsWhere(passes)).toEqual([])
  })

  test('imports files that are there', () => {
    const known = new Set(sources.map(({ path }) => path))
    expect(importsWhere((_, name) => !known.has(name))).toEqual([])
  })

  test(`has at most ${LONGEST} lines`, () => {
    const long = sources.filter(({ text }) => text.split('\n').length > LONGEST)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test(`shares its folder with at most ${FULLEST - 1} others`, () => {
    const folders = Map.groupBy(sources, ({ path }) => dirname(path))
    const full = [...folders].filter(([, files]) => files.length > FULLEST)
    expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
  })

  test('lives in a folder whose README says what comes in and what goes out', () => {
    const folders = new Set(sources.map(({ path }) => dirname(path)))
    const without = [...folders].filter((folder) => !existsSync(join(src, folder, 'README.md')))
    expect(without).toEqual([])
  })

  test('uses console and process only in the command line', () => {
    const touching = sources.filter(({ text }) => /\b(console|process)\./.test(text))
    const others = touching.filter(
      ({ path }) => !/^(bin|git-remote-marc)\.ts$/.test(path) && !path.startsWith('cli/'),
    )
    expect(others.map(({ path }) => path)).toEqual([])
  })
})

test('No file imports itself by way of others', () => {
  expect(findCycle()?.join(' → ')).toBeUndefined()
})

test('A question to a database loads no kinds of records and nothing for archives or wide characters', () => {
  const loaded = new Set(['cli/main.ts', 'cli/command/parse-arguments.ts', 'cli/commands/query.ts'])
  for (const path of loaded) {
    for (const name of sources.find((one) => one.path === path)?.loads ?? []) loaded.add(name)
  }
  expect([...loaded]).toEqual(
    expect.arrayContaining(['yargs', 'database/open-database.ts', 'better-sqlite3']),
  )
  const slow = /^(records|load|build|git)\/|^archive\/|schema\.ts$|^string-width$/
  expect([...loaded].filter((name) => slow.test(name))).toEqual([])
})

describe('Tests mirror sources:', () => {
  const suites = Object.entries(CONTRACT_SUITES)

  /** The source files that a test loads, directly or by way of others. */
  function loadedBy(suite: string): Set<string> {
    const importsOf = new Map(sources.map(({ path, imports }) => [path, ours(imports)]))
    const specifiers = readFileSync(join(tests, suite), 'utf8').matchAll(/'([./]+\/src\/.+)'/g)
    const loaded = new Set(
      [...specifiers].map(([, name]) => relative(src, join(tests, dirname(suite), name as string))),
    )
    for (const path of loaded) for (const name of importsOf.get(path) ?? []) loaded.add(name)
    return loaded
  }

  test.each(suites)('the contract suite of %s imports from it', (folder, suite) => {
    expect(existsSync(join(src, folder))).toBe(true)
    const text = readFileSync(join(tests, suite), 'utf8')
    expect(text).toMatch(new RegExp(`/src/${folder}/`))
  })

  test(`at most ${UNNAMED} files have neither a mirrored test nor a contract suite that loads them`, () => {
    const loaded = new Map(suites.map(([folder, suite]) => [folder, loadedBy(suite)]))
    const unnamed = sources
      .map(({ path }) => path)
      .filter((path) => !existsSync(join(tests, path.replace(/ts$/, 'test.ts'))))
      .filter((path) => !loaded.get(dirname(path))?.has(path))
    expect(unnamed.length, unnamed.join('\n')).toBeLessThanOrEqual(UNNAMED)
  })
})

test.each([
  ['better-sqlite3', ['database/']],
  ['tar-stream', ['archive/']],
  ['stream-json', ['records/']],
  ['yargs', ['cli/']],
  ['markdown-it', ['cli/output/markdown/', 'web/markdown/']],
  ['sanitize-html', ['web/markdown/']],
  ['highlight.js', ['web/']],
  ['hono', ['server/']],
])('%s is imported only where it belongs', (library, folders) => {
  const importing = sources.filter(({ imports }) =>
    imports.some((name) => name === library || name.startsWith(`${library}/`)),
  )
  expect(importing.length).toBeGreaterThan(0)
  const outside = importing.filter(({ path }) => !folders.some((name) => path.startsWith(name)))
  expect(outside.map(({ path }) => path)).toEqual([])
})
