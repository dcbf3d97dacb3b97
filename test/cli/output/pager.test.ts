import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pagerOf } from '../../../src/cli/output/pager.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { HAS_TERMINAL, openTerminal } from '../../support/open-terminal.ts'
import { inFolder, run } from '../../support/run-command.ts'

test('The pager is MARC_PAGER, PAGER or less, and none where a terminal can do nothing', () => {
  const PATH = process.env.PATH
  expect(pagerOf({ env: { PATH, MARC_PAGER: 'most', PAGER: 'more' } })).toBe('most')
  expect(pagerOf({ env: { PATH, PAGER: ' more -s ' } })).toBe('more -s')
  expect(pagerOf({ env: { PATH: '/nowhere' } })).toBeUndefined()
  for (const none of ['', 'cat', ' cat ']) {
    expect(pagerOf({ env: { PATH, PAGER: none } })).toBeUndefined()
    expect(pagerOf({ env: { PATH, MARC_PAGER: none, PAGER: 'more' } })).toBeUndefined()
  }
  expect(pagerOf({ env: { PATH, PAGER: 'more', TERM: 'dumb' } })).toBeUndefined()
})

const many = Array.from({ length: 3_000 }, (_, i) => issue(i + 1, `Number ${i + 1}`))

describe.runIf(HAS_TERMINAL)('On a terminal', () => {
  test.each([
    ['show a.tar.gz acme/tools#7', 'Number 7'],
    ['query a.tar.gz "select title from issues limit 1"', 'Number 1'],
    ['search a.tar.gz Number', 'These are the best 20'],
    ['inspect a.tar.gz', 'issues'],
    ['attachments list a.tar.gz', 'media_type'],
  ])('marc %s goes through the pager, and not with --no-pager', async (line, shown) => {
    inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': many }) })
    const env = { PAGER: 'tee paged', MARC_CACHE_SIZE: 'off' }
    const paged = openTerminal(line, env)
    await paged.until(shown)
    expect(await paged.ended).toBe(0)
    expect(existsSync('paged')).toBe(true)
    const plain = openTerminal(`${line} --no-pager`, { ...env, PAGER: 'touch wrong' })
    await plain.until(shown)
    expect(await plain.ended).toBe(0)
    expect(existsSync('wrong')).toBe(false)
  })

  test('a pager that is left early ends the command quietly', async () => {
    inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': many }) })
    const query = 'query a.tar.gz "select a.title from issues a, issues b" -t'
    const long = openTerminal(query, { PAGER: 'head -n 1' })
    expect(await long.until('title')).not.toContain('fault')
    expect(await long.ended).toBe(0)
  })

  test('an error before the first output needs no pager', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const window = openTerminal('show a.tar.gz acme/tools#99', { PAGER: 'touch paged' })
    await window.until('no record is meant by')
    expect(await window.ended).toBe(1)
    expect(existsSync('paged')).toBe(false)
  })
})

test('Nothing is paged in a pipe', async () => {
  inFolder({ 'a.tar.gz': smallArchive() })
  const env = { PAGER: 'touch paged' }
  expect((await run(['show', 'a.tar.gz', 'acme/tools#1'], { env })).code).toBe(0)
  expect(existsSync('paged')).toBe(false)
})
