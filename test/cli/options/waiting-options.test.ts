import { expect, test } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { downloadProgress } from '../../../src/cli/options/waiting-options.ts'

test('A download has its buffers collected every 2 MiB, also when it begins again', () => {
  let collected = 0
  const io = { stderr: { isTTY: false }, collectYoung: () => collected++ } as unknown as Io
  const { progress } = downloadProgress({ quiet: true }, io)
  const pass = (mebibytes: number) =>
    progress({ bytes: mebibytes * 2 ** 20, total: undefined, step: 'downloading' })
  for (let at = 0; at <= 10; at += 0.25) pass(at)
  expect(collected).toBe(5)
  pass(0)
  for (let at = 0; at <= 4; at += 0.25) pass(at)
  expect(collected).toBe(8)
})
