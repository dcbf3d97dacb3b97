import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { limitChild, type ProcessLimits } from '../../src/query/limit-child.ts'

async function killedBy(limits: ProcessLimits) {
  const child = spawn('sleep', ['60'])
  const watch = limitChild(child, limits)
  watch.throwIfKilled()
  await once(child, 'exit')
  watch.end()
  return watch.throwIfKilled
}

test('query-timeout: a process is killed after its seconds', async () => {
  expect(await killedBy({ seconds: 0.01 })).toThrow(
    expect.objectContaining({ code: 'query-timeout', message: 'not finished after 0.01 seconds' }),
  )
})

test.runIf(process.platform === 'linux')(
  'limit-memory: a process is killed when it uses more memory than it may',
  async () => {
    expect(await killedBy({ bytes: 1000 })).toThrow(
      expect.objectContaining({
        code: 'limit-memory',
        message: 'the statement needs more than 1000 bytes',
        limit: expect.objectContaining({ allowed: 1000 }),
      }),
    )
  },
)
