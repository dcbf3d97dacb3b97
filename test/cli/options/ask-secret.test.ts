import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { safe } from '../../../src/cli/command/safe-text.ts'
import { askSecret } from '../../../src/cli/options/ask-secret.ts'

/** A terminal where somebody types these keys, and what happened at it. */
function terminal(keys: string) {
  const happened: string[] = []
  const setRawMode = (isRaw: boolean) => void happened.push(isRaw ? 'hides keys' : 'shows keys')
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  stdin.end(keys)
  const stderr = { write: (text: string) => void happened.push(text) }
  return { io: { stdin, stderr } as unknown as Io, happened }
}

test('What is typed is hidden before the question is asked, until it is answered', async () => {
  const { io, happened } = terminal('se\x7fecret\r')
  expect(await askSecret(safe`Token: `, '--token-file', io)).toBe('secret')
  expect(happened).toEqual(['hides keys', 'Token: ', 'shows keys', '\n'])
})

test.each([
  ['Ctrl-C', 'sec\x03'],
  ['Ctrl-D', '\x04'],
  ['the end of input', 'sec'],
])('%s interrupts, and shows keys again', async (_, keys) => {
  const { io, happened } = terminal(keys)
  await expect(askSecret(safe`Token: `, '--token-file', io)).rejects.toMatchObject({
    code: 'interrupted',
  })
  expect(happened).toContain('shows keys')
})
