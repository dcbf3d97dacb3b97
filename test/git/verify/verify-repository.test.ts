import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import {
  GIT_FAULTS,
  type GitFault,
  type GitFaultCode,
  verifyRepository,
} from '../../../src/git/verify/verify-repository.ts'
import { commitOf, looseOf, oidOf, packOf, treeOf } from '../../support/build-pack.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { folderOf } from '../../support/folder.ts'
import { gitText } from '../../support/git-history.ts'
import { type GitWorld, gitWorld } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { runProgram } from '../../support/run-program.ts'
import { firstOfEach, THOROUGH } from '../../support/thorough.ts'

/** Files of a repository by their paths in it. */
type GitFiles = Record<string, Buffer>
/** Files of the repository that differ; undefined removes one. */
type Changed = Record<string, string | Buffer | undefined>
/** A way to damage the repository, and the codes of the faults that it leaves, each once. */
type Damage = readonly [has: string, spoil: () => Changed, ...codes: GitFaultCode[]]

let world: GitWorld
/** A whole repository, with a pack and loose objects. */
let whole: GitFiles
/** The same, with its loose objects in a second pack. */
let two: GitFiles
let pack: string
let index: string
/** Where objects begin in the pack: one of each type, and deltas. */
let offsets: Map<string, number>

beforeAll(() => {
  world = gitWorld()
  const directory = world.directoryOf('ada/kettle')
  whole = filesIn(directory)
  pack = named('.pack')
  index = named('.idx')
  offsets = new Map()
  for (const line of gitText(directory, ['verify-pack', '-v', pack]).split('\n')) {
    const [, type = '', , , offset, depth] = line.split(/ +/)
    if (offset !== undefined) offsets.set(depth ? `${type} delta` : type, Number(offset))
  }
  gitText(directory, ['repack', '-d', '-q'])
  two = filesIn(directory)
})

afterAll(() => world.close())

const filesIn = (directory: string): GitFiles =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(directory.length + 1))
      .filter((path) => !/^(?:objects\/info|info)\//.test(path))
      .map((path) => [path, readFileSync(join(directory, path))]),
  )

const named = (end: string) => Object.keys(whole).find((path) => path.endsWith(end)) as string
const loosePaths = () => Object.keys(whole).filter((path) => /^objects\/..\/.{38}$/.test(path))

const faultsIn = (database: Database, name = 'ada/kettle', options = {}) =>
  listOf(verifyRepository(database, name, options))

/** A copy of the repository after some of its files were changed or removed. */
function copyOf(changed: Changed, name = 'ada/kettle'): Files {
  const files: Files = {}
  for (const [path, content] of Object.entries({ ...whole, ...changed })) {
    if (content !== undefined) files[`repositories/${name}.git/${path}`] = content
  }
  return files
}

const faultsOf = async (changed: Changed = {}, options = {}) =>
  faultsIn((await loaded(copyOf(changed))).database, 'ada/kettle', options)

/** The faults of several copies, which are loaded together. */
async function faultsOfEach(changes: readonly Changed[]): Promise<GitFault[][]> {
  const names = changes.map((_, i) => `ada/copy-${i}`)
  const copies = changes.map((changed, i) => copyOf(changed, names[i]))
  const { database } = await loaded(Object.assign({}, ...copies))
  const found: GitFault[][] = []
  for (const name of names) found.push(await faultsIn(database, name))
  return found
}

/** Whether git finds the same repository whole: its objects, refs and packs. */
async function isWholeToGit(changed: Changed): Promise<boolean> {
  const folder = await folderOf()
  mkdirSync(join(folder, 'objects/pack'), { recursive: true })
  mkdirSync(join(folder, 'refs'))
  for (const [path, content] of Object.entries({ ...whole, ...changed })) {
    if (content === undefined) continue
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const run = (...args: string[]) =>
    runProgram('git', ['--git-dir', folder, ...args], { cwd: folder, env }).status === 0
  const packs = readdirSync(join(folder, 'objects/pack')).filter((name) => name.endsWith('.idx'))
  return (
    run('fsck', '--full', '--no-dangling') &&
    packs.every((name) => run('verify-pack', `objects/pack/${name}`))
  )
}

const sha1Of = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest()

/** A copy with one byte changed, counted from the end if negative. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const place = at < 0 ? copy.length + at : at
  copy[place] = (copy[place] as number) ^ 1
  return copy
}

/** A copy in which two parts changed places. */
function swapped(bytes: Buffer, one: number, other: number, length: number): Buffer {
  const copy = Buffer.from(bytes)
  bytes.copy(copy, one, other, other + length)
  bytes.copy(copy, other, one, one + length)
  return copy
}

/** A pack or index with the checksum of what it is now. */
const signed = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, -20), sha1Of(bytes.subarray(0, -20))])

