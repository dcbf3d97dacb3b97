import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSpool } from '../../src/files/spool.ts'
import { folderOf } from '../support/folder.ts'
import { inPiecesOf } from '../support/pieces.ts'

const bytes = (size: number, byte: number) => Buffer.alloc(size, byte)

test.each([0, 1000, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])('keeps the last %i bytes', async (size) => {
  vi.stubEnv('TMPDIR', await folderOf())
  onTestFinished(() => void vi.unstubAllEnvs())
  const spool = openSpool()
  for (const [length, byte] of [
    [2 * 2 ** 20, 1],
    [size, 2],
  ] as const) {
    await spool.keep(inPiecesOf(bytes(length, byte), 100_000))
  }
  expect(Buffer.concat([...spool.read()]).equals(bytes(size, 2))).toBe(true)
  expect(readdirSync(tmpdir())).toHaveLength(1)
  spool.close()
  expect(readdirSync(tmpdir())).toEqual([])
})

test('leaves the disk alone for what is small', async () => {
  vi.stubEnv('TMPDIR', await folderOf())
  onTestFinished(() => void vi.unstubAllEnvs())
  const spool = openSpool()
  await spool.keep(inPiecesOf(bytes(2 ** 20, 1), 100_000))
  expect(readdirSync(tmpdir())).toEqual([])
  spool.close()
})
