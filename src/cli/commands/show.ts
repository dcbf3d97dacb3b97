import { once } from 'node:events'
import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { findRecord } from '../../database/rows/read-record.ts'
import type { DiffOptions } from '../../git/diff/diff-trees.ts'
import { recordMarkdown } from '../../reading/markdown/record-markdown.ts'
import { threadMarkdown } from '../../reading/markdown/thread-markdown.ts'
import { Remembered } from '../../reading/remembered.ts'
import { resolveTarget, type Target } from '../../reading/resolve-target.ts'
import { Store } from '../../reading/store.ts'
import { isThreadTable, threadAt } from '../../reading/threads/read-thread.ts'
import type { Thread, TimelineItem } from '../../reading/threads/thread.ts'
import { timelinesOf } from '../../reading/threads/timeline.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'
import { JSON_OPTION, ownFormatOf } from '../options/format-options.ts'
import { contextOf, PATCH_OPTIONS } from '../options/patch-options.ts'
import { PAGER_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import {
  escapeControls,
  escapeControlsButNewlines,
  escapeControlsInJson,
} from '../output/escape-controls.ts'
import { type Piece, writeAll } from '../output/write-all.ts'
import { openBrowser } from '../process/open-browser.ts'
import type { PatchForm } from '../reports/describe-patch.ts'
import { describeRecord } from '../show/describe-record.ts'
import { paperFor } from '../show/describe-text.ts'
import { describeThread } from '../show/describe-thread.ts'
import type { Reading } from '../sources/cached-database.ts'
import { openReadable } from '../sources/open-readable.ts'

const FORMATS = ['text', 'markdown', 'json'] as const
type Format = (typeof FORMATS)[number]

export const show = defineCommand({
  usage: '<source> <record>',
  options: {
    source: SOURCE_OPTION,
    pager: PAGER_OPTION,
    record: {
      type: 'string',
      demandOption: true,
      describe: 'owner/name#12, name#12 or 12, owner/name@v1.0, owner/name, a login, or a URL',
    },
    format: {
      choices: FORMATS,
      value: '<format>',
      describe: 'Format of the output [text]',
    },
    json: JSON_OPTION,
    web: {
      type: 'boolean',
      describe: 'Open its page in the browser, and serve it until interrupted',
    },
    diff: { type: 'boolean', describe: 'Print what a pull request changes instead, as a patch' },
    ...PATCH_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc show samples/organization.tar.gz harbour-lights/tidewatch#2', 'a pull request'],
    [
      'marc show samples/organization.tar.gz harbour-lights/tidewatch#7 --format markdown',
      'an issue, as a document',
    ],
    ['marc show samples/organization.tar.gz harbour-lights/tidewatch#2 --diff', 'what it changes'],
    ['marc show samples/hello.tar.gz mona-lindqvist', 'a person'],
    ['marc show samples/hello.tar.gz 5 --web', 'in the browser'],
  ],
  notes: `--web shows the thread as marc serve does, with uploads, files and diffs, on a
port of 127.0.0.1.

--diff shows what changed since the branch left its base, as recorded. Its
output is a patch for git apply; --stat, --binary and --unified imply it.`,
  async run({ source: named, record, format: typed, json, web, ...patch }, io) {
    const format = ownFormatOf({ format: typed, json })
    const isDiff = patch.diff || patch.stat || patch.binary || patch.unified !== undefined
    if (isDiff && format) throw new UsageError('a patch cannot be combined with --format')
    if (web && (isDiff || format)) throw new UsageError('--web cannot be combined with other forms')
    const context = contextOf(patch.unified)
    const database = await openReadable(named, io, readingFor({ isDiff, web }))
    try {
      const [shown, ...others] = find(database, record, named)
      if (web) return await showInBrowser(database.name, shown as Target, io)
      const shownPieces = isDiff
        ? await diffPieces(database, shown as Target, { ...patch, context }, io)
        : pieces(database, shown as Target, format ?? 'text', io)
      await writeAll(io.stdout, shownPieces)
      for (const { url } of others) {
        io.stderr.write(safe`${escapeControls(`${record} may also mean ${url}`)}\n`)
      }
      return 0
    } finally {
      database.close()
    }
  },
})

/** The source for a page has uploads and Git data, and stays open as long as the page is served. */
const readingFor = ({
  isDiff,
  web,
}: {
  isDiff: boolean | undefined
  web: boolean | undefined
}): Reading => (web ? { contents: 'all', writes: true } : isDiff ? { contents: 'git' } : {})

/** Opens the page of a record in the browser, and serves it until the command is interrupted. */
async function showInBrowser(database: string, { url }: Target, io: Io): Promise<0> {
  const { servePages } = await import('../../serve/serve-pages.ts')
  const server = await servePages([database], { port: 0 })
  try {
    const path = server.pathOf(url) ?? `/-/raw?url=${encodeURIComponent(url)}`
    const address = `${server.url}${path}`
    const isRead = await writeAll(io.stdout, [safe`${escapeControls(address)}\n`])
    if (!(await (io.openBrowser ?? openBrowser)(address))) {
      io.stderr.write(safe`no browser could be started: open this address yourself\n`)
    }
    if (isRead && io.signal && !io.signal.aborted) await once(io.signal, 'abort')
    return 0
  } finally {
    await server.close()
  }
}

/** The records that are meant. For a commit, which `marc search` finds, throws `UsageError` with the command that shows it. */
function find(database: Database, record: string, named: string): Target[] {
  try {
    return resolveTarget(database, record)
  } catch (error) {
    const [, repository, oid] = /^([^/@]+\/[^/@]+)@([0-9a-f]{7,40})$/.exec(record) ?? []
    if (repository === undefined) throw error
    const hint = `See it with: marc repo show ${shellWord(named)} ${shellWord(repository)} ${oid}`
    throw new UsageError(`${record} is a commit`, hint)
  }
}

async function diffPieces(
  database: Database,
  { table, url }: Target,
  form: PatchForm & DiffOptions,
  io: Io,
): Promise<Iterable<Piece>> {
  if (table !== 'pull_requests') throw new UsageError('only a pull request has a diff')
  // Most threads are read without Git.
  const { describePullRequestDiff } = await import('../reports/describe-patch.ts')
  return describePullRequestDiff(database, url, form, io)
}

function pieces(
  database: Database,
  { table, url }: Target,
  format: Format,
  io: Io,
): Iterable<SafeText> {
  const store = Store.of(database, new Remembered(), { isFrozen: true })
  const thread = isThreadTable(table) ? threadAt(store, url) : undefined
  if (thread === undefined) {
    const record = findRecord(database, url)
    // An index that does not fit its table finds what is not there.
    if (!record) throw new ArchiveError('database-damaged', `${url} has no record`)
    if (format === 'json') return recordJson(record)
    return format === 'markdown'
      ? safePieces(recordMarkdown(record))
      : describeRecord(record, paperFor(io))
  }
  const timeline = timelinesOf(store).each(url)
  if (format === 'json') return threadJson(thread, timeline)
  return format === 'markdown'
    ? safePieces(threadMarkdown(thread, timeline))
    : describeThread(thread, timeline, paperFor(io))
}

function* safePieces(pieces: Iterable<string>): Generator<SafeText> {
  for (const piece of pieces) yield escapeControlsButNewlines(piece)
}

const recordJson = (record: JsonObject): SafeText[] =>
  JSON.stringify(record, null, 2)
    .split('\n')
    .map((line) => safe`${escapeControlsInJson(line)}\n`)

/** The thread with its timeline as the last member, item by item. */
function* threadJson(thread: Thread, timeline: Iterable<TimelineItem>): Generator<SafeText> {
  const print = (value: unknown) => escapeControlsInJson(JSON.stringify(value))
  yield safe`${print(thread).slice(0, -1)},"timeline":[`
  let between = safe`\n`
  for (const item of timeline) {
    yield safe`${between}${print(item)}`
    between = safe`,\n`
  }
  yield safe`\n]}\n`
}
