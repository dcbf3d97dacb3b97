import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHistory, gitBytes, gitHistory, gitText } from '../../../support/git-history.ts'
import { run, shareSamples } from '../../../support/run-command.ts'

shareSamples()

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

const archive = (...args: string[]) => run(['repo', 'archive', history.path, 'ada/kettle', ...args])

describe('marc repo archive', () => {
  test('writes the tar of git archive, and says what is in it', async () => {
    const { code, stdout, stderr } = await archive('v1.0', '-o', 'it.tar', '--prefix', 'kettle/')
    const expected = gitBytes(history.directory, ['archive', '--prefix=kettle/', 'v1.0'])
    expect(readFileSync('it.tar').equals(expected)).toBe(true)
    const commit = gitText(history.directory, ['rev-parse', '--short=12', 'v1.0^{}']).trim()
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stderr: '',
      stdout: `ada/kettle at ${commit} is in it.tar: 10 files, 30.0 KiB.\n`,
    })
  })

  test('writes a zip if the name of the file says so', async () => {
    const { stdout } = await archive('-o', 'it.ZIP', '--json')
    expect(readFileSync('it.ZIP').subarray(0, 2).toString()).toBe('PK')
    const commit = gitText(history.directory, ['rev-parse', 'HEAD']).trim()
    expect(JSON.parse(stdout)).toMatchObject({ format: 'zip', commit, notes: [] })
  })

  test('keeps a file that exists unless it is told to overwrite it', async () => {
    writeFileSync('it.tar', 'kept')
    const { code, stderr } = await archive('-o', 'it.tar')
    expect({ code, kept: readFileSync('it.tar', 'utf8') }).toEqual({ code: 2, kept: 'kept' })
    expect(stderr).toContain('there is a file with this name')
    expect((await archive('-o', 'it.tar', '--force')).code).toBe(0)
    expect(readFileSync('it.tar').length % 10_240).toBe(0)
  })

  test('leaves no file behind if the archive would be too large', async () => {
    const { code } = await archive('-o', 'it.tar', '--max-extracted', '100')
    expect({ code, isThere: existsSync('it.tar') }).toEqual({ code: 3, isThere: false })
  })

  test.each([
    [[], 'the archive needs a name'],
    [['-o', 'it.tar.gz'], 'a tar is written without compression'],
    [['-o', 'it.tgz'], '-o - | gzip -n > it.tgz'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await archive(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
