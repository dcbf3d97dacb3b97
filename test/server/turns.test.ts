import { expect, test } from 'vitest'
import { createTurns, inTurns } from '../../src/server/turns.ts'

test('Long work lets something else happen in between, short work does not', async () => {
  let others = 0
  const count = () => {
    others++
  }
  setImmediate(count)
  const turn = createTurns()
  await turn()
  expect(others).toBe(0)
  const until = performance.now() + 6
  while (performance.now() < until);
  await turn()
  expect(others).toBe(1)
})

test('Pieces come as they are', async () => {
  const found: number[] = []
  for await (const piece of inTurns([1, 2, 3])) found.push(piece)
  expect(found).toEqual([1, 2, 3])
})
