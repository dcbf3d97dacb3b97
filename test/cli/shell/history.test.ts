import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createHistory } from '../../../src/cli/shell/history.ts'
import { inFolder } from '../../support/run-command.ts'

const FOLDER = 'migration-archive'
const history = () => createHistory({ env: { XDG_STATE_HOME: '.' } })

describe('The history of the shell', () => {
  test('offers what was added, the newest first', () => {
    inFolder()
    history().add(['select 1;', 'select 2;'])
    expect(history().lines).toEqual(['select 2;', 'select 1;'])
  })

  test('M1: is neither read nor written where others may write', () => {
    inFolder()
    mkdirSync(FOLDER)
    chmodSync(FOLDER, 0o777)
    history().add(['select 1;'])
    expect(existsSync(`${FOLDER}/history`)).toBe(false)
    writeFileSync(`${FOLDER}/history`, '.output planted\n')
    expect(history().lines).toEqual([])
  })

  test('M1: follows no link, even when it is shortened', () => {
    const long = 'line\n'.repeat(3_000)
    inFolder({ 'kept.txt': long })
    mkdirSync(FOLDER, { mode: 0o700 })
    symlinkSync('../kept.txt', `${FOLDER}/history`)
    const { lines, add } = history()
    expect(lines).toEqual([])
    add(['select 1;'])
    expect(readFileSync('kept.txt', 'utf8')).toBe(long)
  })
})
