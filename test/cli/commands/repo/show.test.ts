import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHistory, gitBytes, gitHistory, gitText } from '../../../support/git-history.ts'
import { run } from '../../../support/run-command.ts'
import { THOROUGH } from '../../../support/thorough.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

const git = (...args: string[]) => gitText(history.directory, args)

const show = (...args: string[]) => run(['repo', 'show', history.path, 'ada/kettle', ...args])
const cat = (...args: string[]) => run(['repo', 'cat', history.path, 'ada/kettle', ...args])

describe('marc repo show', () => {
  test('shows a commit and its changed files', async () => {
    const { code, stdout, stderr } = await show('topic~1')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`commit ${git('rev-parse', 'topic~1').trim()}
Author: Ada Kettle <ada@forge.example>
Commit: Bo <bo@forge.example>
Date:   2014-05-13 18:54:10 +0200

    Commit 3

R  src/boil.c → old/boil.c
R  src/cool.c → old/cool.c
R  src/same.c → old/same.c
`)
  })

  test(
    'shows the same changes as git for a commit that adds, deletes, modifies and turns links into files',
    THOROUGH,
    async () => {
      for (const revision of ['topic', 'main~32', 'main~33', 'topic~2', 'main~31']) {
        const names = git('show', '--format=', '--name-status', '-M', revision)
        const mine = (await show(revision)).stdout.split('\n\n').at(-1) ?? ''
        const plain = (text: string) =>
          text.replace(/^R100/gm, 'R').replace(/[\t→]/g, ' ').replace(/ +/g, ' ')
        expect(plain(mine)).toBe(plain(names))
      }
    },
  )

  test('shows files of a merge that differ from all parents, as git does', async () => {
    const { stdout } = await show('light')
    expect(stdout).toMatch(/^commit \w+ \(tag: light\)\nMerge: 80324bf 5599d89\n/)
    const names = git('show', '--format=', '--name-status', 'light')
    expect(names).toMatch(/^\w\w\t/)
    expect(stdout.split('\n\n').at(-1)).toBe(names.replace(/\t/g, '  '))
  })

  test('shows all changes of a merge to its first parent with --first-parent', async () => {
    const names = git('diff-tree', '-r', '-M', '--name-status', 'light^1', 'light')
    const expected = names
      .replace(/^R100\t(.*)\t(.*)$/gm, 'R  $1 → $2')
      .replace(/^R0(\d\d)\t(.*)\t(.*)$/gm, 'R  $2 → $3 ($1 %)')
      .replace(/^(\w)\t/gm, '$1  ')
    expect((await show('light', '--first-parent')).stdout.split('\n\n').at(-1)).toBe(expected)
    const rows = (await show('light', '--first-parent', '--nl')).stdout.trimEnd().split('\n')
    expect(rows.length).toBe(names.trimEnd().split('\n').length)
  })

  test('shows an annotated tag and its target', async () => {
    const { stdout } = await show('of-a-tag')
    expect(stdout).toMatch(
      /^tag of-a-tag\nTagger: Ada Kettle <ada@forge.example>\nDate: {3}2014-05-13 17:08:20 \+0000\n\n {4}Tag of-a-tag\n\n {4}with a body\n\ntag v1\.0\n/,
    )
    expect(stdout).toMatch(/\n\ncommit 80324bf/)
    expect((await show('of-a-tree')).stdout).toMatch(/\n040000 tree {3}\w{40} {2}old\n/)
  })

  test('lists a folder, and names a submodule', THOROUGH, async () => {
    expect((await show('main:')).stdout.replace(/ {2,}/g, ' ')).toBe(
      git('ls-tree', '-z', 'main').replaceAll('\0', '\n').replace(/\t/g, ' '),
    )
    expect((await show('main:q/')).stdout).toMatch(/^(100644 blob {3}\w{40} {2}\w+\n){4}$/)
    expect((await show('main:vendor/spout')).stdout).toMatch(/^submodule at commit 1234567890/)
  })

  test('prints a file', async () => {
    expect((await show('main:README.md')).stdout).toBe('# Kettle\n\nBoils.\n')
    expect((await show('main:link')).stdout).toBe('README.md')
  })

  test('prints rows of changes and of folders', THOROUGH, async () => {
    const changes = await show('topic~1', '--nl')
    expect(JSON.parse(changes.stdout.split('\n')[0] ?? '')).toEqual({
      status: 'R',
      path: 'old/boil.c',
      old_path: 'src/boil.c',
      old_mode: '100644',
      mode: '100644',
      old_oid: git('rev-parse', 'topic~1:old/boil.c').trim(),
      oid: git('rev-parse', 'topic~1:old/boil.c').trim(),
      similarity: 100,
    })
    expect(JSON.parse((await show('light', '--nl')).stdout.split('\n')[0] ?? '')).toMatchObject({
      status: expect.stringMatching(/^\w\w$/),
      old_path: null,
    })
    expect((await show('main:q', '--csv')).stdout).toMatch(/^mode,type,oid,name\r?\n100644,blob,/)
    expect(await show('main:README.md', '--csv')).toMatchObject({ code: 2, stdout: '' })
  })

  test('names a missing object', async () => {
    expect(await show('main:nowhere')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'there is nothing at "nowhere"\nList what is there with: marc repo show',
      ),
    })
  })
})

describe('marc repo cat', () => {
  test('prints files, commits and tags as git cat-file does', async () => {
    const objects = [
      'main:README.md',
      'main:long.txt',
      'octopus',
      'of-a-tag',
      'main:link',
      'main:thing/inside',
    ]
    for (const object of objects) {
      expect((await cat(object)).stdout).toBe(git('cat-file', '-p', object))
    }
  })

  test('prints any bytes', async () => {
    const { stdout } = await cat('main:all.bin')
    expect(stdout).toBe(
      gitBytes(history.directory, ['cat-file', 'blob', 'main:all.bin']).toString(),
    )
  })

  test('shows control characters as escapes on a terminal', async () => {
    const { stdout } = await run(['repo', 'cat', history.path, 'ada/kettle', 'main:all.bin'], {
      tty: true,
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them.
    expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
    expect(stdout).toContain('\\x1b')
  })

  test.each([
    ['main:q', 'expected a file, found a folder'],
    ['main:vendor/spout', 'expected a file, found a submodule'],
  ])('refuses to print %s', async (object, message) => {
    const { code, stderr } = await cat(object)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`${message}\nShow it with: marc repo show`)),
    })
  })
})
