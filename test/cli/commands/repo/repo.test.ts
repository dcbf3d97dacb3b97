import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { evilArchive } from '../../../support/archives.ts'
import { git } from '../../../support/bare-repository.ts'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../../support/build-pack.ts'
import { tarGzOf } from '../../../support/build-tar.ts'
import { type GitWorld, gitWorld } from '../../../support/git-world.ts'
import { inFolder, ROOT, run, shareInput } from '../../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

let world: GitWorld
let database: string
/** The same without contents. */
let bare: string

beforeAll(async () => {
  world = gitWorld()
  database = join(world.root, 'it.db')
  await loadArchive(world.folder, database)
  bare = join(world.root, 'bare.db')
  await loadArchive(world.folder, bare, { files: false })
})

afterAll(() => world.close())

describe('marc repo list', () => {
  test('shows sizes, objects, refs and HEAD, and empty repositories', async () => {
    inFolder()
    const { stdout } = await run(['repo', 'list', database], { tty: true, env: { NO_COLOR: '1' } })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split(/\s+/)[0])).toEqual([
      'repository',
      expect.stringMatching(/^[-─]+$/),
      'ada/kettle',
      'ada/kettle.wiki',
      'ada/pot',
    ])
    expect(lines[0]).toMatch(/^repository +size +objects +refs +HEAD$/)
    expect(lines[2]).toMatch(/KiB +\d+ +311 +main$/)
    expect(lines[3]).toMatch(/B +3 +1 +master$/)
    expect(lines[4]).toMatch(/^ada\/pot +empty$/)
  })

  test('shows if HEAD is a commit, or not the default branch', THOROUGH, async () => {
    const record = (name: string) => ({
      type: 'repository',
      url: `https://h/a/${name}`,
      default_branch: 'trunk',
      git_url: `tarball://root/repositories/a/${name}.git`,
    })
    const object = { [`objects/aa/${'b'.repeat(38)}`]: 'x' }
    const repositoryOf = (name: string, files: Record<string, string>) =>
      Object.fromEntries(
        Object.entries({ ...object, ...files }).map(([path, text]) => [
          `repositories/a/${name}.git/${path}`,
          text,
        ]),
      )
    inFolder({
      'it.tar.gz': tarGzOf({
        'repositories_000001.json': ['other', 'commit', 'missing'].map(record),
        ...repositoryOf('other', { HEAD: 'ref: refs/heads/main\n' }),
        ...repositoryOf('commit', { HEAD: 'c'.repeat(40) }),
        ...repositoryOf('none', {}),
      }),
    })
    const { stdout } = await run(['repo', 'list', 'it.tar.gz'], {
      tty: 'stdout',
      columns: 120,
      env: { NO_COLOR: '1' },
    })
    const heads = stdout.split('\n').slice(2, -1)
    expect(heads.map((line) => line.replace(/ {2,}.* {2,}/, ': '))).toEqual([
      'a/commit: cccccccccccc (a commit)',
      'a/missing: missing',
      'a/none: none',
      'a/other: main (without commits, default: trunk)',
    ])
  })

  test('prints all columns for programs', async () => {
    inFolder()
    const { stdout } = await run(['repo', 'list', database])
    const [kettle] = JSON.parse(stdout)
    expect(kettle).toMatchObject({
      repository: 'ada/kettle',
      is_wiki: 0,
      state: 'present',
      default_branch: 'main',
      head: 'refs/heads/main',
      tags: 3,
      refs: 311,
      packs: 1,
    })
  })

  test('needs no contents', async () => {
    inFolder()
    expect(await run(['repo', 'list', bare])).toEqual(await run(['repo', 'list', database]))
  })
})

describe('marc repo refs', () => {
  test('lists refs as git does', async () => {
    inFolder()
    const { stdout } = await run([
      'repo',
      'refs',
      database,
      'ada/kettle',
      '--under',
      'refs/',
      '--tsv',
      '--no-headers',
    ])
    const ours = stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))
    const format = '--format=%(objectname) %(refname)'
    expect(ours.join('\n')).toBe(git(world.directoryOf('ada/kettle'), ['for-each-ref', format]))
  })

  test('takes a repository without its owner', THOROUGH, async () => {
    inFolder()
    const short = await run(['repo', 'refs', database, 'kettle'])
    expect(short).toEqual(await run(['repo', 'refs', database, 'ada/kettle']))
  })

  test('has HEAD and its target', async () => {
    inFolder()
    const { stdout } = await run(['repo', 'refs', database, 'ada/pot'])
    expect(JSON.parse(stdout)).toEqual([
      { oid: null, name: 'HEAD', target: 'refs/heads/main', peeled: null },
    ])
  })

  test('has a remedy for a missing repository', async () => {
    inFolder()
    expect(await run(['repo', 'refs', database, 'ada/teapot-of-tin'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `marc: ${database}: the archive has no Git data of "ada/teapot-of-tin"\nList them with: marc repo list ${database}\n`,
    })
  })
})

