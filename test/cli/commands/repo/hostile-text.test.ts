import { expect, test } from 'vitest'
import { EVIL } from '../../../support/archives.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../../support/build-pack.ts'
import { tarGzOf } from '../../../support/build-tar.ts'
import { run, shareFolder } from '../../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

// Names cannot contain NUL, and a line of a commit's header ends at CR.
const NAME = EVIL.replace('\0', '')
const PERSON = `Ada ${NAME} <ada${NAME.replace('\r', '')}@forge.example> 1714564800 +0200`

const bytes = Buffer.from(EVIL)
const tree = treeOf([
  '100644',
  Buffer.from(`moved${NAME}`).toString('latin1'),
  oidOf('blob', bytes),
])
const before = treeOf([
  '100644',
  Buffer.from(`old${NAME}`).toString('latin1'),
  oidOf('blob', bytes),
])
const commit = (tree: Buffer, ...parents: string[]) =>
  `tree ${oidOf('tree', tree)}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author ${PERSON}\ncommitter ${PERSON}\n\nSubject ${EVIL}\n\nBody ${EVIL}\n`
const first = commit(before)
const second = commit(tree, oidOf('commit', first))
const tag = `object ${oidOf('commit', second)}\ntype commit\ntag v1${NAME}\ntagger ${PERSON}\n\nTag ${EVIL}\n`
const fileTag = `object ${oidOf('blob', bytes)}\ntype blob\ntag file\n\nA file\n`

const archive = tarGzOf(
  repositoryOf('ada/kettle', {
    ...looseOf('blob', bytes),
    ...looseOf('tree', tree),
    ...looseOf('tree', before),
    ...looseOf('commit', first),
    ...looseOf('commit', second),
    ...looseOf('tag', tag),
    ...looseOf('tag', fileTag),
    'refs/heads/main': `${oidOf('commit', second)}\n`,
    'refs/heads/\u202eevil': `${oidOf('commit', second)}\n`,
    'refs/tags/v1': `${oidOf('tag', tag)}\n`,
  }),
  { dialect: 'pax' },
)

shareFolder({ 'it.tar.gz': archive })

const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/u

everyDay(1)([
  ['log', '\u202eevil'],
  ['log', 'main', '--oneline'],
  ['log', 'main', '--nl'],
  ['log', 'main', '-t'],
  ['log', '\x1b[31m'],
  ['log', 'main', '--path', `moved${NAME}`],
  ['show', 'v1'],
  ['show', 'main', '--nl'],
  ['show', 'main', '--stat'],
  ['show', 'main', '-p'],
  ['diff', 'main~1', 'main', '--nl'],
  ['show', 'main:'],
  ['show', 'main:', '--format', 'markdown'],
  ['show', `main:\x1b[31m`],
  ['cat', 'main:'],
  ['cat', `main:\x1b[31m`],
])('Q3: no control character leaves marc repo %j %j', async (command, ...args) => {
  for (const tty of [false, 'stdout'] as const) {
    const argv = ['repo', command, 'it.tar.gz', 'ada/kettle', ...args]
    const { stdout, stderr } = await run(argv as string[], { tty, env: { NO_COLOR: '1' } })
    expect(stdout + stderr).not.toBe('')
    expect((stdout + stderr).replace(/[\n\t]/g, '')).not.toMatch(CONTROLS)
  }
})

everyDay(1)(['main', 'v1'])(
  'Q3: no control character leaves marc repo cat %s on a terminal',
  async (object) => {
    const argv = ['repo', 'cat', 'it.tar.gz', 'ada/kettle', object]
    const { code, stdout } = await run(argv, { tty: 'stdout' })
    expect(code).toBe(0)
    expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(CONTROLS)
    expect(stdout).toContain('\\x1b[31m')
  },
)

test('Q3: the same for a file that a tag points to', THOROUGH, async () => {
  const argv = ['repo', 'show', 'it.tar.gz', 'ada/kettle', oidOf('tag', fileTag)]
  const { stdout } = await run(argv, { tty: 'stdout', env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/^tag file\n.*\\x1b\[31m/s)
  expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(CONTROLS)
  expect((await run(argv)).stdout.endsWith(`\n${EVIL}`)).toBe(true)
})

test('Q3: the same for a file', THOROUGH, async () => {
  const argv = ['repo', 'show', 'it.tar.gz', 'ada/kettle', oidOf('blob', bytes)]
  const { stdout } = await run(argv, { tty: 'stdout' })
  expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(CONTROLS)
  expect((await run(argv)).stdout).toBe(EVIL)
})
