import { expect, test } from 'vitest'
import { asBytes } from '../../../../src/base/streams.ts'
import { createRemovedSearch } from '../../../../src/transform/redact/proof/find-removed.ts'
import { findInFile } from '../../../../src/transform/redact/proof/search-file.ts'
import { zipOf } from '../adversary/clothes.ts'

const search = createRemovedSearch([{ type: 'email', value: 'ada@forge.example' }])

test.each([
  [
    'in bytes of no known form',
    Buffer.from('\x00\x81\x02ada@forge.example\x00', 'latin1'),
    'email',
  ],
  ['within a zip file', zipOf({ 'a.txt': 'to ada@forge.example' }), 'email'],
  ['nowhere in a text without it', Buffer.from('to bo@forge.example'), undefined],
])('A removed value is found %s', async (_, content, type) => {
  expect((await findInFile(search, () => asBytes([content])))?.type).toBe(type)
})
