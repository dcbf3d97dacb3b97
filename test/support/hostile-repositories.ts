/** Hostile repositories in a folder laid out like an archive: each does something that a server could fall for. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { commitOf, looseOf, oidOf, packOf, treeOf } from './build-pack.ts'
import type { Files } from './build-tar.ts'
import { account, repository } from './small-world.ts'

/** A repository `ada/<name>` and what a client can have of it. */
export interface HostileRepository {
  readonly code: string
  readonly name: string
  readonly what: string
  /** Whether git can clone it. */
  readonly isCloned: boolean
}

interface Case extends HostileRepository {
  readonly files: Files
  /** Links by their paths, with their targets. */
  readonly links?: Readonly<Record<string, string>>
}

export interface HostileWorld {
  readonly root: string
  /** The folder that is laid out like an archive. */
  readonly folder: string
  readonly repositories: readonly HostileRepository[]
  /** A file that appears if anything of a repository is run. */
  readonly witness: string
  /** A blob outside of the archive, which no answer may have. */
  readonly secret: { readonly oid: string; readonly text: string }
  close(): void
}

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const MAIN = 'refs/heads/main'

const README = '# Kettle\n'
const blob = oidOf('blob', README)
const treeText = treeOf(['100644', 'README.md', blob])
const tree = oidOf('tree', treeText)
const commit = oidOf('commit', commitOf(tree))

/** One commit with one file. */
export const SOUND = { blob, tree, commit } as const

const objects = [
  { type: 'commit', content: commitOf(tree) },
  { type: 'tree', content: treeText },
  { type: 'blob', content: README },
] as const
const loose: Files = Object.assign({}, ...objects.map((one) => looseOf(one.type, one.content)))
const NAME = `pack-${'1'.repeat(40)}`
const packed = packOf(objects, NAME)
const [PACK, INDEX] = [`objects/pack/${NAME}.pack`, `objects/pack/${NAME}.idx`] as const
const onMain = { [MAIN]: `${commit}\n` }

const bytesOf = (path: string) => Buffer.from(packed[path] as Uint8Array)
const cut = (path: string, size: number): Files => ({
  ...packed,
  ...onMain,
  [path]: bytesOf(path).subarray(0, size),
})
function changed(path: string, at: number): Files {
  const bytes = bytesOf(path)
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 0xff
  return { ...packed, ...onMain, [path]: bytes }
}

/** A commit of a tree with these entries, and everything it needs. */
function commitWith(...entries: readonly (readonly [string, string, string])[]): Files {
  const content = treeOf(...entries)
  const head = commitOf(oidOf('tree', content))
  return {
    ...loose,
    ...looseOf('tree', content),
    ...looseOf('commit', head),
    [MAIN]: `${oidOf('commit', head)}\n`,
  }
}

/** Folders in folders, as a pack, which is smaller than so many files. */
function nested(depth: number): Files {
  const found: { type: 'tree' | 'commit' | 'blob'; content: string | Buffer }[] = [...objects]
  let inner = tree
  for (let i = 0; i < depth; i++) {
    const content = treeOf(['40000', 'd', inner])
    inner = oidOf('tree', content)
    found.push({ type: 'tree', content })
  }
  const content = commitOf(inner)
  found.push({ type: 'commit', content })
  return { ...packOf(found, NAME), [MAIN]: `${oidOf('commit', content)}\n` }
}

/** Tags of tags. */
function chained(length: number): Files {
  const files: Record<string, string | Buffer | Uint8Array> = { ...loose, ...onMain } as never
  let [oid, type] = [commit, 'commit']
  for (let i = 0; i < length; i++) {
    const text = `object ${oid}\ntype ${type}\ntag t${i}\ntagger Ada <ada@forge.example> 1714564800 +0000\n\nx\n`
    Object.assign(files, looseOf('tag', text))
    oid = oidOf('tag', text)
    type = 'tag'
  }
  return { ...(files as Files), 'refs/tags/long': `${oid}\n` }
}

/** A loose object that says it has 100 bytes. */
const bomb = (oid: string): Files => ({
  [`objects/${oid.slice(0, 2)}/${oid.slice(2)}`]: deflateSync(
    Buffer.concat([Buffer.from('blob 100\0'), Buffer.alloc(16 * 2 ** 20)]),
    { level: 1 },
  ),
})

const MODULES = '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% /tmp/it-ran\n'

