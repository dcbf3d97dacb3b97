import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { runJobs } from '../../../src/cli/process/export-jobs.ts'
import { createCaller } from '../../../src/work/call.ts'
import { collector } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Programs in place of `marc export`. */
const { call } = createCaller(pathToFileURL(`${import.meta.dirname}/export-doubles.ts`))

async function jobs(sources: string[], number: number, signal?: AbortSignal) {
  const stderr = collector()
  const io = { stdin: process.stdin, stdout: collector().stream, stderr: stderr.stream, env: {} }
  const options = { jobs: String(number), json: true }
  const given = { ...io, signal } as unknown as Io
  const { done, refused, fault, left } = await runJobs(sources, options, given, call)
  const errors = stderr.text().trim().split('\n').filter(Boolean)
  return {
    done: done as unknown as { name: string; pid: number; got: string[]; options: object }[],
    refused,
    fault,
    left,
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

  test('show how many sources are done', THOROUGH, async () => {
    const { stream, text } = collector()
    const io = {
      stdout: collector().stream,
      stderr: Object.assign(stream, { isTTY: true }),
      env: {},
    }
    await runJobs(['s0', 's1'], { jobs: '2' }, io as unknown as Io, call)
    expect(text()).toMatch(/exporting 2 archives .*1 done/)
    // The line is erased at the end.
    expect(text().endsWith('\r\x1b[2K')).toBe(true)
  })

  test(
    'take several of many sources at a time, and the rest after an error',
    THOROUGH,
    async () => {
      const names = Array.from({ length: 40 }, (_, i) => `s${i}`)
      const sources = names.with(2, 'refused').with(7, 'killed')
      const { done, refused, errors } = await jobs(sources, 2)
      expect(done.map(({ name }) => name)).toEqual(names.filter((_, i) => i !== 2 && i !== 7))
      expect(refused).toBe(2)
      expect(errors.map(({ place }) => place.archive).sort()).toEqual(['killed', 'refused'])
    },
  )

  test('go on after one of them crashed, which is one refused source', THOROUGH, async () => {
    const sources = ['a', 'killed', 'b', 'crash', 'bug', 'c', 'refused', 'd']
    const { done, refused, errors } = await jobs(sources, 1)
    expect(done.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
    expect(refused).toBe(4)
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'output-failed',
        message: 'its process was ended by SIGKILL',
        place: { archive: 'killed' },
        remedy: expect.stringContaining('without --jobs'),
      }),
      expect.objectContaining({ message: 'its process ended with exit code 134: out of memory' }),
      expect.objectContaining({
        message: expect.stringMatching(/^TypeError: x is not a function\n/),
      }),
      expect.objectContaining({ code: 'tar-damaged', message: 'no', remedy: 'Look.' }),
    ])
    // A crash costs a new process, an error does not.
    expect(done.at(-1)?.got).toEqual(['bug', 'c', 'refused', 'd'])
  })

  test('stop at a fault of the target, which nobody prints for each source', async () => {
    const { done, refused, fault, left, errors } = await jobs(['a', 'full', 'b', 'full', 'c'], 1)
    expect(done.map(({ name }) => name)).toEqual(['a'])
    expect(fault).toMatchObject({ code: 'output-full', advice: 'Free.' })
    expect({ refused, left, errors }).toEqual({
      refused: 0,
      left: ['full', 'b', 'full', 'c'],
      errors: [],
    })
  })

  test('end with an interrupt', THOROUGH, async () => {
    const signal = AbortSignal.timeout(100)
    await expect(jobs(['a', 'never', 'b'], 1, signal)).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})
