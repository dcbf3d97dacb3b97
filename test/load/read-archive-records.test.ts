import { expect, test } from 'vitest'
import {
  type ReadArchiveRecordsOptions,
  readArchiveRecords,
} from '../../src/load/read-archive-records.ts'
import { sourceOf } from '../support/load.ts'

const HOST = 'https://forge.example'

/** The records of an archive, each as kind, entry, place and URL. */
async function read(options: ReadArchiveRecordsOptions): Promise<unknown[]> {
  const archive = sourceOf({
    'users_000001.json': [
      { type: 'user', url: `${HOST}/ada` },
      { type: 'user', url: `${HOST}/bob` },
    ],
    'bots_000001.json': [{ type: 'bot', url: `${HOST}/bots/bell` }],
    'kettles_000001.json': [{ type: 'kettle', url: `${HOST}/kettle` }],
    'attachments/1/notes.json': [{ type: 'user', url: `${HOST}/eve` }],
  })
  const records = []
  for await (const { kind, record, entry, index } of readArchiveRecords(archive, options)) {
    records.push([kind, entry, index, record.url])
  }
  return records
}

test('Records come in their order, with their kind and place', async () => {
  expect(await read({})).toEqual([
    ['users', 'users_000001.json', 1, `${HOST}/ada`],
    ['users', 'users_000001.json', 2, `${HOST}/bob`],
    ['bots', 'bots_000001.json', 1, `${HOST}/bots/bell`],
    [undefined, 'kettles_000001.json', 1, `${HOST}/kettle`],
  ])
})

test('Only records of the kinds that are asked for come', async () => {
  expect(await read({ kinds: ['bots'] })).toEqual([
    ['bots', 'bots_000001.json', 1, `${HOST}/bots/bell`],
  ])
})
