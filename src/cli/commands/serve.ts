import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { ArchiveError } from '../../base/errors.ts'
import type { LogEntry } from '../../http/request-log.ts'
import { audienceOf } from '../../serve/audience.ts'
import { type ArchiveServer, serveArchive } from '../../serve/serve-archive.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { AdvisedError } from '../command/usage-error.ts'
import { warnIfOpen } from '../options/ask-secret.ts'
import { SERVING_OPTIONS, serveOptionsOf } from '../options/serving-options.ts'
import { PROGRESS_OPTIONS } from '../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { openBrowser } from '../process/open-browser.ts'
import { describeImporters, describeRequest, describeServing } from '../reports/describe-serving.ts'
import { databasePaths } from '../sources/open-readable.ts'
import { stateOf } from '../sources/state-of.ts'

const UNKNOWN = `What archives do not contain:
  ids of people without a picture, organizations, repositories, issues,
    labels and milestones: they are made from URLs, and are above 2^48
  forks, stars, watchers, followers and gists: they are 0, and their lists
    are empty; language and license are null
  statuses and checks of commits, deployments, security advisories
  events of pushes, forks, watches and publications
  whether a pull request can be merged, or changed by maintainers
  reasons of locks, project cards and dismissed reviews, unless a record
    has them
  issues as they were at an event: events show them as of the export
  who watches and follows: received events are those of the user's own
    repositories, and of others in which the user acted`

const IMPORTS = `With --imports, owners of an organization in the accounts file import archives
into it, with a token that has the scope admin:org, as with GitHub's importer,
which marc migration import speaks as well:
  POST /organizations/<id>/gei/archive?name=<name>
      uploads an archive of up to 100 MiB; the answer has its address
  POST, PATCH, PUT /organizations/<id>/gei/archive/blobs/uploads
      upload a larger one in parts of 5 MiB at least, each to the Location
      of the answer before
  POST /graphql
      createMigrationSource, startRepositoryMigration, node and a few more
Uploads are kept for seven days. With --fetch-archives, addresses on the named
hosts stand for uploads. It needs the package graphql.`

export const serve = defineCommand({
  usage: '<sources..>',
  options: {
    sources: {
      type: 'string',
      array: true,
      demandOption: true,
      foreign: true,
      describe: 'Databases, archives or folders of them, served as one',
    },
    ...SERVING_OPTIONS,
    log: {
      choices: ['none', 'plain', 'json'],
      describe: 'One line for each request on standard error [plain on a terminal]',
    },
    open: { type: 'boolean', describe: 'Open the pages in the browser' },
    'for-importers': {
      type: 'boolean',
      describe: 'Say how Gitea, Forgejo and GitLab import from this server',
    },
    json: { type: 'boolean', describe: 'Print the address, and errors, as JSON' },
    ...PROGRESS_OPTIONS,
  },
  exits: [4],
  lasts: true,
  notes: `${UNKNOWN}\n\n${IMPORTS}`,
  works: 'in turns',
  examples: [
    ['marc serve hello.db --port 0 --now newest', 'feeds show the last 90 days of the export'],
    ['marc serve samples/hello.tar.gz --port 0 --read-only', 'refuse everything that would write'],
    ['marc serve hello.db --port 0 --for-importers', 'what to type into Gitea, Forgejo and GitLab'],
  ],
  async run({ sources, log, open, json, quiet, verbose, ...typed }, io) {
    const options = { ...serveOptionsOf(typed), state: typed.state ?? (await stateOf(sources)) }
    const reading = { quiet, contents: 'all', writes: true } as const
    const databases = await databasePaths(sources, io, reading)
    const tell = (text: string) => {
      if (!quiet) io.stderr.write(safe`${escapeControls(text)}\n`)
    }
    warnIfOpen(typed['tls-key'], tell)
    const form = log ?? (io.stderr.isTTY === true && !quiet ? 'plain' : 'none')
    // Only a person at a terminal may see a token.
    const isFirstLook = options.accounts === undefined && io.stderr.isTTY === true && !quiet
    const ownerToken = isFirstLook ? randomBytes(20).toString('hex') : undefined
    const audience = audienceOf(options, typed.pages)
    const serving = {
      ...options,
      pages: audience,
      ownerToken,
      log: (entry: LogEntry) => writeRequest(entry, form, io),
      notice: tell,
      signal: io.signal,
    }
    const server = await serveArchive(databases, serving).catch(adviseOnState)
    warnIfOpen(typed.accounts, tell)
    try {
      for (const line of describeServing(
        server,
        { ...options, pages: audience === 'all' },
        ownerToken,
      ))
        tell(line)
      if (typed['for-importers'] && server.url !== undefined) {
        const address = options.baseUrl?.replace(/(?<!\/)\/+$/, '') ?? server.url
        for (const line of describeImporters(address, ownerToken)) tell(line)
      }
      io.onHangup?.(() => reload(server, tell))
      io.growYoungSpace?.()
      io.compileInLessMemory?.()
      const isRead = await writeAll(io.stdout, [describeServer(server, json === true)])
      if (
        open &&
        server.url !== undefined &&
        !(await (io.openBrowser ?? openBrowser)(server.url))
      ) {
        tell(`no browser could be started: open ${server.url} yourself`)
      }
      if (isRead && io.signal && !io.signal.aborted) await once(io.signal, 'abort')
      return 0
    } finally {
      await server.close()
    }
  },
})

function describeServer({ url = '', contents }: ArchiveServer, json: boolean): SafeText {
  if (!json) return safe`${escapeControls(url)}\n`
  return safe`${escapeControlsInJson(JSON.stringify({ url, pid: process.pid, repositories: contents.repositories }))}\n`
}

/** Throws the error, with the options that help where the folder of the state cannot be made or written. */
function adviseOnState(error: unknown): never {
  const isRefused = error instanceof ArchiveError && error.code === 'output-refused'
  const advice = 'Name a folder for the state with --state, or keep none with --read-only.'
  throw isRefused ? new AdvisedError(error, advice) : error
}

/** A request on one line. The stack of a fault of our own is shown whatever is logged. */
function writeRequest(entry: LogEntry, form: 'none' | 'plain' | 'json', { stderr }: Io): void {
  if (form === 'json') stderr.write(safe`${escapeControlsInJson(JSON.stringify(entry))}\n`)
  else if (form === 'plain' || entry.fault !== undefined) {
    stderr.write(safe`${describeRequest(entry)}\n`)
  }
}

function reload(server: ArchiveServer, tell: (text: string) => void): void {
  try {
    server.reloadAccounts()
    tell('read the accounts file again')
  } catch (error) {
    tell(`the accounts file stays as it was: ${(error as Error).message}`)
  }
}
