import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
import { THOROUGH } from './support/thorough.ts'

/** Every Markdown document of the repository, by its path from the top. */
const DOCUMENTS = globSync(['*.md', '.github/*.md', '{samples,src,test}/**/*.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
  .toSorted()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Its commands need the large archive: `test/samples/large-walk.test.ts` runs them on a small one. */
const RUN_ELSEWHERE = 'samples/large.md'

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

const withBlocks = DOCUMENTS.flatMap(({ path, text }) => {
  const blocks = blocksOf(text).filter(({ language }) => RUN[language])
  return path === RUN_ELSEWHERE || blocks.length === 0 ? [] : [{ path, blocks }]
})

test('The README and the guides show something to run', () => {
  const shown = withBlocks.map(({ path }) => path)
  const guides = [
    'README',
    'recipes',
    'files-and-git',
    'write-archives',
    'library',
    'read-in-a-browser',
  ]
  expect(shown).toEqual(
    expect.arrayContaining(['README.md', ...guides.map((name) => `samples/${name}.md`)]),
  )
})

/** A block that asks a server, loads the library anew or compares archives: these take as long as all others of the README. */
const isCostly = ({ language, text }: Block) =>
  language === 'ts' || /127\.0\.0\.1|\bmarc diff\b/.test(text)

for (const { path, blocks } of withBlocks) {
  describe(path, path.startsWith('samples/') ? THOROUGH : {}, () => {
    let workspace: Workspace
    beforeAll(() => {
      workspace = openWorkspace()
    })
    afterAll(() => workspace.close())

    // Each block may use the files that earlier ones made.
    const pending = [...blocks]
    for (const block of blocks) {
      const title = `line ${block.line}, ${block.language}: ${block.text.split('\n')[0]}`
      test(title, { timeout: 180_000, ...(isCostly(block) && THOROUGH) }, async () => {
        for (const each of pending.splice(0, pending.indexOf(block) + 1)) {
          if (isCostly(block) || !isCostly(each)) await RUN[each.language]?.(each, workspace)
        }
      })
    }
  })
}

/** The anchors of the headings of a document, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(DOCUMENTS)('$path', ({ path, text }) => {
  const prose = text.replace(/^```.*?^```$/gms, '')

  test('links to files and headings that exist', () => {
    const targets = [...prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    const broken = targets.filter(([, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file)
      if (!existsSync(join(ROOT, target))) return true
      return (
        anchor !== undefined &&
        !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).includes(anchor)
      )
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  if (path.startsWith('src/') || path === 'CONTRIBUTING.md') {
    test('names files that exist', () => {
      const named = [...prose.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name)
      const folders = [dirname(path), '.', 'src']
      const unknown = named.filter(
        (name) => !folders.some((folder) => existsSync(join(ROOT, folder, name))),
      )
      expect(unknown).toEqual([])
    })
  }
})
