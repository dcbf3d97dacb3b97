import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collect } from '../../src/base/streams.ts'
import { openGrowingFile } from '../../src/files/growing-file.ts'
import { folderOf } from '../support/folder.ts'

test('What is written can be read meanwhile, and again from the beginning', async () => {
  const path = join(await folderOf(), 'it')
  const file = openGrowingFile(path)
  const reading = file.read()
  const seen: string[] = []
  await file.write(
    (async function* () {
      for (const part of ['one', 'two']) {
        yield Buffer.from(part)
        seen.push(String((await reading.next()).value))
      }
    })(),
  )
  expect(seen).toEqual(['one', 'two'])
  expect(await reading.next()).toEqual({ done: true, value: undefined })
  expect(String(await collect(file.read()))).toBe('onetwo')
  file.close()
  expect(readFileSync(path, 'utf8')).toBe('onetwo')
})

test('Who reads learns why no more is written', async () => {
  const file = openGrowingFile(join(await folderOf(), 'it'))
  const read = collect(file.read())
  const writing = file.write(
    (async function* () {
      yield Buffer.from('one')
      throw new Error('out of water')
    })(),
  )
  await expect(writing).rejects.toThrow('out of water')
  await expect(read).rejects.toThrow('out of water')
  file.close()
})

test('A stop ends the source', async () => {
  const file = openGrowingFile(join(await folderOf(), 'it'))
  let isEnded = false
  await file.write(
    (async function* () {
      try {
        for (;;) {
          yield Buffer.from('more')
          file.stop()
        }
      } finally {
        isEnded = true
      }
    })(),
  )
  expect(isEnded).toBe(true)
  file.close()
})
