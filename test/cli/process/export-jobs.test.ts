import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { runJobs } from '../../../src/cli/process/export-jobs.ts'
import { folderOf } from '../../support/folder.ts'
import { collector } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** A worker that tells which sources its process got, and comes to the end that the name of a source asks for. */
const WORKER = `
const got = []
process.on('message', ({ source, options }) => {
  got.push(source)
  if (source === 'killed') process.kill(process.pid, 'SIGKILL')
  else if (source === 'crash') { process.stderr.write('out of memory'); setTimeout(() => process.exit(134), 20) }
  else if (source === 'bug') process.send({ bug: 'TypeError: x is not a function' })
  else if (source === 'refused')
    process.send({ error: { code: 'tar-damaged', message: 'no', place: {}, remedy: 'Look.' } })
  else if (source !== 'never') process.send({ summary: { name: source, pid: process.pid, got, options } })
})`

async function jobs(sources: string[], number: number, signal?: AbortSignal) {
  const program = [join(await folderOf({ 'worker.cjs': WORKER }), 'worker.cjs')]
  const stderr = collector()
  const io = { stdin: process.stdin, stdout: collector().stream, stderr: stderr.stream, env: {} }
  const options = { jobs: String(number), json: true }
  const given = { ...io, signal } as unknown as Io
  const { done, refused } = await runJobs(sources, options, given, program)
  const errors = stderr.text().trim().split('\n').filter(Boolean)
  return {
    done: done as unknown as { name: string; pid: number; got: string[]; options: object }[],
    refused,
    errors: errors.map((line) => JSON.parse(line).error),
  }
}

describe('Workers', () => {
  test('export many sources in few processes, and keep their order', async () => {
    const sources = Array.from({ length: 9 }, (_, i) => `s${i}`)
    const { done } = await jobs(sources, 2)
    expect(done.map(({ name }) => name)).toEqual(sources)
    expect(new Set(done.map(({ pid }) => pid)).size).toBeLessThanOrEqual(2)
    expect(done[0]?.options).toEqual({ jobs: '2', json: true })
  })

  test('go on after one of them crashed, which is one refused source', THOROUGH, async () => {
    const sources = ['a', 'killed', 'b', 'crash', 'bug', 'c', 'refused', 'd']
    const { done, refused, errors } = await jobs(sources, 1)
    expect(done.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
    expect(refused).toBe(4)
    expect(errors).toEqual([
      expect.objectContaining({
        ...{ code: 'output-failed', message: 'its process was ended by SIGKILL' },
        ...{ place: { archive: 'killed' }, remedy: expect.stringContaining('without --jobs') },
      }),
      expect.objectContaining({ message: 'its process ended with exit code 134: out of memory' }),
      expect.objectContaining({ message: 'TypeError: x is not a function' }),
      expect.objectContaining({ code: 'tar-damaged', message: 'no', remedy: 'Look.' }),
    ])
    // A crash costs a new process, an error does not.
    expect(done.at(-1)?.got).toEqual(['bug', 'c', 'refused', 'd'])
  })

  test('end with an interrupt', async () => {
    const signal = AbortSignal.timeout(100)
    await expect(jobs(['a', 'never', 'b'], 1, signal)).rejects.toThrow('aborted due to timeout')
  })
})
