import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import {
  describeOnTerminal,
  openProgram,
  openTerminal,
  type TerminalWindow,
} from '../../support/open-terminal.ts'
import { BINARY, inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const PROMPT = 'marc> '
const ENDLESS =
  'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n;'

const PAGER = 'sed -u s/xxxxx/PAGED/'

/** A terminal that shows its settings when the shell on it has ended. */
function openWithSettings(env?: Record<string, string>): TerminalWindow {
  writeFileSync('shell.sh', `echo $$ > pid; exec '${process.execPath}' '${BINARY}' shell a.db`)
  return openProgram(`sh -c 'sh shell.sh; stty -a'`, env)
}

/** Sends a signal to a shell in the middle of a statement. */
async function endWith(signal: 'SIGTERM' | 'SIGHUP', window: TerminalWindow): Promise<void> {
  window.type(`${ENDLESS}\n`)
  await window.until('from n;\r')
  process.kill(Number(readFileSync('pid', 'utf8')), signal)
  expect(await window.until(/-?\bicanon[\s\S]* -?echo /)).toMatch(/ icanon [\s\S]* echo $/)
  expect(await window.ended).toBe(0)
}

/** A database a.db in a new folder. */
async function beside(): Promise<void> {
  inFolder({ 'a.tar.gz': smallArchive() })
  await run(['load', 'a.tar.gz', '-o', 'a.db', '-q'])
}

describeOnTerminal('on a terminal', () => {
  test(
    'prompts, continues lines, completes, pages, stops and drops statements, keeps a history, and ends at SIGTERM',
    THOROUGH,
    async () => {
      await beside()
      const window = openWithSettings({ PAGER })
      await window.until(PROMPT)
      window.type('select number, title\n')
      await window.until('  ..> ')
      window.type('from issues order by 1 limit 1;\n')
      expect(await window.until(PROMPT)).toMatch(
        /number {2}title\r\n-+ {2}-+\r\n {5}1 {2}First\r\n/,
      )

      window.type('select count(*) as how_many from timel')
      await window.until('from timel')
      window.type('\t')
      await window.until('ine')
      window.type(';\n')
      expect(await window.until(PROMPT)).toMatch(/how_many\r\n-+\r\n +\d/)

      window.type('select * from isues;\n')
      expect(await window.until(PROMPT)).toContain('Did you mean issues?')

      window.type(`${ENDLESS}\n`)
      await window.until('from n;\r')
      window.type('\x03')
      expect(await window.until(PROMPT)).toContain('marc: interrupted')

      window.type('select nonsense\x03')
      await window.until('^C')
      window.type('select 40 + 2 as x;\n')
      expect(await window.until(/42\r\n[\s\S]*marc> /)).not.toContain('no such column')

      window.type('select \'a;b\' as "c d", -- of two\n')
      await window.until('  ..> ')
      window.type('2;\n')
      await window.until(/a;b[\s\S]*marc> /)

      window.type('\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\n')
      expect(await window.until(/First[\s\S]*marc> /)).toContain('from issues order by 1 limit 1;')

      window.type("select printf('%.*c', 70, 'x') as narrow;\n")
      expect(await window.until(PROMPT)).not.toContain('PAGED')
      window.type("select printf('%.*c', 100, 'x') as wide;\n")
      expect(await window.until(PROMPT)).toMatch(/PAGEDx{95}\r\n/)

      await endWith('SIGTERM', window)
      const history = readFileSync('.state/migration-archive/history', 'utf8').split('\n')
      expect(history[0]).toBe('select number, title from issues order by 1 limit 1;')
      expect(history).toContain('select 40 + 2 as x;')
      expect(history.map((line) => line.replace(/ +/g, ' '))).toContain(`select 'a;b' as "c d", 2;`)
    },
  )

  test(
    'Ctrl-R finds earlier lines with the typed text, one after the other',
    THOROUGH,
    async () => {
      await beside()
      const window = openTerminal('shell a.db')
      await window.until(PROMPT)
      for (const line of ['select 10 + 1 as x;', 'select 20 + 2 as y;', 'select 30 + 3 as z;']) {
        window.type(`${line}\n`)
        await window.until(/\n(11|22|33)\r\n[\s\S]*marc> /)
      }
      window.type('+ 1\x12')
      await window.until('select 10 + 1 as x;')
      window.type('\n')
      await window.until(/11\r\n[\s\S]*marc> /)
      window.type('SELECT\x12\x12\x12')
      await window.until('select 20 + 2 as y;')
      window.type('\nquit\n')
      await window.until(/22\r\n/)
      expect(await window.ended).toBe(0)
    },
  )

  test('SIGHUP ends it and its statement, and restores the terminal', THOROUGH, async () => {
    await beside()
    const window = openWithSettings()
    await window.until(PROMPT)
    await endWith('SIGHUP', window)
  })

  test('continues after a pager, and ends with Ctrl-D', THOROUGH, async () => {
    await beside()
    const window = openTerminal('shell a.db', { PAGER })
    await window.until(PROMPT)
    window.type("select printf('%.*c', 100, 'x') as wide;\n")
    expect(await window.until(PROMPT)).toMatch(/PAGEDx{95}\r\n/)
    window.type('\x04')
    expect(await window.ended).toBe(0)
  })

  test('without a pager cuts wide cells, and escapes control characters', THOROUGH, async () => {
    await beside()
    const window = openTerminal('shell a.db', { PAGER: '' })
    await window.until(PROMPT)
    window.type("select char(27) || '[2J' || printf('%.*c', 100, 'x') as wide;\n")
    expect(await window.until(PROMPT)).toMatch(/\\x1b\[2Jx+…\r\n/)
    window.type(".mode raw\nselect char(27) || '[2J';\n")
    expect(await window.until('\\x1b[2J\r\n')).not.toContain('\x1b[2J\r\n')
    window.type('.exit\n')
    expect(await window.ended).toBe(0)
  })
})
