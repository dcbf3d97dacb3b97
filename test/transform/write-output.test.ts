import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mapDatabase } from '../../src/transform/map/map-database.ts'
import { redactDatabase } from '../../src/transform/redact/redact-database.ts'
import { folderOf } from '../support/folder.ts'
import { loaded, recordFile } from '../support/load.ts'
import { DISK, smallDisk } from '../support/small-disk.ts'
import { THOROUGH } from '../support/thorough.ts'

test(
  'P2: A disk that is full is reported with the name of the output, and keeps nothing of it',
  THOROUGH,
  async (context) => {
    const disk = smallDisk(context)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(DISK - 100_000))
    const { database } = await loaded(recordFile('issues', { url: 'a' }))
    const output = join(disk, 'x.db')
    const map = { hosts: [], logins: [], repositories: [] }
    await expect(mapDatabase(database, output, map)).rejects.toMatchObject({
      code: 'database-full',
      place: { archive: output },
    })
    expect(readdirSync(disk)).toEqual(['filler'])
  },
)

test.each<[string, (...given: Parameters<typeof redactDatabase>) => Promise<unknown>]>([
  [
    'mapDatabase',
    (source, output, options) =>
      mapDatabase(source, output, { hosts: [], logins: [], repositories: [] }, options),
  ],
  ['redactDatabase', redactDatabase],
])('A signal of a timer stops %s, and nothing is left', async (_, transform) => {
  const { database } = await loaded(recordFile('issues', { url: 'a' }))
  const folder = await folderOf()
  for (const name of ['x.db', 'x.tar.gz']) {
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    await expect(
      transform(database, join(folder, name), { signal: stop.signal }),
    ).rejects.toMatchObject({ code: 'interrupted' })
  }
  expect(readdirSync(folder)).toEqual([])
})
