import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/interface/endpoints.ts'
import { SOURCES } from '../../../src/sources/sources.ts'
import { run } from '../../support/run-command.ts'

test('marc help endpoints lists every endpoint in 80 columns, and who may call it', async () => {
  const { code, stdout } = await run(['help', 'endpoints'])
  expect(code).toBe(0)
  for (const { method, path, summary } of ENDPOINTS) {
    expect(stdout).toContain(`${method} ${path}\n    ${summary}`)
  }
  expect(stdout).toContain('GET /user\n    the caller (token)\n')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('marc help sources names every form of another program, in 80 columns', async () => {
  const { code, stdout } = await run(['help', 'sources'])
  expect(code).toBe(0)
  for (const { is } of SOURCES) expect(stdout).toContain(`\n${is}\n`)
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})
