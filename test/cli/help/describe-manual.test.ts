import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { COMMANDS, type CommandName, commandNamed } from '../../../src/cli/commands.ts'
import { exampleLine } from '../../../src/cli/help/example-line.ts'
import { inFolder, ROOT, run, runShell } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

let page: string
beforeAll(async () => {
  page = (await run(['help', '--man'])).stdout
})

test('The manual page has every command with its options and examples', async () => {
  const text = page.replaceAll('\\-', '-')
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    const { usage, options, examples } = await commandNamed(name)
    expect(text).toContain(
      `.SS "${`marc ${name} ${usage}`.trimEnd()}"\n${COMMANDS[name].summary}.\n`,
    )
    for (const option of Object.keys(options)) expect(text, name).toContain(option)
    for (const [line] of examples) expect(text).toContain(exampleLine(line, false))
  }
  expect(text).not.toContain('samples/')
})

test('No line is a roff command by accident', () => {
  const commands = new Set(page.split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []))
  const meant = ['TH', 'SH', 'SS', 'B', 'I', 'RI', 'BR', 'br', 'TP', 'PP', 'RS', 'RE', 'nf', 'fi']
  expect([...commands].filter((name) => !meant.includes(name))).toEqual([])
})

test('man accepts it without a warning', THOROUGH, async () => {
  inFolder()
  writeFileSync('marc.1', page)
  const found = await runShell('command -v man && man -l --warnings=all marc.1', { MANWIDTH: '80' })
  if (found.stdout === '') return
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(found.stdout).toContain('marc query <sources..> [sql]')
})

test('The package builds it and lists it: npm links only manual pages in a list', () => {
  const { man, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.build).toContain(`help --man > ${man[0].replace('./', '')}`)
  expect(man).toEqual(['./dist/marc.1'])
})
