import { existsSync, readFileSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import { describe, expect, test } from 'vitest'
import { COMMANDS, type CommandName, commandNamed } from '../../../src/cli/commands.ts'
import { main } from '../../../src/cli/main.ts'
import { pagerOf } from '../../../src/cli/output/pager.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { describeOnTerminal, openTerminal } from '../../support/open-terminal.ts'
import { collector, inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

test('The pager is MARC_PAGER, PAGER or less; a dumb terminal has none', () => {
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

const ENDLESS =
  'with recursive n(i) as (select 1 union all select i + 1 from n) select i as number from n'

const issues = [7, 8].map((number) => issue(number, `Number ${number}`))

test('These commands have a pager', async () => {
  const names = Object.keys(COMMANDS) as CommandName[]
  const paged = await Promise.all(
    names.map(async (name) => ((await commandNamed(name)).options.pager ? [name] : [])),
  )
  expect(paged.flat()).toEqual(['inspect', 'query', 'search', 'show', 'diff', 'attachments list'])
})

test(
  'What a terminal shows goes through the pager, and not with --no-pager',
  THOROUGH,
  async () => {
    inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': issues }) })
    const shown = collector()
    // For the pager a terminal is a stream of this class.
    const stdout: WriteStream = Object.create(WriteStream.prototype, {
      isTTY: { value: true },
      columns: { value: 80 },
      write: { value: (...given: Parameters<Writable['write']>) => shown.stream.write(...given) },
    })
    const show = (...words: string[]) =>
      main(['show', 'a.tar.gz', 'acme/tools#7', ...words], {
        stdin: Readable.from([]),
        stdout,
        stderr: collector().stream,
        env: { PATH: process.env.PATH, XDG_CACHE_HOME: '.cache', PAGER: 'cat > paged' },
      })
    expect(await show('--no-pager')).toBe(0)
    expect(shown.text()).toContain('Number 7')
    expect(existsSync('paged')).toBe(false)
    expect(await show()).toBe(0)
    expect(shown.text().match(/Number 7/g)).toHaveLength(1)
    expect(readFileSync('paged', 'utf8')).toContain('Number 7')
  },
)

const onTerminal = () => {
  test('output goes through the pager, and not with --no-pager', async () => {
    inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': issues }) })
    const paged = openTerminal('show a.tar.gz acme/tools#7', { PAGER: 'tee paged' })
    await paged.until('Number 7')
    expect(await paged.ended).toBe(0)
    expect(readFileSync('paged', 'utf8')).toContain('Number 7')
    const plain = openTerminal('show a.tar.gz acme/tools#7 --no-pager', { PAGER: 'touch wrong' })
    await plain.until('Number 7')
    expect(await plain.ended).toBe(0)
    expect(existsSync('wrong')).toBe(false)
  })

  test('quitting the pager early ends the command quietly', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const query = `query a.tar.gz "${ENDLESS}" -t`
    const long = openTerminal(query, { PAGER: 'head -n 1' })
    expect(await long.until('number')).not.toContain('fault')
    expect(await long.ended).toBe(0)
  })

  test('an error before the first output needs no pager', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const window = openTerminal('show a.tar.gz acme/tools#99', { PAGER: 'touch paged' })
    await window.until('no record matches')
    expect(await window.ended).toBe(1)
    expect(existsSync('paged')).toBe(false)
  })
}
describe('The pager', THOROUGH, () => describeOnTerminal('on a terminal', onTerminal))

test('Nothing is paged in a pipe', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive() })
  const env = { PAGER: 'touch paged' }
  expect((await run(['show', 'a.tar.gz', 'acme/tools#1'], { env })).code).toBe(0)
  expect(existsSync('paged')).toBe(false)
})
