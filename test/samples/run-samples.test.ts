import { join } from 'node:path'
import { format } from 'node:util'
import { expect, it, vi } from 'vitest'
import { COMPILE_CACHE, ROOT } from '../support/run-command.ts'
import { runProgram } from '../support/run-program.ts'
import { THOROUGH } from '../support/thorough.ts'

/** The output of a sample. */
function run(name: string): string {
  const path = join(ROOT, 'samples', name)
  const env = { ...process.env, ...COMPILE_CACHE }
  const { status, stdout, stderr } = runProgram(process.execPath, [path], { env })
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' })
  return stdout.toString()
}

it('runs use-as-library.ts', THOROUGH, () => {
  const lines = run('use-as-library.ts').split('\n')
  expect(lines[0]).toBe("[ 'mona-lindqvist/tea-timer' ] 5 issues")
  expect(lines).toContain('1 What if I make two cups? 2')
  expect(lines.at(-2)).toMatch(/^\[ 'event', 'times' \] \[ \[ 'labeled', 12 \]/)
})

it('runs build-archive.ts', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    lines.push(format(...values))
  })
  // In this process, which has the library already.
  await import('../../samples/build-archive.ts')
  log.mockRestore()
  const [users, repositories, issues, comments, attachments, rest] = lines
  expect([users, repositories, attachments]).toEqual([
    'users 1 1',
    'repositories 1 1',
    'attachments 1 1',
  ])
  expect([issues, comments]).toEqual(['issues 250 3', 'issue_comments 250 3'])
  expect(rest).toMatch(/^1 \d+ \[\]$/)
})
