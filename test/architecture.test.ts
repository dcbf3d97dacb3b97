import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTRACT_SUITES, TESTS_ELSEWHERE, TESTS_THAT_START, UNNAMED } from './where-tests-are.ts'

/** The floors of the house: a file imports from its own floor or from those below. */
const FLOORS = [
  ['base/'],
  ['work/'],
  ['archive/', 'records/', 'files/', 'interface/'],
  ['database/', 'archive-worker/'],
  ['rules/'],
  ['reading/', 'query/', 'search/', 'git/', 'attachments/'],
  ['sources/'],
  ['load/', 'build/', 'inspect/', 'compose/', 'exporters/', 'datasets/'],
  ['conformance/', 'transform/'],
  ['http/', 'tasks/'],
  ['rest/', 'pages/', 'client/'],
  ['serve/'],
  ['validate/'],
  ['cli/', 'mcp/', 'index.ts'],
  ['bin.ts', 'programs.ts'],
  ['git-remote-marc.ts'],
]

/** Neighbours that do not know each other, though they live on one floor. */
const STRANGERS: [string, string][] = [
  ['database/', 'archive-worker/'],
  ['archive-worker/', 'database/'],
  ['archive/', 'records/'],
  ['records/', 'archive/'],
  ['interface/', 'archive/'],
  ['interface/', 'records/'],
  ['interface/', 'files/'],
  ['query/', 'reading/'],
  ['search/', 'reading/'],
  ['git/', 'reading/'],
  ['attachments/', 'reading/'],
  ['conformance/', 'interface/'],
  ['transform/', 'interface/'],
  ['transform/redact/proof/', 'git/rewrite/'],
  ['transform/redact/files/', 'transform/redact/proof/'],
  ['transform/redact/git/', 'transform/redact/proof/'],
  ['transform/redact/redact-records', 'transform/redact/proof/'],
  ['transform/redact/redact-files', 'transform/redact/proof/'],
  ['pages/', 'rest/'],
  ['rest/', 'pages/'],
  ['client/', 'rest/'],
  ['client/', 'http/'],
  ['rest/', 'client/'],
  ['pages/', 'client/'],
  ['client/', 'pages/'],
  ['http/', 'tasks/'],
  ['tasks/', 'http/'],
  ['mcp/', 'cli/'],
]

/** Source files directly in a folder. */
const FULLEST = 25

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
function findCycle(graph: ReadonlyMap<string, Iterable<string>>): string[] | undefined {
  const done = new Set<string>()
  const visit = (node: string, way: string[]): string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...way, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const cycle = visit(node, [])
    if (cycle) return cycle
  }
  return undefined
}

test('The source has been found, and its imports', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(sources.find(({ path }) => path === 'load/load-archive.ts')?.imports).toEqual(
    expect.arrayContaining(['database/load-transaction.ts', 'base/errors.ts']),
  )
})