const zeroed = (bytes: Buffer, at: number, length = 8): Buffer =>
  Buffer.from(bytes).fill(0, at, at + length)

const page = Buffer.from('<html>not found</html>')
const none = Buffer.alloc(0)
const nowhere = 'a'.repeat(40)

const ofPack = (change: (pack: Buffer) => Buffer) => () => ({
  [pack]: change(whole[pack] as Buffer),
})
const ofIndex = (change: (index: Buffer) => Buffer) => () => ({
  [index]: change(whole[index] as Buffer),
})
/** A packed object of this type whose content is zeroed. */
const packedObject = (type: string) => (): Changed => ({
  [pack]: zeroed(whole[pack] as Buffer, (offsets.get(type) as number) + 3),
})
/** The loose object of this type that refs lead to through another one. */
const looseObject = (type: string): string =>
  loosePaths().find((path) => {
    const oid = path.slice(8).replace('/', '')
    return gitText(world.directoryOf('ada/kettle'), ['cat-file', '-t', oid]).trim() === type
  }) as string
/** Configurations, and what is found in each. */
const CONFIGS: Readonly<Record<string, readonly [config: string, ...codes: GitFaultCode[]]>> = {
  nothing: [''],
  'what Git may write': [
    '\ufeff# one\n[core] bare\n\tfileMode = ON ; two\r\n[a "B\\"c"]\n\td-1 = "e#f" \\\n\tg\\t\n[X.y]\nz=',
  ],
  'an open section': ['[core\n', 'git-config-damaged'],
  'an open quote': ['[core]\n\teditor = "vi\n', 'git-config-damaged'],
  'an unknown escape': ['[core]\n\teditor = \\q\n', 'git-config-damaged'],
  'an odd name': ['[core]\n\ted_itor = vi\n', 'git-config-damaged'],
  'a flag in other words': ['[core]\n\tbare = perhaps\n', 'git-config-damaged'],
  'a version in words': ['[core]\n\trepositoryformatversion = one\n', 'git-config-damaged'],
  'an unknown version': ['[core]\n\trepositoryformatversion = 2\n', 'git-config-damaged'],
  'an unknown extension': [
    '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tmood = good\n',
    'git-config-damaged',
  ],
  'an extension that version 0 does without': ['[extensions]\n\tmood = good\n'],
  'a promisor': ['[remote "origin"]\n\tpromisor = true\n', 'git-partial-clone'],
  'no promisor': ['[remote "origin"]\n\tpromisor = false\n'],
  'a partial clone': ['[extensions]\n\tpartialClone = origin\n', 'git-partial-clone'],
}
const withRef = (oid: string, files: Changed = {}, ref = 'refs/heads/odd') => ({
  ...files,
  [ref]: `${oid}\n`,
})
/** A commit of this tree, named by a branch. */
function withTree(tree: string, files: Changed = {}): Changed {
  const commit = commitOf(tree)
  return withRef(oidOf('commit', commit), { ...files, ...(looseOf('commit', commit) as Changed) })
}
const loose = (type: string, content: string | Buffer) => looseOf(type, content) as Changed
const blob = oidOf('blob', 'x')

/** The damage, and what is found. An empty list is a repository that git calls whole, too. */
/** What a commit has, and the part of it that becomes another. */
const MALFORMED_COMMITS = [
  ['no author', /author .*\n/, ''],
  ['two authors', /(author .*\n)/, '$1$1'],
  ['no committer', /committer .*\n/, ''],
  ['an author without a name', 'author Ada <', 'author <'],
  ['an author without an e-mail address', / <ada@forge.example>/, ''],
  ['an address that does not end', '.example>', '.example'],
  ['a date in words', / \d+ /, ' never '],
  ['a date with a zero before it', / (\d+ )/, ' 0$1'],
  ['no zone', / \+0200\n/, '\n'],
  ['a zone of six digits', '+0200', '+020000'],
] as const

