import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type { RedactOptions } from '../../../../src/transform/redact/redact-options.ts'
import { unpack } from '../../../support/build.ts'
import type { Files } from '../../../support/build-tar.ts'
import { folderOf } from '../../../support/folder.ts'
import { loaded } from '../../../support/load.ts'

const KEY = Buffer.from('a key of thirty-two bytes or more')
const HOST = 'https://forge.example'

/** Files of a release and of an issue. Each has its own name as its content. */
function archiveOf(names: readonly string[]): Files {
  const assets = names.map((name) => ({ asset_name: name, asset_url: address('releases', name) }))
  const attachments = names.map((name, i) => ({
    type: 'attachment',
    url: `${HOST}/a/b/files/${i}`,
    issue: `${HOST}/a/b/issues/1`,
    asset_name: 'x',
    asset_url: address('attachments', name),
  }))
  const release = { type: 'release', url: `${HOST}/a/b/releases/tag/v1`, release_assets: assets }
  const contents = names.flatMap((name, i) =>
    ['attachments', 'releases'].map((folder) => [`${folder}/x/${name}`, `file ${i}`]),
  )
  return {
    'schema.json': { version: '1.2.0' },
    'attachments_000001.json': attachments,
    'releases_000001.json': [release],
    ...Object.fromEntries(contents),
  }
}

const address = (folder: string, name: string) => `tarball://root/${folder}/x/${name}`

async function redacted(files: Files, options: RedactOptions = {}) {
  const { database } = await loaded(files)
  const output = join(await folderOf(), 'o.tar.gz')
  await redactDatabase(database, output, { key: KEY, ...options })
  return (await unpack(readFileSync(output))).files
}

/** What each record's address names in the archive. */
function namedBy(files: Readonly<Record<string, string>>): (string | undefined)[] {
  const attachments = JSON.parse(files['attachments_000001.json'] as string)
  const [{ release_assets }] = JSON.parse(files['releases_000001.json'] as string)
  return [...attachments, ...release_assets].map(
    ({ asset_url }: { asset_url: string }) => files[asset_url.replace('tarball://root/', '')],
  )
}

const SAME = ['jane@corp.example.log', 'Jane@corp.example.log', 'JANE@corp.example.log']

it.each(['pseudonym', 'mask', 'remove'] as const)(
  'Files whose names become the same get numbers, and each record still names its own: %s',
  async (mode) => {
    const files = await redacted(archiveOf(SAME), { mode })
    expect(namedBy(files)).toEqual(['file 0', 'file 1', 'file 2', 'file 0', 'file 1', 'file 2'])
    const names = Object.keys(files).filter((path) => path.startsWith('attachments/'))
    expect(names).toHaveLength(3)
    expect(names).toContainEqual(expect.stringMatching(/@redacted\.invalid \(2\)\.log$/))
    expect(names).toContainEqual(expect.stringMatching(/@redacted\.invalid \(3\)\.log$/))
  },
)

it('Addresses that share a pseudonym, as some IPv4 addresses do, leave each file its record', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `23.45.${i >> 8}.${i & 255}.log`)
  const expected = names.map((_, i) => `file ${i}`)
  expect(namedBy(await redacted(archiveOf(names)))).toEqual([...expected, ...expected])
})

it('A name that becomes that of a file without values gets a number', async () => {
  const once = await redacted(archiveOf(['jane@corp.example.log']))
  const [, name] = (Object.keys(once).find((path) => path.startsWith('attachments/')) ?? '').split(
    '/x/',
  )
  const files = await redacted(archiveOf(['jane@corp.example.log', name as string]))
  expect(namedBy(files)).toEqual(['file 0', 'file 1', 'file 0', 'file 1'])
})

it('The size in a record follows the content of a file that gets another name', async () => {
  const name = 'jane@corp.example.log'
  const files = await redacted({
    'schema.json': { version: '1.2.0' },
    'attachments_000001.json': [
      {
        type: 'attachment',
        url: `${HOST}/a/b/files/0`,
        asset_url: address('attachments', name),
        size: 18,
      },
    ],
    [`attachments/x/${name}`]: 'by jane@corp.io ok',
  })
  const [{ asset_url, size }] = JSON.parse(files['attachments_000001.json'] as string)
  expect(size).toBe(files[asset_url.replace('tarball://root/', '')]?.length)
  expect(size).not.toBe(18)
})
