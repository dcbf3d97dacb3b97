import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { EVIL, evilArchive } from '../support/archives.ts'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../support/build-pack.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { type Outcome, ROOT, run, shareFolder } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const name = EVIL.replaceAll(/[\0\r]/g, '')
const blob = Buffer.from(EVIL)
const tree = treeOf(['100644', Buffer.from(name).toString('latin1'), oidOf('blob', blob)])
const commit = commitOf(oidOf('tree', tree), EVIL)

const repository = tarGzOf(
  repositoryOf('ada/kettle', {
    ...looseOf('blob', blob),
    ...looseOf('tree', tree),
    ...looseOf('commit', commit),
    'refs/heads/main': `${oidOf('commit', commit)}\n`,
    [`refs/heads/${name}`]: `${oidOf('commit', commit)}\n`,
    [`refs/heads/broken${name}`]: EVIL,
    'objects/pack/pack-it.pack': EVIL,
  }),
  { dialect: 'pax' },
)

// Those that are not in the lists of test/cli/hostile-text.test.ts and of its namesake for marc repo.
const LINES: Readonly<Record<string, readonly string[]>> = {
  shell: ['evil.tar.gz', 'select url, login, name from users; select nothing\x1b[31m;'],
  doctor: ['evil.db'],
  diff: ['evil.tar.gz', 'git.tar.gz'],
  map: ['evil.tar.gz', '--rename', 'ada=eve', '-o', '\x1b[31m.tar.gz'],
  redact: ['evil.tar.gz', '-o', '\x1b[31m.tar.gz'],
  site: ['evil.tar.gz', '\x1b[31m', '--no-search', '--no-git'],
  export: ['evil.tar.gz', '--csv', '\x1b[31m'],
  build: ['evil.tar.gz', '-o', '\x1b[31m.tar.gz'],
  'attachments list': ['evil.tar.gz'],
  'attachments extract': ['evil.tar.gz', 'folder', '--verbose'],
  'attachments check': ['evil.tar.gz'],
  'repo list': ['git.tar.gz'],
  'repo refs': ['git.tar.gz', 'ada/kettle'],
  'repo clone': ['git.tar.gz', 'ada/kettle', 'kettle.git'],
  'repo fsck': ['git.tar.gz'],
  'repo index': ['git.tar.gz'],
}

/** They print nothing of an archive. */
const WITHOUT = ['completion']

const ARCHIVES = { 'evil.tar.gz': evilArchive(), 'git.tar.gz': repository }
const KEPT = [...Object.keys(ARCHIVES), 'evil.db', '.cache']
shareFolder(ARCHIVES)
beforeAll(async () => {
  await run(['load', 'evil.tar.gz'])
})
afterEach(() => {
  for (const made of readdirSync('.')) if (!KEPT.includes(made)) rmSync(made, { recursive: true })
})

const controlsIn = ({ stdout, stderr }: Outcome) =>
  [...(stdout + stderr).replace(/[\n\t]/g, '')].filter((character) =>
    /[\p{Cc}\p{Bidi_Control}]/u.test(character),
  )

const expectNoControls = async (
  tty: false | 'stdout',
  [command, rest]: (typeof lines)[number],
): Promise<void> => {
  const outcome = await run([...command.split(' '), ...rest], { tty, env: { NO_COLOR: '1' } })
  expect(outcome.stdout + outcome.stderr).not.toBe('')
  expect(outcome.stderr).not.toContain('This is a bug')
  expect(controlsIn(outcome)).toEqual([])
}
const lines = Object.entries(LINES)
const ON_TERMINAL = 'Q3: no control character leaves marc %s on a terminal'
const onTerminal = (line: (typeof lines)[number]) => expectNoControls('stdout', line)
test.for(lines.slice(0, 2))(ON_TERMINAL, onTerminal)
test.for(lines.slice(2))(ON_TERMINAL, THOROUGH, onTerminal)
test.for(lines)('Q3: no control character leaves marc %s in a pipe', THOROUGH, (line) =>
  expectNoControls(false, line),
)

test('Q3: every command is run on hostile text', () => {
  const lists = ['test/cli/hostile-text.test.ts', 'test/cli/commands/repo/hostile-text.test.ts']
  const [all, ofRepositories] = lists.map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const isShown = (command: string) =>
    WITHOUT.includes(command) ||
    command in LINES ||
    all?.includes(`['${command.replace(' ', "', '")}'`) ||
    ofRepositories?.includes(`['${command.replace('repo ', '')}', `)
  expect(Object.keys(COMMANDS).filter((command) => !isShown(command))).toEqual([])
})
