import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS } from '../../../samples/make/broken.ts'
import { readArchive } from '../../../src/archive/read-archive.ts'
import { collect } from '../../../src/base/streams.ts'
import { type CheckResult, checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import { CHECKS } from '../../../src/conformance/checks/checks.ts'
import { MOST_PLACES } from '../../../src/conformance/checks/gather-faults.ts'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { describeEvidence, PROFILES, type Profile, severityOf } from '../../../src/rules/rule.ts'
import type { Files } from '../../support/build-tar.ts'
import { folderOf } from '../../support/folder.ts'
import { inPiecesOf } from '../../support/pieces.ts'
import { ROOT } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { TWINS, type Twin } from '../../support/twins.ts'

const profiles = Object.keys(PROFILES) as Profile[]
const codes = CHECKS.map(({ code }) => code)
const sample = (name: string) => join(ROOT, 'samples', `${name}.tar.gz`)

/** Codes of the findings, in their order. */
const codesIn = ({ findings }: CheckResult) => findings.map(({ code }) => code)

/** Loads an archive and closes its database before it goes away. */
async function checked<T>(
  source: Parameters<typeof loadArchive>[0],
  work: (database: Database) => T | Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'marc-check-'))
  const path = join(folder, 'it.db')
  try {
    await loadArchive(source, path)
    const database = openDatabase(path)
    try {
      return await work(database)
    } finally {
      database.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('The table', () => {
  test('has each code once, in words with hyphens', () => {
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z0-9]+)+$/)
  })

  test.each(CHECKS.map((check) => [check.code, check] as const))('documents %s', (_, check) => {
    expect(check.summary).toMatch(/^[A-Z].{20,100}[^.]$|^schema\.json .+[^.]$/)
    expect(check.source).toMatch(/^\S.{5,}[^.]$/)
    expect(profiles.map((profile) => severityOf(check, profile))).not.toContain(undefined)
  })

  test('has no error that is not documented, for any profile', () => {
    const errors = CHECKS.filter((check) =>
      profiles.some((profile) => severityOf(check, profile) === 'error'),
    )
    const seen = errors.filter(({ evidence }) => evidence !== 'documented')
    expect(seen.map(({ code }) => code)).toEqual([])
    for (const { evidence } of CHECKS) {
      expect(describeEvidence(evidence)).toMatch(/^documented$|^seen in [\d,]+ /)
    }
  })

  test('has a broken twin for each check, and no others', () => {
    expect(Object.keys(TWINS).toSorted()).toEqual(codes.toSorted())
  })
})

describe('The samples', () => {
  test('organization has nothing but what whole exports have', THOROUGH, async () => {
    const result = await checked(sample('organization'), checkDatabase)
    expect(codesIn(result)).toEqual(['reference-outside', 'protected-branch'])
    expect(result).toMatchObject({ ok: true, profile: 'gei', checks: CHECKS.length })
  })

  test(
    'hello has nothing but what whole exports have, and passes every profile',
    THOROUGH,
    async () => {
      const [first, ...others] = await checked(sample('hello'), async (it) => {
        const results: CheckResult[] = []
        for (const profile of profiles) results.push(await checkDatabase(it, { profile }))
        return results
      })
      expect(codesIn(first as CheckResult)).toEqual([
        'organizations-missing',
        'reference-outside',
        'protected-branch',
      ])
      expect(first).toMatchObject({ ok: true, profile: 'gei', checks: CHECKS.length })
      for (const { ok, profile } of others) expect(ok, profile).toBe(true)
    },
  )
})

/** Faults that broken.tar.gz does not have. */
// Each of these rules out another fault, or is too large for a sample.
const OTHERS = [
  'container-not-gzip',
  'container-folder',
  'tar-v7',
  'directories-missing',
  'top-folder',
  'archive-salvaged',
  'name-truncated',
  'schema-missing',
  'schema-invalid',
  'schema-version',
  'repositories-missing',
  'users-missing',
  'git-none',
  'archive-over-2gib',
  // Shown by twins and by the tests of rules alone.
  'member-absent',
  'tarball-folder',
  'url-unusual',
  'date-range',
  'host-other',
  'event-unknown',
  'file-truncated',
  'list-element',
  'value-empty',
  'value-unknown',
  'wiki-head',
  'git-object-missing',
  'git-object-malformed',
  'git-object-type',
  'git-shallow',
  'git-ref-conflict',
  'git-config-damaged',
  'git-partial-clone',
  // Only SQL can put it in.
  'json-damaged',
  'archive-over-10gib',
  'archive-over-40gib',
  'file-over-400mib',
  'pack-over-2gib',
  'repository-over-40gib',
  'blob-over-400mib',
  'blob-over-100mib',
  'commit-over-2gib',
]