/** What a tree has, and its names; those of folders end with a slash. */
const MALFORMED_TREES = [
  ['a name twice', 'a', 'a'],
  ['names that are not sorted', 'b', 'a'],
  ['a folder sorted as a file', 'a/', 'a.b'],
  ['a file and a folder of one name', 'a', 'a.b', 'a/'],
] as const

const DAMAGES: readonly Damage[] = [
  ['nothing wrong', () => ({})],
  ['eight bytes of a pack zeroed', ofPack((it) => zeroed(it, it.length >> 1)), 'git-pack-damaged'],
  ...['commit', 'tree', 'blob', 'tag'].map(
    (type): Damage => [`a packed ${type} zeroed`, packedObject(type), 'git-pack-damaged'],
  ),
  ['a delta zeroed', packedObject('tree delta'), 'git-pack-damaged'],
  [
    'a changed checksum of a pack',
    ofPack((it) => flipped(it, -1)),
    'git-pack-damaged',
    'git-index-damaged',
  ],
  [
    'a truncated pack',
    ofPack((it) => it.subarray(0, -50)),
    'git-pack-damaged',
    'git-index-damaged',
  ],
  [
    'half a pack',
    ofPack((it) => it.subarray(0, it.length >> 1)),
    'git-pack-damaged',
    'git-index-damaged',
  ],
  [
    'bytes behind a pack',
    ofPack((it) => Buffer.concat([it, Buffer.alloc(9)])),
    'git-pack-damaged',
    'git-index-damaged',
  ],
  [
    'a pack with another number of objects',
    ofPack((it) => signed(flipped(it, 11))),
    'git-pack-damaged',
    'git-index-damaged',
  ],
  [
    'a pack of another version',
    ofPack((it) => signed(flipped(it, 6))),
    'git-pack-damaged',
    'git-index-damaged',
  ],
  ['a page in place of a pack', ofPack(() => page), 'git-pack-damaged'],
  ['an empty pack', ofPack(() => none), 'git-pack-damaged'],
  [
    'a changed object under a right checksum',
    ofPack((it) => signed(flipped(it, 40))),
    'git-pack-damaged',
    'git-index-damaged',
  ],

  [
    'a changed name in an index',
    ofIndex((it) => signed(flipped(it, 1032 + 19))),
    'git-index-damaged',
  ],
  [
    'names out of order in an index',
    ofIndex((it) => signed(swapped(it, 1032, 1052, 20))),
    'git-index-damaged',
  ],
  [
    'a changed table in an index',
    ofIndex((it) => signed(flipped(it, 8 + 4 * 200 + 3))),
    'git-index-damaged',
  ],
  ['a changed checksum of an index', ofIndex((it) => flipped(it, -1)), 'git-index-damaged'],
  ['an index of another pack', ofIndex((it) => signed(flipped(it, -40))), 'git-index-damaged'],
  ['a truncated index', ofIndex((it) => it.subarray(0, -28)), 'git-index-damaged'],
  [
    'an index of more objects than it holds',
    ofIndex((it) => signed(flipped(it, 8 + 4 * 255))),
    'git-index-damaged',
  ],
  [
    'an index of a version that is none',
    ofIndex((it) => signed(flipped(it, 7))),
    'git-index-damaged',
  ],
  ['a page in place of an index', ofIndex(() => page), 'git-index-damaged'],
  ['an empty index', ofIndex(() => none), 'git-index-damaged'],
  [
    'a wrong CRC in an index',
    ofIndex((it) => signed(flipped(it, 1032 + 20 * countIn(it)))),
    'git-index-damaged',
  ],
  [
    'wrong offsets in an index',
    ofIndex((it) => {
      const at = 1032 + 24 * countIn(it)
      return signed(swapped(it, at, at + 4, 4))
    }),
    'git-index-damaged',
  ],
  ['no index', () => ({ [index]: undefined }), 'git-index-damaged'],

  ['no pack', () => ({ [pack]: undefined }), 'git-pack-missing'],
  [
    'neither pack nor index',
    () => ({ [pack]: undefined, [index]: undefined }),
    'git-ref-dangling',
    'git-object-missing',
  ],

  ['two packs', () => ({ ...gone(whole), ...two })],
  [
    'the second of two packs damaged',
    () => {
      const second = secondPack()
      return { ...gone(whole), ...two, [second]: zeroed(two[second] as Buffer, 20) }
    },
    'git-pack-damaged',
  ],
  [
    'the second of two packs missing',
    () => ({ ...gone(whole), ...two, [secondPack()]: undefined }),
    'git-pack-missing',
  ],
  [
    'a damaged object that another pack has, too',
    () => {
      const twice = packOf([{ type: 'blob', content: 'x' }], 'pack-aa') as GitFiles
      const wrong = packOf([{ type: 'blob', content: 'y', oid: blob }], 'pack-bb')
      return { ...twice, ...wrong } as Changed
    },
    'git-index-damaged',
  ],

  ...['commit', 'tree', 'blob', 'tag'].flatMap((type): Damage[] => [
    [
      `a loose ${type} of another content`,
      () => ({ [looseObject(type)]: Object.values(loose('blob', 'z'))[0] }),
      'git-object-damaged',
    ],
    [
      `a loose ${type} that does not inflate`,
      () => ({ [looseObject(type)]: 'no object' }),
      'git-object-damaged',
    ],
    [
      `an empty file in place of a loose ${type}`,
      () => ({ [looseObject(type)]: none }),
      'git-object-damaged',
    ],
    [
      `a loose ${type} missing`,
      () => ({ [looseObject(type)]: undefined }),
      type === 'tree' || type === 'blob' ? 'git-object-missing' : 'git-ref-dangling',
    ],
  ]),
  [
    'a tag of an object that is nowhere',
    () => {
      const tag = tagOf(nowhere, 'commit')
      return withRef(oidOf('tag', tag), loose('tag', tag), 'refs/tags/odd')
    },
    'git-object-missing',
  ],
  [
    'a commit whose parent is nowhere',
    () => {
      const commit = commitOf(EMPTY, 'x', nowhere)
      return withRef(oidOf('commit', commit), loose('commit', commit))
    },
    'git-object-missing',
  ],
  ['a submodule whose commit is nowhere', () => withTree(...treeWith(['160000', 'sub', nowhere]))],
  ['a commit of the empty tree, which is not stored', () => withTree(EMPTY), 'git-object-missing'],

  ['a blob in place of a tree', () => withTree(blob, loose('blob', 'x')), 'git-object-type'],
  [
    'a tree in place of a file',
    () => {
      const [inner, files] = treeWith(['100644', 'a', blob])
      const [outer, more] = treeWith(['100644', 'file', inner])
      return withTree(outer, { ...files, ...more, ...loose('blob', 'x') })
    },
    'git-object-type',
  ],
  [
    'a tag that calls a blob a commit',
    () => {
      const tag = tagOf(blob, 'commit')
      return withRef(
        oidOf('tag', tag),
        { ...loose('tag', tag), ...loose('blob', 'x') },
        'refs/tags/odd',
      )
    },
    'git-object-type',
  ],

  [
    'a commit without a tree',
    () => {
      const commit = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nx'
      return withRef(oidOf('commit', commit), loose('commit', commit))
    },
    'git-object-damaged',
  ],
  [
    'a tree that ends in the middle of an entry',
    () => {
      const tree = treeOf(['100644', 'file', blob]).subarray(0, -3)
      return withTree(oidOf('tree', tree), { ...loose('tree', tree), ...loose('blob', 'x') })
    },
    'git-object-damaged',
  ],
  [
    'a tree with an entry without a name',
    () => {
      const [tree, files] = treeWith(['100644', '', blob])
      return withTree(tree, { ...files, ...loose('blob', 'x') })
    },
    'git-object-damaged',
  ],

  [
    'a tree in place of a parent, which is the tree of the commit as well',
    () => {
      const [tree, files] = treeWith(['100644', 'a', blob])
      const commit = commitOf(tree, 'x', tree)
      const oid = oidOf('commit', commit)
      return withRef(oid, { ...files, ...loose('blob', 'x'), ...loose('commit', commit) })
    },
    'git-object-type',
  ],
  ...MALFORMED_COMMITS.map(
    ([has, from, to]): Damage => [
      `a commit with ${has}`,
      () => {
        const [tree, files] = treeWith(['100644', 'a', blob])
        const commit = commitOf(tree).replace(from, to)
        const more = { ...loose('blob', 'x'), ...loose('commit', commit) }
        return withRef(oidOf('commit', commit), { ...files, ...more })
      },
      'git-object-malformed',
    ],
  ),
  [
    'a tag whose tagger has no date',
    () => {
      const tag = `object ${blob}\ntype blob\ntag odd\ntagger A <a@x>\n\nx\n`
      const files = { ...loose('tag', tag), ...loose('blob', 'x') }
      return withRef(oidOf('tag', tag), files, 'refs/tags/odd')
    },
    'git-object-malformed',
  ],
  ...MALFORMED_TREES.map(
    ([has, ...names]): Damage => [
      `a tree with ${has}`,
      () => {
        const [inner, more] = treeWith(['100644', 'a', blob])
        const [tree, files] = treeWith(
          ...names.map((name) =>
            name.endsWith('/')
              ? (['40000', name.slice(0, -1), inner] as const)
              : (['100644', name, blob] as const),
          ),
        )
        return withTree(tree, { ...files, ...more, ...loose('blob', 'x') })
      },
      'git-object-malformed',
    ],
  ),
  [
    'a damaged object that no ref leads to',
    () => ({ [`objects/ab/${'c'.repeat(38)}`]: 'no object' }),
    'git-object-damaged',
  ],
  [
    'a commit that no ref leads to, with a parent that is nowhere',
    () => loose('commit', commitOf(EMPTY, 'x', nowhere)),
  ],

  ['a branch that names nothing', () => withRef(nowhere), 'git-ref-dangling'],
  ['a branch of zeros', () => withRef('0'.repeat(40)), 'git-ref-dangling'],
  [
    'a packed branch that names nothing',
    () => ({ 'packed-refs': `${whole['packed-refs']}${nowhere} refs/heads/zzz\n` }),
    'git-ref-dangling',
  ],
  [
    'a symbolic ref that names nothing',
    () => ({ 'refs/heads/sym': 'ref: refs/heads/none\n' }),
    'git-ref-dangling',
  ],
  [
    'a symbolic ref that names itself',
    () => ({ 'refs/heads/loop': 'ref: refs/heads/loop\n' }),
    'git-ref-dangling',
  ],
  ['a branch with a wrong name', () => withRef(nowhere, {}, 'refs/heads/a~b'), 'git-ref-invalid'],
  [
    'a packed branch with a wrong name',
    () => ({ 'packed-refs': `${whole['packed-refs']}${nowhere} refs/heads/z..z\n` }),
    'git-ref-invalid',
  ],
  ['garbage in a branch', () => ({ 'refs/heads/garbage': 'garbage\n' }), 'git-refs-damaged'],
  ['an empty branch', () => ({ 'refs/heads/empty': none }), 'git-refs-damaged'],
  [
    'garbage in packed-refs',
    () => ({ 'packed-refs': `${whole['packed-refs']}garbage line\n` }),
    'git-refs-damaged',
  ],
  [
    'a branch that names a tree',
    () =>
      withRef(treeWith(['100644', 'a', blob])[0], {
        ...treeWith(['100644', 'a', blob])[1],
        ...loose('blob', 'x'),
      }),
    'git-refs-damaged',
  ],
  [
    'a tag that names a tree',
    () =>
      withRef(
        treeWith(['100644', 'a', blob])[0],
        { ...treeWith(['100644', 'a', blob])[1], ...loose('blob', 'x') },
        'refs/tags/tree',
      ),
  ],

  ['no HEAD', () => ({ HEAD: undefined }), 'git-head-missing'],
  ['garbage in HEAD', () => ({ HEAD: 'garbage\n' }), 'git-head-missing'],
  ['a HEAD on a tag', () => ({ HEAD: 'ref: refs/tags/v1.0\n' }), 'git-head-missing'],
  [
    'a detached HEAD at a blob',
    () => ({ ...loose('blob', 'x'), HEAD: `${blob}\n` }),
    'git-head-missing',
  ],
  ['a detached HEAD at nothing', () => ({ HEAD: `${nowhere}\n` }), 'git-ref-dangling'],
  [
    'a HEAD on a branch that does not exist',
    () => ({ HEAD: 'ref: refs/heads/none\n' }),
    'git-head-unborn',
  ],
  ...Object.entries(CONFIGS).map(
    ([has, [config, ...codes]]): Damage => [`a config with ${has}`, () => ({ config }), ...codes],
  ),
]

