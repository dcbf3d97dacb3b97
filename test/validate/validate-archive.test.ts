import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { type ValidateOptions, validateArchive } from '../../src/validate/validate-archive.ts'
import { copyOf } from '../support/load.ts'
import { loadOnce } from '../support/load-once.ts'
import { ROOT, shareFolder } from '../support/run-command.ts'
import { openHost } from '../support/scripted-host.ts'
import { THOROUGH } from '../support/thorough.ts'

const TOKEN = 'the-token-of-the-owner'
const REPOSITORY = 'mona-lindqvist/tea-timer'

shareFolder({})

/** The sample with an asset in each release, loaded once, and an organization whose repositories are private. */
beforeAll(async () => {
  const bytesOf = (name: string) => readFileSync(join(ROOT, 'samples', name))
  await loadOnce([bytesOf('hello.tar.gz')], 'sample.db', {})
  await loadOnce([bytesOf('organization.tar.gz')], 'organization.db', {})
  const change = (path: string, sql: string) => {
    const database = openDatabase(path, { readonly: false })
    database.exec(sql)
    database.close()
  }
  const asset = {
    url: 'https://host.example/a.zip',
    asset_name: 'a.zip',
    asset_content_type: 'x/y',
  }
  change('sample.db', `UPDATE releases SET release_assets = '${JSON.stringify([asset])}'`)
  change('organization.db', 'UPDATE repositories SET private = 1')
})

const accounts: AccountsFile = {
  version: 1,
  accounts: [{ login: 'mona-lindqvist' }],
  tokens: [{ login: 'mona-lindqvist', sha256: sha256Of(TOKEN), scopes: ['repo'] }],
}

/** Compares the sample with a server of a copy of it after this change. */
async function validate(change: string, more: Partial<ValidateOptions> = {}, path = 'sample.db') {
  const copy = await copyOf(path === 'organization.db' ? path : 'sample.db')
  copy.exec(change)
  const server = await serveArchive([copy.name], { port: 0, accounts, state: ':memory:' })
  onTestFinished(() => server.close())
  const database = openDatabase(path)
  onTestFinished(() => void database.close())
  const options = { server: `${server.url}`, token: TOKEN, repository: REPOSITORY, ...more }
  return validateArchive(database, options)
}

const shown = async (change: string, more?: Partial<ValidateOptions>, path?: string) =>
  (await validate(change, more, path)).differences.map(({ kind, url, change, members }) => [
    `${change} ${kind} ${url}`,
    ...(change === 'changed' ? Object.keys(members) : []),
  ])

test('finds nothing where nothing was lost, and counts what both have', THOROUGH, async () => {
  const { ok, differences, kinds, from } = await validate('SELECT 1')
  expect({ ok, differences, from }).toEqual({ ok: true, differences: [], from: REPOSITORY })
  const counts = Object.fromEntries(kinds.map(({ kind, archive }) => [kind, archive]))
  for (const kind of ['labels', 'issues', 'pull_requests', 'issue_comments', 'releases', 'refs']) {
    expect(counts[kind], kind).toBeGreaterThan(0)
  }
  for (const { archive, server } of kinds) expect(archive).toBe(server)
})

