/** A repository that has a value of each type in every part. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { packOf } from '../../../support/build-pack.ts'
import { gitText } from '../../../support/git-history.ts'
import { makeBare } from '../../../support/git-world.ts'
import { FILE_CLOTHES } from './clothes.ts'
import { FORMS } from './forms.ts'
import { type Form, Planter } from './planter.ts'

export const REPOSITORY = 'repositories/kettle/tools.git'
const WHO = 'Kettle <kettle@forge.invalid> 1600000000 +0000'
const ZEROS = '0'.repeat(40)

const firstOf = (kind: string) => FORMS[kind]?.[0] as Form
const KINDS = Object.keys(FORMS)
/** Those whose values may be in names of refs. */
const IN_REFS = ['name', 'secret', 'email']

/** Which forms are planted: one of each kind, or all. */
type Forms = 'first' | 'all'
const formsOf = (kind: string, forms: Forms): readonly Form[] =>
  forms === 'all' ? (FORMS[kind] ?? []) : [firstOf(kind)]
/** All forms that are written with these characters. */
const writtenWith = (characters: RegExp, kinds: readonly string[], forms: Forms): Form[] =>
  kinds
    .flatMap((kind) => formsOf(kind, forms))
    .filter((form) => characters.test(new Planter(1).plant(form, '', '')))
    .filter(({ name }) => characters !== FOR_REFS || !BEHIND_SPACES.includes(name))
/**
 * A name may have a sign in the place of each space, but then neither words for signs nor an initial, nor a secret behind it: the
 * report says so.
 */
const FOR_REFS = /^(?!.* (?:at|AT|M\.) )[\p{L}\p{N}_@%+ -](?:\.?[\p{L}\p{N}_@%+ -])*$/u
const BEHIND_SPACES = ['a setting behind a space', 'a token in prose', 'a variable of Windows']
const FOR_FILES = /^[^/"\\\n]+$/
const FOR_PEOPLE = /^[^<>\n]+$/

/** Forms in which something is on another line than what tells what it is. */
const ON_TWO_LINES = [
  'on two lines',
  'a form of several parts',
  'a key of ESPHome',
  'a password beside its name in YAML',
  'a token in a list of properties',
]

/** Latin-1 has no Cyrillic letters, and in a comment of a setting each line begins with a sign, as the report says. */
const isWritable = ({ name }: Form, where: string) =>
  !(/Latin-1|windows/.test(where) && name.includes('Cyrillic')) &&
  !(/config|\.gitmodules/.test(where) && ON_TWO_LINES.includes(name)) &&
  !(where.startsWith('a header of another') && name === 'a form of several parts')

const data = (text: string | Buffer) => {
  const bytes = Buffer.from(text as string)
  return `data ${bytes.length}\n${bytes.toString('latin1')}\n`
}
const latin1 = (text: string) => Buffer.from(text).toString('latin1')

/** Files of a bare repository that are no objects: the text is a line of them. */
const LOOSE_FILES: Readonly<Record<string, (text: string) => string>> = {
  description: (text) => text,
  config: (text) =>
    `[core]\n\tbare = true\n[remote "origin"]\n\turl = x\n# ${text.replaceAll('\n', '\n# ')}\n`,
  'info/exclude': (text) => text,
  'hooks/post-receive': (text) => `#!/bin/sh\necho '${text}'\n`,
  'logs/HEAD': (text) => `${ZEROS} ${ZEROS} ${WHO}\t${text.replaceAll('\n', ' ')}\n`,
  'logs/refs/heads/main': (text) => `${ZEROS} ${ZEROS} ${WHO}\t${text.replaceAll('\n', ' ')}\n`,
  FETCH_HEAD: (text) => `${ZEROS}\tnot-for-merge\tbranch 'main' of ${text.replaceAll('\n', ' ')}\n`,
  COMMIT_EDITMSG: (text) => text,
  'lfs/objects/ab/cd/abcd': (text) => text,
  'notes.txt': (text) => text,
  'worktrees/w/COMMIT_EDITMSG': (text) => text,
  'modules/m/config': (text) => `[user]\n# ${text.replaceAll('\n', '\n# ')}\n`,
  'objects/info/http-alternates': (text) => text,
  'objects/pack/pack-0123.keep': (text) => text,
  'objects/pack/pack-0123.promisor': (text) => text,
}

const object = (text: string) =>
  deflateSync(Buffer.from(`blob ${Buffer.byteLength(text)}\0${text}`))

/** What a program that was stopped leaves among objects, and files that are no texts. */
const LEFTOVERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'objects/ab/tmp_obj_Xy12': object,
  'objects/incoming-1a2b/ab/cd': object,
  'objects/pack/tmp_pack_Xy12': (text) => packOf([{ type: 'blob', content: text }])[PACK] as Buffer,
  'objects/pack/pack-9876.pack': (text) =>
    packOf([{ type: 'blob', content: text }])[PACK] as Buffer,
  index: (text) => Buffer.from(`DIRC\0${text}`),
}
const PACK = 'objects/pack/pack-it.pack'

