import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { gitPath } from '../objects/repository-files.ts'
import { type ConfigValue, parseConfig } from '../parse/parse-config.ts'
import type { GitFault, MakeFault } from './faults.ts'

/** The largest configuration to read. Real ones have a few hundred bytes. */
const LARGEST = 2 ** 20

/**
 * The faults of a repository's `config`: Git stops at it, or it says that objects or refs have a form that importers do not
 * accept. Git does without the file, so a missing one is no fault. Nothing in it is obeyed.
 */
export function* verifyConfig(
  database: Database,
  repository: string,
  fault: MakeFault,
): Generator<GitFault> {
  const entry = gitPath(repository, 'config')
  const file = database
    .prepare<[string], { id: number; size: number; stored: number }>(
      'SELECT id, size, stored FROM files WHERE path = ? ORDER BY id DESC LIMIT 1',
    )
    .get(entry)
  if (!file?.stored) return
  const damaged = (why: string) => fault('git-config-damaged', why, { entry })
  if (file.size > LARGEST) return yield damaged(`it has ${file.size} bytes`)
  const values = parseConfig(Buffer.concat([...readFile(database, file.id)]).toString())
  if (typeof values === 'number') return yield damaged(`Git cannot read line ${values}`)
  const wrong = wrongValue(values) ?? wrongVersion(values)
  if (wrong !== undefined) return yield damaged(wrong)
  for (const [name, format, what] of FORMATS) {
    const value = last(values, name)?.value ?? format
    if (value !== format)
      yield fault('git-unsupported', `config says that ${what} ${value}`, { entry })
  }
  const promisor = values.find(isPromisor)
  if (promisor) {
    const message = `config has ${promisor.name}: objects may have been left with the remote`
    yield fault('git-partial-clone', message, { entry })
  }
}

const FORMATS = [
  ['extensions.objectformat', 'sha1', 'object ids are'],
  ['extensions.refstorage', 'files', 'refs are in'],
] as const

const last = (values: readonly ConfigValue[], name: string) =>
  values.findLast((each) => each.name === name)

const isPromisor = ({ name, value }: ConfigValue): boolean =>
  name === 'extensions.partialclone' ||
  (/^remote\..+\.promisor$/s.test(name) && !/^(?:|0|false|no|off)$/i.test(value ?? 'true'))

const BOOLEANS: ReadonlySet<string> = new Set([
  'core.bare',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.symlinks',
])
const BOOLEAN = /^(?:|true|false|yes|no|on|off|[-+]?\d+[kmg]?)$/i
const VERSION = 'core.repositoryformatversion'

/** How a variable that Git reads in every repository differs from what it accepts. */
function wrongValue(values: readonly ConfigValue[]): string | undefined {
  for (const { name, value } of values) {
    const shown = value === null ? 'no value' : JSON.stringify(value.slice(0, 100))
    if (BOOLEANS.has(name) && value !== null && !BOOLEAN.test(value)) {
      return `${name} is ${shown}, not true or false`
    }
    if (name === VERSION && !/^\d+$/.test(value ?? '')) return `${name} is ${shown}, not a number`
  }
  return undefined
}

/** Extensions that Git knows in a repository of version 0; of version 1, those and more. */
const EXTENSIONS = ['noop', 'partialclone', 'preciousobjects', 'worktreeconfig']
const EXTENSIONS_OF_1 = [
  ...EXTENSIONS,
  'noop-v1',
  'objectformat',
  'compatobjectformat',
  'refstorage',
  'relativeworktrees',
]

/** Why Git does not know how to read the repository. */
function wrongVersion(values: readonly ConfigValue[]): string | undefined {
  const version = Number(last(values, VERSION)?.value ?? 0)
  if (version > 1) return `${VERSION} is ${version}, and Git knows 0 and 1`
  const isUnknown = ({ name }: ConfigValue) => {
    const extension = /^extensions\.(.*)$/s.exec(name)?.[1]
    if (extension === undefined) return false
    // The formats have a fault of their own.
    if (FORMATS.some(([format]) => format === name)) return false
    return version === 0
      ? EXTENSIONS_OF_1.includes(extension) && !EXTENSIONS.includes(extension)
      : !EXTENSIONS_OF_1.includes(extension)
  }
  const unknown = values.find(isUnknown)
  return unknown && `it has ${unknown.name}, which Git does not know in version ${version}`
}
