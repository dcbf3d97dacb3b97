import { describe, expect, test } from 'vitest'
import { checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import { gitFaultChecks } from '../../../src/conformance/checks/git-faults.ts'
import {
  CONTENT_FAULTS,
  GIT_FAULTS,
  verifyRepository,
} from '../../../src/git/verify/verify-repository.ts'
import { severityOf } from '../../../src/rules/rule.ts'
import { commitOf, looseOf, oidOf, packOf, repositoryOf } from '../../support/build-pack.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { loaded } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'

const NOWHERE = 'a'.repeat(40)
const blob = oidOf('blob', 'x')
const commit = commitOf('b'.repeat(40))
const spoiled = packOf([{ type: 'blob', content: 'x' }])
const pack = spoiled['objects/pack/pack-it.pack'] as Buffer

/** Repositories with faults of different codes. */
const FILES: Files = {
  ...repositoryOf('a/damaged', {
    ...spoiled,
    'objects/pack/pack-it.pack': Buffer.from(pack).fill(0, 14, 18),
  }),
  ...repositoryOf('a/lost', {
    'objects/pack/pack-it.idx': spoiled['objects/pack/pack-it.idx'] as Buffer,
    'refs/tags/x': `${blob}\n`,
  }),
  ...repositoryOf('a/torn', {
    ...looseOf('commit', commit),
    'refs/heads/main': `${oidOf('commit', commit)}\n`,
    'refs/heads/other': `${NOWHERE}\n`,
  }),
  ...repositoryOf('a/whole', { ...looseOf('blob', 'x'), 'refs/tags/x': `${blob}\n` }),
}

const codes = gitFaultChecks.map(({ code }) => code)
const CODES_OF_FILES = [
  'git-head-unborn',
  'git-object-missing',
  'git-pack-damaged',
  'git-pack-missing',
  'git-ref-dangling',
]

describe('A check of Git data', () => {
  test('has the codes and severities of repo fsck', () => {
    expect(codes.toSorted()).toEqual(Object.keys(GIT_FAULTS).toSorted())
    const notes = gitFaultChecks.filter((check) => severityOf(check, 'gei') === 'note')
    expect(notes.map(({ code }) => code)).toEqual([
      'git-head-unborn',
      'git-partial-clone',
      'git-shallow',
    ])
  })

  test('tells how far it is in all repositories', async () => {
    const { database } = await loaded(FILES)
    const told: { bytes: number; objects: number }[] = []
    const { git } = await checkDatabase(database, { progress: (done) => void told.push(done) })
    expect(told.at(-1)).toEqual({ bytes: git.bytes, objects: git.objects })
    expect(told.map(({ objects }) => objects)).toEqual(
      told.map(({ objects }) => objects).toSorted((a, b) => a - b),
    )
    expect(git.objects).toBeGreaterThan(1)
  })

  test('finds what repo fsck finds, and says what was verified', THOROUGH, async () => {
    const { database } = await loaded(FILES)
    const faults: string[] = []
    for (const name of ['a/damaged', 'a/lost', 'a/torn', 'a/whole']) {
      for (const fault of await listOf(verifyRepository(database, name))) {
        faults.push(`${fault.severity} ${fault.code} ${fault.message}`)
      }
    }
    const { findings, git, ok } = await checkDatabase(database, { only: codes })
    const found = findings.flatMap(({ code, severity, places }) =>
      places.map(({ message }) => `${severity} ${code} ${message}`),
    )
    expect(found.toSorted()).toEqual(faults.toSorted())
    expect(findings.map(({ code }) => code).toSorted()).toEqual(CODES_OF_FILES)
    expect({ ok, git }).toEqual({
      ok: false,
      git: { repositories: 4, objects: 2, bytes: pack.length, unverified: null },
    })
  })

  test(
    'without git-contents finds what is missing, and does not vouch for the rest',
    THOROUGH,
    async () => {
      const { database } = await loaded(FILES)
      const { findings, git } = await checkDatabase(database, { skip: ['git-contents'] })
      const found = findings.map(({ code }) => code).filter((code) => codes.includes(code))
      const expected = CODES_OF_FILES.filter((code) => !CONTENT_FAULTS.some((one) => one === code))
      expect(found.toSorted()).toEqual(expected)
      expect(git).toEqual({ repositories: 0, objects: 0, bytes: 0, unverified: 'it was skipped' })
    },
  )

  test('of other things does not vouch for Git data', THOROUGH, async () => {
    const { database } = await loaded(FILES)
    const { git } = await checkDatabase(database, { only: ['users-missing'] })
    expect(git.unverified).toBe('it was skipped')
    const { database: without } = await loaded({ 'users_000001.json': [] })
    expect((await checkDatabase(without)).git.unverified).toBe(null)
  })

  test('whose contents were not loaded says so, and judges refs by their files', async () => {
    const { database: bare } = await loaded(
      { ...FILES, ...repositoryOf('a/bad', { 'refs/heads/main': 'garbage' }) },
      { files: false },
    )
    const { findings, git, incomplete } = await checkDatabase(bare, { only: codes })
    expect(findings.map(({ code }) => code)).toContain('git-refs-damaged')
    expect(git.unverified).toBe('its contents were not loaded')
    expect(incomplete.map(({ code }) => code).toSorted()).toEqual(CONTENT_FAULTS.toSorted())
  })
})
