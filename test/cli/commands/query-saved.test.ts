import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { savedQueries } from '../../../src/cli/sources/saved-queries.ts'
import { smallArchive } from '../../support/archives.ts'
import { inFolder, ROOT, run, shareFolder, shareSamples } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()
const env = { MARC_QUERIES: 'own' }
const shipped = savedQueries({ env: { MARC_QUERIES: '/nowhere' } })

shareFolder({ 'a.tar.gz': small })

describe('the shipped queries', () => {
  shareSamples()

  test('are more than twenty, each with a description, and are in the package', () => {
    expect(shipped.length).toBeGreaterThan(20)
    for (const { name, summary, parameters } of shipped) {
      expect(summary, name).toMatch(/\?/)
      for (const { description } of parameters) expect(description, name).toMatch(/^\w/)
    }
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(files).toContain('samples/queries')
  })

  test('each have a result, and describe every parameter that they use', THOROUGH, async () => {
    const archive = 'samples/organization.tar.gz'
    expect((await run(['repo', 'index', archive, '--files', '-q'])).code).toBe(0)
    const values: Record<string, string> = { full_name: 'harbour-lights/tidewatch', number: '7' }
    for (const { name, parameters, sql } of shipped) {
      const used = [...sql.replace(/^--.*\n/gm, '').matchAll(/:(\w+)/g)].map(([, used]) => used)
      expect(new Set(used), name).toEqual(new Set(parameters.map((one) => one.name)))
      const given = parameters
        .filter(({ standard }) => standard === undefined)
        .flatMap((one) => ['-p', one.name, values[one.name] as string])
      const { code, stderr } = await run(['query', archive, '--saved', name, ...given])
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' })
    }
  })

  test('accept a parameter in place of its default', THOROUGH, async () => {
    const ask = async (...more: string[]) =>
      JSON.parse((await run(['query', 'samples/organization.tar.gz', '--saved', ...more])).stdout)
    const all = await ask('stale-pull-requests', '-p', 'days', '0')
    expect(all.length).toBeGreaterThan((await ask('stale-pull-requests')).length)
    const repo = 'harbour-lights/almanac'
    const some = await ask('stale-pull-requests', '-p', 'days', '0', '-p', 'repo', repo)
    expect(some).toEqual(all.filter((row: { full_name: string }) => row.full_name === repo))
  })
})

