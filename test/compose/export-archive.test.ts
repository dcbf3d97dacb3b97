import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roleOf } from '../../src/archive/entry-role.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { ArchiveError, Problem } from '../../src/base/errors.ts'
import { type Bytes, collect } from '../../src/base/streams.ts'
import { type ExportOptions, exportArchive } from '../../src/compose/export-archive.ts'
import type { ExportSource } from '../../src/compose/export-source.ts'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { type JsonObject, losslessNumber } from '../../src/records/json/json.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { codePoint } from '../support/code-point.ts'
import { contentsOf, untilError } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { runs } from '../support/property-runs.ts'
import { COMPILE_CACHE, ROOT } from '../support/run-command.ts'
import {
  ADA,
  account,
  asSource,
  goodWorld,
  issue,
  KETTLE,
  looseWorld,
  repository,
} from '../support/small-world.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

/** The records of an archive by kind. */
async function recordsIn(archive: Bytes): Promise<Record<string, JsonObject[]>> {
  const records: Record<string, JsonObject[]> = {}
  for await (const { path, content } of readArchive(archive)) {
    const role = roleOf(path)
    if (role.role !== 'records') continue
    records[role.stem] ??= []
    for await (const { record } of readRecords(content, path)) records[role.stem]?.push(record)
  }
  return records
}

const pathsIn = async (archive: Bytes) =>
  (await contentsOf(readArchive(archive))).map(([path]) => path).filter((path) => !/\/$/.test(path))

const documentIn = async (archive: Bytes, name: string): Promise<unknown> => {
  const text = new Map(await contentsOf(readArchive(archive))).get(name)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Small worlds with any texts: people, repositories with labels, issues with comments. */
const worlds = fc
  .record({
    logins: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/), {
      minLength: 1,
      maxLength: 4,
    }),
    labels: fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), {
      maxLength: 3,
    }),
    issues: fc.array(
      fc.record({
        title: fc.string({ unit: codePoint }),
        body: fc.option(fc.string({ unit: 'grapheme' })),
        by: fc.nat(),
        label: fc.nat(),
        comments: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
      }),
      { maxLength: 250 },
    ),
    file: fc.uint8Array(),
    fileName: fc.stringMatching(/^[^/\\:\0]{1,120}$/u).filter((name) => !/^\.+$/.test(name)),
  })
  .map(({ logins, labels, issues, file, fileName }) => {
    const wellFormed = labels.filter((label) => label.isWellFormed())
    const kettle = {
      ...repository('kettle', wellFormed),
      owner: `https://forge.example/${logins[0]}`,
    }
    const by = (n: number) => `https://forge.example/${logins[n % logins.length]}`
    const asset = `attachments/1-2/${fileName}`
    return {
      records: {
        users: logins.map(account),
        repositories: [kettle],
        issues: issues.map(({ title, body, by: author, label }, i) => ({
          ...issue(i + 1),
          title,
          body,
          user: by(author),
          labels: kettle.labels.slice(0, label % 3).map(({ url }) => url),
        })),
        issue_comments: issues.flatMap(({ comments }, i) =>
          comments.map((body, n) => ({
            url: `${KETTLE}/issues/${i + 1}#issuecomment-${n}`,
            issue: `${KETTLE}/issues/${i + 1}`,
            user: by(n),
            body,
            formatter: 'markdown',
            created_at: '2024-05-06T07:08:09Z',
          })),
        ),
        attachments: issues.slice(0, 1).map(() => ({
          url: `${KETTLE}/files/1`,
          issue: `${KETTLE}/issues/1`,
          user: by(0),
          asset_name: fileName,
          asset_content_type: 'image/png',
          asset_url: `tarball://root/${asset}`,
        })),
      },
      files: issues.slice(0, 1).map(() => ({ path: asset, content: file })),
    }
  })

async function* comingIn<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

