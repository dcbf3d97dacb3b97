import { expect, onTestFinished, test, vi } from 'vitest'
import { readEvents } from '../../src/archive-worker/read-events.ts'
import { spawnReader } from '../../src/archive-worker/spawn-reader.ts'
import type { WorkerBatch } from '../../src/archive-worker/worker-messages.ts'
import { THOROUGH } from '../support/thorough.ts'

const order = { path: '', limits: undefined, hash: false, headers: false }
const FLOOD = new URL('./flooding-thread.ts', import.meta.url)

function startFlood() {
  const reading = spawnReader(order, undefined, FLOOD)
  onTestFinished(() => void reading.end())
  return reading
}

test(
  'more problems and bytes than there is room for come in order, and stay what they are',
  THOROUGH,
  async () => {
    const problems: string[] = []
    const events = readEvents(startFlood(), ({ message }) => void problems.push(message))
    const pieces: string[] = []
    for (let event = await events.next(); Buffer.isBuffer(event); event = await events.next()) {
      pieces.push(event.toString())
    }
    const numbers = Array.from({ length: 20_000 }, (_, i) => String(i))
    expect(problems).toEqual(numbers)
    expect(pieces.length).toBeLessThan(10)
    expect(pieces.join('')).toBe(numbers.map((number) => number.padStart(5)).join(''))
    expect(events.bytesRead()).toBe(7)
  },
)

test('the thread waits until its batches are read', async () => {
  const reading = startFlood()
  const arrived: WorkerBatch[] = []
  const more = async () => {
    for (;;) arrived.push(await reading.take())
  }
  more().catch(() => {})
  await vi.waitFor(() => expect(arrived.length).toBe(8), { timeout: 20_000 })
  // It has time for more.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(arrived.length).toBe(8)
})

test('timers and signals have their turn however much comes', THOROUGH, async () => {
  const reading = startFlood()
  reading.giveBack((await reading.take()).bytes)
  let turns = 0
  const turn = setInterval(() => turns++, 0)
  onTestFinished(() => clearInterval(turn))
  for (let batch = 0; batch < 20; batch++) {
    const { bytes } = await reading.take()
    reading.giveBack(bytes)
    // Meanwhile the thread has the next one ready.
    const end = performance.now() + 5
    while (performance.now() < end);
  }
  expect(turns).toBeGreaterThan(15)
})
