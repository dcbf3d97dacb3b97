import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { collect } from '../../../src/base/streams.ts'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import {
  type ArchiveRevisionOptions,
  archiveRevision,
} from '../../../src/git/archive/archive-revision.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { commitOf, looseOf, oidOf, repositoryOf } from '../../support/build-pack.ts'
import type { Files } from '../../support/build-tar.ts'
import { type Entry, objectsOf } from '../../support/build-tree.ts'
import { folderOf } from '../../support/folder.ts'
import { type GitHistory, gitBytes, gitHistory } from '../../support/git-history.ts'
import { sourceOf } from '../../support/load.ts'
import { outputOf } from '../../support/run-program.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const EVIL = 'evil\n'

const HOSTILE: Entry[] = [
  ['40000', '.git', [['100755', 'hooks', EVIL]]],
  ['40000', '..', [['100644', 'outside', EVIL]]],
  ['100644', 'sub/x', EVIL],
  ['120000', 'Here', '/tmp'],
  ['40000', 'here', [['100644', 'through', EVIL]]],
  ['120000', 'it', '/tmp'],
  ['40000', 'it', [['100644', 'through', EVIL]]],
  ['40000', 'kept', [['100644', 'kept', 'kept\n']]],
  ['120000', 'long', 'x'.repeat(2 ** 20 + 1)],
]

/** What the tar of Git writes in more than one way. */
const SPECIAL: Entry[] = [
  ['40000', 'a'.repeat(90), [['40000', 'b'.repeat(90), [['100644', 'split', 'x']]]]],
  ['40000', 'c'.repeat(160), [['100664', 'd'.repeat(40), 'in a PAX header']]],
  ['40000', 'empty', [['40000', 'too', []]]],
  ['120000', 'link', '../out'],
  ['120000', 'long-link', 'x'.repeat(101)],
  ['100644', 'n'.repeat(100), 'it fits'],
  ['100644', 'n'.repeat(101), 'it does not'],
  ['100755', 'run', '#!/bin/sh\n'],
  ['160000', 'submodule', 'b'.repeat(40)],
  ['40000', `${'z'.repeat(99)}`, [['100644', 'inside', '']]],
]

const hostile = objectsOf(HOSTILE)
const special = objectsOf(SPECIAL)
const attributes = objectsOf([
  ['100644', '.gitattributes', '# export-subst\n*.md export-ignore text\n/x ident eol=crlf\n'],
  ['100644', 'README.md', '# Kettle\n'],
])
const noise = randomBytes(2 ** 20)
  .toString('latin1')
  .repeat(2)
const large = objectsOf([['100644', 'large', noise]])

let history: GitHistory
let database: Database
let folder: string
let ids: Record<string, string>

beforeAll(async () => {
  history = await gitHistory()
  folder = mkdtempSync(join(tmpdir(), 'git-archive-'))
  const files: Files = {}
  const trees = { hostile, special, attributes, large }
  ids = {}
  for (const [name, { oid, files: objects }] of Object.entries(trees)) {
    const commit = commitOf(oid)
    ids[name] = oidOf('commit', commit)
    Object.assign(files, objects, looseOf('commit', commit))
    files[`refs/heads/${name}`] = `${ids[name]}\n`
  }
  await loadArchive(sourceOf(repositoryOf('ada/trees', files)), join(folder, 'it.db'))
  database = openDatabase(join(folder, 'it.db'))
  return () => {
    database.close()
    history.close()
    rmSync(folder, { recursive: true })
  }
})

async function archived(revision: string, options?: ArchiveRevisionOptions, from = database) {
  const name = from === database ? 'ada/trees' : 'ada/kettle'
  const { bytes, summary } = archiveRevision(openRepository(from, name), revision, options)
  return { bytes: await collect(bytes), ...summary() }
}

type ReadZip = [comment: string, entries: Record<string, unknown[]>]

/** Names, contents and permissions in zips, as Python reads them. It takes longer to start than to read. */
function readZips(...zips: Buffer[]): ReadZip[] {
  const paths = zips.map((bytes, i) => {
    const path = join(folder, `${i}.zip`)
    writeFileSync(path, bytes)
    return path
  })
  const program = `
import json, sys, zipfile
def read(path):
  z = zipfile.ZipFile(path)
  assert z.testzip() is None
  return [z.comment.decode(), {i.filename: [oct(i.external_attr >> 16), i.date_time, z.read(i).decode('latin1')[:99], i.file_size] for i in z.infolist()}]
print(json.dumps([read(path) for path in sys.argv[1:]]))`
  return JSON.parse(outputOf('python3', ['-c', program, ...paths]).toString())
}