/** Settings and hooks that run a command. */
const running = (command: string): Files => ({
  config: `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = "${command}"
\tsshCommand = "${command}"\n\thooksPath = evil\n\tpager = "${command}"\n\talternateRefsCommand = "${command}"
[include]\n\tpath = evil/more\n[uploadpack]\n\tpackObjectsHook = "${command}"
[alias]\n\tupload-pack = "!${command}"\n`,
  'evil/more': `[uploadpack]\n\tpackObjectsHook = "${command}"\n`,
  ...Object.fromEntries(
    ['hooks', 'evil'].flatMap((folder) =>
      ['post-upload-pack', 'pre-receive', 'post-checkout', 'reference-transaction'].map((name) => [
        `${folder}/${name}`,
        `#!/bin/sh\n${command}\n`,
      ]),
    ),
  ),
})

const casesOf = (outside: string, command: string, secret: string): readonly Case[] => [
  {
    code: 'G1',
    name: 'runs',
    what: 'settings and hooks that run programs',
    isCloned: true,
    files: { ...loose, ...onMain, ...running(command) },
  },
  {
    code: 'G2',
    name: 'borrows',
    what: 'objects that lie elsewhere',
    isCloned: false,
    files: {
      ...commitWith(['100644', 'secret', secret]),
      'objects/info/alternates': `${outside}/objects\n../../../../../../outside.git/objects\n`,
      'objects/info/http-alternates': 'http://127.0.0.1:9/objects\n',
    },
  },
  {
    code: 'G2',
    name: 'leads',
    what: 'files that lead Git elsewhere',
    isCloned: true,
    files: {
      ...loose,
      ...onMain,
      commondir: `${outside}\n`,
      gitdir: `${outside}\n`,
      'objects/info/commit-graph': 'CGPH\u0001\u0001',
      'objects/pack/multi-pack-index': 'MIDX',
    },
  },
  {
    code: 'G3',
    name: 'links',
    what: 'links among objects and refs',
    isCloned: true,
    files: { ...loose, ...onMain },
    links: {
      [`objects/aa/${'a'.repeat(38)}`]: '/etc/passwd',
      'objects/pack': join(outside, 'objects'),
      'refs/heads/link': '/etc/passwd',
      'packed-refs': '/etc/passwd',
    },
  },
  {
    code: 'G4',
    name: 'flipped',
    what: 'a pack with other bytes',
    isCloned: false,
    files: changed(PACK, 16),
  },
  {
    code: 'G4',
    name: 'cut',
    what: 'a pack that ends early',
    isCloned: false,
    files: cut(PACK, 40),
  },
  {
    code: 'G4',
    name: 'trailer',
    what: 'a pack of another sum',
    isCloned: false,
    files: changed(PACK, -1),
  },
  {
    code: 'G4',
    name: 'unindexed',
    what: 'an index of nothing',
    isCloned: false,
    files: cut(INDEX, 0),
  },
  {
    code: 'G4',
    name: 'astray',
    what: 'an index that leads nowhere',
    isCloned: false,
    files: changed(INDEX, -45),
  },
  {
    code: 'G4',
    name: 'lacks',
    what: 'a file that is missing',
    isCloned: false,
    files: commitWith(['100644', 'README.md', blob], ['100644', 'lost', A]),
  },
  {
    code: 'G4',
    name: 'circle',
    what: 'deltas in a circle',
    isCloned: false,
    files: {
      ...commitWith(['100644', 'a', A]),
      ...packOf([{ type: 'named-delta', content: '\u0001\u0001', base: B, oid: A }], NAME),
      ...packOf(
        [{ type: 'named-delta', content: '\u0001\u0001', base: A, oid: B }],
        `pack-${'2'.repeat(40)}`,
      ),
    },
  },
  {
    code: 'G4',
    name: 'bomb',
    what: 'more bytes than an object says',
    isCloned: false,
    files: { ...commitWith(['100644', 'a', A]), ...bomb(A) },
  },
  {
    code: 'G4',
    name: 'giant',
    what: 'a delta that announces 8 GiB',
    isCloned: false,
    files: {
      ...commitWith(['100644', 'a', A]),
      ...packOf(
        [
          { type: 'blob', content: README },
          {
            type: 'named-delta',
            base: blob,
            oid: A,
            content: Buffer.from([9, 0x80, 0x80, 0x80, 0x80, 0x20, 0x90, 1]),
          },
        ],
        NAME,
      ),
    },
  },
  {
    code: 'G4',
    name: 'long',
    what: 'tags of tags of tags',
    isCloned: true,
    files: chained(150),
  },
  {
    code: 'G4',
    name: 'deep',
    what: 'folders in folders',
    isCloned: true,
    files: nested(1500),
  },
  {
    code: 'G4',
    name: 'sha256',
    what: 'ids of 64 digits',
    isCloned: false,
    files: { ...loose, [MAIN]: `${'a'.repeat(64)}\n` },
  },
  {
    code: 'G4',
    name: 'reftable',
    what: 'refs in tables',
    isCloned: false,
    files: { ...loose, 'reftable/tables.list': '0x1.ref\n', HEAD: 'ref: refs/heads/.invalid\n' },
  },
  {
    code: 'G5',
    name: 'refs',
    what: 'refs that Git would not take',
    isCloned: true,
    files: {
      ...loose,
      ...onMain,
      'packed-refs': [
        '# pack-refs with: peeled\n^',
        `${A}\n`,
        'rubbish\n',
        ...['refs/heads/../../x', 'refs/heads/a@{1}', 'refs/heads/a b', 'HEAD', 'config'].map(
          (name) => `${commit} ${name}\n`,
        ),
        ...[B, 'x'.repeat(300), 'é'].map((name) => `${commit} refs/heads/${name}\n`),
        `${commit} refs/__gh__/hidden\n${commit} refs/pull/1/head\n`,
      ].join(''),
      'refs/heads/round': 'ref: refs/heads/about\n',
      'refs/heads/about': 'ref: refs/heads/round\n',
      'refs/heads/out': 'ref: ../../../etc/passwd\n',
    },
  },
  {
    code: 'G6',
    name: 'names',
    what: 'names that lead out of a folder',
    isCloned: true,
    files: {
      ...looseOf('blob', MODULES),
      ...commitWith(
        ...['.', '..', '.GIT', '.git', '../x', '/etc/passwd', 'a\\b', 'con', 'git~1'].map(
          (name) => ['100644', name, blob] as const,
        ),
        ['100644', '.gitmodules', oidOf('blob', MODULES)],
        ['120000', 'link', blob],
        ['160000', 'x', A],
      ),
    },
  },
  {
    code: 'G7',
    name: 'empty',
    what: 'no commits',
    isCloned: true,
    files: { HEAD: `ref: ${MAIN}\n` },
  },
  {
    code: 'G7',
    name: 'unborn',
    what: 'a HEAD without commits',
    isCloned: true,
    files: { ...loose, HEAD: 'ref: refs/heads/gone\n', 'refs/heads/other': `${commit}\n` },
  },
]