/** Writes a value of each type, one in a line. */
type Write = (place: string, clothes?: string) => string

/**
 * Plants a value of each type, or of each form, in each part of a repository: by fast-import, by other commands of Git, and by hand.
 */
export function plantGit(planter: Planter, folder: string, forms: Forms): void {
  const directory = join(folder, REPOSITORY)
  makeBare(directory)
  const text: Write = (place, clothes = 'plain') =>
    KINDS.flatMap((kind) => formsOf(kind, forms))
      .filter((form) => isWritable(form, `${place} ${clothes}`))
      .map((form) => `see ${planter.plant(form, place, clothes)} there`)
      .join('\n')
  gitText(
    directory,
    ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--force'],
    historyOf(planter, text, forms),
  )
  gitText(directory, ['repack', '-adfq', '--depth=50', '--window=50'])
  gitText(directory, ['pack-refs', '--all'])
  plantLoose(planter, text, directory)
  for (const [path, write] of Object.entries(LOOSE_FILES)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), write(text(path)))
  }
  for (const [path, write] of Object.entries(LEFTOVERS)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), write(text(`${path}, a leftover`)))
  }
}

const refOf = (text: string) => text.replaceAll(' ', '-')

function historyOf(planter: Planter, text: Write, forms: Forms): string {
  const plantIn = (place: string, characters: RegExp, kinds = KINDS) =>
    writtenWith(characters, kinds, forms).map((form) => planter.plant(form, place, 'plain'))
  const people = (place: string): string[] => {
    const names = plantIn(place, FOR_PEOPLE, ['name'])
    return plantIn(place, FOR_PEOPLE, ['email']).map(
      (email, i) => `${names[i] ?? 'Kettle'} <${email}>`,
    )
  }
  const peopleThen = (place: string) =>
    people(place).map((person) => latin1(`${person} 1600000000 +0000`))
  const commit = (ref: string, message: string, changes: string[], who = WHO) =>
    `commit ${ref}\ncommitter ${who}\n${data(message)}${changes.join('')}\n`
  const file = (path: string, content: string | Buffer, mode = '100644') =>
    `M ${mode} inline ${JSON.stringify(latin1(path))}\n${data(content)}`
  const names = (place: string) => plantIn(place, FOR_FILES)
  const clothes = Object.entries(FILE_CLOTHES).filter(([name]) => !name.startsWith('more'))
  const long = Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join('')
  return [
    `commit refs/heads/main\nmark :1\ncommitter ${WHO}\n${data('First\n')}${file('a.txt', 'a')}\n`,
    ...peopleThen('an author').map(
      (author) => `commit refs/heads/main\nauthor ${author}\ncommitter ${WHO}\n${data('x\n')}\n`,
    ),
    ...peopleThen('a committer').map((committer) => commit('refs/heads/main', 'x', [], committer)),
    commit('refs/heads/main', text('a message'), []),
    commit(
      'refs/heads/main',
      `x\n\n${people('a trailer')
        .map((person) => `Signed-off-by: ${person}\n`)
        .join('')}`,
      [],
    ),
    commit(
      'refs/heads/main',
      'x',
      names('the name of a file').map((name) => file(`src/${name}.c`, 'x')),
    ),
    commit(
      'refs/heads/main',
      'x',
      names('the name of a folder').map((name) => file(`${name}/x.c`, 'x')),
    ),
    commit('refs/heads/main', 'x', [
      file('link', text('the target of a link'), '120000'),
      ...clothes.map(([name, { bytes }], i) =>
        file(`file-${i}`, bytes(text('a file of the history', name))),
      ),
    ]),
    commit('refs/heads/main', 'x', ['D src\n', 'deleteall\n', file('a.txt', 'a')]),
    ...[0, 1, 2, 3].map((i) =>
      commit('refs/heads/main', 'x', [
        file('long.txt', `${i === 0 ? '' : text(`version ${i} of a long file`)}\n${long}${i}`),
      ]),
    ),
    commit('refs/heads/main', 'x', [
      file('.gitmodules', modulesOf(text('.gitmodules'))),
      file('large.bin', `version https://git-lfs.example/v1\n${text('a pointer of LFS')}\n`),
      `M 160000 ${'12'.repeat(20)} module\n`,
    ]),
    ...['one', 'two'].map((name) =>
      commit(`refs/heads/${name}`, 'x', ['from :1\n', file(`${name}.txt`, name)]),
    ),
    `commit refs/heads/octopus\ncommitter ${WHO}\n${data(text('the message of an octopus merge'))}`,
    'from :1\nmerge refs/heads/one\nmerge refs/heads/two\n',
    `${file('merged.txt', text('a file of an octopus merge'))}\n`,
    `commit refs/heads/latin\nauthor ${WHO}\ncommitter ${WHO}\nencoding ISO-8859-1\n`,
    data(Buffer.from(`Gr\xfc\xdfe\n${text('a message in Latin-1')}`, 'latin1')),
    commit('refs/notes/commits', 'Notes\n', [
      file(`ab/${'ab'.repeat(19)}`, text('a note')),
      file('kept/in a folder', text('a file that only notes have')),
    ]),
    commit('refs/stash', text('a stash'), [file('a.txt', 'b')]),
    commit('refs/namespaces/x/refs/heads/main', text('a commit of another namespace'), [
      file('a.txt', text('a file of another namespace')),
    ]),
    commit('refs/pull/7/head', text('the commit of a pull request'), [
      file('a.txt', text('a file of a pull request')),
    ]),
    `tag v1\nfrom :1\ntagger ${WHO}\n${data(text('the message of a tag'))}`,
    ...peopleThen('a tagger').map(
      (tagger, i) => `tag of-${i}\nfrom :1\ntagger ${tagger}\n${data('x\n')}`,
    ),
    ...plantIn('the name of a branch', FOR_REFS, IN_REFS).map(
      (name) => `reset refs/heads/${latin1(refOf(name))}\nfrom :1\n\n`,
    ),
    ...plantIn('the name of a tag', FOR_REFS, IN_REFS).map(
      (name) => `reset refs/tags/${latin1(refOf(name))}\nfrom :1\n\n`,
    ),
  ].join('')
}

