import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zipOf } from '../../samples/make/bitbucket-issues.ts'
import { remedyFor } from '../../src/cli/remedies.ts'
import { ArchiveError, describePlace, loadArchive } from '../../src/index.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { FOREIGN_SAMPLES, type SourceFiles } from '../support/foreign-samples.ts'
import { inFolder, run } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

/** Writes a source that is broken, and returns its path. */
type Break = (files: SourceFiles) => Promise<string>

const inFolderWith =
  (changed: (files: SourceFiles) => SourceFiles): Break =>
  async (files) =>
    folderOf(changed(files))

const without = (...paths: string[]) =>
  inFolderWith((files) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path))),
  )

const withText = (path: string, text: string) =>
  inFolderWith((files) => ({ ...files, [path]: text }))

const withLine = (path: string, line: string) =>
  inFolderWith((files) => ({ ...files, [path]: `${files[path]}${line}\n` }))

const firstOf = (bytes: Uint8Array, part: number) =>
  bytes.subarray(0, Math.floor(bytes.length * part))

const cut = (path: string, part: number) =>
  inFolderWith((files) => ({ ...files, [path]: firstOf(Buffer.from(files[path] ?? ''), part) }))

const packed =
  (name: string, pack: (files: SourceFiles) => Promise<Uint8Array>): Break =>
  async (files) => {
    const source = join(await folderOf(), name)
    writeFileSync(source, await pack(files))
    return source
  }

const cutTar = (part: number) =>
  packed('it.tar.gz', async (files) => firstOf(tarGzOf({ ...files }), part))

/** A zip in which the content of one member begins with what no compression has. */
const damagedZip = (path: string) =>
  packed('it.zip', async (files) => {
    const zip = Buffer.from(await zipOf(files))
    let header = 0
    const nameAt = () => header + 30
    while (zip.toString('latin1', nameAt(), nameAt() + path.length) !== path) {
      header = zip.indexOf('PK\x03\x04', header + 4, 'latin1')
    }
    const extra = zip.readUInt16LE(header + 28)
    zip[nameAt() + path.length + extra] = 0xff
    return zip
  })

const DEEP = `{"x":${'['.repeat(600)}${']'.repeat(600)}}`

const ISSUE = 'repositories/kettle/issues/1.json'
const HOOKS = 'repositories/kettle/hooks/hooks.json'
const DATABASE = 'db-1.0.json'
const PICTURE = 'attachments/1_lid.png'
const PROJECT = 'tree/project.json'
const LINES = 'tree/project/issues.ndjson'
const THREADS = [LINES, 'tree/project/merge_requests.ndjson']
const BUNDLE = 'project.bundle'

const IS = {
  'python-github-backup': 'a folder of python-github-backup',
  'github-metadata-backup': 'a folder of github-metadata-backup',
  'Bitbucket 1.0': 'an export of issues of Bitbucket',
  'GitLab 17': 'a project export of GitLab',
  'GitLab in one file': 'a project export of GitLab',
} as const

type Form = keyof typeof IS

/** What to do about it. */
const AGAIN: Readonly<Record<Form, RegExp>> = {
  'python-github-backup': /^Run github-backup again, without --incremental/,
  'github-metadata-backup': /^Delete state\.json and run github-metadata-backup again/,
  'Bitbucket 1.0': /^Unpack it again or look for another copy/,
  'GitLab 17': /^Make the export again: Settings > General > Advanced > Export project/,
  'GitLab in one file': /^Make the export again: /,
}
const COPY = /^Copy or download the file again/
const DEPTH = /--max-depth/
const UPDATE = /^Update migration-archive/