test('The README of the sources has the same floors', () => {
  const readme = readFileSync(join(src, 'README.md'), 'utf8')
  const floors: string[][] = []
  for (const [, floor, folders = ''] of readme.matchAll(/^\| (\d*) ?\| (`[^|]+`) \|/gm)) {
    if (floor) floors.unshift([])
    floors[0]?.push(...folders.split(' ').map((folder) => folder.replaceAll('`', '')))
  }
  expect(floors.map((folders) => folders.sort())).toEqual(
    FLOORS.map((folders) => folders.toSorted()),
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

  test('lives in a folder whose neighbours import in one direction', () => {
    const uses = new Map<string, Set<string>>()
    for (const { path, imports } of sources) {
      for (const name of ours(imports)) {
        const [from, to] = [path.split('/').slice(0, -1), name.split('/').slice(0, -1)]
        const depth = from.findIndex((part, i) => part !== to[i])
        if (depth < 0 || to[depth] === undefined) continue
        const level = from.slice(0, depth).join('/') || '.'
        const pair = `${level}: ${from[depth]}, ${to[depth]}`
        uses.set(level, (uses.get(level) ?? new Set()).add(pair))
      }
    }
    const found = [...uses].flatMap(([level, pairs]) =>
      [...pairs].filter((pair) => {
        const [left, right] = pair.slice(level.length + 2).split(', ') as [string, string]
        return left < right && pairs.has(`${level}: ${right}, ${left}`)
      }),
    )
    expect(found.sort()).toEqual([])
  })

  test('and the folders beside it import in one direction, by way of others as well', () => {
    const uses = new Map<string, Map<string, Set<string>>>()
    for (const { path, imports } of sources) {
      for (const name of ours(imports)) {
        const [from, to] = [path.split('/'), name.split('/')]
        const depth = from.findIndex((part, i) => part !== to[i])
        const [left = '', right = ''] = [from[depth], to[depth]]
        const level = from.slice(0, depth).join('/')
        const graph = uses.get(level) ?? new Map<string, Set<string>>()
        uses.set(level, graph.set(left, (graph.get(left) ?? new Set()).add(right)))
      }
    }
    const found = [...uses].flatMap(([level, graph]) => {
      const cycle = findCycle(graph)
      return cycle ? `${level}: ${cycle.join(' → ')}` : []
    })
    expect(found).toEqual([])
  })

  test('reads canonical records by readCanonical alone', () => {
    const inside = 'records/canonical/'
    const door = `${inside}read-canonical.ts`
    const passes = (path: string, name: string) =>
      name.startsWith(inside) && name !== door && !path.startsWith(inside)
    expect(importsWhere(passes)).toEqual([])
  })

  test('of the grammar of searches imports nothing outside of its folder', () => {
    const grammar = sources.filter(({ path }) => path.startsWith('search/grammar/'))
    const imports = grammar.flatMap((source) => source.imports)
    expect(imports.length).toBeGreaterThan(0)
    expect(imports.filter((name) => !name.startsWith('search/grammar/'))).toEqual([])
  })

  test('for browsers is imported by these alone, and imports nothing that browsers lack', () => {
    const isForBrowsers = (path: string) =>
      /^(pages\/assets|search\/grammar)\/|^pages\/site\/search-format\.ts$/.test(path)
    const imported = importsWhere(
      (path, name) => name.startsWith('pages/assets/') && !path.startsWith('pages/assets/'),
    )
    const browsers = sources.filter(({ path }) => isForBrowsers(path))
    const imports = browsers.flatMap((source) => source.imports)
    expect(imports.length).toBeGreaterThan(0)
    expect([imported, imports.filter((name) => !isForBrowsers(name))]).toEqual([[], []])
  })

  test('imports files that are there', () => {
    const known = new Set(sources.map(({ path }) => path))
    expect(importsWhere((_, name) => !known.has(name))).toEqual([])
  })

  test(`shares its folder with at most ${FULLEST - 1} others`, () => {
    const folders = Map.groupBy(sources, ({ path }) => dirname(path))
    const full = [...folders].filter(([, files]) => files.length > FULLEST)
    expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
  })

  test('of four or more in a folder has a README that says what comes in and what goes out', () => {
    const folders = Map.groupBy(sources, ({ path }) => dirname(path))
    const large = [...folders].flatMap(([folder, files]) => (files.length < 4 ? [] : [folder]))
    expect(large.filter((folder) => !existsSync(join(src, folder, 'README.md')))).toEqual([])
  })

  test('uses console and process only in the command line', () => {
    const touching = sources.filter(({ text }) => /\b(console|process)\./.test(text))
    const others = touching.filter(
      ({ path }) => !/^(bin|git-remote-marc)\.ts$/.test(path) && !/^(cli|work)\//.test(path),
    )
    expect(others.map(({ path }) => path)).toEqual([])
  })
})

test('Faces ask nouns: pages and the REST interface hold no SQL but that of files of their own', () => {
  const isOwn = (path: string) => path.startsWith('rest/state/')
  const holding = sources.filter(
    ({ path, text }) =>
      /^(?:pages|rest)\//.test(path) &&
      !isOwn(path) &&
      /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM) /.test(text),
  )
  expect(holding.map(({ path }) => path).sort()).toEqual([
    // An example of a statement that people may change.
    'pages/kinds/data/sql.ts',
    // Temporary files of a site that is being written.
    'pages/site/search-index.ts',
    'pages/site/site-queue.ts',
  ])
})