const modulesOf = (text: string) =>
  `[submodule "module"]\n\tpath = module\n\turl = ../module\n# ${text.replaceAll('\n', '\n# ')}\n`

/** Objects in files of their own, most of them without a ref. */
function plantLoose(planter: Planter, text: Write, directory: string): void {
  const run = (args: string[], input = '') => gitText(directory, args, input).trim()
  const write = (type: string, content: string) =>
    run(['hash-object', '-t', type, '-w', '--stdin'], latin1(content))
  for (const kind of IN_REFS) {
    const branch = refOf(planter.plant(firstOf(kind), 'the name of a loose branch', 'plain'))
    run(['branch', branch, 'main'])
    const name = planter.plant(firstOf(kind), 'the name of an annotated tag', 'plain')
    const tag = `object ${run(['rev-parse', 'main'])}\ntype commit\ntag ${refOf(name)}\ntagger ${WHO}\n\nx\n`
    run(['update-ref', `refs/tags/${refOf(name)}`, write('tag', tag)])
  }
  const blob = write('blob', text('a loose blob without a ref'))
  const names = KINDS.map((kind) => planter.plant(firstOf(kind), 'a tree without a ref', 'plain'))
  const entries = names.map((name) => `100644 blob ${blob}\t${name.replaceAll(/[/\n]/g, '-')}\0`)
  const tree = run(['mktree', '-z'], latin1(entries.join('')))
  const signature = text('a signature').replaceAll('\n', '\n ')
  write(
    'commit',
    [
      `tree ${tree}\nauthor ${WHO}\ncommitter ${WHO}`,
      `rebase-by ${text('a header of another program').replaceAll('\n', '\n ')}`,
      `gpgsig -----BEGIN PGP SIGNATURE-----\n \n ${signature}\n -----END PGP SIGNATURE-----`,
      `\n${text('a commit without a ref')}\n`,
    ].join('\n'),
  )
  const ofBlob = `object ${blob}\ntype blob\ntag b\ntagger ${WHO}\n\n${text('a tag of a blob')}\n`
  run(['update-ref', 'refs/tags/of-a-blob', write('tag', ofBlob)])
  const ofTree = `object ${tree}\ntype tree\ntag t\ntagger ${WHO}\n\n${text('a tag of a tree')}\n`
  run(['update-ref', 'refs/tags/of-a-tree', write('tag', ofTree)])
  const person = (place: string) =>
    `${planter.plant(firstOf('name'), place, 'plain')} <${planter.plant(firstOf('email'), place, 'plain')}>`
  const ofTag = [
    `object ${run(['rev-parse', 'refs/tags/v1'])}\ntype tag\ntag v2`,
    `tagger ${person('the tagger of a tag')} 1600000000 +0000`,
    `\n${text('the message of a tag of a tag')}\n`,
  ].join('\n')
  run(['update-ref', 'refs/tags/v2', write('tag', ofTag)])
  const note = (ref: string, place: string, oid: string) =>
    run([
      '-c',
      'user.name=Kettle',
      '-c',
      'user.email=kettle@forge.invalid',
      'notes',
      `--ref=${ref}`,
      'add',
      '-m',
      text(place),
      oid,
    ])
  const many = run(['rev-list', '--all']).split('\n')
  for (const oid of many.slice(0, 3)) note('review', 'a note of another ref', oid)
  note('of-notes', 'a note of notes', 'refs/notes/review')
}
