import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { type ImportOrder, importArchive } from '../../../src/rest/state/import-archive.ts'
import { unpack } from '../../support/build.ts'
import { tarOf } from '../../support/build-tar.ts'
import { folderOf } from '../../support/folder.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HELLO = readFileSync('samples/hello.tar.gz')

/** The sample, with some of its files, as `change` leaves them. */
async function changed(change: (path: string, text: string) => string | undefined) {
  const { files } = await unpack(HELLO)
  const kept = Object.entries(files).flatMap(([path, text]) => {
    const now = change(path, text)
    return now === undefined ? [] : [[path, Buffer.from(now, 'latin1')] as const]
  })
  return gzipSync(tarOf(Object.fromEntries(kept)), { level: 1 })
}

/** Imports archives as a server does, but within this process. */
async function imported(
  { git, metadata }: { git?: Uint8Array; metadata?: Uint8Array },
  { free, ...more }: Partial<ImportOrder> & { free?: number } = {},
) {
  const folder = await folderOf()
  const put = (name: string, bytes: Uint8Array | undefined) => {
    if (!bytes) return undefined
    writeFileSync(join(folder, name), bytes)
    return { name, files: [join(folder, name)] }
  }
  const [output, log] = [join(folder, 'it.db'), join(folder, 'it.log')]
  const order: ImportOrder = {
    git: put('git.tar.gz', git),
    metadata: git === metadata ? put('git.tar.gz', git) : put('metadata.tar.gz', metadata),
    sourceUrl: 'https://github.com/mona-lindqvist/tea-timer',
    target: {
      organization: 'target',
      organizationUrl: 'https://forge.example/target',
      repository: 'one',
      visibility: 'private',
    },
    skipReleases: false,
    fetchArchives: [],
    continueOnError: true,
    accounts: [],
    databases: [],
    claims: [],
    output,
    log,
    ahead: 0,
    ...more,
  }
  const { signal } = new AbortController()
  const context = { signal, progress() {} }
  const result = await importArchive(order, context, ...(free === undefined ? [] : [() => free]))
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\[.*?\] /, ''))
  return { result, lines, output, names: readdirSync(folder) }
}

const withoutBody = () =>
  changed((path, text) => {
    if (path !== 'issues_000001.json') return text
    const [{ body, ...first }, ...others] = JSON.parse(text)
    return JSON.stringify([first, ...others])
  })

const count = (path: string, sql: string) => {
  const database = openDatabase(path)
  try {
    return database.prepare(sql).pluck().get()
  } finally {
    database.close()
  }
}

test('A record with an error is left out, and the log says so', THOROUGH, async () => {
  const archive = await withoutBody()
  const { result, lines, output } = await imported({ git: archive, metadata: archive })
  expect(result.failure).toBeUndefined()
  const url = 'https://github.com/mona-lindqvist/tea-timer/issues/1'
  expect(lines.filter((line) => line.startsWith('ERROR'))).toEqual([
    `ERROR -- member-missing: ${url}: lacks body`,
    'ERROR -- records with errors, which are left out: 1',
  ])
  const issues = "SELECT count(*) || ' ' || min(number) FROM threads WHERE kind = 'issue'"
  expect(count(output, issues)).toBe('4 3')
})

test(
  'What was imported is called like its repository, and not like a file of the server',
  THOROUGH,
  async () => {
    const { output } = await imported({ git: HELLO, metadata: HELLO })
    expect(count(output, 'SELECT json_group_array(name) FROM archives')).toBe('["target/one"]')
  },
)

test('Where an import is not to go on after errors, such a record ends it', THOROUGH, async () => {
  const archive = await withoutBody()
  const both = { git: archive, metadata: archive }
  const { result, lines, names } = await imported(both, { continueOnError: false })
  expect(result).toMatchObject({
    failure:
      'Records cannot be imported: member-missing (1). The log of the migration has the places.',
    isInvalid: false,
  })
  expect(lines.filter((line) => line.startsWith('ERROR'))).toHaveLength(2)
  expect(names.toSorted()).toEqual(['git.tar.gz', 'it.log'])
})

test('An import that the disk has no room for begins with nothing', async () => {
  const both = { git: HELLO, metadata: HELLO }
  const { result, names } = await imported(both, { free: 64 * 2 ** 20 })
  expect(result.failure).toMatch(/^output-full: an import needs at least \d+ bytes here, and /)
  expect(names.toSorted()).toEqual(['git.tar.gz', 'it.log'])
})

test(
  'Git data without any record comes with the records of another archive',
  THOROUGH,
  async () => {
    const isGit = (path: string) => path.startsWith('repositories/')
    const git = await changed((path, text) => (isGit(path) ? text : undefined))
    const records = await changed((path, text) => (isGit(path) ? undefined : text))
    for (const metadata of [records, HELLO]) {
      const { result, output } = await imported({ git, metadata })
      expect(result.failure).toBeUndefined()
      const sql = "SELECT (SELECT count(*) FROM issues) || ' ' || (SELECT count(*) > 0 FROM refs)"
      expect(count(output, sql)).toBe('5 1')
    }
    const alone = await imported({ git })
    expect(alone.result).toMatchObject({
      failure: expect.stringContaining('repositories-missing (1)'),
      isInvalid: true,
    })
  },
)