test('No literal is spread into another one: its members stand there themselves', () => {
  // Literals within the literal are seen to a depth of one. In parentheses they have a type as well.
  const object = String.raw`\{(?:[^{}]|\{[^{}]*\})*\}`
  const list = String.raw`\[(?:[^[\]]|\[[^[\]]*\])*\]`
  const literal = `(?:${object}|${list})`
  const packed = new RegExp(
    String.raw`\.\.\.(?:${literal}|\(${literal}(?: as [^()]*)?\))(?=\s*[,)}\]])`,
    'g',
  )
  const texts = [src, tests].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  )
  const found = texts.flatMap(({ path, text }) =>
    [...text.matchAll(packed)].map(([spread]) => `${path}: ${spread.slice(0, 60)}`),
  )
  expect(found).toEqual([])
})

test('No file imports itself by way of others', () => {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, ours(imports)]))
  expect(findCycle(importsOf)?.join(' → ')).toBeUndefined()
})

test('The proof of a redaction shares nothing with what finds and replaces values, but how files are read', () => {
  const within = sources.filter(({ path }) => path.startsWith('transform/redact/proof/'))
  const reached = new Set(within.map(({ path }) => path))
  for (const path of reached) {
    for (const name of ours(sources.find((one) => one.path === path)?.imports ?? [])) {
      if (name.startsWith('transform/')) reached.add(name)
    }
  }
  const others = [...reached].filter((path) => !path.startsWith('transform/redact/proof/'))
  expect(others.map((path) => path.slice('transform/'.length)).sort()).toEqual([
    'number-list.ts',
    'redact/files/encodings.ts',
    'redact/files/form-of.ts',
    'redact/files/open-gzip.ts',
    'redact/files/temporary-file.ts',
    'redact/files/texts-in.ts',
    'redact/files/unreadable-error.ts',
    'redact/files/zip.ts',
    'redact/finding.ts',
    'redact/removed-values.ts',
    'text-set.ts',
    'windows.ts',
  ])
})

describe('Is loaded only when it is needed:', () => {
  const loadedBy = (...paths: string[]) => {
    const loaded = new Set(paths)
    for (const path of loaded) {
      for (const name of sources.find((one) => one.path === path)?.loads ?? []) loaded.add(name)
    }
    return [...loaded]
  }

  test('kinds of records, archives and wide characters, not for a question to a database', () => {
    const loaded = loadedBy(
      'cli/main.ts',
      'cli/command/parse-arguments.ts',
      'cli/commands/query.ts',
    )
    expect(loaded).toEqual(
      expect.arrayContaining(['yargs-parser', 'database/open-database.ts', 'better-sqlite3']),
    )
    const slow =
      /^(records\/(?!people-tables\.ts)|(load|build|git|archive)\/)|schema\.ts$|^string-width$/
    expect(loaded.filter((name) => slow.test(name))).toEqual([])
  })

  test.each(['log', 'show', 'diff', 'cat', 'blame', 'refs'])(
    'kinds of records and their schema, not for marc repo %s',
    (name) => {
      const loaded = loadedBy('cli/main.ts', `cli/commands/repo/${name}.ts`)
      expect(loaded).toEqual(expect.arrayContaining(['git/refs/read-refs.ts', 'better-sqlite3']))
      const slow = /^records\/(?!people-tables\.ts)|\/schema\.ts$|^stream-json/
      expect(loaded.filter((path) => slow.test(path))).toEqual([])
    },
  )

  test('the read model, not to tell a client what a server of tools can do', () => {
    const loaded = loadedBy('mcp/serve-mcp.ts')
    expect(loaded).toContain('mcp/tools/query.ts')
    const slow = /^(reading\/(?!names\.ts)|database|query|search|git|tasks)\/|^better-sqlite3$/
    expect(loaded.filter((name) => slow.test(name))).toEqual([])
  })
})

