/** What a crafted database says is a path, a line of a file or a word of a command never gets out of it as one. */

import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import { extractAttachments } from '../../src/attachments/extract-attachments.ts'
import { asBytes } from '../../src/base/streams.ts'
import { buildArchive } from '../../src/build/build-archive.ts'
import type { Database } from '../../src/database/open-database.ts'
import { cloneRepository } from '../../src/git/clone/clone-repository.ts'
import { readRefs } from '../../src/git/refs/read-refs.ts'
import { git } from '../support/bare-repository.ts'
import { examineAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import { loaded } from '../support/load.ts'
import { inFolder, run } from '../support/run-command.ts'
import { everyDay, firstOfEach, THOROUGH } from '../support/thorough.ts'
import { attachment } from '../support/uploads.ts'

const A = 'a'.repeat(40)
const OBJECT = `repositories/a/b.git/objects/aa/${'b'.repeat(38)}`

const ARCHIVE = {
  'schema.json': '{"version":"1.2.0"}',
  'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n',
  'repositories/a/b.git/refs/heads/main': `${A}\n`,
  'repositories/a/b.git/refs/heads/link': 'ref: refs/heads/main\n',
  [OBJECT]: 'xyz',
  'attachments/1/a.txt': 'x',
}

/** A folder in a folder, so that what leads out of the inner one can be seen. */
const nested = async (): Promise<{ outer: string; inner: string }> => {
  const outer = await folderOf()
  const inner = join(outer, 'one/two/three')
  mkdirSync(inner, { recursive: true })
  return { outer, inner }
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))

const damaged = expect.objectContaining({ code: 'database-damaged' })

const LEADS_OUT = '../../../../home/.bash_login'
const LINES = 'refs/heads/x\ntouch /tmp/it-ran'

describe('D1: a ref that is none', () => {
  const CHANGES: [what: string, sql: string][] = [
    ['a name that leads out', `name = '${LEADS_OUT}' WHERE name LIKE '%link'`],
    ['a name that leads out below refs', `name = 'refs/heads/../../../x' WHERE name LIKE '%link'`],
    ['a name with a line break', `name = '${LINES}' WHERE name LIKE '%main'`],
    ['an absolute name', `name = '/etc/x' WHERE name LIKE '%link'`],
    ['a name of another file of Git', `name = 'config' WHERE name LIKE '%link'`],
    ['a name with a NUL', `name = 'refs/heads/x' || char(0) WHERE name LIKE '%main'`],
    [
      'a name that is too long',
      `name = 'refs/heads/' || hex(zeroblob(4096)) WHERE name LIKE '%link'`,
    ],
    ['a target with a line break', `target = '${LINES}' WHERE name LIKE '%link'`],
    ['a target that leads out', `target = '../../x' WHERE name LIKE '%link'`],
    ['a target of HEAD with a line break', `target = '${LINES}' WHERE name = 'HEAD'`],
    ['an object with a line break', `oid = '${A}' || char(10) || 'x' WHERE name LIKE '%main'`],
    ['an object that is no id', `oid = x'00' WHERE name LIKE '%main'`],
    ['a HEAD that is no id', `target = NULL, oid = '../x' WHERE name = 'HEAD'`],
    ['something peeled that is no id', `peeled = 'x' WHERE name LIKE '%main'`],
  ]

  const [[first], [others]] = firstOfEach(CHANGES, ([, sql]) => sql.split(' ')[0])
  const title = 'of %s is refused by a clone, and doctor tells of it'
  everyDay(1)(first)(title, expectRefused)
  test.each(others)(title, THOROUGH, expectRefused)

  async function expectRefused(_: string, sql: string) {
    const { database, path } = await loaded(ARCHIVE)
    database.exec(`UPDATE refs SET ${sql}`)
    const { outer, inner } = await nested()
    for (const worktree of [false, true]) {
      const directory = join(inner, 'it.git')
      await expect(cloneRepository(database, 'a/b', directory, { worktree })).rejects.toEqual(
        damaged,
      )
    }
    expect(filesBelow(outer)).toEqual([])
    const { faults } = examineAt(path)
    expect(faults).toContainEqual(expect.objectContaining({ code: 'value-invalid', where: 'refs' }))
  }
})