describe('A tar', () => {
  everyDay(2)([
    ['main', ''],
    ['v1.0', 'kettle-1.0/'],
    ['octopus', 'a//'],
    ['other-root', 'file-'],
    ['light', `${'p/'.repeat(60)}`],
  ])('of %s has the bytes that git archive writes', async (revision, prefix) => {
    const { bytes, notes } = await archived(revision, { prefix }, history.database)
    const expected = gitBytes(history.directory, [
      'archive',
      '--format=tar',
      `--prefix=${prefix}`,
      revision,
    ])
    expect(bytes.equals(expected)).toBe(true)
    expect(notes).toEqual([])
  })

  test('splits long paths, and has PAX headers for longer ones, as git archive does', async () => {
    const files = repositoryOf('ada/trees', {
      ...special.files,
      ...looseOf('commit', commitOf(special.oid)),
      'refs/heads/main': `${ids.special}\n`,
    }) as Record<string, string | Uint8Array>
    const root = await folderOf(files)
    const directory = join(root, 'repositories/ada/trees.git')
    const expected = gitBytes(directory, ['archive', '--format=tar', 'main'])
    const { bytes } = await archived('special')
    expect(bytes.equals(expected)).toBe(true)
  })
})

describe('A zip', () => {
  test('has the files of git archive, with their permissions and the time in UTC', async () => {
    const { bytes, files } = await archived('main', { format: 'zip' }, history.database)
    const expected = gitBytes(history.directory, ['archive', '--format=zip', 'main'])
    const [[comment, entries], [id, theirs]] = readZips(bytes, expected) as [ReadZip, ReadZip]
    expect(comment).toBe(id)
    expect(Object.keys(entries)).toEqual(Object.keys(theirs))
    const contents = (all: typeof entries) => Object.values(all).map(([, , ...content]) => content)
    expect(contents(entries)).toEqual(contents(theirs))
    expect(files).toBe(Object.keys(entries).filter((path) => !path.endsWith('/')).length)
    expect(entries['run.sh']?.[0]).toBe('0o100644')
  })

  test(
    'stores links and programs as what they are, and a file that is too large to be held with its sizes after it',
    THOROUGH,
    async () => {
      const { bytes } = await archived('special', { format: 'zip', prefix: 'p/' })
      const other = await archived('large', { format: 'zip' })
      const zips = readZips(bytes, other.bytes)
      const [[, entries], [, largeEntries]] = zips as [ReadZip, ReadZip]
      expect(entries['p/link']).toEqual(['0o120777', [2024, 5, 1, 12, 0, 0], '../out', 6])
      expect(entries['p/run']?.[0]).toBe('0o100755')
      expect(entries['p/submodule/']).toBeDefined()
      expect(largeEntries.large?.[3]).toBe(Buffer.from(noise).length)
    },
  )
})

describe('G6: a hostile tree', () => {
  test.each(['tar', 'zip'] as const)('leaves no trace of its names in a %s', async (format) => {
    const { bytes, notes } = await archived('hostile', { format, prefix: 'p/' })
    const text = bytes.toString('latin1')
    expect(text).toContain('p/kept/kept')
    expect(text).not.toMatch(/\.git\/|\.\.|sub|through|evil/)
    expect(notes).toEqual([
      '.git was left out: its name is not allowed',
      '.. was left out: its name is not allowed',
      'sub/x was left out: its name is not allowed',
      'here was left out: another entry has this name',
      'it was left out: another entry has this name',
      'long was left out: the link is too long',
    ])
  })

  test('is no larger than was said', async () => {
    await expect(archived('special', { maxExtracted: 3 })).rejects.toThrow(
      expect.objectContaining({ code: 'limit-extracted' }),
    )
  })

  test.each(['/', '/tmp/x/', '../', 'a/../b/', 'a\0b/'])('is not put below %j', async (prefix) => {
    await expect(archived('special', { prefix })).rejects.toThrow(
      expect.objectContaining({ code: 'option-invalid' }),
    )
  })
})

test('Attributes that git archive would apply are named', async () => {
  const { bytes, notes } = await archived('attributes')
  expect(notes).toEqual([
    '.gitattributes sets export-ignore, ident, eol=crlf, which is not applied',
  ])
  expect(bytes.includes('README.md')).toBe(true)
})
