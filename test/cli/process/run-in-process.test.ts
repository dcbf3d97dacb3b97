import { existsSync, readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runApart } from '../../../src/cli/process/run-in-process.ts'
import { createCaller } from '../../../src/work/call.ts'
import { inFolder } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const env = { ...process.env, XDG_CACHE_HOME: '.cache' }

/** Programs in place of `marc`. */
const { call } = createCaller(pathToFileURL(`${import.meta.dirname}/command-doubles.ts`))

const apart = (argv: string[], options = {}, signal?: AbortSignal) =>
  runApart(argv, options, { env, ...(signal && { signal }) }, call)

describe('A command in a process of its own', () => {
  test('gives its exit code, and gets its arguments', THOROUGH, async () => {
    inFolder()
    expect(await apart(['code', '5'])).toBe(5)
  })

  test('ends by itself when it sees an interrupt', THOROUGH, async () => {
    inFolder()
    const stop = new AbortController()
    const ended = apart(['patient'], {}, stop.signal)
    await expect.poll(() => existsSync('ready'), { interval: 5, timeout: 5000 }).toBe(true)
    stop.abort()
    expect(await ended).toBe(130)
  })

  test(
    'is killed within a second when it does not, and its partial files are removed',
    THOROUGH,
    async () => {
      inFolder({
        'out/kept.txt': '',
        'out/kind=issues/archive=a/data.csv': '',
        'out/_marc/archives/other.json': '{}',
      })
      const stop = new AbortController()
      const paths = ['x.db', 'out/y.db', 'out/kind=issues/archive=a/data.csv']
      const lock = 'out/_marc/archives/a.json.lock'
      const ended = apart(['deaf', lock, ...paths], { output: 'out' }, stop.signal)
      const partial = () => readdirSync('.', { recursive: true }).map(String).filter(isPartial)
      await expect.poll(() => partial().length, { interval: 5, timeout: 5000 }).toBe(3)
      const start = performance.now()
      stop.abort()
      await expect(ended).rejects.toMatchObject({ code: 'interrupted' })
      expect(performance.now() - start).toBeLessThan(1000)
      expect(partial()).toEqual([])
      expect(readdirSync('out/kind=issues/archive=a')).toEqual(['data.csv'])
      expect(readdirSync('out')).toEqual(['_marc', 'kept.txt', 'kind=issues'])
      expect(readdirSync('out/_marc/archives')).toEqual(['other.json'])
    },
  )

  test('that something else killed is a fault', async () => {
    inFolder()
    await expect(apart(['killed'])).rejects.toThrow('the process was ended by SIGKILL')
  })
})

const isPartial = (name: string) => name.endsWith('.partial')