const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const NOTES: readonly GitFaultCode[] = ['git-head-unborn', 'git-partial-clone', 'git-shallow']

function treeWith(
  ...entries: (readonly [mode: string, name: string, oid: string])[]
): [oid: string, files: Changed] {
  const tree = treeOf(...entries)
  return [oidOf('tree', tree), loose('tree', tree)]
}
const tagOf = (oid: string, type: string) =>
  `object ${oid}\ntype ${type}\ntag odd\ntagger A <a> 1 +0000\n\nx`
const countIn = (bytes: Buffer) => bytes.readUInt32BE(1028)
const gone = (files: GitFiles): Changed =>
  Object.fromEntries(Object.keys(files).map((path) => [path, undefined]))
const secondPack = () =>
  Object.keys(two).find((path) => path.endsWith('.pack') && path !== pack) as string

describe('G4: of a repository with', () => {
  const damages = DAMAGES.map(([has, spoil, ...codes]) => ({ has, spoil, codes }))
  for (const [rows, options] of firstOfEach(damages, ({ codes }) => codes.join())) {
    let found: Promise<GitFault[][]> | undefined
    const faultsOfRow = async (row: (typeof rows)[number]) => {
      found ??= faultsOfEach(rows.map(({ spoil }) => spoil()))
      return (await found)[rows.indexOf(row)] as GitFault[]
    }

    test.for(rows)('$has it finds $codes', options, async (row) => {
      const faults = await faultsOfRow(row)
      expect([...new Set(faults.map(({ code }) => code))].toSorted()).toEqual(row.codes.toSorted())
      for (const { code, severity } of faults) {
        expect(severity).toBe(NOTES.includes(code) ? 'note' : 'error')
      }
    })

    test.for(rows)('$has it says the same as git', THOROUGH, async (row) => {
      const isWhole = (await faultsOfRow(row)).every(({ severity }) => severity === 'note')
      expect(await isWholeToGit(row.spoil())).toBe(isWhole)
    })
  }

  test('each code, one is shown', () => {
    const shown = new Set(DAMAGES.flatMap(([, , ...codes]) => codes))
    const elsewhere = ['git-alternates', 'git-ref-conflict', 'git-shallow', 'git-unsupported']
    expect([...shown, ...elsewhere].toSorted()).toEqual(Object.keys(GIT_FAULTS).toSorted())
  })
})

