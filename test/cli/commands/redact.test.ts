import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { wrap } from '../../../src/cli/output/format-columns.ts'
import { GIT_PARTS } from '../../../src/transform/redact/git-parts.ts'
import { WAYS_NOT_UNDONE } from '../../../src/transform/redact/redact-options.ts'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { unpack } from '../../support/build.ts'
import type { Files } from '../../support/build-tar.ts'
import { inFolder, run, shareInput } from '../../support/run-command.ts'
import { sarifFaults } from '../../support/sarif-faults.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const FILES = {
  'a.tar.gz': smallArchive({
    'users_000001.json': [
      user('ada', { name: 'Ada Lovelace', emails: [{ address: 'ada@host.example' }] }),
    ],
    'issues_000001.json': [
      issue(1, 'From Ada Lovelace', { body: `ada@host.example, v1.2.3.4, ${SECRET}` }),
    ],
  }),
  key: 'a key of thirty-two bytes or more',
  short: 'too short',
  also: 'picture\n',
  bad: 'x\n/(a+)+/\n',
  empty: '',
  optional: '/(a?){30}b/',
  open: 'x\n/a(/',
  nothing: '/a*/',
}

shareInput(FILES)

const notFound = wrap(`Not found in any text: values in ${WAYS_NOT_UNDONE.join('; ')}.`, 80).join(
  '\n',
)

const redact = (...words: string[]) => run(['redact', 'a.tar.gz', ...words])

test('writes an archive without values, and tells what it took out and what it left', async () => {
  const { code, stdout } = await redact('-o', 'b.tar.gz', '--key-file', 'key', '--also', 'also')
  expect(code).toBe(0)
  expect(stdout).toBe(`b.tar.gz
  addresses                            2
  names                                2
  IP addresses                         0
  secrets                              1
  other members and patterns           2
  doubtful, left                       1
  files changed                        1
  files not read                       0
Searched again for everything that was removed: nothing is left, but for 1
doubtful value.
Not searched: logins.
Names of people without a record or commit are not found in texts.
${notFound}
`)
  const { files } = await unpack(readFileSync('b.tar.gz'))
  expect(Object.values(files).join('')).not.toMatch(/Lovelace|ada@|ghp_/)
  expect(files['issues_000001.json']).toMatch(
    /[0-9a-z]{10}@redacted\.invalid, v1\.2\.3\.4, \[secret github-token [0-9a-f]{8}\]/,
  )
})

test('names the ways of writing in which nothing is found, in the report and in the guide', async () => {
  expect((await redact('--report', 'ways.json', '--dry-run')).code).toBe(0)
  const { notUndone } = JSON.parse(readFileSync('ways.json', 'utf8'))
  const guide = readFileSync(join(import.meta.dirname, '../../../samples/transform.md'), 'utf8')
  expect(guide).toContain(notUndone.map((way: string) => `  - ${way}\n`).join(''))
})

test('only reports, and fails on secrets on request', async () => {
  const outcome = await redact('--dry-run', '--fail-on', 'secrets', '--json')
  expect(outcome.code).toBe(1)
  const report = JSON.parse(outcome.stdout)
  expect(report.places).toContainEqual({
    type: 'secret',
    name: 'github-token',
    kind: 'issues',
    member: 'body',
    entry: 'issues_000001.json',
    record: 1,
    offset: 28,
  })
  expect(outcome.stdout).not.toMatch(/Lovelace|ada@|ghp_/)
})

test('says how many values it did not search for again, as they stay elsewhere', async () => {
  await inFolder({
    'a.tar.gz': smallArchive({
      'issues_000001.json': [issue(1, 'Version=1.0.0.0', { body: 'ping 1.0.0.0' })],
    }),
  })
  const { stdout } = await redact('-o', 'b.tar.gz')
  expect(stdout).toMatch(
    /\nNot searched again: 1 value removed in one place and doubtful in another\.\n/,
  )
})

test('says of a trial what would be done', async () => {
  const { stdout } = await redact('--dry-run', '--attachments', 'keep', '--report', 'trial.md')
  for (const text of [stdout, readFileSync('trial.md', 'utf8')]) {
    expect(text).toMatch(/Would be re/)
    expect(text).toContain('The contents of files would be left as they are.')
    expect(text).not.toMatch(/\b(?:was|were|changed:)\b/)
  }
})

test('writes reports as JSON, Markdown and SARIF', THOROUGH, async () => {
  for (const name of ['r.json', 'r.md', 'r.sarif']) await redact('--dry-run', '--report', name)
  expect(JSON.parse(readFileSync('r.json', 'utf8')).counts).toEqual({
    email: 2,
    name: 2,
    secret: 1,
  })
  expect(readFileSync('r.md', 'utf8')).toContain('| `issues.body` | 2 |')
  expect(sarifFaults(JSON.parse(readFileSync('r.sarif', 'utf8')))).toEqual([])
})

