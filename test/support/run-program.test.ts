import { realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderOf } from './folder.ts'
import { outputOf, runProgram } from './run-program.ts'

test('A program gets its arguments, folder, environment and input, and gives back bytes', async () => {
  const cwd = realpathSync(await folderOf())
  const line = 'pwd; echo "$1 $IT"; cat; printf "\\377" >&2; exit 3'
  const { PATH } = process.env
  const options = { cwd, env: { PATH, IT: 'kettle' }, input: 'é' }
  expect(runProgram('sh', ['-c', line, 'sh', 'a b'], options)).toEqual({
    status: 3,
    signal: null,
    stdout: Buffer.from(`${cwd}\na b kettle\né`),
    stderr: Buffer.from([255]),
  })
})

test('More bytes go in and out than a pipe holds', () => {
  const input = Buffer.alloc(300_000, 'kettle')
  expect(runProgram('cat', [], { input }).stdout.equals(input)).toBe(true)
})

test('A program that fails or does not exist is an error of whoever needs its output', () => {
  expect(() => outputOf('sh', ['-c', 'echo why >&2; exit 2'])).toThrow(/exit code 2\nwhy/)
  expect(() => outputOf('sh', ['-c', 'kill -9 $$'])).toThrow('killed by SIGKILL')
  expect(() => outputOf('no-such-program')).toThrow('ENOENT')
})