describe('finds', () => {
  const first = (table: string) => `rowid = (SELECT min(rowid) FROM ${table})`

  test('a comment that is missing', THOROUGH, async () => {
    const found = await shown(`DELETE FROM issue_comments WHERE ${first('issue_comments')}`)
    expect(found).toEqual([
      ['changed issues #1', 'comments'],
      [expect.stringMatching(/^removed issue_comments #1 \d{4}-/)],
    ])
  })

  test('a body that a space was added to', THOROUGH, async () => {
    const change = `UPDATE issue_comments SET body = body || ' ' WHERE ${first('issue_comments')}`
    expect(await shown(change)).toEqual([
      [expect.stringMatching(/^changed issue_comments #1 /), 'body'],
    ])
  })

  test('a label that is missing', THOROUGH, async () => {
    const change = "UPDATE repositories SET labels = json_remove(labels, '$[0]')"
    const found = await shown(change)
    expect(found).toContainEqual([expect.stringMatching(/^removed labels /)])
  })

  test('a branch and a tag that Git does not list, and another commit', THOROUGH, async () => {
    const archive = await copyOf('sample.db')
    archive.exec(`
      UPDATE refs SET oid = '${'1'.repeat(40)}' WHERE name = 'refs/heads/main';
      INSERT INTO refs (archive, repository, name, oid, packed)
        SELECT archive, repository, 'refs/heads/lost', oid, 0 FROM refs WHERE name = 'HEAD';
      UPDATE refs SET name = 'refs/tags/v0.9' WHERE name = 'refs/tags/v1.0.0'`)
    archive.close()
    const found = await shown('SELECT 1', {}, archive.name)
    expect(found).toEqual([
      ['removed refs refs/heads/lost'],
      ['changed refs refs/heads/main', 'commit'],
      ['removed refs refs/tags/v0.9'],
      ['added refs refs/tags/v1.0.0'],
    ])
  })

  test('all refs, if the server has no Git data', THOROUGH, async () => {
    const found = await shown("DELETE FROM files WHERE role = 'git'; DELETE FROM refs")
    expect(found.map(([text]) => text)).toEqual([
      expect.stringMatching(/^removed refs refs\/heads\/main$/),
      'removed refs refs/tags/v1.0.0',
      'removed refs refs/tags/v1.1.0',
    ])
  })

  test('an asset of a release that is missing', THOROUGH, async () => {
    const change = `UPDATE releases SET release_assets = '[]' WHERE ${first('releases')}`
    expect(await shown(change)).toEqual([[expect.stringMatching(/^changed releases /), 'assets']])
  })

  test('a thread of another title, author and milestone', THOROUGH, async () => {
    const change = `UPDATE issues SET title = 'Other', "user" = NULL, milestone = NULL
      WHERE milestone IS NOT NULL AND "user" IS NOT NULL`
    const found = await shown(change)
    expect(found.length).toBeGreaterThan(0)
    for (const [text, ...members] of found) {
      expect(text).toMatch(/^changed issues #/)
      expect(members).toEqual(['title', 'author', 'milestone'])
    }
  })

  test('a pull request that is merged into another branch', THOROUGH, async () => {
    const change = `UPDATE pull_requests SET base = json_set(base, '$.ref', 'other') WHERE ${first('pull_requests')}`
    expect(await shown(change)).toEqual([
      [expect.stringMatching(/^changed pull_requests #/), 'base'],
    ])
  })

  test('a review, if its pull request is in the sample', THOROUGH, async () => {
    const change = 'DELETE FROM pull_request_reviews'
    const removed = (await shown(change)).filter(([text]) =>
      /removed pull_request_reviews/.test(text as string),
    )
    expect(removed.length).toBeGreaterThan(0)
    const { differences, notCompared } = await validate(change, { sample: 0 })
    expect(differences.filter(({ kind }) => kind === 'pull_request_reviews')).toEqual([])
    expect(notCompared).toContainEqual({ kind: 'pull_request_reviews', records: removed.length })
  })

  test('what the server has and the archive has not', THOROUGH, async () => {
    const change = `INSERT INTO issue_comments (url, issue, body, created_at)
      SELECT url || '9', issue, 'More', '2030-01-01T00:00:00Z' FROM issue_comments WHERE ${first('issue_comments')}`
    expect(await shown(change)).toContainEqual(['added issue_comments #1 2030-01-01T00:00:00Z'])
  })
})

test(
  'counts refs as not compared if the server answers no Git, and sends the token nowhere else',
  THOROUGH,
  async () => {
    const host = await openHost()
    const copy = await copyOf('sample.db')
    const server = await serveArchive([copy.name], { state: ':memory:' })
    onTestFinished(() => server.close())
    host.repositories = server.fetch
    host.script(`GET /${REPOSITORY}.git/info/refs`, {
      status: 302,
      headers: { Location: 'https://elsewhere.example/' },
    })
    const database = openDatabase('sample.db')
    onTestFinished(() => void database.close())
    const options = { ...host.client(), repository: REPOSITORY }
    const { ok, notCompared } = await validateArchive(database, options)
    expect({ ok, refs: notCompared[0] }).toEqual({ ok: true, refs: { kind: 'refs', records: 3 } })
  },
)

test('names what nobody looked at', THOROUGH, async () => {
  const { notCompared } = await validate('SELECT 1')
  expect(notCompared.map(({ kind }) => kind)).toContain('issue_events')
})

test('compares a private repository of an organization, under another name', THOROUGH, async () => {
  const change = `UPDATE repositories SET private = 0`
  const repository = 'harbour-lights/almanac'
  const { ok, from } = await validate(change, { repository }, 'organization.db')
  expect({ ok, from }).toEqual({ ok: true, from: repository })
  const other = { repository: 'harbour-lights/almanac', from: 'harbour-lights/tidewatch' }
  expect((await validate(change, other, 'organization.db')).ok).toBe(false)
})

test('goes on after a limit', async () => {
  const host = await openHost()
  host.script(`GET /repos/${REPOSITORY}`, { status: 429, headers: { 'Retry-After': '7' } })
  const database = openDatabase('sample.db')
  onTestFinished(() => void database.close())
  const options = { ...host.client(), repository: REPOSITORY }
  await expect(validateArchive(database, options)).rejects.toMatchObject({ status: 404 })
  expect(host.waited).toEqual([7000])
})

test(
  'finds a repository by its name in any case, and says so if there is none',
  THOROUGH,
  async () => {
    expect((await validate('SELECT 1', { from: REPOSITORY.toUpperCase() })).ok).toBe(true)
    await expect(validate('SELECT 1', { from: 'no/such' })).rejects.toMatchObject({
      code: 'repository-not-found',
      value: 'no/such',
    })
    await expect(validate('SELECT 1', { repository: 'mona-lindqvist/none' })).rejects.toMatchObject(
      {
        code: 'request-refused',
      },
    )
    await expect(validate('SELECT 1', { repository: 'none' })).rejects.toMatchObject({
      code: 'option-invalid',
    })
  },
)
