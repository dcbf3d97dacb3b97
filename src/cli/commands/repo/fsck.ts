import type { Database } from '../../../database/open-database.ts'
import { ArchiveError } from '../../../errors.ts'
import { findRepository, listRepositories } from '../../../git/list-repositories.ts'
import {
  type GitFault,
  type GitFaultCode,
  verifyRepository,
} from '../../../git/verify/verify-repository.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { PROGRESS_OPTIONS, progressMode, SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../../output/escape-controls.ts'
import { showProgress } from '../../output/progress.ts'
import { formatBytes, formatCount } from '../../output/quantities.ts'
import { type SafeText, safe } from '../../output/safe-text.ts'
import { stylesFor } from '../../output/styles.ts'
import { writeAll } from '../../output/write-all.ts'
import { openReadable } from '../../sources/open-readable.ts'

/** Faults listed per repository; the rest are counted. */
const MOST_FAULTS = 100

export const fsck = defineCommand({
  usage: '<source> [repository]',
  summary: 'Verify Git data: packs, indexes, objects, refs',
  options: {
    source: SOURCE_OPTION,
    repository: {
      type: 'string',
      describe: 'owner/name, or name alone; a wiki ends in .wiki [all]',
    },
    contents: { type: 'boolean', describe: 'Also hash the contents of files, which takes longer' },
    json: { type: 'boolean', describe: 'Print a JSON object for each repository' },
    ...PROGRESS_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc repo fsck samples/organization.tar.gz', 'every repository'],
    [
      'marc repo fsck samples/organization.tar.gz harbour-lights/tidewatch --contents',
      'one repository, including contents',
    ],
  ],
  async run({ source: named, repository, contents, json, quiet, verbose }, io) {
    const database = await openReadable(named, io, { quiet, contents: 'git' })
    const mode = progressMode({ quiet, verbose })
    const print = json
      ? (verified: Verified) => escapeControlsInJson(JSON.stringify(verified))
      : (verified: Verified) => describeVerified(verified, io)
    let isWhole = true
    try {
      const names = namesOf(database, repository)
      const lines = async function* () {
        for (const name of names) {
          const verified = await verify(database, name, { contents, mode }, io)
          if (verified.count > 0) isWhole = false
          yield safe`${print(verified)}\n`
        }
      }
      await writeAll(io.stdout, lines())
      return isWhole ? 0 : 1
    } finally {
      database.close()
    }
  },
})

function namesOf(database: Database, typed: string | undefined): string[] {
  if (typed !== undefined) return [findRepository(database, typed)]
  return listRepositories(database)
    .filter(({ state }) => state !== 'missing')
    .map(({ repository }) => repository)
}

async function verify(
  database: Database,
  repository: string,
  { contents, mode }: { contents: boolean | undefined; mode: 'none' | 'lines' | undefined },
  io: Io,
): Promise<Verified> {
  const shown = showProgress(io.stderr, { label: `checking ${repository}`, mode })
  const verified: Verified = { repository, objects: 0, bytes: 0, count: 0, faults: [] }
  try {
    const faults = verifyRepository(database, repository, {
      contents,
      progress({ bytes = 0, objects = 0 }) {
        verified.bytes += bytes
        verified.objects += objects
        shown.update(verified.bytes, `${formatCount(verified.objects)} objects`)
      },
    })
    for await (const { code, entry, oid, message } of faults) {
      if (++verified.count <= MOST_FAULTS) verified.faults.push({ code, entry, oid, message })
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
  /** Objects that refs lead to. */
  objects: number
  /** Bytes of packs. */
  bytes: number
  /** The number of faults. */
  count: number
  /** The first faults. */
  faults: (Pick<GitFault, 'entry' | 'oid' | 'message'> & {
    code: GitFaultCode | 'git-unsupported'
  })[]
}

/** The faults of a repository for people. */
function describeVerified(
  { repository, objects, bytes, count, faults }: Verified,
  { stdout, env }: Io,
): SafeText {
  const { bold } = stylesFor(stdout, env)
  const name = bold(escapeControls(repository))
  const seen = safe`${formatCount(objects)} objects, ${formatBytes(bytes)} of packs`
  if (count === 0) return safe`${name}: no faults (${seen})`
  const lines = faults.flatMap(({ code, entry, message }) => [
    safe`  ${escapeControls(`${code}: ${message}`)}`,
    ...(entry === null ? [] : [safe`    ${escapeControls(entry)}`]),
  ])
  const more = count - faults.length
  return [
    safe`${name}: ${count === 1 ? safe`1 fault` : safe`${formatCount(count)} faults`} (${seen})`,
    ...lines,
    ...(more > 0 ? [safe`  and ${formatCount(more)} more`] : []),
  ].join('\n')
}
