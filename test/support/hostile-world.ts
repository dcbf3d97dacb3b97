/** A world whose every text is hostile: records of every kind, a repository in Git, and its wiki. */

import type { JsonValue } from '../../src/records/json/json.ts'
import type { Column, Kind, Members } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { oidOf, type PackedObject, packOf, repositoryOf, treeOf } from './build-pack.ts'
import type { Files } from './build-tar.ts'
import {
  comment,
  filesOf,
  HOST,
  ISSUE,
  KETTLE,
  pullRequest,
  SHA,
  worldRecords,
} from './rest-world.ts'

/** Returns the next hostile text. */
type Turn = () => string

/** Members whose texts mean something: an address, a time, a word of a list. */
const FIXED =
  /^(?:url|.*_url|type|event|formatter|subject_type|.*_at|due_on|due_date|sha|.*_sha|commit_id|original_commit_id|state|login|access|role|privacy|permission|ref)$/

/** A record with a hostile text wherever a person could have written one. */
function spoil(value: unknown, turn: Turn, member = ''): unknown {
  if (typeof value === 'string') {
    const isAddress = /^(?:https?|tarball):/.test(value)
    return isAddress || FIXED.test(member) ? value : turn()
  }
  if (Array.isArray(value)) return value.map((one) => spoil(one, turn, member))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, one]) => [name, spoil(one, turn, name)]))
}

const OF_KETTLE = { repository: KETTLE, created_at: '2024-05-06T01:02:03Z' }

/** The records of a world in which every kind of page has something to show. */
const records = (texts: readonly string[], { base, head }: Commits) => ({
  ...worldRecords(),
  pull_requests: [
    pullRequest(`${KETTLE}/pull/2`, {
      base: { ref: 'main', sha: base, user: `${HOST}/forge`, repo: KETTLE },
      head: { ref: 'topic', sha: head, user: `${HOST}/forge`, repo: KETTLE },
      labels: [`${KETTLE}/labels/${encodeURIComponent('<x-brought>')}`],
    }),
  ],
  issue_comments: texts.map((_, i) => comment(ISSUE, 1000 + i)),
  discussion_categories: [
    {
      type: 'discussion_category',
      url: `${KETTLE}/discussion_categories/Q`,
      repository: KETTLE,
      name: 'Q',
      emoji: ':tea:',
      description: 'x',
    },
  ],
  discussions: [
    {
      type: 'discussion',
      url: `${KETTLE}/discussions/12`,
      user: `${HOST}/ada`,
      title: 'Tea?',
      body: 'x',
      labels: [],
      ...OF_KETTLE,
      discussion_category: `${KETTLE}/discussion_categories/Q`,
    },
  ],
  protected_branches: [
    {
      type: 'protected_branch',
      url: `${KETTLE}/settings/branches/main`,
      name: 'main',
      repository_url: KETTLE,
      creator_url: `${HOST}/ada`,
    },
  ],
  projects: [
    {
      type: 'project',
      url: `${KETTLE}/projects/1`,
      creator: `${HOST}/ada`,
      ...OF_KETTLE,
      name: 'Board',
      body: 'x',
      number: 1,
      state: 'open',
      columns: [
        { name: 'To do', position: 0, cards: [{ note: 'x', creator: `${HOST}/ada`, position: 0 }] },
      ],
    },
  ],
})

/** The url of a record of a kind whose every text is hostile, even where it means something. */
export const spoiledUrl = (kind: string): string => `${HOST}/"><x-brought>/${kind}`

/** One record of each kind, with all of its members and one that is unknown. */
function everyMember(turn: Turn): Record<string, object[]> {
  const anyOf = (column: Column): JsonValue => {
    if (column.storage === 'flag') return true
    if (column.storage === 'integer') return 7
    if (column.storage !== 'json') return turn()
    const { list, members } = column
    if (!list) return members ? objectOf(members) : turn()
    return [isColumn(list.element) ? anyOf(list.element) : objectOf(list.element)]
  }
  const objectOf = (members: Members): { [name: string]: JsonValue } => ({
    ...Object.fromEntries(Object.entries(members).map(([name, one]) => [name, anyOf(one)])),
    [turn()]: turn(),
  })
  return Object.fromEntries(
    Object.entries<Kind>(KINDS).map(([name, { type, columns }]) => [
      name,
      [{ type, ...objectOf(columns), url: spoiledUrl(name) }],
    ]),
  )
}

const isColumn = (element: Column | Members): element is Column =>
  typeof element.storage === 'string'

interface Commits {
  readonly base: string
  readonly head: string
}

/** A name that a tree may hold: neither a slash nor a null is in it, and it is not too long for an address. */
const fileName = (text: string): string =>
  Buffer.from(text.replace(/[/\0]/g, '|').slice(0, 200)).toString('latin1')

/** A name that a branch may have in a hostile archive. */
const refName = (text: string): string =>
  text
    .replace(/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.lock/g, '-')
    .slice(0, 80)
    .replace(/[/.]+$/, '')

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex')