test('Every object of a whole repository is verified', async () => {
  let last = { bytes: 0, objects: 0 }
  const progress = (done: typeof last) => {
    last = done
  }
  expect(await faultsOf({}, { progress })).toEqual([])
  expect(last.bytes).toBe(whole[pack]?.length)
  expect(last.objects).toBe(countIn(whole[index] as Buffer) + loosePaths().length)
})

test('An empty repository has no faults', async () => {
  const { database } = await loaded({
    'repositories/ada/kettle.git/HEAD': 'ref: refs/heads/main\n',
  })
  expect(await faultsIn(database)).toMatchObject([{ code: 'git-head-unborn', severity: 'note' }])
})

test('A fault of a pack is one, with the number of objects and the first of them', async () => {
  const at = (offsets.get('tree delta') as number) + 3
  const [fault, ...others] = await faultsOf({ [pack]: zeroed(whole[pack] as Buffer, at) })
  expect(others).toEqual([])
  expect(fault).toMatchObject({
    repository: 'ada/kettle',
    severity: 'error',
    entry: `repositories/ada/kettle.git/${pack}`,
    oid: expect.stringMatching(/^[0-9a-f]{40}$/),
    message: expect.stringMatching(
      /^its checksum does not match; \d of its 20 objects cannot be read, first [0-9a-f]{40}: \S/,
    ),
  })
})