test(
  'lists for whoever hands it out what was not read, and what may be something else',
  THOROUGH,
  async () => {
    const git = 'repositories/acme/tools.git'
    inFolder({
      'a.tar.gz': smallArchive({
        'issues_000001.json': [issue(1, 'x', { body: 'v1.2.3.4' })],
        'attachments/a1/logs`|.zip': 'PK\x03\x04\0',
        'attachments/a2/x': '%PDF-1.7',
        'attachments/a3/x': '%PDF-1.4',
        [`${git}/HEAD`]: 'ref: refs/heads/main\n',
      }),
    })
    const { stdout } = await redact('-o', 'b.tar.gz', '--git', 'keep', '--report', 'r.md')
    const notes = [
      'Searched again for everything that was removed: nothing is left, but for 1 doubtful value.',
      'Not searched: logins, Git data.',
      ...Object.values(GIT_PARTS)
        .filter((part) => part !== GIT_PARTS.signatures)
        .map((part) => `Git, ${part}: searched, left as it is with 0 values.`),
      'Files not read, their contents replaced: --keep-unread keeps them. 2 PDF, 1 damaged zip.',
      'Names of people without a record or commit are not found in texts.',
    ]
    expect(`${stdout.replaceAll('\n', ' ')}`).toMatch(
      new RegExp(`${notes.join(' ')} Not found in any text: [^.]* pictures of text\\. $`),
    )
    const text = readFileSync('r.md', 'utf8')
    for (const note of notes) expect(text).toContain(`- ${note}\n`)
    expect(text).toMatch(
      /## Doubtful values, left as they are\n\n- `issues_000001.json`, record 1, `body`, offset 1\n\n## Files not read\n\n- `attachments\/a1\/logs\?\?.zip`\n- `attachments\/a2\/x`\n- `attachments\/a3\/x`\n$/,
    )
  },
)

test('keeps what it cannot read on request, and says so', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'attachments/a2/x': '%PDF-1.7' }) })
  const { stdout } = await redact('-o', 'b.tar.gz', '--keep-unread')
  expect(stdout).toContain('\nNot searched: logins, files that were not read.\n')
  expect(stdout).toContain('\nFiles not read, left as they are. 1 PDF.\n')
  expect((await unpack(readFileSync('b.tar.gz'))).files['attachments/a2/x']).toBe('%PDF-1.7')
})

describe('Git history', () => {
  const WARNING = 'Warning: Git data was left as it is. Found in it: addresses (1), names (1).'

  beforeEach(() => inFolder({ 'history.tar.gz': smallArchive(history()) }))

  test('is rewritten unless the user says otherwise', THOROUGH, async () => {
    const { code, stdout, stderr } = await redactHistory('-o', 'b.tar.gz')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Git history was rewritten: 1 commits and tags have new ids.\n')
    expect(await authorsOf('b.tar.gz')).toMatch(/[0-9a-z]{10}@redacted\.invalid/)
    expect(await authorsOf('b.tar.gz')).not.toContain('ada@host.example')
  })

  test(
    'that is kept is a warning at the very end, however little is printed, and in every report',
    THOROUGH,
    async () => {
      for (const name of ['r.json', 'r.md', 'r.sarif']) {
        const words = ['-o', 'b.tar.gz', '--git', 'keep', '-q', '--force', '--report', name]
        const { code, stdout, stderr } = await redactHistory(...words)
        expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `${WARNING}\n` })
      }
      expect(await authorsOf('b.tar.gz')).toContain('ada@host.example')
      expect(readFileSync('r.md', 'utf8')).toContain(`- ${WARNING}\n`)
      expect(JSON.parse(readFileSync('r.json', 'utf8')).git.state).toBe('kept')
      const sarif = JSON.parse(readFileSync('r.sarif', 'utf8'))
      expect(JSON.stringify(sarif)).toContain(WARNING)
      expect(sarifFaults(sarif)).toEqual([])
    },
  )

  test(
    'is left out, whatever is to become of it, if its contents were never stored',
    THOROUGH,
    async () => {
      await run(['load', 'history.tar.gz', '--no-files', '-o', 'bare.db', '-q'])
      for (const option of [[], ['--git', 'keep']]) {
        const { code, stdout } = await run([
          'redact',
          'bare.db',
          '-o',
          'b.tar.gz',
          ...option,
          '--force',
        ])
        expect({ code, stdout }).toEqual({
          code: 0,
          stdout: expect.stringContaining('\nGit data was left out.\n'),
        })
      }
    },
  )

  test(
    'that cannot be rewritten is refused until it is kept or dropped by name',
    THOROUGH,
    async () => {
      inFolder({
        'history.tar.gz': smallArchive({
          [`${REPOSITORY}/reftable/tables.list`]: 'x',
        }),
      })
      expect(await redactHistory('-o', 'b.tar.gz')).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /tools\.git: the repository stores its refs as reftable\n.*--git drop.*--git keep/,
        ),
      })
      expect(existsSync('b.tar.gz')).toBe(false)
      expect((await redactHistory('-o', 'b.tar.gz', '--git', 'drop')).code).toBe(0)
    },
  )

  const redactHistory = (...words: string[]) => run(['redact', 'history.tar.gz', ...words])

  const authorsOf = async (archive: string) =>
    (await run(['repo', 'log', archive, 'acme/tools', '--json'])).stdout
})