/** Makes all of them. The caller closes the world. */
export function hostileWorld(): HostileWorld {
  const root = mkdtempSync(join(tmpdir(), 'hostile-world-'))
  const folder = join(root, 'archive')
  const outside = join(root, 'outside.git')
  const witness = join(root, 'it-ran')
  const text = 'nobody may read this\n'
  writeAll(outside, { ...loose, ...onMain, ...looseOf('blob', text), HEAD: `ref: ${MAIN}\n` })
  const secret = oidOf('blob', text)
  const cases = casesOf(outside, `touch ${witness}`, secret)
  for (const { name, files, links = {} } of cases) {
    const directory = join(folder, `repositories/ada/${name}.git`)
    writeAll(directory, { HEAD: `ref: ${MAIN}\n`, ...files })
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      symlinkSync(target, join(directory, path))
    }
  }
  writeAll(join(folder, 'repositories/ada/wiki.wiki.git'), {
    ...loose,
    HEAD: 'ref: refs/heads/master\n',
    'refs/heads/master': `${commit}\n`,
  })
  const wiki_url = 'tarball://root/repositories/ada/wiki.wiki.git'
  const names = cases.map(({ name }) => repository(name))
  const records = [...names, { ...repository('wiki'), wiki_url }]
  writeAll(folder, {
    'repositories_000001.json': JSON.stringify(records),
    'users_000001.json': JSON.stringify([account('ada')]),
  })
  const wiki = { code: 'G7', name: 'wiki.wiki', what: 'a wiki alone', isCloned: true }
  return {
    root,
    folder,
    witness,
    secret: { oid: secret, text },
    repositories: [...cases, wiki],
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

function writeAll(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content as string | Uint8Array)
    if (/^(?:hooks|evil)\//.test(path)) chmodSync(target, 0o755)
  }
}
