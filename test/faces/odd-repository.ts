/** Repositories with everything that faces could tell differently. */

import { oidOf, type PackedObject, packOf, repositoryOf, treeOf } from '../support/build-pack.ts'
import type { Files } from '../support/build-tar.ts'
import { HOST, KETTLE, pullRequest, repository, user } from '../support/rest-world.ts'

const objects: PackedObject[] = []
const add = (type: PackedObject['type'], content: string | Uint8Array): string => {
  objects.push({ type, content })
  return oidOf(type, content)
}
const blob = (content: string | Uint8Array) => add('blob', content)

type Entry = readonly [mode: string, name: string, oid: string]

const tree = (...entries: readonly Entry[]): string => {
  const keyOf = ([mode, name]: Entry) => (mode === '40000' ? `${name}/` : name)
  return add('tree', treeOf(...entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))))
}

let clock = 1_714_564_800

function commit(
  root: string,
  subject: string,
  parents: readonly string[],
  email = 'ada@b.example',
) {
  const who = `Ada <${email}> ${++clock} +0200`
  const before = parents.map((parent) => `parent ${parent}\n`).join('')
  return add('commit', `tree ${root}\n${before}author ${who}\ncommitter ${who}\n\n${subject}\n`)
}

const boil = (degrees: number) =>
  `int boil(void) { return ${degrees}; }\n${'/* and waits */\n'.repeat(20)}`

const files = {
  readme: ['100644', 'README.md', blob('# Kettle\n')],
  zip: ['100644', 'readme.zip', blob('no text for readers\n')],
  binary: ['100644', 'all.bin', blob(Uint8Array.from({ length: 256 }, (_, byte) => byte))],
  crlf: ['100644', 'crlf.txt', blob('one\r\ntwo\r\n')],
  latin: ['100644', 'caf\xe9.txt', blob('a name that is not UTF-8\n')],
  link: ['120000', 'link', blob('README.md')],
  spout: ['160000', 'spout', '2'.repeat(40)],
  python: ['100644', 'tool.py', blob('print(1)\n')],
} as const satisfies Record<string, Entry>
const src = (name: string, degrees: number): Entry => [
  '40000',
  'src',
  tree(['100644', name, blob(boil(degrees))]),
]

const { latin, ...plain } = files
const first = commit(tree(...Object.values(plain), src('boil.c', 100)), 'Boil', [])
const second = commit(tree(...Object.values(files), src('boil.c', 100)), 'Add a name', [first])
const noLink = [
  ['100644', 'link', blob('no link any more\n')],
  ['100644', 'all.bin', blob(Uint8Array.from({ length: 9 }))],
] as const
const { link, binary, ...others } = plain
const topic = commit(
  tree(...Object.values(others), ...noLink, src('cook.c', 99)),
  'Cook',
  [first],
  'bob@users.noreply.forge.example',
)
const merge = commit(
  tree(...Object.values(others), latin, ...noLink, src('cook.c', 99)),
  'Merge it (#2)',
  [second, topic],
  'cy@users.noreply.elsewhere.example',
)
const orphan = commit(files.readme[2] && tree(files.readme), 'Alone', ['9'.repeat(40)])
const last = commit(
  tree(...Object.values(others), files.latin, ...noLink, src('cook.c', 98)),
  'Cool',
  [merge],
  'ADA@forge.example',
)
const tag = add(
  'tag',
  `object ${first}\ntype commit\ntag v1\ntagger Ada <a@b> 1714564900 +0000\n\nv1\n`,
)

/** The commits by what they do. */
export const COMMITS = { first, second, topic, merge, last, orphan }

const lines = (refs: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(refs).map(([name, oid]) => [name, `${oid}\n`]))

const pack = packOf(objects)

export const ODD_FILES: Files = {
  ...repositoryOf('old/teapot', {
    ...pack,
    ...lines({
      'refs/heads/main': last,
      'refs/heads/topic': topic,
      'refs/heads/both': second,
      'refs/heads/lost': '3'.repeat(40),
      'refs/tags/both': first,
      'refs/tags/v1': tag,
      'refs/pull/2/head': topic,
      'refs/pull/3/head': topic,
      'refs/heads/orphan': orphan,
    }),
    'refs/heads/unborn': 'ref: refs/heads/nobody\n',
  }),
  ...repositoryOf('ada/notes', {
    ...pack,
    HEAD: `${second}\n`,
    ...lines({ 'refs/heads/work': topic }),
  }),
  ...repositoryOf('ada/empty', {}),
}

const pull = (number: number, base: string, head: string, more: object = {}) => {
  const end = (sha: string) => ({ ref: 'x', sha, user: `${HOST}/ada`, repo: KETTLE })
  const url = `${KETTLE}/pull/${number}`
  return { ...pullRequest(url, { base: end(base), head: end(head) }), ...more }
}
const GONE = '4'.repeat(40)

export const ODD_RECORDS = {
  users: [
    user('ada', { emails: [{ address: 'ada@forge.example', primary: true }] }),
    user('bob', { emails: [{ address: 'ada@forge.example', primary: true }] }),
    user('cy'),
  ],
  repositories: [
    repository(KETTLE, { git_url: 'tarball://root/repositories/old/teapot.git' }),
    repository(`${HOST}/ada/notes`, { default_branch: 'gone' }),
    repository(`${HOST}/ada/empty`),
  ],
  pull_requests: [
    pull(2, first, topic, { merge_commit_sha: merge }),
    pull(3, first, GONE, { merge_commit_sha: null }),
    pull(4, last, last, { merge_commit_sha: merge }),
    pull(5, 'main', 'topic', { merge_commit_sha: null }),
  ],
}