test('lists the queries without a database, for people and for programs', async () => {
  inFolder()
  const { code, stdout, stderr } = await run(['query', '--saved'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const { name } of shipped) expect(stdout).toContain(`\n  ${name} `)
  const rows = JSON.parse((await run(['query', '--saved', '--format', 'json'])).stdout)
  expect(rows).toHaveLength(shipped.length)
  expect(rows).toContainEqual(
    expect.objectContaining({ name: 'stale-pull-requests', parameters: 'days=60 repo' }),
  )
})

test('shows one query with its parameters and SQL', async () => {
  inFolder()
  const { stdout } = await run(['query', '--saved', 'timeline-of-a-thread'])
  expect(stdout).toMatch(/^ {2}-p number <number> .*\(required\)$/m)
  expect(stdout).toMatch(/^FROM timeline$/m)
})

everyDay(1)([
  [['--saved', 'reviewer'], 'there is no saved query "reviewer"\nDid you mean reviewers?'],
  [['--saved', 'x/../y'], 'there is no saved query "x/../y"\nList them with: marc query --saved'],
  [['--saved', 'reviewers', '-p', 'repos', 'x'], 'parameter "repos"\nDid you mean repo?'],
  [['--saved', 'timeline-of-a-thread'], 'the repository: owner/name\nGive it with: -p full_name'],
  [['--saved', 'reviewers', '-f', 'x.sql'], 'a statement or a saved query, found both'],
  [['select 1', '--saved', 'reviewers'], 'a statement or a saved query, found both'],
  [['--saved', 'commits-by-author'], 'commits, which is empty\nFill it with: marc repo index'],
])('%j is refused', async (argv, message) => {
  const { code, stdout, stderr } = await run(['query', 'a.tar.gz', ...argv])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

describe('a typed parameter', () => {
  const HOST = 'https://host.example'
  const repository = (full: string, labels: readonly object[] = []) => ({
    url: `${HOST}/${full}`,
    name: full.split('/')[1],
    labels,
  })
  const typed = ['repository', 'person', 'label', 'milestone', 'kind', 'number']
  const own = Object.fromEntries(
    typed.map((type) => [`own/${type}.sql`, `-- Q?\n-- :a ${type} = null, it\nSELECT :a AS a`]),
  )
  shareFolder({
    ...own,
    'own/thread.sql': '-- Q?\n-- :r repository, it\n-- :n thread, it\nSELECT :r AS r, :n AS n',
    'a.tar.gz': smallArchive({
      'repositories_000001.json': [
        repository('acme/tools', [
          { name: 5 },
          { name: null },
          { url: `${HOST}/acme/tools/labels/bug`, name: 'Bug' },
        ]),
        ...['acme/widget-1', 'acme/shared', 'other/shared'].map((full) => repository(full)),
      ],
      'milestones_000001.json': [{ url: `${HOST}/acme/tools/milestones/1`, title: '1.0 beta' }],
      'issue_comments_000001.json': [
        {
          url: `${HOST}/acme/tools/issues/1#issuecomment-1`,
          issue: `${HOST}/acme/tools/issues/1`,
          user: `${HOST}/Joan`,
        },
      ],
      'bots_000001.json': [{ type: 'bot', url: `${HOST}/Whistle`, login: 'whistle-app[bot]' }],
      'releases_000001.json': [
        { url: `${HOST}/gone/away/releases/tag/v1`, repository: `${HOST}/gone/away` },
      ],
    }),
  })
  const ask = (type: string, ...values: string[]) =>
    run(['query', 'a.tar.gz', '-r', '--no-headers', '--saved', type, ...values], { env })

  everyDay(1)([
    ['repository', 'acme/widget-1', 'acme/widget-1'],
    ['repository', 'widget-1', 'acme/widget-1'], // only one has this name
    ['repository', 'ACME/Tools', 'acme/tools'],
    ['repository', 'gone/away', 'gone/away'], // only a release names it
    ['person', 'Ada', 'ada'],
    ['person', '@grace', 'grace'],
    ['person', 'joan', 'Joan'], // has no record
    ['person', 'Whistle-App[bot]', 'whistle-app[bot]'], // has another name in its URL
    ['label', 'bug', 'Bug'],
    ['milestone', '1.0 beta', '1.0 beta'],
    ['kind', 'issues', 'issues'],
    ['number', '-2.5', '-2.5'],
  ])('%s: %s is %s', async (type, value, expected) => {
    expect(await ask(type, '-p', 'a', value)).toEqual({
      code: 0,
      stdout: `${expected}\n`,
      stderr: '',
    })
  })

  everyDay(1)<[type: string, value: string, message: string, remedy: string]>([
    [
      'repository',
      'acme/widgt-1',
      'no such repository: acme/widgt-1',
      'Did you mean acme/widget-1?',
    ],
    ['repository', 'widget', 'no such repository: widget', 'Did you mean acme/widget-1?'],
    [
      'repository',
      'x',
      'no such repository: x',
      'List them with: marc query a.tar.gz "select full_name from repositories"',
    ],
    [
      'repository',
      'shared',
      'several repositories are called "shared": acme/shared, other/shared',
      'Name one with its owner.',
    ],
    ['person', 'grac', 'no such person: grac', 'Did you mean grace?'],
    ['label', 'bag', 'no such label: bag', 'Did you mean Bug?'],
    ['milestone', '1.0 bta', 'no such milestone: 1.0 bta', 'Did you mean 1.0 beta?'],
    ['kind', 'isues', 'no such kind: isues', 'Did you mean issues?'],
    ['number', 'abc', 'the parameter a takes a number, not "abc"', 'Give it with: -p a <number>'],
  ])('%s: %s is refused', async (type, value, message, remedy) => {
    expect(await ask(type, '-p', 'a', value)).toEqual({
      code: 2,
      stdout: '',
      stderr: `marc: ${message}\n${remedy}\n`,
    })
  })

  test('is not checked if it is omitted', THOROUGH, async () => {
    for (const type of typed) expect(await ask(type)).toMatchObject({ code: 0 })
  })

  test(
    'finds a thread by its number in the repository of another parameter',
    THOROUGH,
    async () => {
      expect((await ask('thread', '-p', 'n', '#2', '-p', 'r', 'tools')).stdout).toBe(
        'acme/tools\t2\n',
      )
      expect((await ask('thread', '-p', 'r', 'tools', '-p', 'n', '9')).stderr).toMatch(
        /^marc: acme\/tools has no issue or pull request 9\n/,
      )
      expect((await ask('thread', '-p', 'r', 'tools', '-p', 'n', 'x')).stderr).toMatch(
        /takes a number/,
      )
    },
  )

  test('is checked in a shell, and under a time limit', async () => {
    const shell = await run(['shell', 'a.tar.gz', '.saved repository a=widgt-1'], { env })
    const limited = await ask('repository', '-p', 'a', 'widgt-1', '--timeout', '60')
    for (const { code, stderr } of [shell, limited]) {
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: 'marc: no such repository: widgt-1\nDid you mean acme/widget-1?\n',
      })
    }
  })
})

describe("the user's own queries", () => {
  const own = { 'own/mine.sql': '-- Mine?\n-- :a = 7, a number\nSELECT :a AS a' }

  test('are in the folder that MARC_QUERIES names', async () => {
    inFolder({ 'a.tar.gz': small, ...own })
    const { stdout } = await run(['query', 'a.tar.gz', '--saved', 'mine'], { env })
    expect(JSON.parse(stdout)).toEqual([{ a: 7 }])
    expect((await run(['query', '--saved'], { env })).stdout).toMatch(/^ {2}mine +Mine\?$/m)
  })

  test('are by default in the configuration folder', async () => {
    inFolder({ '.config/migration-archive/queries/mine.sql': '-- Configured?\nSELECT 1' })
    const env = { XDG_CONFIG_HOME: '.config' }
    expect((await run(['query', '--saved', 'mine'], { env })).stdout).toContain('Configured?')
  })

  test('replace shipped ones with the same name', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small, 'own/reviewers.sql': 'SELECT 8 AS b' })
    const { stdout } = await run(['query', 'a.tar.gz', '--saved', 'reviewers'], { env })
    expect(JSON.parse(stdout)).toEqual([{ b: 8 }])
  })

  test('do not control the terminal', async () => {
    inFolder({ 'own/evil\x1b[2J.sql': '-- Evil \x1b[31m?\nSELECT 1' })
    for (const argv of [['--saved'], ['--saved', 'evil\x1b[2J'], ['--saved', '-t']]) {
      const { code, stdout } = await run(['query', ...argv], { env, tty: 'stdout' })
      expect(code).toBe(0)
      expect(stdout).toContain('\\x1b[')
      for (const code of ['2J', '31m']) expect(stdout).not.toContain(`\x1b[${code}`)
    }
  })

  test('that cannot be read are reported with their place', async () => {
    inFolder({ own: 'a file' })
    const { code, stderr } = await run(['query', '--saved'], { env })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^marc: own: ENOTDIR.*\nName another folder with MARC_QUERIES/)
  })
})

test('a file given with -f has its defaults too', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small, 'q.sql': "-- Q?\n-- :a = 'x', a text\nSELECT :a AS a" })
  expect(JSON.parse((await run(['query', 'a.tar.gz', '-f', 'q.sql'])).stdout)).toEqual([{ a: 'x' }])
})

test('a saved query may have a time limit', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small, 'own/q.sql': '-- :a = 3, a number\nSELECT :a AS a' })
  const argv = ['query', 'a.tar.gz', '--saved', 'q', '--timeout', '20']
  expect(await run(argv, { env })).toEqual({ code: 0, stdout: '[{"a":3}]\n', stderr: '' })
})
