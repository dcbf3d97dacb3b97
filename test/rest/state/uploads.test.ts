import { randomBytes } from 'node:crypto'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asBytes } from '../../../src/base/streams.ts'
import { openStateDatabase } from '../../../src/rest/state/state-database.ts'
import { createUploads, MOST_UPLOADS, type Upload } from '../../../src/rest/state/uploads.ts'
import { folderOf } from '../../support/folder.ts'

const DAY = 86_400_000
const MIB = 2 ** 20
const ADA = { owner: 'Ada', organization: 'Forge' }

async function openUploads(freeBytes = Number.POSITIVE_INFINITY) {
  const time = { now: Date.parse('2024-02-03T04:05:06Z') }
  const state = openStateDatabase(join(await folderOf(), 'it.serve'))
  onTestFinished(() => state.close())
  const folder = join(state.folder as string, 'uploads')
  const clock = () => new Date(time.now)
  const uploads = createUploads(state, folder, { clock, freeBytes: () => freeBytes })
  return { uploads, folder, time }
}

const bytesOf = (text: string) => asBytes([Buffer.from(text)])

test('An upload goes seven days after its last use, with its files', async () => {
  const { uploads, folder, time } = await openUploads()
  const { guid } = await uploads.store(ADA, 'a', bytesOf('whole'))
  const half = uploads.begin(ADA, 'b', 6 * MIB) as Upload
  time.now += 6 * DAY
  expect(await uploads.take(half, 1, asBytes([randomBytes(5 * MIB)]))).toBe('taken')
  time.now += DAY
  expect(uploads.find(guid, ADA)).toBeUndefined()
  uploads.expire()
  expect(readdirSync(folder)).toHaveLength(1)
  expect(uploads.find(half.guid, ADA)).toMatchObject({ received: 5 * MIB, parts: 1 })
  uploads.touch(half.guid)
  time.now += 7 * DAY - 1
  expect(uploads.find(half.guid, ADA)).toBeDefined()
  time.now += 1
  uploads.expire()
  expect(readdirSync(folder)).toEqual([])
})

test('Files that no upload has are removed when they are old, as a server may be about to note them', async () => {
  const { uploads, folder } = await openUploads()
  const { guid } = await uploads.store(ADA, 'a', bytesOf('whole'))
  const [kept] = readdirSync(folder)
  const [young, old] = ['00000000', '00000001'].map((end) => `${guid}.2.${end}`)
  for (const name of [young, old]) writeFileSync(join(folder, name as string), '')
  utimesSync(join(folder, old as string), 1, 1)
  uploads.expire()
  expect(readdirSync(folder).sort()).toEqual([kept, young].sort())
})

test('The disk must have room for what was announced before, too', async () => {
  const { uploads } = await openUploads(100 * MIB)
  expect(uploads.hasRoom(36 * MIB)).toBe(true)
  uploads.begin(ADA, 'a', 30 * MIB)
  expect(uploads.hasRoom(6 * MIB)).toBe(true)
  expect(uploads.hasRoom(6 * MIB + 1)).toBe(false)
})

test('An account has a bounded number of uploads under way', async () => {
  const { uploads } = await openUploads()
  for (let i = 0; i < MOST_UPLOADS; i++) expect(uploads.begin(ADA, 'a', 1)).toBeDefined()
  expect(uploads.begin(ADA, 'a', 1)).toBeUndefined()
  expect(uploads.begin({ ...ADA, owner: 'eve' }, 'a', 1)).toBeDefined()
})

test('A part whose bytes end early leaves nothing, and can be sent again', async () => {
  const { uploads, folder } = await openUploads()
  const upload = uploads.begin(ADA, 'a', 5) as Upload
  async function* broken() {
    yield Buffer.from('he')
    throw new Error('gone')
  }
  await expect(uploads.take(upload, 1, broken())).rejects.toThrow('gone')
  expect(readdirSync(folder)).toEqual([])
  expect(await uploads.take(upload, 1, bytesOf('hello'))).toBe('taken')
  expect(uploads.finish(upload.guid)).toBe(true)
})
