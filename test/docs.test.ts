import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Block,
  blocksOf,
  commandsOf,
  comparable,
  fitToDocument,
} from './support/read-document.ts'
import { ROOT } from './support/run-command.ts'
import { openWorkspace, splitScript, type Workspace } from './support/run-document.ts'

const DOCUMENTS = ['README.md', 'samples/README.md', 'src/README.md', 'CONTRIBUTING.md']
const written = DOCUMENTS.filter((path) => existsSync(join(ROOT, path)))
const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts

const RUN: Record<string, (block: Block, workspace: Workspace) => Promise<void>> = {
  sh: runShell,
  bash: runShell,
  shell: runShell,
  console: runShell,
  ts: async ({ text }, { program }) => {
    expect(await program(text)).toMatchObject({ code: 0 })
  },
  sql: async ({ text }, { shell }) => {
    const quoted = `'${text.replaceAll("'", "'\\''")}'`
    expect(await shell(`marc query samples/hello.tar.gz ${quoted}`)).toMatchObject({ code: 0 })
  },
}

async function runShell({ text }: Block, { shell }: Workspace): Promise<void> {
  for (const command of commandsOf(text)) {
    const { run, scripts: named } = splitScript(command.text)
    for (const name of named) expect(scripts, command.text).toHaveProperty(name)
    if (run.trim() === '') continue
    const { code, shown } = await shell(run)
    const { output } = command
    if (output === undefined) expect({ code, shown, run }).toMatchObject({ code: 0 })
    else expect(fitToDocument(shown, output), command.text).toBe(comparable(output))
  }
}

test.runIf(written.length === 0)('there is no document yet', () => {})

// One after the other, because a document tells a story: what one block makes the next one reads.
describe.each(written)('%s', (path) => {
  let workspace: Workspace
  beforeAll(() => {
    workspace = openWorkspace()
  })
  afterAll(() => workspace.close())

  const blocks = blocksOf(readFileSync(join(ROOT, path), 'utf8')).filter(
    ({ language }) => RUN[language],
  )
  test.runIf(blocks.length === 0)('shows nothing to run', () => {})
  const programs = blocks.flatMap(({ language, text }) => (language === 'ts' ? text : []))
  test.runIf(programs.length > 0)('shows programs whose types are right', async () => {
    expect(await workspace.types(programs)).toEqual({ code: 0, shown: '' })
  })
  for (const block of blocks) {
    test(`line ${block.line}, ${block.language}: ${block.text.split('\n')[0]}`, async () => {
      await RUN[block.language]?.(block, workspace)
    }, 60_000)
  }
})