test('D1: refs whose names are not UTF-8 end a listing', async () => {
  const { database } = await loaded(ARCHIVE)
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
    INSERT INTO refs SELECT archive, repository, CAST('refs/' || x'f080' || printf('%04d', i) AS TEXT), oid, peeled,
      target, packed FROM refs, n WHERE name LIKE '%main'`)
  expect([...readRefs(database, 'a/b')].length).toBe(1503)
})

test(
  'D1: a clone leaves out files of objects that are named otherwise than Git does',
  THOROUGH,
  async () => {
    const { database, path } = await loaded(ARCHIVE)
    database.exec(
      `UPDATE files SET path = 'repositories/a/b.git/objects/../../../../x' WHERE path = '${OBJECT}'`,
    )
    const { outer, inner } = await nested()
    await cloneRepository(database, 'a/b', join(inner, 'it.git'))
    expect(filesBelow(outer).filter((file) => dirname(file) !== join(inner, 'it.git'))).toEqual([
      join(inner, 'it.git/refs/heads/link'),
    ])
    expect(git(join(inner, 'it.git'), ['symbolic-ref', 'refs/heads/link'])).toBe(
      'refs/heads/main\n',
    )
    expect(examineAt(path).faults).toContainEqual(
      expect.objectContaining({ code: 'value-invalid', where: 'files' }),
    )
  },
)

describe('D1: a size that lies', () => {
  everyDay(1)(['-1', "'x'", '1e300', '0.5'])('of %s does not pass the limit', async (size) => {
    const { database } = await loaded(ARCHIVE)
    database.exec(`UPDATE files SET size = ${size} WHERE path = '${OBJECT}'`)
    const directory = join(await folderOf(), 'it.git')
    await expect(cloneRepository(database, 'a/b', directory)).rejects.toEqual(damaged)
    await expect(archiveOf(database)).rejects.toEqual(damaged)
  })

  test('of few bytes lets no more of them out, however often a piece is named', async () => {
    const { database } = await loaded(ARCHIVE)
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO file_chunks SELECT file, i, chunk FROM file_chunks, n`)
    let written = 0
    const progress = ({ bytes }: { bytes: number }) => {
      written = bytes
    }
    const directory = join(await folderOf(), 'it.git')
    await expect(cloneRepository(database, 'a/b', directory, { progress })).rejects.toEqual(damaged)
    await expect(extractAttachments(database, await folderOf())).rejects.toEqual(damaged)
    expect(written).toBeLessThanOrEqual(3)
  })

  test('of a piece beyond what loading makes does not fill the memory', async () => {
    const { database } = await loaded(ARCHIVE)
    database.exec('UPDATE chunks SET bytes = zeroblob(2 << 20); UPDATE files SET size = 2 << 20')
    const directory = join(await folderOf(), 'it.git')
    await expect(cloneRepository(database, 'a/b', directory)).rejects.toEqual(damaged)
  })
})

async function archiveOf(database: Database): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of buildArchive(database)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const PATHS: [path: string, code: string][] = [
  ['../x', 'path-hostile'],
  ['attachments/../../x', 'path-hostile'],
  ['attachments\\..\\..\\x', 'path-hostile'],
  ['/etc/cron.d/x', 'path-hostile'],
  ['C:/x', 'path-hostile'],
  ['x\0y', 'path-hostile'],
  ['./x', 'database-damaged'],
  ['x//y', 'database-damaged'],
  ['x/', 'database-damaged'],
]