describe('broken.tar.gz', () => {
  test(
    'has one of each fault that an archive can have beside the others, and what its maker names',
    THOROUGH,
    async () => {
      const only = Object.keys(FAULTS)
      const result = await checked(sample('broken'), checkDatabase)
      const named = codesIn(result).filter((code) => only.includes(code))
      const spoken = new Set(codesIn(result))
      expect(codes.filter((code) => !spoken.has(code)).toSorted()).toEqual(OTHERS.toSorted())
      expect(result.ok).toBe(false)
      expect(named.toSorted()).toEqual(only.toSorted())
    },
  )
})

describe('The broken twin', () => {
  let good: Files
  let bytes: Buffer
  let before: Map<string, number>
  let shared: Sqlite.Database | undefined
  afterAll(() => void shared?.close())

  beforeAll(async () => {
    const entries: [string, Buffer][] = []
    for await (const { path, content } of readArchive(
      inPiecesOf(await readFile(sample('hello'))),
    )) {
      if (!path.endsWith('/')) entries.push([path, await collect(content)])
    }
    good = Object.fromEntries(entries)
    await checked(sample('hello'), async (database) => {
      bytes = database.serialize()
      before = countsOf(await checkDatabase(database))
    })
  })

  const countsOf = ({ findings }: CheckResult) =>
    new Map(findings.map(({ code, count }) => [code, count]))

  const checkSql = async (sql: string, only?: string[]): Promise<CheckResult> => {
    shared ??= new Sqlite(bytes)
    shared.exec('BEGIN')
    try {
      shared.exec(sql)
      return await checkDatabase(shared, only && { only })
    } finally {
      shared.exec('ROLLBACK')
    }
  }

  async function checkTwin(code: string, twin: Twin): Promise<CheckResult> {
    const only = [code]
    if ('sql' in twin) return checkSql(twin.sql, only)
    if ('archive' in twin) {
      const source = { name: 'it.tar.gz', bytes: inPiecesOf(twin.archive(good)) }
      return checked(source, (it) => checkDatabase(it, { only }))
    }
    const folder = await folderOf()
    for (const [path, content] of Object.entries(good)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content as Buffer)
    }
    return checked(folder, (it) => checkDatabase(it, { only }))
  }

  // The twin has in another number or place what every export of an account has.
  const ALWAYS = ['organizations-missing', 'protected-branch']

  const hasFault = async ([code, twin]: [code: string, twin: Twin]) => {
    const result = await checkTwin(code, twin)
    const [finding] = result.findings
    expect(codesIn(result)).toEqual([code])
    if (!ALWAYS.includes(code)) expect(finding?.count).not.toBe(before.get(code))
    expect(finding?.places.length).toBe(Math.min(MOST_PLACES, finding?.count ?? 0))
    for (const { message } of finding?.places ?? []) expect(message).toMatch(/\S/)
  }
  const { everyDay = [], others = [] } = Object.groupBy(Object.entries(TWINS), ([code, twin]) =>
    'sql' in twin || OTHERS.includes(code) ? 'everyDay' : 'others',
  )
  test.for(everyDay)('of %s has that fault', hasFault)
  // A load for each of what the sample shows together.
  test.for(others)('of %s has that fault', THOROUGH, hasFault)

  test('with all faults that SQL can make stops no check', async () => {
    const changes = Object.values(TWINS).flatMap((twin) => ('sql' in twin ? twin.sql : []))
    // Statements that delete rows would leave little for the others.
    const keeping = changes.filter((sql) => !sql.startsWith('DELETE'))
    for (const sql of [keeping, changes]) {
      expect(await checkSql(sql.join(';'))).toMatchObject({ ok: false, checks: CHECKS.length })
    }
  })
})