/** A repository whose names, messages, people and files are hostile. */
function git(texts: readonly string[]): { files: Files; wiki: Files; commits: Commits } {
  const objects = new Map<string, PackedObject>()
  const add = (type: PackedObject['type'], content: string | Uint8Array): string => {
    const oid = oidOf(type, content)
    objects.set(oid, { type, content, oid })
    return oid
  }
  const tree = (...entries: [mode: string, name: string, oid: string][]): string =>
    add('tree', treeOf(...entries.toSorted(([, a], [, b]) => (a < b ? -1 : 1))))
  const who = (i: number) => {
    const name = (texts[i % texts.length] ?? '').replace(/[<>\n\0]/g, '|').slice(0, 300)
    return `${name} "'><x-brought> <${name}> 1714564800 +0200`
  }
  const commit = (of: string, i: number, message: string, ...parents: string[]): string => {
    const lines = [`tree ${of}`, ...parents.map((one) => `parent ${one}`)]
    lines.push(`author ${who(i)}`, `committer ${who(i + 1)}`)
    return add('commit', `${lines.join('\n')}\n\n${message.replaceAll('\0', '')}\n`)
  }
  const modules = texts.map(
    (text, i) => `[submodule "${i}"]\n\tpath = ${i}\n\turl = ${text.split('\n')[0]}\n`,
  )
  const kinds = ['txt', 'md', 'js', 'html', 'css', 'json', 'svg']
  const contents = tree(
    ...kinds.flatMap((kind) =>
      texts.map((text, i): [string, string, string] => [
        '100644',
        `${i}.${kind}`,
        add('blob', text),
      ]),
    ),
    // The head of a picture, and a page behind it.
    ['100644', 'picture.png', add('blob', Buffer.concat([PNG, Buffer.from(texts.join('\n'))]))],
  )
  const names = tree(
    ...texts.map((text, i): [string, string, string] => [
      '100644',
      `${i}${fileName(text)}`,
      add('blob', text),
    ]),
    ...texts.map((text, i): [string, string, string] => ['120000', `to-${i}`, add('blob', text)]),
  )
  const root = (readme: string, ...more: [string, string, string][]) =>
    tree(
      ['100644', '.gitmodules', add('blob', modules.join(''))],
      ['100644', 'README.md', add('blob', readme)],
      ['40000', 'contents', contents],
      ['40000', 'names', names],
      ...texts.slice(0, 3).map((_, i): [string, string, string] => ['160000', String(i), SHA]),
      ...more,
    )
  const [first = '', ...others] = texts
  let base = commit(root(first), 0, first)
  for (const [i, text] of others.slice(0, 12).entries()) base = commit(root(text), i, text, base)
  const folder = tree(['100644', 'a.js', add('blob', texts.join('\n'))])
  const head = commit(
    root(texts.join('\n\n'), ['40000', `x${fileName(first)}`, folder]),
    5,
    first,
    base,
  )
  const branches = texts.slice(0, 12).map((text, i) => `${head} refs/heads/${i}${refName(text)}`)
  const tags = texts.slice(0, 12).map((text, i) => {
    const content = `object ${base}\ntype commit\ntag ${i}\ntagger ${who(i)}\n\n${text}\n`
    return `${add('tag', content)} refs/tags/${i}${refName(text)}`
  })
  const page = (text: string) => add('blob', `${text}\n\n[[${text}|${text}]]\n`)
  const wiki = commit(
    tree(
      ['100644', 'Home.md', page(first)],
      ...texts.map((text, i): [string, string, string] => [
        '100644',
        `${i}${fileName(text)}.md`,
        page(text),
      ]),
      ['100644', '_Sidebar.md', page(texts.join('\n'))],
    ),
    0,
    first,
  )
  const refs = [`${base} refs/heads/main`, `${head} refs/heads/topic`, ...branches, ...tags]
  const pack = packOf([...objects.values()])
  return {
    files: repositoryOf('forge/kettle', { 'packed-refs': `${refs.join('\n')}\n`, ...pack }),
    wiki: repositoryOf('forge/kettle.wiki', { 'refs/heads/main': `${wiki}\n`, ...pack }),
    commits: { base, head },
  }
}

/** The files of an archive of such a world; texts are taken in turn. */
export function hostileFiles(texts: readonly string[]): Files {
  let at = 0
  const turn = () => texts[at++ % texts.length] ?? ''
  const { files, wiki, commits } = git(texts)
  const every = everyMember(turn)
  const spoiled = Object.entries(records(texts, commits)).map(([kind, each]) => {
    // Repositories keep their names: addresses have them.
    const kept = each.map((record) => {
      const { name } = record as { name?: string }
      return { ...(spoil(record, turn) as object), ...(kind === 'repositories' && { name }) }
    })
    return [kind, [...kept, ...(every[kind] ?? [])]] as const
  })
  const upload = { 'releases/1/kettle.zip': texts.join('\n') }
  return { ...filesOf({ ...every, ...Object.fromEntries(spoiled) }), ...files, ...wiki, ...upload }
}
