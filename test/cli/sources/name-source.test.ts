import { describe, expect, test } from 'vitest'
import { ArchiveError, type ErrorCode } from '../../../src/base/errors.ts'
import type { Command } from '../../../src/cli/command/command.ts'
import { REMEDIES, remedyFor, WITHOUT_OPTION } from '../../../src/cli/remedies.ts'
import { nameSource } from '../../../src/cli/sources/name-source.ts'
import { smallArchive } from '../../support/archives.ts'
import { tarGzOf } from '../../support/build-tar.ts'
import { BARE } from '../../support/load.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay } from '../../support/thorough.ts'

const small = smallArchive()

describe('a remedy names the source, so that it can be copied', () => {
  shareFolder({
    'a.tar.gz': small,
    'my cut.tar.gz': small.subarray(0, -40),
    'in/cut.tar.gz': small.subarray(0, -40),
    'good/cut.tar.gz': small,
  })

  const LOAD = 'or load what is readable into a database: marc load'

  everyDay(1)([
    ['in a command that reads', 'query in/cut.tar.gz SELECT~1', `${LOAD} in/cut.tar.gz --salvage`],
    ['quoted', 'ls my~cut.tar.gz', `${LOAD} 'my cut.tar.gz' --salvage`],
    ['the second of two', 'diff a.tar.gz in/cut.tar.gz', `${LOAD} in/cut.tar.gz --salvage`],
    [
      'unless two have its name',
      'diff good/cut.tar.gz in/cut.tar.gz',
      `${LOAD} <archive> --salvage`,
    ],
    [
      'not if the command recovers itself',
      'load in/cut.tar.gz',
      'recover what is readable with: --salvage',
    ],
    [
      'not if one of several exports recovers',
      'export a.tar.gz in/cut.tar.gz --csv lake',
      'recover what is readable with: --salvage',
    ],
    ['in a hint', 'query a.tar.gz', 'marc query a.tar.gz "select * from threads limit 5"'],
    ['of an entry', 'cat a.tar.gz nothing', 'marc ls a.tar.gz'],
    ['of a record', 'show a.tar.gz 99', 'marc search a.tar.gz <words>'],
    ['not if it is what is missing', 'query no.db SELECT~1', 'marc load <archive>'],
    ['or the file that was meant', 'query in/cut.tar.g SELECT~1', 'Did you mean in/cut.tar.gz?'],
    ['or asks for the path of an archive', 'check nowhere.tgz', 'Check the path.'],
  ])('%s: %s', async (_how, line, advice) => {
    const words = line.split(' ').map((word) => word.replaceAll('~', ' '))
    const { code, stderr } = await run(words)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(/^marc: .*\n.*\n$/)
    expect(stderr.trimEnd().endsWith(advice), stderr).toBe(true)
  })

  test('a remedy for a revision names the repository in which it is not', async () => {
    inFolder({
      'a.tar.gz': tarGzOf({
        ...BARE,
        'repositories/ada/kettle.git/refs/heads/main': `${'1'.repeat(40)}\n`,
      }),
    })
    const { stderr } = await run(['repo', 'log', 'a.tar.gz', 'kettel'])
    expect(stderr).toContain('"kettel": there is no such ref or object\n')
    expect(stderr).toContain('marc repo refs a.tar.gz ada/kettle\n')
  })

  test('and the name of standard input is left open', async () => {
    const { stderr } = await run(['query', '-', 'SELECT 1'], { stdin: small.subarray(0, -40) })
    expect(stderr).toContain(`${LOAD} <archive> --salvage\n`)
  })
})

describe('a remedy names no option that the command lacks', () => {
  const lacking = Object.entries(WITHOUT_OPTION) as [
    ErrorCode,
    { option: string; advice: string },
  ][]

  test.each(lacking)('%s', async (code, { option, advice }) => {
    expect(REMEDIES[code]).toContain(`--${option}`)
    const remedyOf = (command: Pick<Command, 'options'>) =>
      remedyFor(nameSource(new ArchiveError(code, ''), {}, command))
    expect(remedyOf({ options: { [option]: {} } })).toBe(REMEDIES[code])
    expect(remedyOf({ options: {} })).toBe(advice)
  })

  test('so that marc query sends to marc load for a higher limit', async () => {
    inFolder({ 'a.tar.gz': tarGzOf({ ...BARE, [`attachments/1/${'a/'.repeat(1100)}`]: '' }) })
    const { code, stderr } = await run(['query', 'a.tar.gz', 'SELECT 1'])
    expect([code, stderr.split('\n')[1]]).toEqual([
      3,
      'If you trust the archive, load it first: marc load a.tar.gz --max-parts <n>',
    ])
  })
})

test('an error of the library about an option names it as it is typed', async () => {
  inFolder({ 'a.tar.gz': small })
  const { code, stderr } = await run(['site', 'a.tar.gz', 'pages', '--base', 'here'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^marc: --base: expected an address/)])
})
