import { ArchiveError } from '../../../base/errors.ts'
import type { Database } from '../../../database/open-database.ts'
import { findRepository, listRepositories } from '../../../git/list-repositories.ts'
import {
  type GitFault,
  type GitFaultCode,
  verifyRepository,
} from '../../../git/verify/verify-repository.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { PROGRESS_OPTIONS, progressMode, SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../../output/escape-controls.ts'
import { jsonArray } from '../../output/format-json.ts'
import { showProgress } from '../../output/progress.ts'
import { formatBytes, formatCount } from '../../output/quantities.ts'
import { stylesFor } from '../../output/styles.ts'
import { asLines, writeAll } from '../../output/write-all.ts'
import { openReadable } from '../../sources/open-readable.ts'

/** Faults listed per repository; the rest are counted. */
const MOST_FAULTS = 100

export const fsck = defineCommand({
  usage: '<source> [repository]',
  options: {
    source: SOURCE_OPTION,
    repository: {
      type: 'string',
      describe: 'owner/name, or name alone; a wiki ends in .wiki [all]',
    },
    json: { type: 'boolean', describe: 'Print a JSON array of the repositories' },
    ...PROGRESS_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc repo fsck samples/organization.tar.gz', 'every repository'],
    ['marc repo fsck samples/organization.tar.gz harbour-lights/tidewatch', 'one repository'],
  ],
  async run({ source: named, repository, json, quiet, verbose }, io) {
    io.keepYoungSpace?.()
    const database = await openReadable(named, io, { quiet, contents: 'git' })
    const mode = progressMode({ quiet, verbose })
    const print = json
      ? (verified: Verified) => escapeControlsInJson(JSON.stringify(verified))
      : (verified: Verified) => describeVerified(verified, io)
    let isWhole = true
    try {
      const names = namesOf(database, repository)
      const repositories = async function* () {
        for (const name of names) {
          const verified = await verify(database, name, mode, io)
          if (verified.count > 0) isWhole = false
          yield print(verified)
        }
      }
      await writeAll(io.stdout, json ? jsonArray(repositories()) : asLines(repositories()))
      return isWhole ? 0 : 1
    } finally {
      database.close()
    }
  },
})

function namesOf(database: Database, text: string | undefined): string[] {
  if (text !== undefined) return [findRepository(database, text)]
  return listRepositories(database)
    .filter(({ state }) => state !== 'missing')
    .map(({ repository }) => repository)
}

async function verify(
  database: Database,
  repository: string,
  mode: ReturnType<typeof progressMode>,
  io: Io,
): Promise<Verified> {
  const shown = showProgress(io.stderr, { label: `checking ${repository}`, mode })
  const verified: Verified = { repository, objects: 0, bytes: 0, count: 0, faults: [], notes: [] }
  try {
    const faults = verifyRepository(database, repository, {
      progress({ bytes, objects }) {
        Object.assign(verified, { bytes, objects })
        shown.update(bytes, () => `${formatCount(objects)} objects`)
      },
    })
    for await (const { code, severity, entry, oid, message } of faults) {
      const found = { code, entry, oid, message }
      if (severity === 'note') verified.notes.push(found)
      else if (++verified.count <= MOST_FAULTS) verified.faults.push(found)
    }
  } catch (error) {
    // The other repositories may be readable.
    if (!(error instanceof ArchiveError && error.code === 'git-unsupported')) throw error
    verified.count++
    const { message, place } = error
    verified.faults.push({
      code: 'git-unsupported',
      entry: place.entry ?? null,
      oid: null,
      message,
    })
  } finally {
    shown.finish()
  }
  return verified
}

/** The result of verifying a repository. */
interface Verified {
  repository: string
  /** Objects that can be read. */
  objects: number
  /** Bytes of packs. */
  bytes: number
  /** The number of faults. */
  count: number
  /** The first faults. */
  faults: Found[]
  /** Notes: facts about a repository that are no faults. */
  notes: Found[]
}

type Found = Pick<GitFault, 'entry' | 'oid' | 'message'> & {
  code: GitFaultCode | 'git-unsupported'
}

/** The faults of a repository for people. */
function describeVerified(
  { repository, objects, bytes, count, faults, notes }: Verified,
  { stdout, env }: Io,
): SafeText {
  const { bold } = stylesFor(stdout, env)
  const name = bold(escapeControls(repository))
  const seen = safe`${formatCount(objects)} objects, ${formatBytes(bytes)} of packs`
  const found = count === 0 ? safe`no` : formatCount(count)
  const more = count - faults.length
  return [
    safe`${name}: ${found} ${count === 1 ? safe`fault` : safe`faults`} (${seen})`,
    ...faults.flatMap((fault) => describeFound(fault)),
    ...(more > 0 ? [safe`  and ${formatCount(more)} more`] : []),
    ...notes.map(({ message }) => safe`  note: ${escapeControls(message)}`),
  ].join('\n')
}

const describeFound = ({ code, entry, message }: Found): SafeText[] => [
  safe`  ${escapeControls(`${code}: ${message}`)}`,
  ...(entry === null ? [] : [safe`    ${escapeControls(entry)}`]),
]