const withTypes = (records: object): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(records as Record<keyof typeof KINDS, object[]>)
      .filter(([, all]) => all.length > 0)
      .map(([kind, all]) => [
        kind,
        all.map((record) => ({ type: KINDS[kind as keyof typeof KINDS].type, ...record })),
      ]),
  )

describe('exportArchive', () => {
  test('writes what readArchive reads, without any problem', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.constantFrom('old', 'new'), async (world, emptyArray) => {
        const source: ExportSource = { ...world }
        const archive = await collect(exportArchive(source, { emptyArray }))
        expect(await recordsIn(comingIn([archive]))).toEqual(withTypes(world.records))
        const contents = await contentsOf(readArchive(comingIn([archive])))
        for (const { path, content } of world.files) {
          expect(new Map(contents).get(path)).toBe(Buffer.from(content).toString())
        }
        const { problems } = await inspectArchive({ name: 'x', bytes: comingIn([archive]) })
        expect(problems).toEqual([])
      }),
      { numRuns: runs(25) },
    )
  })

  test('writes what loadArchive takes without a problem', THOROUGH, async () => {
    const folder = await folderOf()
    const bytes = exportArchive(goodWorld())
    const { archives } = await loadArchive({ name: 'x', bytes }, join(folder, 'x.db'))
    expect(archives[0]?.problems).toEqual({})
    expect(archives[0]?.kinds.issues).toMatchObject({ added: 1 })
  })

  test('takes records as they come, and puts a hundred into a file', async () => {
    const { users, repositories } = goodWorld().records
    async function* issues() {
      for (let n = 1; n <= 250; n++) yield issue(n)
    }
    const records = { users: comingIn(users), repositories, issues: issues() }
    const recordFiles = (await pathsIn(exportArchive({ records }))).slice(3)
    expect(recordFiles).toEqual([1, 2, 3].map((n) => `issues_00000${n}.json`))
  })

  test('writes schema.json first, then kinds as an importer takes them, then files', async () => {
    const { records, files } = goodWorld()
    const backwards = Object.fromEntries(Object.entries(records).reverse())
    const gadgets = [{ any: 'thing' }]
    const source = asSource({ records: backwards, otherRecords: { gadgets }, files })
    expect(await pathsIn(exportArchive(source))).toEqual([
      'schema.json',
      ...Object.keys(KINDS)
        .filter((kind) => Object.hasOwn(records, kind))
        .map((kind) => `${kind}_000001.json`),
      'gadgets_000001.json',
      ...files.map(({ path }) => path),
    ])
  })

  test('makes the same bytes of the same source', async () => {
    const options = { level: 9 }
    const [one, other] = [goodWorld(), goodWorld()].map((world) => exportArchive(world, options))
    expect(await collect(one as Bytes)).toEqual(await collect(other as Bytes))
  })

  test('dates entries by their records, or all alike', async () => {
    const datesOf = async (options: ExportOptions) => {
      const dates = new Set<string>()
      for await (const { path, modifiedAt } of readArchive(exportArchive(goodWorld(), options))) {
        if (/^(issues|attachments)/.test(path)) dates.add(modifiedAt.toISOString())
      }
      return [...dates]
    }
    expect(await datesOf({})).toEqual(['2024-05-06T07:08:09.000Z'])
    const date = new Date('2030-01-01T00:00:00Z')
    expect(await datesOf({ date })).toEqual([date.toISOString()])
  })

  everyDay(1)([
    [{}, { version: '1.1.0' }, false],
    [{ form: 'ghes' }, { version: '1.0.1' }, false],
    [{ form: 'exporter' }, { version: '1.2.0' }, true],
    [{ schema: { github_sha: 'c0ffee' } }, { version: '1.1.0', github_sha: 'c0ffee' }, false],
    [{ schema: { version: '1.3.0' } }, { version: '1.3.0' }, false],
  ] as [ExportOptions, object, boolean][])('in the form %j has the schema %j', async (...row) => {
    const [options, schema, urls] = row
    expect(await documentIn(exportArchive(goodWorld(), options), 'schema.json')).toEqual(schema)
    const found = await documentIn(exportArchive(goodWorld(), options), 'urls.json')
    expect(found !== undefined).toBe(urls)
    if (urls) expect(found).toMatchObject({ issue_comment: { issue: expect.stringMatching('#') } })
  })

  test('takes urls of another shape where urls.json describes them', async () => {
    const records = {
      users: [account('ada')],
      repositories: [{ ...repository('kettle'), labels: [] }],
      issues: [{ ...issue(1), url: `${KETTLE}/-/issues/1` }],
    }
    const urls = {
      user: '{scheme}://{+host}{/segments*}/{user}',
      issue: '{scheme}://{+host}/{owner}/{repository}/-/issues/{issue}',
    }
    const archive = exportArchive({ records }, { form: 'exporter', urls })
    expect(await documentIn(archive, 'urls.json')).toEqual(urls)
    const { error } = await untilError(exportArchive({ records }))
    expect(error).toMatchObject({ code: 'url-shape' })
  })

  test('with allowInvalid writes what breaks rules, and reports each', async () => {
    const world = looseWorld()
    const problems: Problem[] = []
    Object.assign(world.records.issues?.[0] ?? {}, { created_at: 'then', user: `${ADA}s`, odd: 1 })
    const report = (problem: Problem) => void problems.push(problem)
    const written = await recordsIn(exportArchive(asSource(world), { allowInvalid: true, report }))
    expect(written.issues?.[0]).toMatchObject({ created_at: 'then', odd: 1 })
    expect(problems.map(({ code, place }) => [code, place])).toEqual([
      ['date-form', { entry: 'issues_000001.json', record: 1, member: 'created_at' }],
      ['reference-person', { entry: 'issues_000001.json', record: 1, member: 'user' }],
    ])
    expect(problems[1]?.message).toBe(
      `issues ${KETTLE}/issues/1: user refers to a record that is missing from users, bots, organizations: "${ADA}s"`,
    )
  })

  test.each([
    ['kind-name', { otherRecords: { 'Is sues': [] } }],
    ['kind-name', { otherRecords: { '../x': [] } }],
    ['record-not-object', { records: { issues: [null] } }],
    ['record-not-object', { otherRecords: { gadgets: ['x'] } }],
  ])('refuses even with allowInvalid, as %s, %j', async (code, given) => {
    const source = given as unknown as ExportSource
    const { error } = await untilError(exportArchive(source, { allowInvalid: true }))
    expect((error as ArchiveError).code).toBe(code)
  })

  test('stops when the signal fires, and closes its source', THOROUGH, async () => {
    const controller = new AbortController()
    let released = false
    async function* users() {
      try {
        for (let n = 0; ; n++) {
          yield account(`ada-${n}`)
          if (n === 1000) controller.abort()
        }
      } finally {
        released = true
      }
    }
    const archive = exportArchive({ records: { users: users() } }, { signal: controller.signal })
    expect((await untilError(archive)).error).toMatchObject({ code: 'interrupted' })
    expect(released).toBe(true)
  })

  test('stops also while a source has nothing to say, and lets go of it', async () => {
    const stuck = (closed: () => void, controller: AbortController) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          setImmediate(() => controller.abort())
          return new Promise<never>(() => {})
        },
        return: async () => {
          closed()
          return { done: true, value: undefined as never }
        },
      }),
    })
    const file = { path: 'attachments/1/x', size: 9 }
    for (const sourceOf of [
      (source: AsyncIterable<never>) => ({ records: { users: source } }),
      (source: AsyncIterable<never>) => ({ files: source }),
      (source: AsyncIterable<never>) => ({ files: [{ ...file, content: source }] }),
      (source: AsyncIterable<never>) => ({ repositories: source }),
    ]) {
      const controller = new AbortController()
      let closed = 0
      const source = stuck(() => closed++, controller)
      const options = { signal: controller.signal, allowInvalid: true }
      const { error } = await untilError(exportArchive(sourceOf(source), options))
      expect(error).toMatchObject({ code: 'interrupted' })
      expect(closed).toBe(1)
    }
  })

  const circle: JsonObject = {}
  circle.again = [circle]
  let deep: JsonObject = {}
  for (let i = 0; i < 600; i++) deep = { deep }
  test.each<[string, unknown, string]>([
    ['within itself', circle, 'labels[0].again'],
    ['too deep', deep, 'labels[0].deep.deep'],
    ['a bigint', 1n, 'labels[0]'],
    ['undefined in a list', undefined, 'labels[0]'],
    ['a function', { size: () => 1 }, 'labels[0].size'],
    ['a symbol', Symbol('x'), 'labels[0]'],
    ['not a number', Number.NaN, 'labels[0]'],
    ['infinite', { a: { b: Number.POSITIVE_INFINITY } }, 'labels[0].a.b'],
    ['a date', new Date(), 'labels[0]'],
    ['something else as JSON', { toJSON: () => 'x' }, 'labels[0]'],
    ['a Map', new Map([[1, 2]]), 'labels[0]'],
    ['a Promise', Promise.resolve(1), 'labels[0]'],
  ])(
    'refuses what is %s with its place, of any kind, even with allowInvalid',
    async (_, value, member) => {
      for (const [kind, source] of [
        ['issues', { records: { issues: [{ ...issue(1), labels: [value] }] } }],
        ['gadgets', { otherRecords: { gadgets: [{ labels: [value] }] } }],
      ] as const) {
        const { error } = await untilError(
          exportArchive(source as ExportSource, { allowInvalid: true }),
        )
        const entry = `${kind}_000001.json`
        expect(error).toMatchObject({ code: 'record-not-json', place: { entry, record: 1 } })
        const { place, message } = error as ArchiveError
        expect(place.member?.startsWith(member), place.member).toBe(true)
        expect(message).toMatch(/^(issues|gadgets).*: labels\[0\].* is no JSON: /)
      }
    },
  )

  test('writes what JSON can say, of whatever class, and leaves out what is undefined', async () => {
    class Gadget {
      url = 'x://1'
      count = losslessNumber('1.0')
      nothing = undefined
      parts = [Object.assign(Object.create(null), { a: -0.5 })]
    }
    const otherRecords = { gadgets: [new Gadget() as unknown as JsonObject] }
    expect(await recordsIn(exportArchive({ otherRecords }))).toEqual({
      gadgets: [{ url: 'x://1', count: losslessNumber('1.0'), parts: [{ a: -0.5 }] }],
    })
  })

  test.each<[unknown, unknown, string]>([
    [{}, { form: 'gitlab' }, 'form: expected github or ghes or exporter, found "gitlab"'],
    [{}, { emptyArray: null }, 'emptyArray: expected old or new, found null'],
    [{}, { level: 10 }, 'level: expected an integer from -1 to 9, found 10'],
    [{}, { date: new Date('?') }, 'date: expected a valid Date, found an invalid Date'],
    [{}, { date: '2024-01-01' }, 'date: expected a valid Date, found "2024-01-01"'],
    [
      {},
      { schema: { build: [() => 1] } },
      'schema.build[0]: expected plain JSON, found a function',
    ],
    [{}, { form: 'exporter', urls: circle }, 'urls.again[0]'],
    [{}, { urls: { issue: ['x', 5] } }, 'urls.issue: expected a template or several by name'],
    [{}, null, 'options: expected an object, found null'],
    [null, {}, 'source: expected an object, found null'],
    [{ records: [] }, {}, 'records: expected an object, found an array'],
    [{ records: { users: 5 } }, {}, 'records.users: expected an iterable, found 5'],
    [{ files: {} }, {}, 'files: expected an iterable, found an object'],
    [{ repositories: null }, {}, 'repositories: expected an iterable, found null'],
  ])('says at once of %j with %j what is wrong', (source, options, message) => {
    const start = () => exportArchive(source as ExportSource, options as ExportOptions)
    expect(start).toThrow(expect.objectContaining({ code: 'option-invalid' }))
    expect(start).toThrow(message)
  })

  test.each([
    [{ records: { usrs: [] } }, 'records.usrs: there is no such kind; did you mean users?'],
    [{ records: { gadgets: [] } }, 'records.gadgets: there is no such kind'],
    [{ otherRecords: { users: [] } }, 'otherRecords.users: this is a known kind'],
  ])(
    'refuses %j, whose kind is in the wrong place or has an impossible name',
    (source, message) => {
      const start = () => exportArchive(source as ExportSource)
      expect(start).toThrow(expect.objectContaining({ code: 'kind-unknown', message }))
    },
  )

  test.each([
    [null, 'repositories: expected an object, found null'],
    ['ada/kettle', 'repositories: expected an object, found "ada/kettle"'],
    [{ fullName: 'ada/kettle' }, 'repositories.directory: expected a path, found undefined'],
  ])('says of %j what a repository needs', async (given, message) => {
    const source = { repositories: [given] } as unknown as ExportSource
    expect((await untilError(exportArchive(source))).error).toMatchObject({
      code: 'option-invalid',
      message,
    })
  })

  test('passes on what its source throws', async () => {
    async function* users() {
      yield account('ada')
      throw new Error('the forge is on fire')
    }
    const { error } = await untilError(exportArchive({ records: { users: users() } }))
    expect(error).toMatchObject({ message: 'the forge is on fire' })
  })

  // Node.js and the program take half of it: keeping the records would need more.
  test('writes 20,000 records of 1.6 kB within 32 MB of heap', {
    ...THOROUGH,
    timeout: 60_000,
  }, () => {
    const program = `
      import { exportArchive } from ${JSON.stringify(join(ROOT, 'src/index.ts'))}
      const url = 'https://forge.example/ada'
      const more = { login: 'x', name: null, emails: [], created_at: '2024-01-01T00:00:00Z' }
      async function* users() {
        for (let n = 0; n < 20_000; n++) yield { url: url + n, ...more, bio: 'tea '.repeat(400) }
      }
      let bytes = 0
      for await (const chunk of exportArchive({ records: { users: users() } }, { level: 1 })) {
        bytes += chunk.length
      }
      if (bytes < 100_000) throw new Error('too small')
    `
    const options = ['--max-old-space-size=32', '--input-type=module', '-e', program]
    const env = { ...process.env, ...COMPILE_CACHE }
    const { status, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8', env })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

describe('Other programs list it whole', THOROUGH, () => {
  const long = `${'läger-'.repeat(25)}🍵.png`
  const world = () => {
    const { records } = goodWorld()
    const [attachment] = records.attachments
    const asset_url = `tarball://root/attachments/5d1c/${long}`
    return {
      records: { ...records, attachments: [{ ...attachment, asset_url }] },
      files: goodWorld().files.with(0, { path: `attachments/5d1c/${long}`, content: 'tea' }),
    } as ExportSource
  }
  const listing = `
import sys, tarfile
with tarfile.open(fileobj=sys.stdin.buffer, mode='r|gz') as tar:
    for member in tar:
        content = tar.extractfile(member).read() if member.isfile() else b''
        print(member.name)
        assert len(content) == member.size`
  test.for([
    ['tar', ['-tzf', '-', '--quoting-style=literal']],
    ['bsdtar', ['-tzf', '-']],
    ['python3', ['-c', listing]],
  ] as const)('%s', async ([program, args], { skip }) => {
    if (spawnSync(program, ['--version']).error) skip(`${program} is not on this machine`)
    const input = await collect(exportArchive(world()))
    const env = { ...process.env, LC_ALL: 'C.UTF-8', PYTHONIOENCODING: 'utf8' }
    const { stdout, stderr } = spawnSync(program, args, { input, env, encoding: 'utf8' })
    expect(stderr).toBe('')
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((name) => name.replace(/^\.\//, ''))
    expect(names).toEqual(expect.arrayContaining(await pathsIn(exportArchive(world()))))
    expect(names).toContain(`attachments/5d1c/${long}`)
  })
})