describe('Tests mirror sources:', () => {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, ours(imports)]))

  /** The source files that a test loads, directly or by way of others, its helpers among them. */
  function loadedBy(suite: string): Set<string> {
    const loaded = new Set<string>()
    const helpers = new Set([join(tests, suite)])
    for (const helper of helpers) {
      for (const [, name] of readFileSync(helper, 'utf8').matchAll(/'([./]+\/.+\.ts)'/g)) {
        const path = join(dirname(helper), name as string)
        if (path.startsWith(`${src}/`)) loaded.add(relative(src, path))
        else if (existsSync(path)) helpers.add(path)
      }
    }
    for (const path of loaded) for (const name of importsOf.get(path) ?? []) loaded.add(name)
    return loaded
  }

  const loads = new Map<string, Set<string>>()
  const doesLoad = (suite: string, path: string) => {
    const loaded = loads.get(suite) ?? loadedBy(suite)
    loads.set(suite, loaded)
    return loaded.has(path)
  }
  const paths = sources.map(({ path }) => path)

  test.each(Object.entries(CONTRACT_SUITES))('the suite of %s loads it', (folder, suite) => {
    const files = paths.filter((path) => dirname(path) === folder)
    expect(files.filter((path) => doesLoad(suite, path)).length).toBeGreaterThan(0)
  })

  test.each(Object.entries(TESTS_ELSEWHERE))('%s is loaded by %s', (path, suite) => {
    expect(doesLoad(suite, path)).toBe(true)
  })

  test.each(Object.entries(TESTS_THAT_START))('%s and %s are there', (path, suite) => {
    expect([existsSync(join(src, path)), existsSync(join(tests, suite))]).toEqual([true, true])
  })

  test('every file has a test of its name, or one that is listed', () => {
    const unnamed = paths.filter((path) => {
      const suite = CONTRACT_SUITES[dirname(path)]
      return !(
        existsSync(join(tests, path.replace(/ts$/, 'test.ts'))) ||
        path in TESTS_ELSEWHERE ||
        path in TESTS_THAT_START ||
        (suite !== undefined && doesLoad(suite, path))
      )
    })
    expect(unnamed).toEqual(UNNAMED)
  })
})

test.each([
  ['better-sqlite3', ['database/']],
  ['isomorphic-git', ['compose/']],
  ['tar-stream', ['archive/']],
  ['stream-json', ['records/']],
  ['yargs', ['cli/']],
  ['yargs-parser', ['cli/']],
  ['markdown-it', ['cli/output/markdown/', 'pages/markdown/']],
  ['sanitize-html', ['pages/markdown/']],
  ['highlight.js', ['pages/']],
  ['hono', ['http/']],
  ['esbuild', ['pages/bundle-assets.ts']],
  ['graphql', ['rest/graphql/']],
  ['yauzl', ['archive/read-zip.ts', 'transform/redact/files/']],
  ['@modelcontextprotocol/server', ['mcp/']],
  ['yazl', ['transform/redact/files/']],
  ['minizlib', ['git/objects/']],
])('%s is imported only where it belongs', (library, folders) => {
  const importing = sources.filter(({ imports }) =>
    imports.some((name) => name === library || name.startsWith(`${library}/`)),
  )
  expect(importing.length).toBeGreaterThan(0)
  const outside = importing.filter(({ path }) => !folders.some((name) => path.startsWith(name)))
  expect(outside.map(({ path }) => path)).toEqual([])
})