test('A missing pack is one fault, with the number of refs that it held', async () => {
  const [fault, ...others] = await faultsOf({ [pack]: undefined })
  expect(others).toEqual([])
  expect(fault?.message).toMatch(
    /^the pack of this index is missing: it held the objects of 30\d refs$/,
  )
})

test('A missing object is named by the path that leads to it', THOROUGH, async () => {
  const lost = oidOf('blob', 'lost')
  const [tree, files] = treeWith(['100644', 'file', lost])
  const [outer, more] = treeWith(['40000', 'folder', tree])
  const commit = oidOf('commit', commitOf(outer))
  expect(await faultsOf(withTree(outer, { ...files, ...more }))).toMatchObject([
    { oid: lost, message: `the blob at ${commit}:folder/file is missing` },
  ])
})

test('A missing object is found in a tree that is else like one before it', THOROUGH, async () => {
  const lost = oidOf('blob', 'lost')
  const blobs = loose('blob', 'x')
  const [whole, files] = treeWith(['100644', 'a', blob], ['100644', 'b', blob])
  const [broken, more] = treeWith(['100644', 'a', blob], ['100644', 'b', lost])
  const [outer, last] = treeWith(['40000', '1', whole], ['40000', '2', broken])
  const faults = await faultsOf(withTree(outer, { ...blobs, ...files, ...more, ...last }))
  expect(faults.map(({ oid }) => oid)).toEqual([lost])
})

