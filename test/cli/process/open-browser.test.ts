import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openBrowser } from '../../../src/cli/process/open-browser.ts'
import { folderOf } from '../../support/folder.ts'
import { THOROUGH } from '../../support/thorough.ts'

test('An address is one argument of the program that opens it', async () => {
  const folder = await folderOf()
  const program = join(folder, 'xdg-open')
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s|' "$@" > "${join(folder, 'said.part')}"; mv "${join(folder, 'said.part')}" "${join(folder, 'said')}"\n`,
  )
  chmodSync(program, 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  expect(await openBrowser('http://127.0.0.1:1/a b;c', 'linux')).toBe(true)
  await vi.waitFor(() => expect(existsSync(join(folder, 'said'))).toBe(true), {
    timeout: 5_000,
    interval: 5,
  })
  expect(readFileSync(join(folder, 'said'), 'utf8')).toBe('http://127.0.0.1:1/a b;c|')
  vi.unstubAllEnvs()
})

test('Without such a program nothing is opened', THOROUGH, async () => {
  vi.stubEnv('PATH', await folderOf())
  expect(await openBrowser('http://127.0.0.1:1', 'linux')).toBe(false)
  vi.unstubAllEnvs()
})
