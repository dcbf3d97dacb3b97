import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { limitProcess, type ProcessLimits } from '../../src/work/process-limits.ts'

async function killedBy(limits: ProcessLimits): Promise<unknown> {
  const child = spawn('sleep', ['60'])
  let fault: unknown
  const end = limitProcess(child, limits, 'the statement', (error) => {
    fault = error
  })
  await once(child, 'exit')
  end()
  return fault
}

test('query-timeout: a process is killed after its seconds', async () => {
  expect(await killedBy({ seconds: 0.01 })).toMatchObject({
    code: 'query-timeout',
    message: 'not finished after 0.01 s',
  })
})

test.runIf(process.platform === 'linux')(
  'limit-memory: a process is killed when it uses more memory than it may',
  async () => {
    expect(await killedBy({ bytes: 1000 })).toMatchObject({
      code: 'limit-memory',
      message: 'the statement needs more than 1000 bytes',
      limit: { allowed: 1000 },
    })
  },
)