const REPOSITORY = 'repositories/acme/tools.git'

/** A repository with a commit by Ada. */
function history(): Files {
  const person = 'Ada Lovelace <ada@host.example> 1700000000 +0000'
  const [treePath, tree] = looseObject('tree', '')
  const text = `tree ${idOf(treePath)}\nauthor ${person}\ncommitter ${person}\n\nFirst\n`
  const [path, commit] = looseObject('commit', text)
  return {
    [`${REPOSITORY}/HEAD`]: 'ref: refs/heads/main\n',
    [`${REPOSITORY}/refs/heads/main`]: `${idOf(path)}\n`,
    [treePath]: tree,
    [path]: commit,
  }
}

const idOf = (path: string): string => path.slice(-41).replace('/', '')

function looseObject(type: string, text: string): [path: string, content: Buffer] {
  const object = Buffer.from(`${type} ${text.length}\0${text}`)
  const id = createHash('sha1').update(object).digest('hex')
  return [`${REPOSITORY}/objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(object)]
}

test(
  'A record that still has a value stops the work, and the error says how to leave it out',
  THOROUGH,
  async () => {
    const address = `ab${Buffer.from('ada@host.example').toString('base64')}`
    await inFolder({
      'a.tar.gz': smallArchive({
        'issues_000001.json': [
          issue(1, 'x', { body: 'ada@host.example' }),
          issue(2, 'x', { body: address }),
        ],
      }),
    })
    const { code, stderr } = await redact('-o', 'b.tar.gz')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /record 2, member body: an address that was removed is still there\n.*: --not --where '/,
      ),
    })
    const [, where = ''] = /--where '(.*)'\n$/.exec(stderr) ?? []
    const condition = where.replaceAll("'\\''", "'")
    expect((await redact('-o', 'b.tar.gz', '--not', '--where', condition)).code).toBe(0)
  },
)

describe('A file that still has a value', () => {
  const ODD = 'attachments/a2/it is.gif'
  const drop = (...paths: string[]) => paths.flatMap((path) => ['--drop-file', path])
  const redactKept = (...words: string[]) =>
    redact('-o', 'b.tar.gz', '--keep-unread', '--force', ...words)

  beforeEach(() =>
    inFolder({
      'a.tar.gz': smallArchive({
        'issues_000001.json': [issue(1, 'x', { body: 'ada@host.example' })],
        [ODD]: 'GIF89a\0 ada@host.example \0',
        'attachments/a3/b.gif': 'GIF89a\0',
      }),
    }),
  )

  test('stops the work, and the error says how to leave it out', THOROUGH, async () => {
    const { code, stderr } = await redactKept()
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /it is\.gif.*\n.*: --drop-file 'attachments\/a2\/it is\.gif'\n$/,
      ),
    })
    expect(existsSync('b.tar.gz')).toBe(false)
  })

  test('is replaced on request, and no other is', THOROUGH, async () => {
    expect((await redactKept(...drop(ODD))).code).toBe(0)
    const { files } = await unpack(readFileSync('b.tar.gz'))
    expect(files[ODD]).toMatch(/^The content of this file was taken out/)
    expect(files['attachments/a3/b.gif']).toBe('GIF89a\0')
    await redactKept(...drop(ODD, 'attachments/a3/b.gif'))
    const both = (await unpack(readFileSync('b.tar.gz'))).files
    expect(both['attachments/a3/b.gif']).toMatch(/^The content/)
  })

  test('that the archive does not have is an error', THOROUGH, async () => {
    const { code, stderr } = await redactKept(...drop(ODD, 'attachments/none.gif'))
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^marc: .*attachments\/none\.gif: no file has this path\n.*marc attachments list a\.tar\.gz\n$/,
      ),
    })
  })
})

test('says of logins where they are found, and whose stay', THOROUGH, async () => {
  const { stdout } = await redact('--dry-run', '--what', 'logins')
  expect(stdout).toContain(`
Logins are found in URLs and behind an @, not as plain words.
Organizations and bots keep their logins.
`)
})

test('refuses a report that is there before it writes anything', async () => {
  writeFileSync('r.md', 'mine')
  const { code, stderr } = await redact('-o', 'b.tar.gz', '--report', 'r.md')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('r.md') })
  expect(existsSync('b.tar.gz')).toBe(false)
  expect(readFileSync('r.md', 'utf8')).toBe('mine')
})

test('selects nothing with exit code 1, and writes nothing', async () => {
  const { code, stderr } = await redact('-o', 'b.tar.gz', '--where', 'issues=number > 99')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^marc: a\.tar\.gz: there are no records to write\n/),
  })
  expect(existsSync('b.tar.gz')).toBe(false)
})

test('keeps what is to be kept, and redacts what is selected', THOROUGH, async () => {
  writeFileSync('keep', 'host.example\nada lovelace\n')
  await redact('-o', 'b.db', '--keep', 'keep', '--kind', 'issue')
  const { stdout } = await run(['query', 'b.db', 'select title, body from issues', '--csv'])
  expect(stdout).toContain('From Ada Lovelace,"ada@host.example, v1.2.3.4, [secret')
})

test(
  'says with exit code 5 that the source was salvaged, and names it in errors',
  THOROUGH,
  async () => {
    writeFileSync('cut.tar.gz', FILES['a.tar.gz'].subarray(0, -20))
    await run(['load', 'cut.tar.gz', '--salvage', '-o', 'cut.db', '-q'])
    for (const command of ['redact', 'map']) {
      expect(await run([command, 'cut.db', '-o', `${command}.tar.gz`, '-q'])).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(
          /^cut\.tar\.gz was damaged when it was loaded: the copy has what was readable\.$/m,
        ),
      })
    }
    await run(['load', 'a.tar.gz', '--no-files', '-o', 'bare.db', '-q'])
    expect((await run(['map', 'bare.db', '-o', 'c.tar.gz'])).stderr).toMatch(
      /^marc: bare\.db, .*: the content of this file was not stored/,
    )
  },
)

describe('A wrong call is refused and leaves nothing:', () => {
  everyDay(2)([
    [
      ['-o', 'b.tar.gz', '--key-file', 'short'],
      'short: expected a key of 32 bytes or more, found 9',
    ],
    [
      ['-o', 'b.tar.gz', '--key-file', 'empty'],
      'empty: expected a key of 32 bytes or more, found none',
    ],
    [['-o', 'b.tar.gz', '--key-file', 'none'], 'there is no such file'],
    [['-o', 'b.tar.gz', '--also', 'optional'], 'marc: optional, line 1: a quantifier within'],
    [['-o', 'b.tar.gz', '--also', 'open'], 'marc: open, line 2: Invalid regular expression'],
    [
      ['-o', 'b.tar.gz', '--also', 'nothing'],
      'marc: nothing, line 1: the pattern matches the empty text',
    ],
    [['-o', 'b.tar.gz', '--where', 'issues=nonsense > 1'], 'no such column: nonsense'],
    [['-o', 'b.tar.gz', '--from-query', 'DELETE FROM issues'], 'expected a query that only reads'],
    [['-o', 'key', '--key-file', 'key', '--force'], 'the output is, or is inside'],
    [['-o', 'b.json', '--report', 'b.json'], 'the output and its report need two names'],
    [
      ['-o', 'b.tar.gz', '--also', 'bad'],
      'marc: bad, line 2: a quantifier within a quantified group',
    ],
    [
      ['-o', 'b.tar.gz', '--what', 'all'],
      '--what takes emails, names, logins, ips, secrets, not "all"',
    ],
    [
      ['-o', 'b.tar.gz', '--git', 'all'],
      '--git: expected one of authors, history, keep, drop, found "all"',
    ],
    [['-o', 'b.tar.gz', '--report', 'r.txt'], '--report takes a file that ends in'],
    [['-o', 'a.tar.gz', '--force'], 'the output is, or is inside'],
    [[], 'the output needs a name'],
  ])('%j', async (words, message) => {
    const before = readFileSync('a.tar.gz')
    const { code, stderr } = await redact(...words)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    expect(existsSync('b.tar.gz')).toBe(false)
    expect(readFileSync('a.tar.gz').equals(before)).toBe(true)
  })
})