test(
  'Without contents no pack is read, but missing packs and objects of refs are found',
  THOROUGH,
  async () => {
    let bytes = 0
    const options = {
      contents: false,
      progress: (done: { bytes: number }) => (bytes = done.bytes),
    }
    const zero = zeroed(whole[pack] as Buffer, 100)
    const codesOf = async (changed: Changed) =>
      (await faultsOf({ [pack]: zero, ...changed }, options)).map(({ code }) => code)
    expect(await codesOf({})).toEqual([])
    expect(await codesOf({ [pack]: undefined })).toEqual(['git-pack-missing'])
    expect(await codesOf({ [index]: page })).toEqual(['git-index-damaged'])
    expect(await codesOf(withRef(nowhere))).toEqual(['git-ref-dangling'])
    expect(bytes).toBe(0)
  },
)

test(
  'A ref with the name of a folder of others is found, as git clone does',
  THOROUGH,
  async () => {
    const files = loose('blob', 'x')
    const packed = (...names: string[]) => ({
      ...files,
      'packed-refs': names.map((name) => `${blob} refs/tags/${name}\n`).join(''),
    })
    const whole = packed('a', 'a-b', 'ab', 'b/c')
    const torn = packed('a', 'a-b', 'a/b', 'a/b/c', 'a/bc', 'b/c')
    const [none = [], found = []] = await faultsOfEach([whole, torn])
    const messages = (faults: GitFault[]) =>
      faults.filter(({ code }) => code === 'git-ref-conflict').map(({ message }) => message)
    expect(messages(none)).toEqual([])
    expect(messages(found)).toEqual([
      'refs/tags/a/b and refs/tags/a cannot both exist',
      'refs/tags/a/b/c and refs/tags/a/b cannot both exist',
      'refs/tags/a/bc and refs/tags/a cannot both exist',
    ])
  },
)

test(
  'A config that names another format is an error, and nothing else is read',
  THOROUGH,
  async () => {
    const version = '[core]\n\trepositoryformatversion = 1\n[extensions]\n'
    for (const [line, message] of [
      ['objectFormat = sha256', 'config says that object ids are sha256'],
      ['refStorage = reftable', 'config says that refs are in reftable'],
    ]) {
      const faults = await faultsOf({ config: `${version}\t${line}\n`, [pack]: page })
      expect(faults).toMatchObject([{ code: 'git-unsupported', severity: 'error', message }])
    }
  },
)

test('G2: reports alternates', async () => {
  const faults = await faultsOf({ 'objects/info/alternates': '/elsewhere\n' })
  expect(faults.map(({ code }) => code)).toEqual(['git-alternates'])
})

test(
  'G4: an object that inflates to far more than it says is damaged, and not inflated',
  THOROUGH,
  async () => {
    const [path = ''] = loosePaths()
    const bomb = deflateSync(Buffer.concat([Buffer.from('blob 10\0'), Buffer.alloc(2 ** 24)]))
    const boast = deflateSync(Buffer.from('blob 999999999999\0'))
    for (const faults of await faultsOfEach([{ [path]: bomb }, { [path]: boast }])) {
      expect(faults.map(({ code }) => code)).toContain('git-object-damaged')
    }
  },
)

test('G4: SHA-256 and a reftable are refused', THOROUGH, async () => {
  for (const files of [
    { 'refs/heads/main': 'c'.repeat(64) },
    { 'reftable/tables.list': '0x1.ref\n' },
  ]) {
    await expect(faultsOf(files)).rejects.toMatchObject({ code: 'git-unsupported' })
  }
})