describe('marc repo clone', () => {
  test('writes a repository and says what is in it', async () => {
    const folder = inFolder()
    const { code, stdout, stderr } = await run(['repo', 'clone', database, 'ada/kettle', 'k.git'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^ada\/kettle is in k\.git: [\d.]+ KiB of objects, 311 refs, HEAD refs\/heads\/main\.\nWritten in .+\.\n$/,
    )
    const log = ['log', '--oneline', '--all']
    expect(git(join(folder, 'k.git'), log)).toBe(git(world.directoryOf('ada/kettle'), log))
  })

  test('prints the same as JSON', async () => {
    inFolder()
    const { stdout } = await run(['repo', 'clone', database, 'ada/pot', 'pot.git', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      repository: 'ada/pot',
      directory: 'pot.git',
      refs: 0,
      files: 0,
      bytes: 0,
      head: 'ref: refs/heads/main',
      notes: [],
    })
  })

  test('reads an archive whose cached database has no contents yet', THOROUGH, async () => {
    const tree = treeOf()
    const commit = commitOf(oidOf('tree', tree))
    const files = {
      ...looseOf('tree', tree),
      ...looseOf('commit', commit),
      'refs/heads/main': `${oidOf('commit', commit)}\n`,
    }
    const folder = inFolder({ 'it.tar.gz': tarGzOf(repositoryOf('ada/tea', files)) })
    await run(['repo', 'list', 'it.tar.gz'])
    const { code } = await run(['repo', 'clone', 'it.tar.gz', 'ada/tea', 't.git'])
    expect(code).toBe(0)
    git(join(folder, 't.git'), ['fsck'])
  })

  test(
    'G2: warns about missing objects, names the first, and ends with code 5',
    THOROUGH,
    async () => {
      const A = 'a'.repeat(40)
      inFolder({
        'it.tar.gz': tarGzOf({
          'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n',
          'repositories/a/b.git/refs/heads/main': `${A}\n`,
          'repositories/a/b.git/objects/info/alternates': '# none but\n/data/network.git/objects\n',
        }),
      })
      const { code, stdout, stderr } = await run([
        'repo',
        'clone',
        'it.tar.gz',
        'a/b',
        'b.git',
        '-q',
      ])
      expect(code).toBe(5)
      expect(stdout).toContain('another repository, "/data/network.git/objects"')
      expect(stderr).toBe(
        `marc: b.git: 1 object is missing, so git may refuse it: the first is ${A}, which HEAD refers to
Fetch what is missing and store it in the repository itself: git repack -a -d. Or make the export again, whole.\n`,
      )
      const json = await run(['repo', 'clone', 'it.tar.gz', 'a/b', 'c.git', '--json'])
      expect(JSON.parse(json.stdout).missing).toEqual({ count: 1, oid: A, from: 'HEAD' })
      expect(JSON.parse(json.stderr).error.code).toBe('git-incomplete')
    },
  )

  test(
    'G2: ends with code 1 if a repository borrows objects, though none is missing',
    THOROUGH,
    async () => {
      inFolder({
        'it.tar.gz': tarGzOf({
          'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n',
          'repositories/a/b.git/objects/info/alternates': '/data/network.git/objects\n',
        }),
      })
      const { code, stdout, stderr } = await run([
        'repo',
        'clone',
        'it.tar.gz',
        'a/b',
        'b.git',
        '-q',
      ])
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
      expect(stdout).toContain(
        'it borrows objects from another repository, "/data/network.git/objects"',
      )
    },
  )

  test('keeps existing files, unless --force is given', async () => {
    const folder = inFolder()
    const clone = ['repo', 'clone', database, 'ada/kettle.wiki', 'it']
    mkdirSync(join(folder, 'it'))
    writeFileSync(join(folder, 'it/notes.txt'), 'precious')
    const advice = 'Name a new or an empty folder. A bare repository is overwritten with --force.\n'
    expect(await run(clone)).toMatchObject({
      code: 2,
      stderr: `marc: it: a folder with this name exists\n${advice}`,
    })
    expect(await run([...clone, '--force'])).toMatchObject({
      code: 3,
      stderr: `marc: it: this is not a bare repository, and was kept\n${advice}`,
    })
    expect(existsSync(join(folder, 'it/notes.txt'))).toBe(true)
  })
})

describe('An archive with one repository needs no name of it', () => {
  shareInput({})
  const one = join(ROOT, 'samples/hello.tar.gz')
  const name = 'mona-lindqvist/tea-timer'

  everyDay(1)([
    ['blame', ['README.md']],
    ['cat', ['main:README.md']],
    ['show', ['v1.0.0']],
    ['refs', []],
    ['log', ['--oneline']],
    ['log', ['v1.0.0', '--oneline']],
    ['diff', ['v1.0.0..main']],
    ['diff', ['v1.0.0', 'main']],
    ['merge-base', ['v1.0.0', 'main']],
    ['archive', ['-o', '-']],
    ['archive', ['v1.0.0', '-o', '-']],
  ])('repo %s %j', async (command, words) => {
    const named = await run(['repo', command, one, name, ...words])
    const { code, stdout } = await run(['repo', command, one, ...words])
    expect({ code, stdout }).toEqual({ code: 0, stdout: named.stdout })
    expect(stdout).not.toBe('')
  })

  test('repo clone makes the folder that git would', THOROUGH, async () => {
    const folder = process.cwd()
    expect(await run(['repo', 'clone', one])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['repo', 'clone', one, '--worktree'])).toMatchObject({ code: 0 })
    expect(await run(['repo', 'clone', one, 'other'])).toMatchObject({ code: 0 })
    for (const path of ['tea-timer.git/HEAD', 'tea-timer/README.md', 'other/HEAD']) {
      expect(existsSync(join(folder, path)), path).toBe(true)
    }
  })

  test('and with several the refusal lists them, but no wiki', THOROUGH, async () => {
    for (const line of [['log'], ['log', 'main'], ['blame', 'README.md'], ['clone']]) {
      const [command = '', ...words] = line
      expect(await run(['repo', command, database, ...words])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('has 2 repositories, name one: ada/kettle, ada/pot\n'),
      })
    }
  })

  test('but a misspelt name is not taken for a revision', async () => {
    const { code, stderr } = await run(['repo', 'log', database, 'kettel'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/no Git data of "kettel"\nDid you mean ada\/kettle\?\n$/),
    ])
  })

  test('but a name that does not exist is not taken for something else', async () => {
    expect(await run(['repo', 'clone', one, 'mona-lindqvist/tee-timer'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no Git data of "mona-lindqvist/tee-timer"'),
    })
  })
})