/** THE TABLE of broken sources: what is done to each, the code and the place of the error, and its remedy if it is not `AGAIN`. */
const BROKEN: readonly (readonly [
  Form,
  string,
  Break,
  code: string,
  at?: string,
  remedy?: RegExp,
])[] = [
  ['python-github-backup', 'an empty file', withText(ISSUE, ''), 'json-damaged', ISSUE],
  ['python-github-backup', 'a cut file', cut(ISSUE, 0.5), 'json-damaged', ISSUE],
  ['python-github-backup', 'a page', withText(ISSUE, '<html>'), 'json-damaged', ISSUE],
  ['python-github-backup', 'a cut list', cut(HOOKS, 0.5), 'json-damaged', HOOKS],
  ['python-github-backup', 'a deep value', withText(ISSUE, DEEP), 'limit-depth', ISSUE, DEPTH],
  ['python-github-backup', 'nothing', async () => folderOf({ [ISSUE]: '[]' }), 'source-damaged'],
  ['python-github-backup', 'a cut tar', cutTar(0.6), 'gzip-truncated', '', COPY],
  ['python-github-backup', 'a bad zip', damagedZip(ISSUE), 'zip-damaged', ISSUE, COPY],
  [
    'github-metadata-backup',
    'a cut file',
    cut('pulls/2.json', 0.9),
    'json-damaged',
    'pulls/2.json',
  ],
  ['github-metadata-backup', 'a cut state', cut('state.json', 0.5), 'json-damaged', 'state.json'],
  ['github-metadata-backup', 'zeros', withText('issues/1.json', '\0\0'), 'json-damaged'],
  ['Bitbucket 1.0', 'an empty file', withText(DATABASE, ''), 'source-damaged', DATABASE],
  ['Bitbucket 1.0', 'a cut file', cut(DATABASE, 0.8), 'json-damaged', DATABASE],
  [
    'Bitbucket 1.0',
    'another list',
    withText(DATABASE, '{"issues":{}}'),
    'source-damaged',
    DATABASE,
  ],
  ['Bitbucket 1.0', 'a deep value', withText(DATABASE, DEEP), 'limit-depth', DATABASE, DEPTH],
  ['Bitbucket 1.0', 'two files', withLine(DATABASE, '{}'), 'json-damaged', DATABASE],
  ['Bitbucket 1.0', 'a bad zip', damagedZip(PICTURE), 'zip-damaged', PICTURE, COPY],
  [
    'Bitbucket 1.0',
    'a new version',
    async () => folderOf({ 'db-3.0.json': '{}' }),
    'source-unsupported',
    'db-3.0.json',
    UPDATE,
  ],
  ['GitLab 17', 'a cut project', cut(PROJECT, 0.5), 'json-damaged', PROJECT],
  ['GitLab 17', 'no project', without(PROJECT), 'source-damaged'],
  ['GitLab 17', 'a list as project', withText(PROJECT, '[]'), 'source-damaged', PROJECT],
  ['GitLab 17', 'a cut line', cut(LINES, 0.9), 'json-damaged', `${LINES}, record 1`],
  ['GitLab 17', 'a broken line', withLine(LINES, '{"iid":'), 'json-damaged', `${LINES}, record 2`],
  ['GitLab 17', 'another line', withLine(LINES, '5'), 'json-damaged', `${LINES}, record 2`],
  ['GitLab 17', 'a deep line', withLine(LINES, DEEP), 'limit-depth', `${LINES}, record 2`, DEPTH],
  ['GitLab 17', 'no threads', without(...THREADS, BUNDLE), 'source-damaged'],
  ['GitLab 17', 'a new version', withText('VERSION', '9.0.0'), 'source-unsupported', '', UPDATE],
  ['GitLab 17', 'a cut bundle', cut(BUNDLE, 0.9), 'git-object-damaged', BUNDLE],
  ['GitLab 17', 'no bundle', withText(BUNDLE, 'oid sha256:'), 'git-object-damaged', BUNDLE],
  [
    'GitLab 17',
    'a bundle of SHA-256',
    withText(BUNDLE, '# v3 git bundle\n@object-format=sha256\n\nPACK'),
    'git-unsupported',
    BUNDLE,
    /fast-export.+--repo-git.+--salvage/,
  ],
  ['GitLab 17', 'a cut tar', cutTar(0.9), 'gzip-truncated', '', COPY],
  ['GitLab in one file', 'a cut file', cut('project.json', 0.9), 'json-damaged', 'project.json'],
]

const CASES = BROKEN.map(([form, how, write, code, at = '', remedy = AGAIN[form]]) => {
  const broken = () => write(FOREIGN_SAMPLES[form]?.() ?? {})
  return { form, how, broken, code, at, remedy }
})

const errorOf = async (work: Promise<unknown>): Promise<ArchiveError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ArchiveError) return error
  throw new Error('expected an error of a broken source', { cause: error })
}

/** Files of a clone that tell of a form that no archive has, and what mends it. */
const FORMS_OF_CLONES: readonly (readonly [path: string, remedy: RegExp])[] = [
  ['objects/info/alternates', /git repack -a -d.+delete.+alternates/],
  ['shallow', /git fetch --unshallow/],
  ['info/grafts', /Delete the file info\/grafts/],
  ['commondir', /git clone --mirror/],
  ['reftable/tables.list', /git refs migrate --ref-format=files/],
  [`objects/ab/${'0'.repeat(62)}`, /fast-export.+--repo-git/],
  [`objects/pack/pack-${'0'.repeat(64)}.pack`, /fast-export.+--repo-git/],
]

test.each(FORMS_OF_CLONES)(
  'git-unsupported: a clone with %s is mended by %s',
  async (path, remedy) => {
    const files = FOREIGN_SAMPLES['python-github-backup']?.() ?? {}
    const clone = 'repositories/kettle/repository'
    const source = await folderOf({
      ...files,
      [`${clone}/HEAD`]: 'ref: refs/heads/main\n',
      [`${clone}/${path}`]: 'x\n',
    })
    const error = await errorOf(loadArchive(source, join(await folderOf(), 'it.db')))
    expect(error).toMatchObject({ code: 'git-unsupported', place: { entry: `${clone}/${path}` } })
    expect(remedyFor(error)).toMatch(remedy)
  },
)

test.each(CASES)(
  '$form with $how: the error names the form and its place, and says how to mend it',
  async ({ form, broken, code, at, remedy }) => {
    const error = await errorOf(loadArchive(await broken(), join(await folderOf(), 'it.db')))
    expect(error).toMatchObject({ code, place: { form: IS[form] } })
    expect(describePlace(error.place).endsWith(at)).toBe(true)
    expect(remedyFor(error)).toMatch(remedy)
  },
)

test.each(CASES)(
  '$form with $how: if the remedy names salvage, that reads the rest',
  THOROUGH,
  async ({ broken }) => {
    const source = await broken()
    const database = join(await folderOf(), 'it.db')
    if (!remedyFor(await errorOf(loadArchive(source, database))).includes('--salvage')) return
    const { archives } = await loadArchive(source, database, { salvage: true })
    expect(archives).toMatchObject([{ state: 'salvaged' }])
  },
)

test('The command prints the form of a broken source, and a remedy that names it', async () => {
  const source = await cut(ISSUE, 0.5)(FOREIGN_SAMPLES['python-github-backup']?.() ?? {})
  inFolder()
  const { code, stderr } = await run(['check', source])
  expect(code).toBe(3)
  expect(stderr).toContain(` (a folder of python-github-backup), ${ISSUE}: `)
  expect(stderr).toContain(
    `or load what is readable into a database: marc load ${source} --salvage`,
  )
})