describe('D1: a path that no archive has', () => {
  const [[first], [others]] = firstOfEach(PATHS, ([, code]) => code)

  const expectUnbuilt = async (hostile: string, code: string) => {
    for (const table of ['files', 'record_files']) {
      const issues = [{ type: 'issue', url: 'https://host.example/a/b/issues/1' }]
      const { database, path } = await loaded({ ...ARCHIVE, 'issues_000001.json': issues })
      database
        .prepare(
          `UPDATE ${table} SET path = ? WHERE path IN ('attachments/1/a.txt', 'issues_000001.json')`,
        )
        .run(hostile)
      await expect(archiveOf(database)).rejects.toMatchObject({ code, place: { entry: hostile } })
      expect(examineAt(path).faults).toContainEqual(
        expect.objectContaining({ code: 'value-invalid', where: table }),
      )
    }
  }
  everyDay(1)(first)('of %j is not built, and doctor tells of it', expectUnbuilt)
  test.each(others)('of %j is not built, and doctor tells of it', THOROUGH, expectUnbuilt)

  const expectNoDirectory = async (hostile: string, code: string) => {
    const { database, path } = await loaded(ARCHIVE)
    database
      .prepare(`INSERT INTO entries (archive, path, role, size, mode, modified_at)
        VALUES (1, ?, 'directory', 0, 493, '2024-01-01T00:00:00Z')`)
      .run(hostile.endsWith('/') ? `${hostile}/` : hostile)
    await expect(archiveOf(database)).rejects.toMatchObject({ code })
    expect(examineAt(path).faults).toContainEqual(
      expect.objectContaining({ code: 'value-invalid', where: 'entries' }),
    )
  }
  everyDay(1)(first)('of %j is no directory in what is built either', expectNoDirectory)
  test.each(others)('of %j is no directory in what is built either', THOROUGH, expectNoDirectory)

  test('but whose name has control characters is, as reading takes it', async () => {
    const { database } = await loaded(ARCHIVE)
    database
      .prepare('UPDATE files SET path = ? WHERE role = ?')
      .run('attachments/1/a\n\x1b[31m', 'attachment')
    const paths: string[] = []
    for await (const { path, content } of readArchive(asBytes([await archiveOf(database)]))) {
      for await (const _ of content);
      paths.push(path)
    }
    expect(paths).toContain('attachments/1/a\n\x1b[31m')
  })

  everyDay(1)([LEADS_OUT, 'x\0/../y', '/../../x', '..', '..\\..\\x'])(
    'of %j names no folder beside the one that attachments are extracted to',
    async (hostile) => {
      const { database } = await loaded({
        ...ARCHIVE,
        'attachments_000001.json': [
          attachment('1', { asset_url: 'tarball://root/attachments/1/a.txt' }),
        ],
      })
      database
        .prepare(`UPDATE files SET path = ?, sha256 = '../../x' WHERE role = 'attachment'`)
        .run(hostile)
      database
        .prepare(
          `UPDATE attachments SET asset_url = 'tarball://root/' || ?, asset_name = ?, issue = ?`,
        )
        .run(hostile, '../../../x', 'https://host.example/../../../issues/..')
      for (const by of ['issue', 'path', 'hash'] as const) {
        const { outer, inner } = await nested()
        // The content is not what such a SHA-256 says.
        await extractAttachments(database, inner, { by }).catch((error) =>
          expect(error).toEqual(damaged),
        )
        expect(filesBelow(outer)).toEqual(filesBelow(inner))
      }
    },
  )
})

test(
  'D1: names that a shell would run, or take for options, are not completed',
  THOROUGH,
  async () => {
    const { database, path } = await loaded(ARCHIVE)
    const insert = database.prepare(
      `INSERT INTO refs SELECT archive, ?, name, oid, peeled, target, packed FROM refs WHERE name = 'HEAD'`,
    )
    for (const name of [
      '$(x)/y',
      'a/`x`',
      'a/b\nc/d',
      'a/b;x',
      '--output/x',
      '\x1b[31m/x',
      Buffer.from('c/d'),
    ]) {
      insert.run(name)
    }
    database.exec('CREATE TABLE "$(x)" (x); CREATE TABLE "a\nb" (x)')
    inFolder()
    for (const shell of ['bash', 'zsh', 'fish']) {
      const repositories = await run(['__complete', shell, 'repo', 'log', path, ''])
      expect(repositories).toEqual({ code: 0, stderr: '', stdout: 'a/b\n' })
      const tables = await run(['__complete', shell, 'schema', path, ''])
      expect(tables.stdout).toMatch(/^(\w+\n)+$/)
    }
  },
)

test('D1: a hint with a name out of a database is one that can be copied', async () => {
  const { database, path } = await loaded(ARCHIVE)
  const name = "a/$(touch it)'"
  database
    .prepare('UPDATE files SET path = replace(path, ?, ?), repository = ?')
    .run('a/b', name, name)
  const folder = inFolder()
  const { stderr } = await run(['show', path, `a/$(touch it)'@${A}`])
  expect(stderr).toContain(`'a/$(touch it)'\\'''`)
  expect(existsSync(join(folder, 'it'))).toBe(false)
})
