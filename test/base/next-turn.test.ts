import { expect, test } from 'vitest'
import { nextTurn } from '../../src/base/next-turn.ts'

test('A signal that aborts in its turn interrupts', async () => {
  const stop = new AbortController()
  setImmediate(() => stop.abort())
  await expect(nextTurn(stop.signal)).rejects.toMatchObject({ code: 'interrupted' })
})