describe('marc repo fsck', () => {
  test('reports that everything is complete', async () => {
    inFolder()
    const { code, stdout, stderr } = await run(['repo', 'fsck', database])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').map((line) => line.replace(/\(.*\)/, ''))).toEqual([
      'ada/kettle: no faults ',
      'ada/kettle.wiki: no faults ',
      'ada/pot: no faults ',
      '  note: HEAD names refs/heads/main, which does not exist',
      '',
    ])
  })

  test(
    'ends with code 1 for a damaged repository, after verifying the others',
    THOROUGH,
    async () => {
      inFolder({
        'it.tar.gz': tarGzOf({
          'repositories/a/bad.git/objects/pack/pack-aa.pack': 'PACK',
          'repositories/a/empty.git/HEAD': 'ref: refs/heads/main\n',
          'repositories/a/long.git/refs/heads/main': `${'c'.repeat(64)}\n`,
          'repositories/a/lost.git/packed-refs': Array.from(
            { length: 150 },
            (_, i) => `${String(i).padStart(40, '0')} refs/heads/b${i}\n`,
          ).join(''),
        }),
      })
      const { code, stdout, stderr } = await run(['repo', 'fsck', 'it.tar.gz'])
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
      expect(stdout).toContain('a/bad: 3 faults (0 objects, 4 B of packs)\n')
      expect(stdout).toContain(
        '  git-pack-damaged: this is not a pack\n    repositories/a/bad.git/objects/pack/pack-aa.pack\n',
      )
      expect(stdout).toContain('a/empty: no faults (0 objects, 0 B of packs)\n')
      expect(stdout).toContain('a/long: 1 fault (0 objects, 0 B of packs)\n  git-unsupported: ')
      expect(stdout).toContain('a/lost: 151 faults (0 objects, 0 B of packs)\n')
      expect(stdout).toMatch(/ {2}and 51 more\n$/)
      const asJson = await run(['repo', 'fsck', 'it.tar.gz', 'a/lost', '--json'])
      expect(JSON.parse(asJson.stdout)).toMatchObject([{ repository: 'a/lost', count: 151 }])
    },
  )

  test('verifies one repository', async () => {
    inFolder()
    const { stdout } = await run(['repo', 'fsck', database, 'ADA/kettle', '--verbose'])
    expect(stdout).toMatch(/^ada\/kettle: no faults \(\d+ objects, [\d.]+ KiB of packs\)\n$/)
  })

  test('has a remedy if contents were not stored', async () => {
    inFolder()
    expect(await run(['repo', 'fsck', bare])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/were not stored when it was loaded\nLoad the archives with/),
    })
  })
})

test('No name in an archive controls the terminal', async () => {
  inFolder({ 'evil.tar.gz': evilArchive() })
  const outputs = await Promise.all([
    run(['repo', 'list', 'evil.tar.gz'], { tty: true }),
    run(['repo', 'fsck', 'evil.tar.gz'], { tty: true }),
  ])
  for (const { stdout } of outputs) {
    expect(stdout).toContain('evil')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them.
    expect(stdout.replace(/\x1b\[[\d;]*m/g, '')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  }
})
